/*
 * Made of docs/openapi.json. scripts/generate.ts writes this file.
 */

export type AgentAnswer = { isError: boolean; body: Readonly<Record<string, unknown>> }

export type Health = { status: "ok" | "ready" | "starting" | "standby" }

export type Caller = { name: string; scopes: readonly ("read" | "operate" | "approve" | "agent")[] }

export type Login = { name: string; scopes: readonly ("read" | "operate" | "approve" | "agent")[];
    csrf: string; until: string }

export type Nothing = Record<string, never>

export type Status = { mode: "live" | "observe"; paused: boolean; pause: { at: string; by:
    "operator" | "alarm" | "books" | "file" | "signal"; reason: string | null; alarms: readonly ({
    id: string; code: string; order: string | null; message: string; at: string })[] } | null;
    inFlight: number; held: number; alerts: readonly ({ atMs: number; orderId: string | null;
    reason: Reason })[]; clockJump: Reason | null; chains: readonly ({ chain: string; family:
    string; account: string; paused: boolean; endpoints: number | null; agree: number | null;
    agreeing: number | null; agreementReasons: readonly (Reason)[]; finality: { seen: string;
    reveal: string; ending: string } | null; warning: string | null })[]; services: readonly ({
    name: string; inFlight: number; rest: { until: string; failures: number; cause: Reason } | null
    })[]; configHash: string; startedAt: string; now: string }

export type Overview = { at: string; level: "ok" | "attention" | "trouble"; verdict: string; daemon:
    { answers: boolean; pid: number | null; version: string | null; lastSeen: string | null;
    startedAt: string | null }; cluster: { role: "leader" | "standby"; holder: string | null; epoch:
    number | null; seq: number | null; lastAnswer: string; standbys: readonly ({ holder: string;
    version: string; seq: number })[] } | null; mode: "live" | "observe" | null; pause: { at:
    string; by: "operator" | "alarm" | "books" | "file" | "signal"; reason: string | null; alarms:
    readonly ({ id: string; code: string; order: string | null; message: string; at: string })[] } |
    null; pausedChains: readonly (string)[]; pausedRules: readonly (string)[]; problems: readonly ({
    level: "attention" | "trouble"; code: string; kind: string; about: string | null; sentence:
    string; meaning: string; todo: string; command: string | null; order: string | null;
    needsPerson: boolean; deadline: string | null; left: string | null })[]; tasks: readonly ({
    level: "attention" | "trouble"; code: string; kind: string; about: string | null; sentence:
    string; meaning: string; todo: string; command: string | null; order: string | null;
    needsPerson: boolean; deadline: string | null; left: string | null })[]; nodes: readonly ({
    chain: string; state: "good" | "degraded" | "silent" | "unknown"; lastAnswer: string | null;
    headAgeMs: number | null; height: string | null; needed: number; agreeing: number | null;
    endpoints: readonly ({ host: string; state: "good" | "unasked" | "failing" | "silent" |
    "wrong-network" | "behind" | "ahead" | "slow"; lastAnswer: string | null; height: string | null;
    headAgeMs: number | null; tookMs: number | null; error: string | null; hours: readonly ({ at:
    string; answered: number; failed: number; fault: string | null })[] })[] })[]; services:
    readonly ({ name: string; state: "good" | "slow" | "silent" | "failing" | "resting" | "unknown";
    lastAnswer: string | null; inFlight: number; restUntil: string | null; error: string | null;
    hours: readonly ({ at: string; answered: number; failed: number; fault: string | null })[] })[];
    treasury: readonly ({ asset: string; amount: string | null; readAt: string | null; bounds:
    readonly ({ rule: string; min: string; target: string; max: string | null; place: "below" |
    "within" | "above" | "unknown" })[]; shares: readonly ({ rule: string; percent: string })[]
    })[]; gas: readonly ({ chain: string; coin: string; amount: string | null; needed: string;
    daysLeft: number | null; readAt: string | null })[]; orders: readonly ({ id: string; rule:
    string; from: string; to: string; amount: string; destinationAmount: string | null; state:
    string; money: string; held: boolean; since: string; deadline: string | null; left: string |
    null; ends: string | null })[]; rules: readonly ({ id: string; kind: string; enabled: boolean;
    paused: boolean; next: string | null; last: string | null; verdict: "proposed" | "declined" |
    null; reasons: readonly (Reason)[] })[]; next: readonly ({ rule: string; at: string })[];
    limits: readonly ({ name: string; used: string; max: string; left: string; unit: string;
    percent: number })[]; alarms: readonly ({ at: string; order: string | null; reason: Reason })[];
    disk: { freeBytes: number; free: string } | null; clock: Reason | null }

