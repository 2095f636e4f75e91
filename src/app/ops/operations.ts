import type { AgentOperations } from "#agent/desk.ts"
import type { Answer, AnswerName, AnswerOf } from "#schema/answers/answers.ts"
import type { LogQuery, PageQuery, PeriodQuery, SubmitRequest } from "#schema/requests.ts"

/** A computation over the whole journal takes several turns of the event loop. */
type Later<Body> = Body | Promise<Body>

/**
 * The operations that the HTTP interface offers; `app/daemon/serve/operations.ts` implements them.
 * An agent reaches the part that its desk names.
 */
export type Operations = AgentOperations & {
  readonly isReady: () => boolean
  /**
   * A standby reads its copy of the journal, and refuses everything else with `cluster.standby`.
   */
  readonly isStandby?: () => boolean
  readonly status: () => AnswerOf<"Status">
  /** The money: total, change, volume and cost since this time, else for a day. */
  readonly summary: (since: string | null) => Later<AnswerOf<"Summary">>
  /**
   * The readings of an asset, of a week without `since`, or the `total` in fiat; `null` for an
   * unknown asset.
   */
  readonly series: (asset: string, since: string | null) => AnswerOf<"Series"> | null
  /** The swaps and the outside money since this time, else of a week. */
  readonly flows: (since: string | null) => Later<AnswerOf<"Flows">>
  readonly balances: () => Promise<AnswerOf<"Balances">["balances"]>
  readonly rules: () => AnswerOf<"Rules">["rules"]
  /** The entries of the ledger, oldest first. */
  readonly bookings: (query: BookingsQuery) => AnswerOf<"Bookings"> | null
  /** The changing requests, newest first. */
  readonly audit: (query: PageQuery & { subject?: string }) => AnswerOf<"Audit"> | null
  /** Repeats a decision from its stored inputs; `null` for an unknown id. */
  readonly replay: (id: string) => Answer<"Replay"> | null
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
  readonly books: () => Later<AnswerOf<"Books">>
  /** The last decisions of a rule, and what would change them; `null` for an unknown rule. */
  readonly why: (rule: string) => Promise<Answer<"Why"> | null>
  readonly affiliateReport: (query: PeriodQuery) => Promise<Answer<"AffiliateReport">>
  /** Asks the services; the sums of all time beside theirs. */
  readonly earnings: () => Promise<Answer<"Earnings">>
  /** The swaps, or the whole ledger, as a file's text. */
  readonly exportBooks: (
    query: PeriodQuery & { readonly format: "csv" | "ledger" | "koinly" | "cointracker" },
  ) => Promise<{ ok: true; body: string } | Extract<Answer<"Report">, { ok: false }>>
  /** What changes of the rules in force would have done with the flows in the books. */
  readonly advise: () => Promise<Answer<"Advice">>
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

type BookingsQuery = PageQuery & PeriodQuery & { readonly order?: string }

type OperateVerb = "approve" | "reject" | "retry" | "abandon" | "refund" | "redeem"
export type Scope = { readonly chain?: string; readonly rule?: string }
export type BalanceView = AnswerOf<"Balances">["balances"][number]
/** The party behind a change, and its time. */
export type CallView = AnswerOf<"OrderWithEvents">["calls"][number]
