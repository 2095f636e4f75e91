/*
 * The operations of docs/openapi.json and their types. scripts/generate.ts writes this file.
 */
/** Method and path of each operation, and whether it takes an idempotency key. */
export const OPERATIONS = {
  getHealthz: ["GET", "/healthz", false],
  getReadyz: ["GET", "/readyz", false],
  getDashboard: ["GET", "/", false],
  postSession: ["POST", "/api/v1/session", false],
  getSession: ["GET", "/api/v1/session", false],
  deleteSession: ["DELETE", "/api/v1/session", false],
  getOpenapiJson: ["GET", "/api/v1/openapi.json", false],
  getMetrics: ["GET", "/metrics", false],
  getStatus: ["GET", "/api/v1/status", false],
  getOverview: ["GET", "/api/v1/overview", false],
  getBalances: ["GET", "/api/v1/balances", false],
  getSummary: ["GET", "/api/v1/summary", false],
  getFlows: ["GET", "/api/v1/flows", false],
  getSeriesByAsset: ["GET", "/api/v1/series/{asset}", false],
  getOrdersById: ["GET", "/api/v1/orders/{id}", false],
  getRules: ["GET", "/api/v1/rules", false],
  getDecisionsByIdReplay: ["GET", "/api/v1/decisions/{id}/replay", false],
  getPlan: ["GET", "/api/v1/plan", false],
  getQuote: ["GET", "/api/v1/quote", false],
  getReconciliation: ["GET", "/api/v1/reconciliation", false],
  getBooks: ["GET", "/api/v1/books", false],
  getLog: ["GET", "/api/v1/log", false],
  getSettings: ["GET", "/api/v1/settings", false],
  getOrders: ["GET", "/api/v1/orders", false],
  getDecisions: ["GET", "/api/v1/decisions", false],
  getBookings: ["GET", "/api/v1/bookings", false],
  getAudit: ["GET", "/api/v1/audit", false],
  getAlerts: ["GET", "/api/v1/alerts", false],
  getRulesByIdWhy: ["GET", "/api/v1/rules/{id}/why", false],
  getReport: ["GET", "/api/v1/report", false],
  getReportAffiliate: ["GET", "/api/v1/report/affiliate", false],
  getSimulate: ["GET", "/api/v1/simulate", false],
  getExport: ["GET", "/api/v1/export", false],
  postSwap: ["POST", "/api/v1/swap", true],
  getSwapByKey: ["GET", "/api/v1/swap/{key}", false],
  postSwapByKeyWithdraw: ["POST", "/api/v1/swap/{key}/withdraw", true],
  postPause: ["POST", "/api/v1/pause", true],
  postResume: ["POST", "/api/v1/resume", true],
  postReconcile: ["POST", "/api/v1/reconcile", true],
  postClusterHandOver: ["POST", "/api/v1/cluster/hand-over", true],
  postConfirmClock: ["POST", "/api/v1/confirm-clock", true],
  postAlertsByIdAcknowledge: ["POST", "/api/v1/alerts/{id}/acknowledge", true],
  postRecover: ["POST", "/api/v1/recover", true],
  postReload: ["POST", "/api/v1/reload", true],
  postOrdersByIdApprove: ["POST", "/api/v1/orders/{id}/approve", true],
  postOrdersByIdReject: ["POST", "/api/v1/orders/{id}/reject", true],
  postOrdersByIdRetry: ["POST", "/api/v1/orders/{id}/retry", true],
  postOrdersByIdAbandon: ["POST", "/api/v1/orders/{id}/abandon", true],
  postOrdersByIdRefund: ["POST", "/api/v1/orders/{id}/refund", true],
  postOrdersByIdRedeem: ["POST", "/api/v1/orders/{id}/redeem", true],
  postAgentCall: ["POST", "/api/v1/agent/call", false],
} as const

/** `key`: the idempotency key of an earlier call whose answer was lost. */
export type CallOptions = { readonly key?: string; readonly signal?: AbortSignal }