export type Summary = { at: string; since: string; totalFiat: string; inFlight: { orders: number;
    fiat: string }; unpriced: readonly (string)[]; unread: readonly (string)[]; change: { from:
    string; totalFiat: string; pricesFiat: string; outsideFiat: string; swapsFiat: string } | null;
    swaps: { orders: number; counts: Readonly<Record<string, number>>; volumeFiat: string; costFiat:
    string; costBps: number | null; unpriced: number; medianMs: number | null; p90Ms: number | null;
    slowest: { order: string; ms: number } | null }; assets: readonly ({ asset: string; price:
    string | null; priceAt: string | null; fiat: string | null; change: string | null; incoming:
    string; outgoing: string; unbookedFiat: string | null })[]; open: readonly ({ order: string;
    fiat: string | null; requestedAt: string; deposited: boolean })[]; alarms: readonly ({ at:
    string; code: string; sentence: string; order: string | null })[]; missed: readonly ({ rule:
    string; runs: number })[] }

export type Series = { asset: string; from: string; to: string; points: readonly ({ at: string;
    amount: string | null })[]; bands: readonly ({ from: string; bound: { min: string; target:
    string; max: string | null } | null })[]; without: readonly (string)[]; joined: readonly ({ at:
    string; asset: string; by: "reading" | "price" })[] }

export type Flows = { at: string; from: string; total: { orders: number; completed: number;
    volumeFiat: string; costFiat: string; feesFiat: string; costBps: number | null; unpriced:
    number; medianMs: number | null; p95Ms: number | null }; maxCostBps: number | null; steps:
    readonly ({ orders: number; completed: number; volumeFiat: string; costFiat: string; feesFiat:
    string; costBps: number | null; unpriced: number; medianMs: number | null; p95Ms: number | null;
    from: string; to: string })[]; rules: readonly ({ orders: number; completed: number; volumeFiat:
    string; costFiat: string; feesFiat: string; costBps: number | null; unpriced: number; medianMs:
    number | null; p95Ms: number | null; name: string })[]; services: readonly ({ orders: number;
    completed: number; volumeFiat: string; costFiat: string; feesFiat: string; costBps: number |
    null; unpriced: number; medianMs: number | null; p95Ms: number | null; name: string })[]; pairs:
    readonly ({ orders: number; completed: number; volumeFiat: string; costFiat: string; feesFiat:
    string; costBps: number | null; unpriced: number; medianMs: number | null; p95Ms: number | null;
    from: string; to: string })[]; chains: readonly ({ orders: number; completed: number;
    volumeFiat: string; costFiat: string; feesFiat: string; costBps: number | null; unpriced:
    number; medianMs: number | null; p95Ms: number | null; from: string; to: string })[]; outside:
    readonly ({ asset: string; in: string; out: string; inFiat: string | null; outFiat: string |
    null })[]; marks: readonly ({ at: string; kind: "in" | "out" | "outside" | "alarm" |
    "configuration"; asset: string | null; amount: string | null; order: string | null })[] }

export type Balances = { balances: readonly ({ asset: string; account: string; amount: string |
    null; amountUnits: string | null; spendable: string | null; spendableUnits: string | null;
    error: Reason | null })[] }

export type Orders = { orders: readonly (Order)[]; next: string | null }

