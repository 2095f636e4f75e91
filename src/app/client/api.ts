/*
 * Made of docs/openapi.json. scripts/generate.ts writes this file.
 */
import type {
  AgentAnswer,
  Health,
  Caller,
  Login,
  Nothing,
  Status,
  Overview,
  Summary,
  Series,
  Flows,
  Balances,
  Orders,
  OrderWithEvents,
  Rules,
  Decisions,
  Replay,
  Plan,
  Quote,
  Reconciliation,
  Alerts,
  Books,
  Bookings,
  Audit,
  Log,
  Settings,
  Report,
  AffiliateReport,
  Earnings,
  Why,
  Simulation,
  Advice,
  Proposals,
  DryRun,
  AcceptedSwap,
  Paused,
  Confirmed,
  Acknowledged,
  Recovery,
  Reloaded,
  HandOver,
  OperatedOrder,
  WithdrawnKey,
  Proposal,
} from "./answers.ts"

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
  getProposals: ["GET", "/api/v1/proposals", false],
  getAlerts: ["GET", "/api/v1/alerts", false],
  getRulesByIdWhy: ["GET", "/api/v1/rules/{id}/why", false],
  getReport: ["GET", "/api/v1/report", false],
  getReportAffiliate: ["GET", "/api/v1/report/affiliate", false],
  getEarnings: ["GET", "/api/v1/earnings", false],
  getSimulate: ["GET", "/api/v1/simulate", false],
  getAdvise: ["GET", "/api/v1/advise", false],
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
  postProposalsByIdDismiss: ["POST", "/api/v1/proposals/{id}/dismiss", true],
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
  readonly getQuote: (args: { from: string; to: string; amount?: string | undefined; toAmount?:
    string | undefined; maxAmount?: string | undefined; deposit?: "auto" | "gasless" | "onchain" |
    undefined; destination?: string | undefined }, options?: CallOptions) => Promise<Quote>
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
    string | undefined; from?: string | undefined; to?: string | undefined; text?: string |
    undefined; since?: string | undefined; until?: string | undefined; external_id?: string |
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
   * Changes of rules that agents have proposed, each with its backtest, newest first. Needs a token
   * with the scope `read`.
   */
  readonly getProposals: (args?: Record<string, never>, options?: CallOptions) => Promise<Proposals>
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
  readonly getReport: (args?: { since?: string | undefined; until?: string | undefined; open?:
    "true" | "false" | undefined; state?: string | undefined; rule?: string | undefined; service?:
    string | undefined; from?: string | undefined; to?: string | undefined; text?: string |
    undefined; by?: "pair" | "rule" | "period" | "kind" | "service" | "solver" | undefined },
    options?: CallOptions) => Promise<Report>
  /**
   * Affiliate fees by week, asset and address. Needs a token with the scope `read`.
   */
  readonly getReportAffiliate: (args?: { since?: string | undefined; until?: string | undefined },
    options?: CallOptions) => Promise<AffiliateReport>
  /**
   * Affiliate earnings of all time by our own orders, beside what the services state. Needs a token
   * with the scope `read`.
   */
  readonly getEarnings: (args?: Record<string, never>, options?: CallOptions) => Promise<Earnings>
  /**
   * Backtest of the rules in force in random markets; one at a time, at most 60 s, so of fewer days
   * or runs where the rules look too often. Needs a token with the scope `read`.
   */
  readonly getSimulate: (args?: { days?: number | undefined; seeds?: number | undefined; seed?:
    number | undefined; rule?: string | undefined; change?: string | undefined }, options?:
    CallOptions) => Promise<Simulation>
  /**
   * What changes of the rules in force would have done with the flows in the books. Needs a token
   * with the scope `read`.
   */
  readonly getAdvise: (args?: Record<string, never>, options?: CallOptions) => Promise<Advice>
  /**
   * The swaps for a tax tool, or the ledger as plain-text accounting. Needs a token with the scope
   * `read`.
   */
  readonly getExport: (args?: { since?: string | undefined; until?: string | undefined; format?:
    "csv" | "ledger" | "koinly" | "cointracker" | undefined }, options?: CallOptions) =>
    Promise<string>
  /**
   * Request a swap; with dryRun nothing is signed and no order is opened. Needs a token with the
   * scope `operate`.
   */
  readonly postSwap: (args: { from: string; to: string; amount?: string | undefined; toAmount?:
    string | undefined; maxAmount?: string | undefined; deposit?: "auto" | "gasless" | "onchain" |
    undefined; destination?: string | undefined; dryRun?: boolean | undefined }, options?:
    CallOptions) => Promise<DryRun | AcceptedSwap>
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
   * Let a proposal of an agent rest; nothing applies one but a changed file. Needs a token with the
   * scope `approve`.
   */
  readonly postProposalsByIdDismiss: (args: { id: string }, options?: CallOptions) =>
    Promise<Proposal>
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