export type Calls = {
  /**
   * Does the process answer?. Needs no token.
   */
  readonly getHealthz: (args?: Record<string, never>, options?: CallOptions) => Promise<Health>
  /**
   * Can orders be submitted?. Needs no token.
   */
  readonly getReadyz: (args?: Record<string, never>, options?: CallOptions) => Promise<Health>
  /**
   * The dashboard. Needs no token.
   */
  readonly getDashboard: (args?: Record<string, never>, options?: CallOptions) => Promise<string>
  /**
   * Log in to the dashboard with a token; over TCP only. Needs no token.
   */
  readonly postSession: (args: { token: string }, options?: CallOptions) => Promise<Login>
  /**
   * The caller. Needs a token with the scope `read`.
   */
  readonly getSession: (args?: Record<string, never>, options?: CallOptions) => Promise<Caller>
  /**
   * Log out. Needs a token with the scope `read`.
   */
  readonly deleteSession: (args?: Record<string, never>, options?: CallOptions) => Promise<Nothing>
  /**
   * This document. Needs a token with the scope `read`.
   */
  readonly getOpenapiJson: (args?: Record<string, never>, options?: CallOptions) =>
    Promise<Readonly<Record<string, unknown>>>
  /**
   * Metrics for Prometheus. Needs a token with the scope `read`.
   */
  readonly getMetrics: (args?: Record<string, never>, options?: CallOptions) => Promise<string>
  /**
   * Mode, pause, chains, services and the newest alerts. Needs a token with the scope `read`.
   */
  readonly getStatus: (args?: Record<string, never>, options?: CallOptions) => Promise<Status>
  /**
   * How is it? Verdict, problems, nodes, treasury, orders, limits. Needs a token with the scope
   * `read`.
   */
  readonly getOverview: (args?: Record<string, never>, options?: CallOptions) => Promise<Overview>
  /**
   * Amounts and spendable amounts by asset. Needs a token with the scope `read`.
   */
  readonly getBalances: (args?: Record<string, never>, options?: CallOptions) => Promise<Balances>
  /**
   * Total in fiat with its change, volume, cost and events since a time. Needs a token with the
   * scope `read`.
   */
  readonly getSummary: (args?: { since?: string | undefined }, options?: CallOptions) =>
    Promise<Summary>
  /**
   * Swaps by time, rule, service, pair and chain, and money from outside. Needs a token with the
   * scope `read`.
   */
  readonly getFlows: (args?: { since?: string | undefined }, options?: CallOptions) =>
    Promise<Flows>
  /**
   * Readings of an asset's balance by our own nodes. Needs a token with the scope `read`.
   */
  readonly getSeriesByAsset: (args: { asset: string; since?: string | undefined }, options?:
    CallOptions) => Promise<Series>
  /**
   * One order with its events. Needs a token with the scope `read`.
   */
  readonly getOrdersById: (args: { id: string }, options?: CallOptions) => Promise<OrderWithEvents>
  /**
   * The rules with their last decision and next time. Needs a token with the scope `read`.
   */
  readonly getRules: (args?: Record<string, never>, options?: CallOptions) => Promise<Rules>
  /**
   * Repeat a decision from its stored inputs, as `ballast replay`. Needs a token with the scope
   * `read`.
   */
  readonly getDecisionsByIdReplay: (args: { id: string }, options?: CallOptions) => Promise<Replay>
  /**
   * Preview of the next decisions; writes nothing. Needs a token with the scope `read`.
   */
  readonly getPlan: (args?: Record<string, never>, options?: CallOptions) => Promise<Plan>
  /**
   * Best quote, judgement of the guards and worst case; opens no order. Needs a token with the
   * scope `read`.
   */
  readonly getQuote: (args: { from: string; to: string; amount: string; deposit?: "auto" | "gasless"
    | "onchain" | undefined; destination?: string | undefined }, options?: CallOptions) =>
    Promise<Quote>
  /**
   * The last comparison of books and chains. Needs a token with the scope `read`.
   */
  readonly getReconciliation: (args?: Record<string, never>, options?: CallOptions) =>
    Promise<Reconciliation>
  /**
   * Volume, costs and fees by week, and balances by the books. Needs a token with the scope `read`.
   */
  readonly getBooks: (args?: Record<string, never>, options?: CallOptions) => Promise<Books>
  /**
   * The newest lines of the daemon's log, oldest first. Needs a token with the scope `read`.
   */
  readonly getLog: (args?: { limit?: number | undefined; after?: number | undefined; level?: "debug"
    | "info" | "warn" | "error" | undefined; order?: string | undefined }, options?: CallOptions) =>
    Promise<Log>
  /**
   * The settings in force, without secrets. Needs a token with the scope `read`.
   */
  readonly getSettings: (args?: Record<string, never>, options?: CallOptions) => Promise<Settings>
  /**
   * Orders, newest first. Needs a token with the scope `read`.
   */
  readonly getOrders: (args?: { limit?: number | undefined; cursor?: string | undefined; open?:
    "true" | "false" | undefined; state?: string | undefined; rule?: string | undefined; service?:
    string | undefined; from?: string | undefined; to?: string | undefined; since?: string |
    undefined; until?: string | undefined; text?: string | undefined; external_id?: string |
    undefined }, options?: CallOptions) => Promise<Orders>
  /**
   * Decisions of the rules, with reasons and the hash of their inputs. Needs a token with the scope
   * `read`.
   */
  readonly getDecisions: (args?: { rule?: string | undefined; limit?: number | undefined; cursor?:
    string | undefined }, options?: CallOptions) => Promise<Decisions>
  /**
   * Entries of the ledger, oldest first. Needs a token with the scope `read`.
   */
  readonly getBookings: (args?: { order?: string | undefined; since?: string | undefined; until?:
    string | undefined; limit?: number | undefined; cursor?: string | undefined }, options?:
    CallOptions) => Promise<Bookings>
  /**
   * The changing requests, newest first. Needs a token with the scope `read`.
   */
  readonly getAudit: (args?: { subject?: string | undefined; limit?: number | undefined; cursor?:
    string | undefined }, options?: CallOptions) => Promise<Audit>
  /**
   * The alarms, newest first, and their deliveries. Needs a token with the scope `read`.
   */
  readonly getAlerts: (args?: { limit?: number | undefined; cursor?: string | undefined }, options?:
    CallOptions) => Promise<Alerts>
  /**
   * The last decisions of a rule, and the changes that would lead to another one. Needs a token
   * with the scope `read`.
   */
  readonly getRulesByIdWhy: (args: { id: string }, options?: CallOptions) => Promise<Why>
  /**
   * Volume, costs, rates and times of the orders of a span, 30 days without since. Needs a token
   * with the scope `read`.
   */
  readonly getReport: (args?: { since?: string | undefined; until?: string | undefined; by?: "pair"
    | "rule" | "period" | "service" | "solver" | undefined }, options?: CallOptions) =>
    Promise<Report>
  /**
   * Affiliate fees by week, asset and address. Needs a token with the scope `read`.
   */
  readonly getReportAffiliate: (args?: { since?: string | undefined; until?: string | undefined },
    options?: CallOptions) => Promise<AffiliateReport>
  /**
   * Backtest of the rules in force in random markets; one at a time, at most 60 s. Needs a token
   * with the scope `read`.
   */
  readonly getSimulate: (args?: { days?: number | undefined; seeds?: number | undefined; seed?:
    number | undefined }, options?: CallOptions) => Promise<Simulation>
  /**
   * The swaps for a tax tool, or the ledger as plain-text accounting. Needs a token with the scope
   * `read`.
   */
  readonly getExport: (args?: { since?: string | undefined; until?: string | undefined; format?:
    "csv" | "ledger" | undefined }, options?: CallOptions) => Promise<string>
  /**
   * Request a swap; with dryRun nothing is signed and no order is opened. Needs a token with the
   * scope `operate`.
   */
  readonly postSwap: (args: { from: string; to: string; amount: string; deposit?: "auto" | "gasless"
    | "onchain" | undefined; destination?: string | undefined; dryRun?: boolean | undefined },
    options?: CallOptions) => Promise<DryRun | AcceptedSwap>
  /**
   * The order that a swap with this Idempotency-Key has opened. Needs a token with the scope
   * `read`.
   */
  readonly getSwapByKey: (args: { key: string }, options?: CallOptions) => Promise<AcceptedSwap>
  /**
   * Let no later swap open an order under this Idempotency-Key. Needs a token with the scope
   * `operate`.
   */
  readonly postSwapByKeyWithdraw: (args: { key: string }, options?: CallOptions) =>
    Promise<WithdrawnKey>
  /**
   * Stop new deposits of everything, a chain or a rule. Needs a token with the scope `operate`.
   */
  readonly postPause: (args?: { chain: string } | { rule: string } | Record<string, never>,
    options?: CallOptions) => Promise<Paused>
  /**
   * Lift a pause; alarms of the pause must be acknowledged. Needs a token with the scope `operate`.
   */
  readonly postResume: (args?: { chain: string; acknowledge?: readonly (string)[] | undefined } | {
    rule: string; acknowledge?: readonly (string)[] | undefined } | { acknowledge?: readonly
    (string)[] | undefined }, options?: CallOptions) => Promise<Paused>
  /**
   * Compare books and chains now; with accept, book the asset's difference first. Needs a token
   * with the scope `operate`.
   */
  readonly postReconcile: (args?: { accept?: string | undefined; as?: "outside" | "unexplained" |
    undefined }, options?: CallOptions) => Promise<Reconciliation>
  /**
   * Give the treasury's lease to a standby; this daemon ends. Needs a token with the scope
   * `operate`.
   */
  readonly postClusterHandOver: (args?: Record<string, never>, options?: CallOptions) =>
    Promise<HandOver>
  /**
   * Answer for the machine's clock. Needs a token with the scope `operate`.
   */
  readonly postConfirmClock: (args?: Record<string, never>, options?: CallOptions) =>
    Promise<Confirmed>
  /**
   * Stop the repeats of an alert, or of all. Needs a token with the scope `operate`.
   */
  readonly postAlertsByIdAcknowledge: (args: { id: string }, options?: CallOptions) =>
    Promise<Acknowledged>
  /**
   * The orders of a lost journal; with adopt, go on with those that hold our deposit. Needs a token
   * with the scope `operate`.
   */
  readonly postRecover: (args: { adopt: boolean }, options?: CallOptions) => Promise<Recovery>
  /**
   * Read the configuration again. Needs a token with the scope `operate`.
   */
  readonly postReload: (args?: Record<string, never>, options?: CallOptions) => Promise<Reloaded>
  /**
   * Approve the intent that an order shows while it waits for a person. Needs a token with the
   * scope `approve`.
   */
  readonly postOrdersByIdApprove: (args: { id: string } & { intent: string }, options?: CallOptions)
    => Promise<OperatedOrder>
  /**
   * Reject an order that waits for a person. Needs a token with the scope `approve`.
   */
  readonly postOrdersByIdReject: (args: { id: string }, options?: CallOptions) =>
    Promise<OperatedOrder>
  /**
   * Try a held order again. Needs a token with the scope `operate`.
   */
  readonly postOrdersByIdRetry: (args: { id: string }, options?: CallOptions) =>
    Promise<OperatedOrder>
  /**
   * End an order without a deposit. Needs a token with the scope `operate`.
   */
  readonly postOrdersByIdAbandon: (args: { id: string }, options?: CallOptions) =>
    Promise<OperatedOrder>
  /**
   * Refund a deposit as soon as its HTLC allows it. Needs a token with the scope `operate`.
   */
  readonly postOrdersByIdRefund: (args: { id: string }, options?: CallOptions) =>
    Promise<OperatedOrder>
  /**
   * Redeem a payout after its secret is told, without waiting for the service. Needs a token with
   * the scope `operate`.
   */
  readonly postOrdersByIdRedeem: (args: { id: string }, options?: CallOptions) =>
    Promise<OperatedOrder>
  /**
   * One call of `ballast mcp`, as the agent that it names; over the socket only. Needs a token with
   * the scope `agent`.
   */
  readonly postAgentCall: (args: { agent: string; tool: string; arguments?: unknown | undefined },
    options?: CallOptions) => Promise<AgentAnswer>
}