export type OrderWithEvents = { id: string; serviceOrderId: string | null; service: string | null;
    kind: string | null; solver: string | null; considered: readonly ({ service: string; solver:
    string; receive: string; receiveUnits: string; reasons: readonly (Reason)[] })[]; rule: string;
    secondRule: string | null; from: string; to: string; amount: string; amountUnits: string;
    destinationAmount: string | null; destinationAmountUnits: string | null; destinationOwner:
    string; state: string; money: string; outcome: string | null; held: boolean; deposited: boolean;
    deposit: "onchain" | "gasless"; depositTx: string | null; destinationTx: string | null;
    refundTx: string | null; fiat: string | null; costBps: number | null; costFiat: string | null;
    costParts: { swapFiat: string | null; paidUnits: string; paidFiat: string | null;
    depositAtMostUnits: string | null; depositAtMostFiat: string | null; refundAtMostUnits: string |
    null; refundAtMostFiat: string | null; redeemPaidUnits: string; redeemAtMostUnits: string |
    null; refundRiskFiat: string | null; lockedFiat: string | null }; reference?: { costBps: number
    | null; outliers: readonly ({ asset: string; source: string; price: string; agreed: string;
    deviationBps: number })[] } | undefined; intent: string | null; intentFields:
    Readonly<Record<string, string>> | null; approval: { by: string; at: string } | null; askedBy?:
    string | undefined; people?: { needed: number; approved: readonly ({ by: string; at: string })[]
    } | undefined; approveBefore: string | null; networkFeeUnits: string; payoutFee: string | null;
    payoutFeeUnits: string | null; affiliateFees: readonly ({ asset: string; address: string;
    feeBps: number; amount: string | null; amountUnits: string | null })[]; reported: { redeemTx:
    string; at: string } | null; seen: Readonly<Record<string, { tx: string; final: boolean; at:
    string } | null>>; reportedTxs: { sourceInitiated: readonly (string)[]; destinationInitiated:
    readonly (string)[]; destinationRedeemed: readonly (string)[]; sourceRedeemed: readonly
    (string)[]; sourceRefunded: readonly (string)[] }; refundableAtHeight: string | null; route?: {
    kind: string; deposit: string; voucher: string; nonce: string | null; payout: string; trust:
    string } | undefined; secret: "own" | "service" | null; ownSecret?: { hash: string; status:
    "unknown" | "revealed" | "withheld" | "lost"; revealedAt: string | null } | undefined;
    payoutDeadline?: { at: string | null; height: string | null; offerUnits: string | null;
    capUnits: string | null } | undefined; transactions: readonly ({ purpose: string; attempt:
    number; tx: string; raw: string })[]; reasons: readonly (Reason)[]; who: string; createdAt:
    string; updatedAt: string; nextAsk: { at: string; why: string } | null; usual: { depositMs:
    number; payoutMs: number; endMs: number } | null; payee?: { uses: number; of: number; since:
    string | null } | undefined; events: readonly ({ at: string; type: string; state: string; body:
    unknown })[]; calls: readonly ({ at: string; caller: string; source: string; action: string
    })[]; explained?: readonly (string)[] | undefined }

export type Rules = { rules: readonly ({ id: string; kind: string; enabled: boolean; paused:
    boolean; last: { decision: string; at: string; lastAt: string; times: number; verdict:
    "proposed" | "declined"; reasons: readonly (Reason)[]; orders: readonly (string)[] } | null;
    next: string | null; upcoming: readonly (string)[]; runs: readonly ({ at: string; lastAt:
    string; times: number; outcome: "swap" | "nothing" | "refused" | "missed"; reasons: readonly
    (Reason)[] })[] })[] }

export type Decisions = { decisions: readonly (Decision)[]; next: string | null }

export type Replay = { decision: string; rule: string; same: boolean; policy: number; findings:
    readonly (string)[]; solved: readonly ({ by: string | null; exact: boolean; why: string | null
    })[]; stored: { proposals: readonly ({ rules: readonly (string)[] })[]; reasons: readonly
    (Reason)[] }; again: { proposals: readonly ({ rules: readonly (string)[] })[]; reasons: readonly
    (Reason)[] } }

