import type { Config } from "#config/config.ts"
import { decimalsOf } from "#daemon/start/decimals-of.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { createHumaniser } from "#daemon/views/human-units.ts"
import { listCalls } from "#daemon/views/view-calls.ts"
import { type DecisionView, viewDecision } from "#daemon/views/view-decision.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { formatSecond } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { nearestName } from "#lib/nearest-name.ts"
import { decodeOrder } from "#order/step.ts"
import { type OrderView, viewOrder } from "#order/view.ts"
import { type ConfiguredRule, everyMsOf, ruleKindOf, scheduleOf } from "#policy/rules/registry.ts"
import { nextOccurrence } from "#policy/schedule/due-occurrences.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatConsidered } from "../../format/format-considered.ts"
import { formatCostParts, inCurrency } from "../../format/format-cost-parts.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"
import { whatChanges } from "../../why/what-changes.ts"
import { formatCall } from "../orders/show-order.ts"

const SHOWN = 20

/**
 * Shows the latest decisions of a rule with their reasons, and the changes that would lead to
 * another decision. Reads only the journal.
 */
export async function explainRule(context: CommandContext, id: string): Promise<number> {
  const config = openConfigForReading(context)
  const rule = findRule(config, id)
  const journal = openExistingJournal(config)
  const decimals = decimalsOf(config)
  const rows = journal.listDecisions({ rule: id, limit: SHOWN })
  const humanise = createHumaniser(config)
  const about = ruleKindOf(rule).soldAsset(rule)
  const decisions = rows.map((row) => viewDecision(row, decimals))
  const quotes = readQuotesOf(journal, decisions, decimals)
  const calls = listCalls(journal, id)
  journal.close()
  const next = nextOf(rule, decisions, context.clock.now())
  if (context.json)
    context.print(
      plainJson({ rule: id, next, decisions: decisions.map(withChanges), quotes, calls }, 2),
    )
  else
    context.print(
      humaniseLines(
        [formatWhy(rule, next, decisions, quotes), ...calls.map(formatCall)].join("\n"),
      ),
    )

  function humaniseLines(text: string): string {
    return text
      .split("\n")
      .map((line) => humanise(line, about))
      .join("\n")
  }
  return EXIT.ok
}

/**
 * By order id: the quotes of all services that the order was chosen from. Orders of a single
 * service have none.
 */
type QuotesOfOrders = Readonly<Record<string, Pick<OrderView, "considered" | "to">>>

function readQuotesOf(
  journal: OrderStore,
  decisions: readonly DecisionView[],
  decimals: ReadonlyMap<AssetId, number>,
): QuotesOfOrders {
  const rows = decisions.flatMap(({ orders }) => orders.map((id) => journal.findOrder(id)))
  const views = rows
    .filter((row) => row !== null)
    .map((row) => viewOrder(decodeOrder(row.snapshot), decimals, row.updatedAtMs))
    .filter(({ considered }) => considered.length > 0)
  return Object.fromEntries(views.map(({ id, to, considered }) => [id, { to, considered }]))
}

function findRule({ rules }: Config, id: string): ConfiguredRule {
  const rule = rules.find((one) => one.id === id)
  if (rule) return rule
  throw new AppError({
    code: "rule.not_found",
    disposition: "refused",
    message: `There is no rule ${id} in the configuration${didYouMean(id, rules)}`,
  })
}

function nextOf(
  rule: ConfiguredRule,
  [last]: readonly DecisionView[],
  nowMs: number,
): string | null {
  if (!rule.enabled) return null
  const schedule = scheduleOf(rule)
  const everyMs = everyMsOf(rule)
  if (everyMs !== null) return last ? new Date(last.lastAtMs + everyMs).toISOString() : null
  const nextMs = schedule === null ? Number.POSITIVE_INFINITY : nextOccurrence(schedule, nowMs)
  return Number.isFinite(nextMs) ? new Date(nextMs).toISOString() : null
}

function withChanges(
  decision: DecisionView,
): DecisionView & { readonly changes: readonly string[] } {
  return { ...decision, changes: changesOf(decision.reasons) }
}

function changesOf(reasons: readonly Reason[]): string[] {
  return [...new Set(reasons.map(whatChanges).filter((change) => change !== null))]
}

function formatWhy(
  { id, kind, enabled }: ConfiguredRule,
  next: string | null,
  decisions: readonly DecisionView[],
  quotes: QuotesOfOrders,
): string {
  const evaluation = next === null ? "" : `; next evaluation ${formatSecond(next)}`
  const head = `${id} (${kind})${enabled ? "" : ", not enabled"}${evaluation}`
  const [last, ...older] = decisions
  if (!last) return `${head}\nIt has made no decision yet.`
  return [
    head,
    ...formatDecision(last, quotes),
    ...changesOf(last.reasons).map((change) => `  it proposes (more) when ${change}`),
    ...older.map(formatLine),
  ].join("\n")
}

function formatProposal(proposal: DecisionView["proposals"][number]): string {
  const { amount, from, receive, to, destination, cost, outcome } = proposal
  const bought = receive === null ? `${to}, without a quote` : `${receive} ${to}`
  const place = destination === null ? "" : ` to ${destination}`
  const price = cost === null ? "unknown" : inCurrency(cost)
  const order = outcome !== null && "order" in outcome ? `order ${outcome.order}` : "no order"
  return `  ${amount} ${from} for ${bought}${place}, cost ${price}: ${order}`
}

function formatDecision(decision: DecisionView, quotes: QuotesOfOrders): string[] {
  const { proposals, reasons, plan } = decision
  return [
    formatLine(decision),
    ...proposals.flatMap((proposal) => [
      ...proposal.why.map(({ message }) => `  ${message}`),
      formatProposal(proposal),
      ...(proposal.costParts === null ? [] : [`    cost: ${formatCostParts(proposal.costParts)}`]),
      ...formatQuotes(proposal.outcome, quotes),
    ]),
    ...reasons.map(({ code, message }) => `  ${message} [${code}]`),
    ...(plan === null
      ? []
      : [
          `  the tick's plan: ${plan.orders} ${plan.orders === 1 ? "order" : "orders"}, cost ` +
            `${plan.cost === null ? "unknown" : inCurrency(plan.cost)}`,
        ]),
  ]
}

function formatQuotes(
  outcome: DecisionView["proposals"][number]["outcome"],
  quotes: QuotesOfOrders,
): string[] {
  const found = outcome !== null && "order" in outcome ? quotes[outcome.order] : undefined
  return found === undefined ? [] : formatConsidered(found).map((line) => `    quote ${line}`)
}

function formatLine({ at, lastAt, times, verdict, orders, reasons, id }: DecisionView): string {
  const repeated = times > 1 ? `, ${times} times, last ${formatSecond(lastAt)}` : ""
  const result =
    orders.length > 0 ? orders.join(" ") : [...new Set(reasons.map(({ code }) => code))].join(" ")
  return `${formatSecond(at)}${repeated}  ${verdict}  ${result}  (${id})`
}

function didYouMean(id: string, rules: Config["rules"]): string {
  const near = nearestName(
    id,
    rules.map((rule) => rule.id),
  )
  const known =
    rules.length === 0 ? "; it has none" : `; it has: ${rules.map((rule) => rule.id).join(", ")}`
  return near === null ? known : ` (did you mean ${near}?)`
}
