import type { Agent } from "#domain/agent.ts"
import type { OrdersFilter } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { AnswerName, AnswerOf } from "#schema/answers/answers.ts"

/**
 * The operations that the HTTP interface offers; `app/daemon/serve/operations.ts` implements them.
 * All values are JSON-able.
 */
export type Operations = {
  readonly isReady: () => boolean
  /**
   * A standby reads its copy of the journal, and refuses everything else with `cluster.standby`.
   */
  readonly isStandby?: () => boolean
  readonly status: () => AnswerOf<"Status">
  /** The one model of the state, which every surface shows. */
  readonly overview: () => AnswerOf<"Overview">
  /** The money: total, change, volume and cost since this time, else for a day. */
  readonly summary: (since: string | null) => AnswerOf<"Summary">
  /**
   * The readings of an asset, of a week without `since`, or the `total` in fiat; `null` for an
   * unknown asset.
   */
  readonly series: (asset: string, since: string | null) => AnswerOf<"Series"> | null
  /** The swaps and the outside money since this time, else of a week. */
  readonly flows: (since: string | null) => AnswerOf<"Flows">
  readonly balances: () => Promise<AnswerOf<"Balances">["balances"]>
  /** `null` for a cursor that no page has given. */
  readonly orders: (query: OrdersQuery) => AnswerOf<"Orders"> | null
  readonly order: (id: string) => AnswerOf<"OrderWithEvents"> | null
  readonly rules: () => AnswerOf<"Rules">["rules"]
  readonly decisions: (query: PageQuery & { rule?: string }) => AnswerOf<"Decisions"> | null
  /** The entries of the ledger, oldest first. */
  readonly bookings: (query: BookingsQuery) => AnswerOf<"Bookings"> | null
  /** The changing requests, newest first. */
  readonly audit: (query: PageQuery & { subject?: string }) => AnswerOf<"Audit"> | null
  /** Repeats a decision from its stored inputs; `null` for an unknown id. */
  readonly replay: (id: string) => Answer<"Replay"> | null
  /** The plan of a tick now; writes nothing. */
  readonly plan: () => Promise<AnswerOf<"Plan">>
  /** The best quote for a swap now, and the judgement of the guards; opens no order. */
  readonly quote: (request: SubmitRequest) => Promise<Answer<"Quote">>
  /**
   * `key`: requests with one key open one order; a dry run ignores it. `by` is the name of the
   * caller, who may not approve the order.
   */
  readonly submit: (
    request: SubmitRequest,
    key?: string | null,
    by?: string,
  ) => Promise<Answer<"AcceptedSwap" | "DryRun">>
  /**
   * The same request under one key acts once, and has one answer. Where `act` waits and the process
   * ends meanwhile, the answer is `request.key_unfinished`.
   */
  readonly once: <Name extends AnswerName>(
    key: string,
    request: string,
    act: () => Answer<Name> | Promise<Answer<Name>>,
    waits?: boolean,
  ) => Promise<Answer<Name>>
  /** A quote as this agent would get it, with its own limits among the refusals. */
  readonly quoteFor: (agent: Agent, request: SubmitRequest) => Promise<Answer<"Quote">>
  /**
   * A swap that an agent asks for, within its own limits and all others. `duplicateOf`: its order
   * of the same swap, for which a new key opens no second one.
   */
  readonly submitFor: (
    agent: Agent,
    request: SubmitRequest,
    key: string,
    duplicateOf: string | null,
  ) => Promise<Answer<"AcceptedSwap">>
  /** The order that a request with this key has opened. */
  readonly findKeyed: (key: string) => Promise<Answer<"AcceptedSwap">>
  /** No later request opens an order under this key. */
  readonly withdrawKey: (key: string) => Promise<Answer<"WithdrawnKey">>
  readonly pause: (scope: Scope) => Promise<Answer<"Paused">>
  /**
   * `acknowledge`: the ids of the alarms that the operator has dealt with; a pause by alarms ends
   * only with all of them.
   */
  readonly resume: (scope: Scope, acknowledge: readonly string[]) => Answer<"Paused">
  /** An operator answers for the machine's clock, after it was ahead of the chains. */
  readonly confirmClock: () => Answer<"Confirmed">
  /**
   * After the loss of a journal: the orders of the services that it does not know; with `adopt` it
   * goes on with those that hold our money.
   */
  readonly recover: (adopt: boolean) => Promise<Answer<"Recovery">>
  /**
   * Reads the configuration again: `{changed, configHash, differences}`, or the reasons of a
   * refusal.
   */
  readonly reload: () => Promise<Answer<"Reloaded">>
  /**
   * Gives the treasury's lease to a standby: this daemon finishes its running work and ends. Throws
   * `cluster.unreachable`.
   */
  readonly handOver: () => Promise<Answer<"HandOver">>
  /** `by` is the name of the caller. */
  readonly operate: (
    id: string,
    verb: OperateVerb,
    intent: string | null,
    by: string,
  ) => Answer<"OperatedOrder">
  /** Writes a changing request down, before it is carried out. */
  readonly recordCall: (call: CallRecord) => void
  /** Resolves when every change so far is on disk. */
  readonly durable: () => Promise<void>
  /**
   * Resolves when all that a read has shown so far is on this machine's disk. Throws
   * `journal.write_failed` where the disk refused it.
   */
  readonly untilOnDisk: () => Promise<void>
  /** The last comparison of ledger and chains, asset by asset. */
  readonly reconciliation: () => AnswerOf<"Reconciliation">["assets"]
  /** Compares now; with an asset, first books its difference, because an operator accepts it. */
  readonly reconcile: (
    accept: { asset: string; as: "outside" | "unexplained" } | null,
  ) => Promise<Answer<"Reconciliation">>
  /** The alarms of the journal, newest first; \`closed\` is \`null\` while the cause lasts. */
  readonly alerts: (query: PageQuery) => Pick<AnswerOf<"Alerts">, "alerts" | "next"> | null
  /**
   * `open`: the alerts that people were told and whose cause lasts. `receivers`: the last delivery
   * and the last failure of each.
   */
  readonly deliveries: () => Omit<AnswerOf<"Alerts">, "alerts" | "next">
  /** A person knows the alert with this id, or `all`: it is neither repeated nor escalated. */
  readonly acknowledge: (id: string, by: string) => Answer<"Acknowledged">
  /** Volume, costs and fees week by week, and the balances of the last days, from the books. */
  readonly books: () => AnswerOf<"Books">
  /** The last decisions of a rule, and what would change them; `null` for an unknown rule. */
  readonly why: (rule: string) => Promise<Answer<"Why"> | null>
  /** Of 30 days without `since`. */
  readonly report: (
    query: PeriodQuery & OrdersFilter & { readonly by: AnswerOf<"Report">["by"] },
  ) => Promise<Answer<"Report">>
  readonly affiliateReport: (query: PeriodQuery) => Promise<Answer<"AffiliateReport">>
  /** Asks the services; the sums of all time beside theirs. */
  readonly earnings: () => Promise<Answer<"Earnings">>
  /** The swaps, or the whole ledger, as a file's text. */
  readonly exportBooks: (
    query: PeriodQuery & { readonly format: "csv" | "ledger" | "koinly" | "cointracker" },
  ) => Promise<{ ok: true; body: string } | Extract<Answer<"Report">, { ok: false }>>
  /** A backtest of the rules in force in random markets, and of them with one rule changed. */
  readonly simulate: (query: SimulationQuery) => Promise<Answer<"Simulation">>
  /** What changes of the rules in force would have done with the flows in the books. */
  readonly advise: () => Promise<Answer<"Advice">>
  /** The changes of rules that agents have proposed, newest first. */
  readonly proposals: () => readonly AnswerOf<"Proposal">[]
  /** Keeps a change of a rule with its backtest, for a person to apply in the file. */
  readonly propose: (agent: Agent, change: RuleChange, key: string) => Promise<Answer<"Proposal">>
  /** A person will not apply it. */
  readonly dismissProposal: (id: string, by: string) => Answer<"Proposal">
  /** The settings in force, without secrets. */
  readonly settings: () => AnswerOf<"Settings">
  /** The newest lines of the daemon's own log, oldest first. */
  readonly readLog: (query: LogQuery) => AnswerOf<"Log">
  readonly metrics: () => Promise<string>
  /**
   * Calls back with every change until the returned function is called; first with those since a
   * time, some of them twice.
   */
  readonly subscribe: (listener: (event: FeedEvent) => void, sinceMs?: number | null) => () => void
}