type AgentAnswer = { isError: boolean; body: Readonly<Record<string, unknown>> }

type Health = { status: "ok" | "ready" | "starting" | "standby" }

type Caller = { name: string; scopes: readonly ("read" | "operate" | "approve" | "agent")[] }

type Login = { name: string; scopes: readonly ("read" | "operate" | "approve" | "agent")[]; csrf:
    string; until: string }

type Nothing = Record<string, never>

type Status = { mode: "live" | "observe"; paused: boolean; pause: { at: string; by: "operator" |
    "alarm" | "books" | "file" | "signal"; reason: string | null; alarms: readonly ({ id: string;
    code: string; order: string | null; message: string; at: string })[] } | null; inFlight: number;
    held: number; alerts: readonly ({ atMs: number; orderId: string | null; reason: Reason })[];
    clockJump: Reason | null; chains: readonly ({ chain: string; family: string; account: string;
    paused: boolean; endpoints: number | null; agree: number | null; agreeing: number | null;
    agreementReasons: readonly (Reason)[]; finality: { seen: string; reveal: string; ending: string
    } | null; warning: string | null })[]; services: readonly ({ name: string; inFlight: number;
    rest: { until: string; failures: number; cause: Reason } | null })[]; configHash: string;
    startedAt: string; now: string }

