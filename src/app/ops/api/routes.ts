import type { z } from "zod"
import type { AnswerName } from "#schema/answers/answers.ts"
import {
  affiliateQuery,
  agentCallBody,
  alertsQuery,
  approveBody,
  auditQuery,
  bookingsQuery,
  decisionsQuery,
  exportQuery,
  flowsQuery,
  keyHeader,
  lastEventHeader,
  loginBody,
  logQuery,
  ordersQuery,
  pauseBody,
  quoteQuery,
  reconcileBody,
  recoverBody,
  reportQuery,
  resumeBody,
  seriesQuery,
  simulateQuery,
  summaryQuery,
  swapBody,
} from "#schema/requests.ts"
import type { Permission } from "../caller.ts"

type JsonAnswer = AnswerName | "any object"

/** The texts and schemas of one route. The path's own parameters are read from the path. */
export type RouteText = {
  readonly summary: string
  /** The scope that a token needs; `null` for the paths without a token. */
  readonly scope: Permission | null
  readonly query?: z.ZodObject
  readonly headers?: z.ZodObject
  readonly body?: z.ZodType
  /** The answers without a refusal, by status. */
  readonly ok?: { readonly [status: number]: JsonAnswer }
  /** The content of an answer that is not JSON; each event of a stream has the schema of `ok`. */
  readonly media?: "text/plain" | "text/event-stream" | "text/html"
}

