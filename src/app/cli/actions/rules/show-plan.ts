import type { Config } from "#config/config.ts"
import { compose } from "#daemon/compose.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { createHumaniser, type Humanise } from "#daemon/views/human-units.ts"
import { type OpeningView, type PlanAnswer, readPlan } from "#daemon/views/view-plan.ts"
import type { Reason } from "#domain/reason.ts"
import { createEngine } from "#engine/engine.ts"
import { formatSecond } from "#health/format-span.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import { groupEqual, tellKind, tellTimes } from "#policy/group-equal.ts"
import { bodyOf, callDaemon } from "../../call-daemon.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatCostParts, inCurrency } from "../../format/format-cost-parts.ts"
import { formatTable } from "../../format/table.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openJournalForReading } from "../../open/open-journal.ts"
import { openWithKeys } from "../../signer/open-with-keys.ts"
import type { PasswordChoice } from "../../signer/provide-password.ts"

/**
 * Shows the plan of this moment. The running daemon makes it; without one, this process asks nodes
 * and service. Nothing is written.
 */
export async function showPlan(context: CommandContext, choice: PasswordChoice): Promise<number> {
  // The daemon needs no key from this process.
  const config = openConfigForReading(context)
  const answer = (await askDaemon(config)) ?? (await planHere(context, choice))
  context.print(
    context.json
      ? plainJson(answer, 2)
      : formatPlan(answer, createHumaniser(config), context.columns),
  )
  return EXIT.ok
}

async function askDaemon(config: Config): Promise<PlanAnswer | null> {
  try {
    const answer = await callDaemon(config, "GET", "/api/v1/plan")
    return answer.status === 200 ? bodyOf<"Plan">(answer) : null
  } catch (error) {
    if (error instanceof AppError && error.code === "daemon.unreachable") return null
    throw error
  }
}

/** Without a journal file it uses one in memory: reading a plan must not create the file. */
async function planHere(context: CommandContext, choice: PasswordChoice): Promise<PlanAnswer> {
  const { clock } = context
  const { config } = await openWithKeys({ ...context, tell: () => undefined }, choice)
  const journal = openJournalForReading(config) ?? openJournal(":memory:")
  try {
    const { context: engineContext } = await compose(config, { clock, log: silentLogger, journal })
    return await readPlan(engineContext, createEngine(engineContext))
  } finally {
    journal.close()
  }
}

function formatPlan(answer: PlanAnswer, humanise: Humanise, columns: number | null): string {
  const { at, mode, plan, proposals, tokenAccounts, declined, paused = [] } = answer
  const formatRefusal = (rule: string, { code, message, asset }: Reason): string =>
    `${rule}: ${humanise(message, asset)} [${code}]`
  const cost = plan.cost === null ? "at an unknown cost" : `for about ${inCurrency(plan.cost)}`
  const groups = groupEqual(proposals)
  const rows = groups.map(([proposal, times]) => [
    proposal.rules.join(" + "),
    `${tellTimes(times)}${proposal.amount} ${proposal.from}`,
    `${proposal.receive ?? "?"} ` +
      `${proposal.to}${proposal.destination === null ? "" : ` (${proposal.destination})`}` +
      tellKind(proposal),
    proposal.cost === null ? "?" : inCurrency(proposal.cost),
    proposal.refused.length === 0
      ? "would be opened"
      : proposal.refused.map(({ code }) => code).join(" "),
  ])
  const refusals = groups.flatMap(([{ rules, refused }]) =>
    refused.map((reason) => formatRefusal(rules.join(" + "), reason)),
  )
  const whys = groups.flatMap(([{ why, cost: total, costParts, explained = [] }]) => [
    ...why.map(({ message }) => `  ${message}`),
    ...explained.map((sentence) => `    ${sentence}`),
    ...(costParts == null
      ? []
      : [`    cost ${total === null ? "?" : inCurrency(total)}: ${formatCostParts(costParts)}`]),
  ])
  return [
    `${formatSecond(at)}  ${mode}: ${plan.orders} ${plan.orders === 1 ? "order" : "orders"} ` +
      `${cost}${plan.exact ? "" : " (possibly not the cheapest)"}`,
    ...paused.map((sentence) => `Paused: ${sentence}`),
    ...(rows.length > 0
      ? [formatTable(["rule", "sells", "buys", "cost", ""], rows, columns), ...whys, ""]
      : []),
    ...refusals,
    ...tokenAccounts.map(formatOpening),
    ...declined.flatMap(({ rule, reasons }) =>
      reasons.map((reason) => formatRefusal(rule, reason)),
    ),
  ].join("\n")
}

function formatOpening({ asset, address, cost, refused }: OpeningView): string {
  const [reason] = refused
  if (reason === undefined)
    return `opens the token account ${address} for ${asset}, which costs at most ${cost}`
  return (
    `${asset} needs the token account ${address} for at most ${cost}: ${reason.message} ` +
    `[${reason.code}]`
  )
}