export type Plan = { at: string; mode: "live" | "observe"; paused?: readonly (string)[] | undefined;
    plan: { orders: number; cost: string | null; exact: boolean }; proposals: readonly ({ rules:
    readonly (string)[]; from: string; to: string; destination: string | null; kind?: string |
    undefined; amount: string; amountUnits: string; receive: string | null; receiveUnits: string |
    null; cost: string | null; costParts: { swap: string; network: string | null; refund: string |
    null; refundRisk: string | null; locked: string | null } | null; why: readonly (Reason)[];
    explained?: readonly (string)[] | undefined; refused: readonly (Reason)[] })[]; tokenAccounts:
    readonly ({ asset: string; address: string; cost: string; costUnits: string; refused: readonly
    (Reason)[] })[]; declined: readonly ({ rule: string; reasons: readonly (Reason)[] })[] }

export type Quote = { at: string; from: string; to: string; amount: string; receive: string | null;
    service: string | null; solver: string | null; sendsFiat: string | null; receivesFiat: string |
    null; costBps: number | null; estimatedSeconds: number | null; fees: { deposit: string; refund:
    string; redeem?: string | undefined } | null; needsApproval: boolean; refused: readonly
    (Reason)[]; worstCase: readonly (string)[] }

export type Reconciliation = { assets: readonly (Comparison)[]; accepted?: string | undefined;
    units?: string | undefined }

export type Alerts = { alerts: readonly ({ at: string; order: string | null; reason: Reason; closed:
    string | null })[]; next: string | null; open: readonly ({ id: string; kind: string; code:
    string; level: string; sentence: string; order: string | null; opened: string | null;
    acknowledgedBy: string | null; escalated: string | null })[]; receivers: readonly ({ name:
    string; kind: string; waiting: number; delivered: string | null; error: string | null })[] }

export type Books = { at: string; weeks: readonly ({ group: string; orders: number; counts:
    Readonly<Record<string, number>>; volume: string; swapCost: string; networkFees: string;
    costBps: number | null; unpriced: number })[]; rules: readonly ({ group: string; orders: number;
    counts: Readonly<Record<string, number>>; volume: string; swapCost: string; networkFees: string;
    costBps: number | null; unpriced: number })[]; total: { group: string; orders: number; counts:
    Readonly<Record<string, number>>; volume: string; swapCost: string; networkFees: string;
    costBps: number | null; unpriced: number }; balances: readonly ({ asset: string; points:
    readonly ({ at: string; amount: string })[] })[] }

export type Bookings = { bookings: readonly ({ id: number; at: string; order: string | null; kind:
    string; key: string; tx: string | null; note: string | null; reverses: number | null; postings:
    readonly ({ account: string; asset: string; amount: string; units: string; fiat: string | null
    })[] })[]; next: string | null }

export type Audit = { calls: readonly ({ at: string; caller: string; source: string; action: string;
    subject: string | null; body: string })[]; next: string | null }

export type Log = { lines: readonly ({ seq: number; at: string; level: "debug" | "info" | "warn" |
    "error" | "fatal"; message: string; order: string | null; fields: Readonly<Record<string,
    unknown>> })[]; newest: number }

export type Settings = { treasury: string; mode: "live" | "observe"; configHash: string; settings:
    readonly ({ name: string; means: string })[]; guards: readonly ({ guard: string; means: string
    })[]; services: readonly ({ name: string; host: string })[]; chains: readonly ({ chain: string;
    family: string; nativeCoin: { symbol: string; decimals: number }; endpoints: number; agree:
    number; explorer: { tx: string; address: string } | null })[]; assets: readonly ({ id: string;
    decimals: number })[]; payees: readonly ({ name: string; address: string })[]; tokens: readonly
    ({ name: string; scopes: readonly (string)[] })[] }

