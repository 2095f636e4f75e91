import type { Config } from "#config/config.ts"
import { compose } from "#daemon/compose.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { refuseBrotli } from "#daemon/refuse-brotli.ts"
import { type PlanAnswer, readPlan } from "#daemon/view-plan.ts"
import type { Reason } from "#domain/reason.ts"
import { createEngine } from "#engine/engine.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import { callDaemon } from "../call-daemon.ts"
import type { Invocation } from "../main.ts"
import { openConfig } from "../open-config.ts"
import { openJournalForReading } from "../open-journal.ts"
import { formatTable } from "../table.ts"

/** What would happen now. Asks the running daemon, or nodes and service themselves where none runs; writes nothing. */
export async function planCommand(invocation: Invocation): Promise<number> {
  const { config } = openConfig(invocation)
  const answer = (await askDaemon(config)) ?? (await planHere(invocation, config))
  invocation.print(invocation.json ? plainJson(answer, 2) : formatPlan(answer))
  return EXIT.ok
}

async function askDaemon(config: Config): Promise<PlanAnswer | null> {
  if (config.ops.token === null) return null
  try {
    const { status, body } = await callDaemon(config, "GET", "/api/v1/plan")
    // CAST: our own interface, served from readPlan.
    return status === 200 ? (body as PlanAnswer) : null
  } catch (error) {
    if (error instanceof AppError && error.code === "daemon.unreachable") return null
    throw error
  }
}

/** A journal that was never written is not begun by looking. */
async function planHere({ clock }: Invocation, config: Config): Promise<PlanAnswer> {
  refuseBrotli()
  const journal = openJournalForReading(config) ?? openJournal(":memory:")
  try {
    const { context } = await compose(config, { clock, log: silentLogger, journal })
    return await readPlan(context, createEngine(context))
  } finally {
    journal.close()
  }
}

function formatPlan({ at, mode, plan, proposals, declined }: PlanAnswer): string {
  const cost = plan.cost === null ? "at a cost that is not known" : `for about ${plan.cost}`
  const rows = proposals.map((proposal) => [
    proposal.rules.join(" + "),
    `${proposal.amount} ${proposal.from}`,
    `${proposal.receive ?? "?"} ${proposal.to}${proposal.destination === null ? "" : ` (${proposal.destination})`}`,
    proposal.cost ?? "?",
    proposal.refused.length === 0 ? "would be opened" : proposal.refused.map(({ code }) => code).join(" "),
  ])
  const refusals = proposals.flatMap(({ rules, refused }) => refused.map((reason) => sayNo(rules.join(" + "), reason)))
  const whys = proposals.flatMap(({ why }) => why.map(({ message }) => `  ${message}`))
  return [
    `${at}  ${mode}: ${plan.orders} ${plan.orders === 1 ? "order" : "orders"} ${cost}${plan.exact ? "" : " (perhaps not the cheapest)"}`,
    ...(rows.length > 0 ? [formatTable(["rule", "sells", "buys", "cost", ""], rows), ...whys, ""] : []),
    ...refusals,
    ...declined.flatMap(({ rule, reasons }) => reasons.map((reason) => sayNo(rule, reason))),
  ].join("\n")
}

function sayNo(rule: string, { code, message }: Reason): string {
  return `${rule}: ${message} [${code}]`
}