/** Every route of `createApp`, by method and path; a test compares both. */
export const ROUTES: Readonly<Record<string, RouteText>> = {
  "GET /": { summary: "The dashboard", scope: null, media: "text/html" },
  "GET /healthz": { summary: "Does the process answer?", scope: null, ok: { 200: "Health" } },
  "GET /readyz": {
    summary: "Can orders be submitted?",
    scope: null,
    ok: { 200: "Health", 503: "Health" },
  },
  "GET /metrics": { summary: "Metrics for Prometheus", scope: "read", media: "text/plain" },
  "POST /api/v1/session": {
    summary: "Log in to the dashboard with a token; over TCP only",
    scope: null,
    body: loginBody,
    ok: { 200: "Login" },
  },
  "GET /api/v1/session": read("The caller", "Caller"),
  "DELETE /api/v1/session": read("Log out", "Nothing"),
  "GET /api/v1/openapi.json": read("This document", "any object"),
  "GET /api/v1/status": read("Mode, pause, chains, services and the newest alerts", "Status"),
  "GET /api/v1/overview": read(
    "How is it? Verdict, problems, nodes, treasury, orders, limits",
    "Overview",
  ),
  "GET /api/v1/summary": read(
    "Total in fiat with its change, volume, cost and events since a time",
    "Summary",
    summaryQuery,
  ),
  "GET /api/v1/series/:asset": read(
    "Readings of an asset's balance by our own nodes",
    "Series",
    seriesQuery,
  ),
  "GET /api/v1/flows": read(
    "Swaps by time, rule, service, pair and chain, and money from outside",
    "Flows",
    flowsQuery,
  ),
  "GET /api/v1/balances": read("Amounts and spendable amounts by asset", "Balances"),
  "GET /api/v1/orders": read("Orders, newest first", "Orders", ordersQuery),
  "GET /api/v1/orders/:id": read("One order with its events", "OrderWithEvents"),
  "GET /api/v1/rules": read("The rules with their last decision and next time", "Rules"),
  "GET /api/v1/decisions": read(
    "Decisions of the rules, with reasons and the hash of their inputs",
    "Decisions",
    decisionsQuery,
  ),
  "GET /api/v1/decisions/:id/replay": read(
    "Repeat a decision from its stored inputs, as `ballast replay`",
    "Replay",
  ),
  "GET /api/v1/plan": read("Preview of the next decisions; writes nothing", "Plan"),
  "GET /api/v1/quote": read(
    "Best quote, judgement of the guards and worst case; opens no order",
    "Quote",
    quoteQuery,
  ),
  "GET /api/v1/events": {
    summary: "Each change of an order, approval, decision, alarm or balance",
    scope: "read",
    headers: lastEventHeader,
    ok: { 200: "DaemonEvent" },
    media: "text/event-stream",
  },
  "GET /api/v1/reconciliation": read("The last comparison of books and chains", "Reconciliation"),
  "GET /api/v1/alerts": read(
    "The alarms, newest first, and their deliveries",
    "Alerts",
    alertsQuery,
  ),
  "GET /api/v1/bookings": read("Entries of the ledger, oldest first", "Bookings", bookingsQuery),
  "GET /api/v1/audit": read("The changing requests, newest first", "Audit", auditQuery),
  "GET /api/v1/books": read("Volume, costs and fees by week, and balances by the books", "Books"),
  "GET /api/v1/log": read("The newest lines of the daemon's log, oldest first", "Log", logQuery),
  "GET /api/v1/rules/:id/why": read(
    "The last decisions of a rule, and the changes that would lead to another one",
    "Why",
  ),
  "GET /api/v1/report": read(
    "Volume, costs, rates and times of the orders of a span, 30 days without since",
    "Report",
    reportQuery,
  ),
  "GET /api/v1/report/affiliate": read(
    "Affiliate fees by week, asset and address",
    "AffiliateReport",
    affiliateQuery,
  ),
  "GET /api/v1/earnings": read(
    "Affiliate earnings of all time by our own orders, beside what the services state",
    "Earnings",
  ),
  "GET /api/v1/export": {
    summary: "The swaps for a tax tool, or the ledger as plain-text accounting",
    scope: "read",
    query: exportQuery,
    media: "text/plain",
  },
  "GET /api/v1/simulate": read(
    "Backtest of the rules in force in random markets; one at a time, at most 60 s, so of fewer " +
      "days or runs where the rules look too often",
    "Simulation",
    simulateQuery,
  ),
  "GET /api/v1/advise": read(
    "What changes of the rules in force would have done with the flows in the books",
    "Advice",
  ),
  "GET /api/v1/proposals": read(
    "Changes of rules that agents have proposed, each with its backtest, newest first",
    "Proposals",
  ),
  "GET /api/v1/settings": read("The settings in force, without secrets", "Settings"),
  "POST /api/v1/swap": {
    summary: "Request a swap; with dryRun nothing is signed and no order is opened",
    scope: "operate",
    headers: keyHeader,
    body: swapBody,
    ok: { 200: "DryRun", 202: "AcceptedSwap" },
  },
  "GET /api/v1/swap/:key": read(
    "The order that a swap with this Idempotency-Key has opened",
    "AcceptedSwap",
  ),
  "POST /api/v1/swap/:key/withdraw": operate(
    "Let no later swap open an order under this Idempotency-Key",
    "WithdrawnKey",
  ),
  "POST /api/v1/pause": operate(
    "Stop new deposits of everything, a chain or a rule",
    "Paused",
    pauseBody,
  ),
  "POST /api/v1/resume": operate(
    "Lift a pause; alarms of the pause must be acknowledged",
    "Paused",
    resumeBody,
  ),
  "POST /api/v1/reconcile": operate(
    "Compare books and chains now; with accept, book the asset's difference first",
    "Reconciliation",
    reconcileBody,
  ),
  "POST /api/v1/confirm-clock": operate("Answer for the machine's clock", "Confirmed"),
  "POST /api/v1/alerts/:id/acknowledge": operate(
    "Stop the repeats of an alert, or of all",
    "Acknowledged",
  ),
  "POST /api/v1/recover": operate(
    "The orders of a lost journal; with adopt, go on with those that hold our deposit",
    "Recovery",
    recoverBody,
  ),
  "POST /api/v1/reload": operate("Read the configuration again", "Reloaded"),
  "POST /api/v1/cluster/hand-over": operate(
    "Give the treasury's lease to a standby; this daemon ends",
    "HandOver",
  ),
  "POST /mcp": protocol("The agent desk: a message of the Model Context Protocol"),
  "GET /mcp": protocol("Always refused: the agent desk has no stream of its own"),
  "DELETE /mcp": protocol("Always refused: the agent desk has no sessions"),
  "POST /api/v1/agent/call": {
    summary: "One call of `ballast mcp`, as the agent that it names; over the socket only",
    scope: "agent",
    body: agentCallBody,
    ok: { 200: "AgentAnswer" },
  },
  "POST /api/v1/orders/:id/approve": approve(
    "Approve the intent that an order shows while it waits for a person",
    approveBody,
  ),
  "POST /api/v1/orders/:id/reject": approve("Reject an order that waits for a person"),
  "POST /api/v1/proposals/:id/dismiss": {
    ...operate(
      "Let a proposal of an agent rest; nothing applies one but a changed file",
      "Proposal",
    ),
    scope: "approve",
  },
  "POST /api/v1/orders/:id/retry": operate("Try a held order again", "OperatedOrder"),
  "POST /api/v1/orders/:id/abandon": operate("End an order without a deposit", "OperatedOrder"),
  "POST /api/v1/orders/:id/refund": operate(
    "Refund a deposit as soon as its HTLC allows it",
    "OperatedOrder",
  ),
  "POST /api/v1/orders/:id/redeem": operate(
    "Redeem a payout after its secret is told, without waiting for the service",
    "OperatedOrder",
  ),
}

function read(summary: string, answer: JsonAnswer, query?: z.ZodObject): RouteText {
  return { summary, scope: "read", ok: { 200: answer }, ...(query === undefined ? {} : { query }) }
}

function protocol(summary: string): RouteText {
  return { summary, scope: "agent", ok: { 200: "any object" } }
}

function operate(summary: string, answer: JsonAnswer, body?: z.ZodType): RouteText {
  return {
    summary,
    scope: "operate",
    headers: keyHeader,
    ok: { 200: answer },
    ...(body === undefined ? {} : { body }),
  }
}

function approve(summary: string, body?: z.ZodType): RouteText {
  return { ...operate(summary, "OperatedOrder", body), scope: "approve" }
}