export type Report = { period: { from: string | null; to: string | null }; by: "rule" | "pair" |
    "period" | "kind" | "service" | "solver"; lines: readonly (ReportLine)[]; total: ReportLine;
    services: readonly ({ name: string; inFlight: number; rest: { until: string; failures: number;
    cause: Reason } | null })[]; outOfBand: readonly ({ rule: string; outOfBandMs: number; knownMs:
    number })[] }

export type AffiliateReport = { weeks: readonly ({ week: string; asset: string; address: string;
    amount: string | null; amountUnits: string; orders: number; unknownOrders: number })[] }

export type Earnings = { assets: readonly ({ asset: string; own: string | null; ownUnits: string;
    stated: string | null; statedUnits: string; differenceUnits: string; verdict: "same" |
    "service_less" | "service_more" | "paid_unknown" | "incomplete" })[]; services: readonly ({
    service: string; error: Reason | null; owed: readonly ({ asset: string; owed: string | null;
    owedUnits: string; paidUnits: string | null; contract: string | null })[] })[] }

export type Why = { rule: string; next: string | null; decisions: readonly ({ id: string; rule:
    string; verdict: "proposed" | "declined"; at: string; atMs: number; lastAt: string; lastAtMs:
    number; times: number; occurrence: string | null; proposals: readonly ({ rules: readonly
    (string)[]; from: string; to: string; destination: string | null; kind?: string | undefined;
    amount: string; amountUnits: string; receive: string | null; receiveUnits: string | null; cost:
    string | null; costParts: { swap: string; network: string | null; refund: string | null;
    refundRisk: string | null; locked: string | null } | null; why: readonly (Reason)[]; explained?:
    readonly (string)[] | undefined; outcome: { order: string } | { refused: readonly (Reason)[] } |
    null })[]; reasons: readonly (Reason)[]; plan: { orders: number; cost: string | null; exact:
    boolean } | null; orderId: string | null; orders: readonly (string)[]; inputs: string | null;
    configHash: string | null; body: unknown; changes: readonly (string)[] })[]; quotes:
    Readonly<Record<string, { to: string; considered: readonly ({ service: string; solver: string;
    receive: string; receiveUnits: string; reasons: readonly (Reason)[] })[] }>>; calls: readonly ({
    at: string; caller: string; source: string; action: string })[] }

export type Simulation = { seeds: { first: number; count: number }; scenario: { days: number };
    subjects: readonly ({ name: string; summary: { moves: { p5: number; p50: number; p95: number };
    completed: { p5: number; p50: number; p95: number }; refunded: { p5: number; p50: number; p95:
    number }; volumeFiat: { p5: string; p50: string; p95: string }; swapFeesFiat: { p5: string; p50:
    string; p95: string }; networkFeesFiat: { p5: string; p50: string; p95: string }; feesFiat: {
    p5: string; p50: string; p95: string }; feesHundredthBps: { p5: string; p50: string; p95: string
    }; assets: readonly ({ asset: string; lowestUnits: { p5: string; p50: string; p95: string };
    finalUnits: { p5: string; p50: string; p95: string }; meanFiat: { p5: string; p50: string; p95:
    string }; unservedUnits: { p5: string; p50: string; p95: string }; unservedSeeds: number })[];
    rules: readonly ({ rule: string; outsideBps: { p5: number; p50: number; p95: number }; belowBps:
    { p5: number; p50: number; p95: number }; aboveBps: { p5: number; p50: number; p95: number }
    })[] }; costs: readonly (string)[]; swapDays: readonly (number)[] })[]; comparison: { cheaper:
    "first" | "second" | null; steadier: "first" | "second" | null } | null; plots: readonly ({
    asset: string; subjects: readonly ({ points: readonly ({ p5: number; p50: number; p95: number;
    p25: number; p75: number })[]; bound: { min: string; target: string; max: string | null } | null
    })[] })[] }

