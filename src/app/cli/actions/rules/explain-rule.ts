import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { readWhy, type WhyView } from "#daemon/study/read-why.ts"
import { createHumaniser } from "#daemon/views/human-units.ts"
import type { DecisionView } from "#daemon/views/view-decision.ts"
import { formatSecond } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { nearestName } from "#lib/nearest-name.ts"
import { groupEqual, tellKind, tellTimes } from "#policy/group-equal.ts"
import { type ConfiguredRule, ruleKindOf } from "#policy/rules/registry.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatConsidered } from "../../format/format-considered.ts"
import { formatCostParts, inCurrency } from "../../format/format-cost-parts.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openExistingJournal } from "../../open/open-journal.ts"
import { formatCall } from "../orders/show-order.ts"

/**
 * Shows the latest decisions of a rule with their reasons, and the changes that would lead to
 * another decision. Reads only the journal.
 */
export async function explainRule(context: CommandContext, id: string): Promise<number> {
  const config = openConfigForReading(context)
  const rule = findRule(config, id)
  const journal = openExistingJournal(config)
  const why = readWhy(journal, config, rule, context.clock.now())
  const humanise = createHumaniser(config)
  const about = ruleKindOf(rule).soldAsset(rule)
  journal.close()
  if (context.json) context.print(plainJson(why, 2))
  else context.print(humaniseLines([formatWhy(rule, why), ...why.calls.map(formatCall)].join("\n")))

  function humaniseLines(text: string): string {
    return text
      .split("\n")
      .map((line) => humanise(line, about))
      .join("\n")
  }
  return EXIT.ok
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

function formatWhy(
  { id, kind, enabled }: ConfiguredRule,
  { next, decisions, quotes }: WhyView,
): string {
  const evaluation = next === null ? "" : `; next evaluation ${formatSecond(next)}`
  const head = `${id} (${kind})${enabled ? "" : ", not enabled"}${evaluation}`
  const [last, ...older] = decisions
  if (!last) return `${head}\nIt has made no decision yet.`
  return [
    head,
    ...formatDecision(last, quotes),
    ...last.changes.map((change) => `  it proposes (more) when ${change}`),
    ...older.map(formatLine),
  ].join("\n")
}

function formatProposal(proposal: DecisionView["proposals"][number], times: number): string {
  const { amount, from, receive, to, destination, cost, outcome } = proposal
  const bought = receive === null ? `${to}, without a quote` : `${receive} ${to}`
  const place = `${destination === null ? "" : ` to ${destination}`}${tellKind(proposal)}`
  const price = cost === null ? "unknown" : inCurrency(cost)
  const isOrdered = outcome !== null && "order" in outcome
  const order = !isOrdered ? "no order" : times > 1 ? "ordered" : `order ${outcome.order}`
  const each = times > 1 ? " each" : ""
  return `${amount} ${from} for ${bought}${place}, cost ${price}${each}: ${order}`
}

function formatDecision(decision: DecisionView, quotes: WhyView["quotes"]): string[] {
  const { proposals, reasons, plan } = decision
  return [
    formatLine(decision),
    ...groupEqual(proposals).flatMap(([proposal, times]) => [
      ...proposal.why.map(({ message }) => `  ${message}`),
      `  ${tellTimes(times)}${formatProposal(proposal, times)}`,
      ...(proposal.explained ?? []).map((sentence) => `    ${sentence}`),
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
  quotes: WhyView["quotes"],
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