type Overview = { at: string; level: "ok" | "attention" | "trouble"; verdict: string; daemon: {
    answers: boolean; pid: number | null; version: string | null; lastSeen: string | null;
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
    headAgeMs: number | null; tookMs: number | null; error: string | null })[] })[]; services:
    readonly ({ name: string; state: "good" | "slow" | "silent" | "failing" | "resting" | "unknown";
    lastAnswer: string | null; inFlight: number; restUntil: string | null; error: string | null
    })[]; treasury: readonly ({ asset: string; amount: string | null; readAt: string | null; bounds:
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

type Summary = { at: string; since: string; totalFiat: string; inFlight: { orders: number; fiat:
    string }; unpriced: readonly (string)[]; unread: readonly (string)[]; change: { from: string;
    totalFiat: string; pricesFiat: string; outsideFiat: string; swapsFiat: string } | null; swaps: {
    orders: number; counts: Readonly<Record<string, number>>; volumeFiat: string; costFiat: string;
    costBps: number | null; unpriced: number; medianMs: number | null; p90Ms: number | null };
    assets: readonly ({ asset: string; price: string | null; priceAt: string | null; fiat: string |
    null; change: string | null; incoming: string; outgoing: string })[]; open: readonly ({ order:
    string; fiat: string | null; requestedAt: string; deposited: boolean })[]; alarms: readonly ({
    at: string; code: string; sentence: string; order: string | null })[]; missed: readonly ({ rule:
    string; runs: number })[] }

type Series = { asset: string; from: string; to: string; points: readonly ({ at: string; amount:
    string | null })[] }

type Flows = { at: string; from: string; total: { orders: number; completed: number; volumeFiat:
    string; costFiat: string; feesFiat: string; costBps: number | null; unpriced: number; medianMs:
    number | null; p95Ms: number | null }; steps: readonly ({ orders: number; completed: number;
    volumeFiat: string; costFiat: string; feesFiat: string; costBps: number | null; unpriced:
    number; medianMs: number | null; p95Ms: number | null; from: string; to: string })[]; rules:
    readonly ({ orders: number; completed: number; volumeFiat: string; costFiat: string; feesFiat:
    string; costBps: number | null; unpriced: number; medianMs: number | null; p95Ms: number | null;
    name: string })[]; services: readonly ({ orders: number; completed: number; volumeFiat: string;
    costFiat: string; feesFiat: string; costBps: number | null; unpriced: number; medianMs: number |
    null; p95Ms: number | null; name: string })[]; pairs: readonly ({ orders: number; completed:
    number; volumeFiat: string; costFiat: string; feesFiat: string; costBps: number | null;
    unpriced: number; medianMs: number | null; p95Ms: number | null; from: string; to: string })[];
    chains: readonly ({ orders: number; completed: number; volumeFiat: string; costFiat: string;
    feesFiat: string; costBps: number | null; unpriced: number; medianMs: number | null; p95Ms:
    number | null; from: string; to: string })[]; outside: readonly ({ asset: string; in: string;
    out: string; inFiat: string | null; outFiat: string | null })[]; marks: readonly ({ at: string;
    kind: "in" | "out" | "outside" | "alarm"; asset: string | null; amount: string | null; order:
    string | null })[] }

type Balances = { balances: readonly ({ asset: string; account: string; amount: string | null;
    amountUnits: string | null; spendable: string | null; spendableUnits: string | null; error:
    Reason | null })[] }

type Orders = { orders: readonly (Order)[]; next: string | null }

type OrderWithEvents = { id: string; serviceOrderId: string | null; service: string | null; solver:
    string | null; considered: readonly ({ service: string; solver: string; receive: string;
    receiveUnits: string; reasons: readonly (Reason)[] })[]; rule: string; secondRule: string |
    null; from: string; to: string; amount: string; amountUnits: string; destinationAmount: string |
    null; destinationAmountUnits: string | null; destinationOwner: string; state: string; money:
    string; outcome: string | null; held: boolean; deposited: boolean; deposit: "onchain" |
    "gasless"; depositTx: string | null; destinationTx: string | null; refundTx: string | null;
    fiat: string | null; costBps: number | null; costFiat: string | null; costParts: { swapFiat:
    string | null; paidUnits: string; paidFiat: string | null; depositAtMostUnits: string | null;
    depositAtMostFiat: string | null; refundAtMostUnits: string | null; refundAtMostFiat: string |
    null; refundRiskFiat: string | null; lockedFiat: string | null }; intent: string | null;
    intentFields: Readonly<Record<string, string>> | null; approval: { by: string; at: string } |
    null; askedBy?: string | undefined; people?: { needed: number; approved: readonly ({ by: string;
    at: string })[] } | undefined; approveBefore: string | null; networkFeeUnits: string; payoutFee:
    string | null; payoutFeeUnits: string | null; affiliateFees: readonly ({ asset: string; address:
    string; feeBps: number; amount: string | null; amountUnits: string | null })[]; reported: {
    redeemTx: string; at: string } | null; seen: Readonly<Record<string, { tx: string; final:
    boolean; at: string } | null>>; reportedTxs: { sourceInitiated: readonly (string)[];
    destinationInitiated: readonly (string)[]; destinationRedeemed: readonly (string)[];
    sourceRedeemed: readonly (string)[]; sourceRefunded: readonly (string)[] }; refundableAtHeight:
    string | null; secret: "own" | "service" | null; ownSecret?: { hash: string; status: "unknown" |
    "revealed" | "withheld" | "lost"; revealedAt: string | null } | undefined; payoutDeadline?: {
    at: string | null; height: string | null; offerUnits: string | null; capUnits: string | null } |
    undefined; transactions: readonly ({ purpose: string; attempt: number; tx: string; raw: string
    })[]; reasons: readonly (Reason)[]; who: string; createdAt: string; updatedAt: string; nextAsk:
    { at: string; why: string } | null; events: readonly ({ at: string; type: string; state: string;
    body: unknown })[]; calls: readonly ({ at: string; caller: string; source: string; action:
    string })[] }

type Rules = { rules: readonly ({ id: string; kind: string; enabled: boolean; paused: boolean; last:
    { decision: string; at: string; lastAt: string; times: number; verdict: "proposed" | "declined";
    reasons: readonly (Reason)[]; orders: readonly (string)[] } | null; next: string | null })[] }

type Decisions = { decisions: readonly (Decision)[]; next: string | null }

type Replay = { decision: string; rule: string; same: boolean; policy: number; findings: readonly
    (string)[]; solved: readonly ({ by: string | null; exact: boolean; why: string | null })[];
    stored: { proposals: readonly ({ rules: readonly (string)[] })[]; reasons: readonly (Reason)[]
    }; again: { proposals: readonly ({ rules: readonly (string)[] })[]; reasons: readonly (Reason)[]
    } }

type Plan = { at: string; mode: "live" | "observe"; paused?: readonly (string)[] | undefined; plan:
    { orders: number; cost: string | null; exact: boolean }; proposals: readonly ({ rules: readonly
    (string)[]; from: string; to: string; destination: string | null; amount: string; amountUnits:
    string; receive: string | null; receiveUnits: string | null; cost: string | null; costParts: {
    swap: string; network: string | null; refund: string | null; refundRisk: string | null; locked:
    string | null } | null; why: readonly (Reason)[]; refused: readonly (Reason)[] })[];
    tokenAccounts: readonly ({ asset: string; address: string; cost: string; costUnits: string;
    refused: readonly (Reason)[] })[]; declined: readonly ({ rule: string; reasons: readonly
    (Reason)[] })[] }

type Quote = { at: string; from: string; to: string; amount: string; receive: string | null;
    service: string | null; solver: string | null; sendsFiat: string | null; receivesFiat: string |
    null; costBps: number | null; estimatedSeconds: number | null; fees: { deposit: string; refund:
    string } | null; needsApproval: boolean; refused: readonly (Reason)[]; worstCase: readonly
    (string)[] }

type Reconciliation = { assets: readonly (Comparison)[]; accepted?: string | undefined; units?:
    string | undefined }

type Alerts = { alerts: readonly ({ at: string; order: string | null; reason: Reason; closed: string
    | null })[]; next: string | null; open: readonly ({ id: string; kind: string; code: string;
    level: string; sentence: string; order: string | null; opened: string | null; acknowledgedBy:
    string | null; escalated: string | null })[]; receivers: readonly ({ name: string; kind: string;
    waiting: number; delivered: string | null; error: string | null })[] }

type Books = { at: string; weeks: readonly ({ group: string; orders: number; counts:
    Readonly<Record<string, number>>; volume: string; swapCost: string; networkFees: string;
    costBps: number | null; unpriced: number })[]; rules: readonly ({ group: string; orders: number;
    counts: Readonly<Record<string, number>>; volume: string; swapCost: string; networkFees: string;
    costBps: number | null; unpriced: number })[]; total: { group: string; orders: number; counts:
    Readonly<Record<string, number>>; volume: string; swapCost: string; networkFees: string;
    costBps: number | null; unpriced: number }; balances: readonly ({ asset: string; points:
    readonly ({ at: string; amount: string })[] })[] }

type Bookings = { bookings: readonly ({ id: number; at: string; order: string | null; kind: string;
    key: string; tx: string | null; note: string | null; reverses: number | null; postings: readonly
    ({ account: string; asset: string; amount: string; units: string; fiat: string | null })[] })[];
    next: string | null }

type Audit = { calls: readonly ({ at: string; caller: string; source: string; action: string;
    subject: string | null; body: string })[]; next: string | null }

type Log = { lines: readonly ({ seq: number; at: string; level: "debug" | "info" | "warn" | "error"
    | "fatal"; message: string; order: string | null; fields: Readonly<Record<string, unknown>>
    })[]; newest: number }

type Settings = { treasury: string; mode: "live" | "observe"; configHash: string; settings: readonly
    ({ name: string; means: string })[]; guards: readonly ({ guard: string; means: string })[];
    services: readonly ({ name: string; host: string })[]; chains: readonly ({ chain: string;
    family: string; nativeCoin: { symbol: string; decimals: number }; endpoints: number; agree:
    number; explorer: { tx: string; address: string } | null })[]; assets: readonly ({ id: string;
    decimals: number })[]; tokens: readonly ({ name: string; scopes: readonly (string)[] })[] }

type Report = { period: { from: string | null; to: string | null }; by: "rule" | "pair" | "period" |
    "service" | "solver"; lines: readonly (ReportLine)[]; total: ReportLine; services: readonly ({
    name: string; inFlight: number; rest: { until: string; failures: number; cause: Reason } | null
    })[]; outOfBand: readonly ({ rule: string; outOfBandMs: number; knownMs: number })[] }

type AffiliateReport = { weeks: readonly ({ week: string; asset: string; address: string; amount:
    string | null; amountUnits: string; orders: number; unknownOrders: number })[] }

type Why = { rule: string; next: string | null; decisions: readonly ({ id: string; rule: string;
    verdict: "proposed" | "declined"; at: string; atMs: number; lastAt: string; lastAtMs: number;
    times: number; occurrence: string | null; proposals: readonly ({ rules: readonly (string)[];
    from: string; to: string; destination: string | null; amount: string; amountUnits: string;
    receive: string | null; receiveUnits: string | null; cost: string | null; costParts: { swap:
    string; network: string | null; refund: string | null; refundRisk: string | null; locked: string
    | null } | null; why: readonly (Reason)[]; outcome: { order: string } | { refused: readonly
    (Reason)[] } | null })[]; reasons: readonly (Reason)[]; plan: { orders: number; cost: string |
    null; exact: boolean } | null; orderId: string | null; orders: readonly (string)[]; inputs:
    string | null; configHash: string | null; body: unknown; changes: readonly (string)[] })[];
    quotes: Readonly<Record<string, { to: string; considered: readonly ({ service: string; solver:
    string; receive: string; receiveUnits: string; reasons: readonly (Reason)[] })[] }>>; calls:
    readonly ({ at: string; caller: string; source: string; action: string })[] }

type Simulation = { seeds: { first: number; count: number }; scenario: { days: number }; subjects:
    readonly ({ name: string; summary: { moves: { p5: number; p50: number; p95: number }; completed:
    { p5: number; p50: number; p95: number }; refunded: { p5: number; p50: number; p95: number };
    volumeFiat: { p5: string; p50: string; p95: string }; swapFeesFiat: { p5: string; p50: string;
    p95: string }; networkFeesFiat: { p5: string; p50: string; p95: string }; rules: readonly ({
    rule: string; belowBps: { p5: number; p50: number; p95: number }; aboveBps: { p5: number; p50:
    number; p95: number } })[] } })[]; comparison: Readonly<Record<string, unknown>> | null }

type DryRun = { ok: boolean; from: string; to: string; amount: string | null; mode: "live" |
    "observe"; serviceOrderId: string | null; refused: readonly (Reason)[]; findings: readonly
    (Reason)[]; needsApproval: boolean; quote: { service: string | null; solver: string; sends:
    string | null; receives: string | null; sendsFiat: string | null; receivesFiat: string | null;
    costBps: number | null; estimatedSeconds: number | null } | null; deposit:
    Readonly<Record<string, unknown>> | null; intent: string | null; signatures: readonly ({
    purpose: "approve" | "deposit" | "gasless"; what: "transaction" | "typed data"; digest: string |
    null; maxFee: string | null; content: unknown; reasons: readonly (Reason)[] })[]; worstCase: {
    locked: string; timelock: string; lockedForSeconds: number; refundedBy: string; fees: { deposit:
    string; refund: string } | null; refund: { who: string; when: string; how: readonly (string)[]
    }; sentences: readonly (string)[] } | null; unfinished: boolean }

type AcceptedSwap = { id: string }

type Paused = { paused: boolean; scope: { kind: "all" } | { kind: "chain"; chain: string } | { kind:
    "rule"; rule: string } }

type Confirmed = { confirmed: string }

type Acknowledged = { acknowledged: number }

type Recovery = { orders: readonly ({ service: string; orderId: string; from: string; to: string;
    status: "found" | "adopted" | "over" | "unfunded" | "unclear"; hasOwnSecret: boolean; id: string
    | null; reasons: readonly (Reason)[] })[]; unread: readonly ({ service: string; chain: string;
    reasons: readonly (Reason)[] })[]; leftOut: number }

type Reloaded = { changed: boolean; configHash: string; differences: readonly ({ key: string;
    change: "added" | "removed" | "changed"; from: string | null; to: string | null })[] }

type HandOver = { standbys: readonly ({ holder: string; version: string; seq: number })[] }

type OperatedOrder = { id: string; state: string }

type WithdrawnKey = { id: string | null }

type Decision = { id: string; rule: string; verdict: "proposed" | "declined"; at: string; atMs:
    number; lastAt: string; lastAtMs: number; times: number; occurrence: string | null; proposals:
    readonly ({ rules: readonly (string)[]; from: string; to: string; destination: string | null;
    amount: string; amountUnits: string; receive: string | null; receiveUnits: string | null; cost:
    string | null; costParts: { swap: string; network: string | null; refund: string | null;
    refundRisk: string | null; locked: string | null } | null; why: readonly (Reason)[]; outcome: {
    order: string } | { refused: readonly (Reason)[] } | null })[]; reasons: readonly (Reason)[];
    plan: { orders: number; cost: string | null; exact: boolean } | null; orderId: string | null;
    orders: readonly (string)[]; inputs: string | null; configHash: string | null; body: unknown }

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

export type DaemonEvent = { type: "order"; id: string; data: Order } | { type: "approval"; id:
    string; data: { id: string; intent: string | null; from: string; to: string; amount: string } }
    | { type: "decision"; id: string; data: Decision } | { type: "alarm"; id: string; data: { at:
    string; order: string | null; reason: Reason } } | { type: "balance"; id: string; data:
    Comparison } | { type: "reset"; id: string; data: Nothing }

type Order = { id: string; serviceOrderId: string | null; service: string | null; solver: string |
    null; considered: readonly ({ service: string; solver: string; receive: string; receiveUnits:
    string; reasons: readonly (Reason)[] })[]; rule: string; secondRule: string | null; from:
    string; to: string; amount: string; amountUnits: string; destinationAmount: string | null;
    destinationAmountUnits: string | null; destinationOwner: string; state: string; money: string;
    outcome: string | null; held: boolean; deposited: boolean; deposit: "onchain" | "gasless";
    depositTx: string | null; destinationTx: string | null; refundTx: string | null; fiat: string |
    null; costBps: number | null; costFiat: string | null; costParts: { swapFiat: string | null;
    paidUnits: string; paidFiat: string | null; depositAtMostUnits: string | null;
    depositAtMostFiat: string | null; refundAtMostUnits: string | null; refundAtMostFiat: string |
    null; refundRiskFiat: string | null; lockedFiat: string | null }; intent: string | null;
    intentFields: Readonly<Record<string, string>> | null; approval: { by: string; at: string } |
    null; askedBy?: string | undefined; people?: { needed: number; approved: readonly ({ by: string;
    at: string })[] } | undefined; approveBefore: string | null; networkFeeUnits: string; payoutFee:
    string | null; payoutFeeUnits: string | null; affiliateFees: readonly ({ asset: string; address:
    string; feeBps: number; amount: string | null; amountUnits: string | null })[]; reported: {
    redeemTx: string; at: string } | null; seen: Readonly<Record<string, { tx: string; final:
    boolean; at: string } | null>>; reportedTxs: { sourceInitiated: readonly (string)[];
    destinationInitiated: readonly (string)[]; destinationRedeemed: readonly (string)[];
    sourceRedeemed: readonly (string)[]; sourceRefunded: readonly (string)[] }; refundableAtHeight:
    string | null; secret: "own" | "service" | null; ownSecret?: { hash: string; status: "unknown" |
    "revealed" | "withheld" | "lost"; revealedAt: string | null } | undefined; payoutDeadline?: {
    at: string | null; height: string | null; offerUnits: string | null; capUnits: string | null } |
    undefined; transactions: readonly ({ purpose: string; attempt: number; tx: string; raw: string
    })[]; reasons: readonly (Reason)[]; who: string; createdAt: string; updatedAt: string }

type Reason = { code: string; message: string }