export type Advice = { period: { from: string; to: string }; enough: boolean; say: string; own: {
    usdPerMonth: string; ordersPerWeek: number; outsideBps: number; unserved: number } | null;
    advice: readonly ({ change: string; sentence: string; with: { usdPerMonth: string;
    ordersPerWeek: number; outsideBps: number; unserved: number } })[]; calculation: { seed: number;
    scenario: { days: number } } | null }

export type Proposals = { proposals: readonly (Proposal)[] }

export type DryRun = { ok: boolean; from: string; to: string; amount: string | null; mode: "live" |
    "observe"; serviceOrderId: string | null; refused: readonly (Reason)[]; findings: readonly
    (Reason)[]; needsApproval: boolean; quote: { service: string | null; solver: string; sends:
    string | null; receives: string | null; sendsFiat: string | null; receivesFiat: string | null;
    costBps: number | null; estimatedSeconds: number | null } | null; deposit:
    Readonly<Record<string, unknown>> | null; intent: string | null; signatures: readonly ({
    purpose: "approve" | "deposit" | "gasless"; what: "transaction" | "typed data"; digest: string |
    null; maxFee: string | null; content: unknown; reasons: readonly (Reason)[] })[]; worstCase: {
    locked: string; timelock: string; lockedForSeconds: number; refundedBy: string; fees: { deposit:
    string; refund: string; redeem?: string | undefined } | null; refund: { who: string; when:
    string; how: readonly (string)[] } | null; sentences: readonly (string)[] } | null; unfinished:
    boolean }

export type AcceptedSwap = { id: string }

export type Paused = { paused: boolean; scope: { kind: "all" } | { kind: "chain"; chain: string } |
    { kind: "rule"; rule: string } }

export type Confirmed = { confirmed: string }

export type Acknowledged = { acknowledged: number }

export type Recovery = { orders: readonly ({ service: string; orderId: string; from: string; to:
    string; status: "found" | "adopted" | "over" | "unfunded" | "unclear"; hasOwnSecret: boolean;
    id: string | null; reasons: readonly (Reason)[] })[]; unread: readonly ({ service: string;
    chain: string; reasons: readonly (Reason)[] })[]; leftOut: number }

export type Reloaded = { changed: boolean; configHash: string; differences: readonly ({ key: string;
    change: "added" | "removed" | "changed"; from: string | null; to: string | null })[] }

export type HandOver = { standbys: readonly ({ holder: string; version: string; seq: number })[] }

export type OperatedOrder = { id: string; state: string }

export type WithdrawnKey = { id: string | null }

type Decision = { id: string; rule: string; verdict: "proposed" | "declined"; at: string; atMs:
    number; lastAt: string; lastAtMs: number; times: number; occurrence: string | null; proposals:
    readonly ({ rules: readonly (string)[]; from: string; to: string; destination: string | null;
    kind?: string | undefined; amount: string; amountUnits: string; receive: string | null;
    receiveUnits: string | null; cost: string | null; costParts: { swap: string; network: string |
    null; refund: string | null; refundRisk: string | null; locked: string | null } | null; why:
    readonly (Reason)[]; explained?: readonly (string)[] | undefined; outcome: { order: string } | {
    refused: readonly (Reason)[] } | null })[]; reasons: readonly (Reason)[]; plan: { orders:
    number; cost: string | null; exact: boolean } | null; orderId: string | null; orders: readonly
    (string)[]; inputs: string | null; configHash: string | null; body: unknown }

type Comparison = { asset: string; state: "agrees" | "unsettled" | "surplus" | "difference" |
    "unreadable"; ledger: string | null; ledgerUnits: string | null; chain: string | null;
    chainUnits: string | null; difference: string | null; differenceUnits: string | null; at:
    string; since: string }

type ReportLine = { group: string; counts: Readonly<Record<string, number>>; successBps: number |
    null; volumeFiat: string; swapCostFiat: string; affiliateCostFiat: string; payoutCostFiat:
    string; networkFeeFiat: string; costBps: number | null; againstQuoteBps: number | null;
    againstReferenceBps: number | null; unpriced: { swaps: number; fees: number }; sent:
    Readonly<Record<string, string>>; received: Readonly<Record<string, string>>; toDepositMs: {
    median: number; longest: number } | null; toPayoutMs: { median: number; longest: number } | null
    }