/** `reset`: too much happened since then; read the lists again. */
export type FeedEvent = {
  readonly id: string
  readonly type: AnswerOf<"DaemonEvent">["type"]
  readonly data: object
}

/** `cursor`: the `next` of the page before. */
export type PageQuery = { readonly limit: number; readonly cursor?: string }
/** `after`: the number of a line; `level`: the lowest; `order`: the beginning of an id. */
export type LogQuery = {
  readonly limit: number
  readonly after?: number
  readonly level?: "debug" | "info" | "warn" | "error"
  readonly order?: string
}
/** `externalId`: the order that was opened under this idempotency key. */
type OrdersQuery = PageQuery &
  PeriodQuery &
  OrdersFilter & { readonly open: boolean; readonly externalId?: string }
export type SimulationQuery = {
  readonly days: number
  readonly seeds: number
  readonly seed: number
  readonly rule?: string
  /** `key=value,…` in the words of the file. */
  readonly change?: string
}

/** Keys of a rule with other texts, and the length and number of the backtest's runs. */
export type RuleChange = {
  readonly rule: string
  readonly changes: readonly (readonly [key: string, text: string])[]
  readonly days: number
  readonly runs: number
}

export type PeriodQuery = { readonly since?: string; readonly until?: string }
type BookingsQuery = PageQuery & PeriodQuery & { readonly order?: string }

/**
 * The amount in the asset's own unit. `deposit` overrides the chain's configured way; `destination`
 * pays to an allow-listed address.
 */
export type SubmitRequest = {
  readonly from: string
  readonly to: string
  /** The amount to sell; without it `toAmount` says what exactly is paid out. */
  readonly amount?: string
  readonly toAmount?: string
  /** The most to sell for `toAmount`. */
  readonly maxAmount?: string
  readonly deposit?: "auto" | "gasless" | "onchain"
  readonly destination?: string
  /** Answer with the signatures that the swap would need, and open no order. */
  readonly dryRun?: boolean
}

export type Answer<Name extends AnswerName> =
  | { readonly ok: true; readonly body: AnswerOf<Name> }
  | { readonly ok: false; readonly reasons: readonly Reason[] }
/**
 * `source` is an address, or `unix`; `subject` the order, chain, rule or asset that the request is
 * about.
 */
export type CallRecord = {
  readonly caller: string
  readonly source: string
  readonly action: string
  readonly subject: string | null
  readonly body: string
}
type OperateVerb = "approve" | "reject" | "retry" | "abandon" | "refund" | "redeem"
export type Scope = { readonly chain?: string; readonly rule?: string }
export type BalanceView = AnswerOf<"Balances">["balances"][number]
/** The party behind a change, and its time. */
export type CallView = AnswerOf<"OrderWithEvents">["calls"][number]