export type Proposal = { id: string; agent: string; at: string; expires: string; rule: string;
    state: "open" | "applied" | "stale" | "dismissed" | "expired"; dismissedBy: string | null;
    changes: readonly ({ key: string; from: string | null; to: string })[]; simulation: { days:
    number; runs: number; now: { moves: number; volumeFiat: string; feesFiat: string; outsideBps:
    number | null }; changed: { moves: number; volumeFiat: string; feesFiat: string; outsideBps:
    number | null } } }

export type DaemonEvent = { type: "order"; id: string; data: Order } | { type: "approval"; id:
    string; data: { id: string; intent: string | null; from: string; to: string; amount: string } }
    | { type: "decision"; id: string; data: Decision } | { type: "alarm"; id: string; data: { at:
    string; order: string | null; reason: Reason } } | { type: "balance"; id: string; data:
    Comparison } | { type: "reset"; id: string; data: Nothing }

type Order = { id: string; serviceOrderId: string | null; service: string | null; kind: string |
    null; solver: string | null; considered: readonly ({ service: string; solver: string; receive:
    string; receiveUnits: string; reasons: readonly (Reason)[] })[]; rule: string; secondRule:
    string | null; from: string; to: string; amount: string; amountUnits: string; destinationAmount:
    string | null; destinationAmountUnits: string | null; destinationOwner: string; state: string;
    money: string; outcome: string | null; held: boolean; deposited: boolean; deposit: "onchain" |
    "gasless"; depositTx: string | null; destinationTx: string | null; refundTx: string | null;
    fiat: string | null; costBps: number | null; costFiat: string | null; costParts: { swapFiat:
    string | null; paidUnits: string; paidFiat: string | null; depositAtMostUnits: string | null;
    depositAtMostFiat: string | null; refundAtMostUnits: string | null; refundAtMostFiat: string |
    null; redeemPaidUnits: string; redeemAtMostUnits: string | null; refundRiskFiat: string | null;
    lockedFiat: string | null }; reference?: { costBps: number | null; outliers: readonly ({ asset:
    string; source: string; price: string; agreed: string; deviationBps: number })[] } | undefined;
    intent: string | null; intentFields: Readonly<Record<string, string>> | null; approval: { by:
    string; at: string } | null; askedBy?: string | undefined; people?: { needed: number; approved:
    readonly ({ by: string; at: string })[] } | undefined; approveBefore: string | null;
    networkFeeUnits: string; payoutFee: string | null; payoutFeeUnits: string | null; affiliateFees:
    readonly ({ asset: string; address: string; feeBps: number; amount: string | null; amountUnits:
    string | null })[]; reported: { redeemTx: string; at: string } | null; seen:
    Readonly<Record<string, { tx: string; final: boolean; at: string } | null>>; reportedTxs: {
    sourceInitiated: readonly (string)[]; destinationInitiated: readonly (string)[];
    destinationRedeemed: readonly (string)[]; sourceRedeemed: readonly (string)[]; sourceRefunded:
    readonly (string)[] }; refundableAtHeight: string | null; route?: { kind: string; deposit:
    string; voucher: string; nonce: string | null; payout: string; trust: string } | undefined;
    secret: "own" | "service" | null; ownSecret?: { hash: string; status: "unknown" | "revealed" |
    "withheld" | "lost"; revealedAt: string | null } | undefined; payoutDeadline?: { at: string |
    null; height: string | null; offerUnits: string | null; capUnits: string | null } | undefined;
    transactions: readonly ({ purpose: string; attempt: number; tx: string; raw: string })[];
    reasons: readonly (Reason)[]; who: string; createdAt: string; updatedAt: string }

type Reason = { code: string; message: string }
