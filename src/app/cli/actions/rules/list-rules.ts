import { EXIT } from "#daemon/start/exit-code.ts"
import type { Overview, ShownRule } from "#health/describe-overview.ts"
import { formatSpan, readableAt } from "#health/format-span.ts"
import { plainJson } from "#lib/json.ts"
import { askOverview } from "../../ask-overview.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatTable } from "../../format/table.ts"
import { findTreasury } from "../../open/find-treasury.ts"

/**
 * Lists the rules of the configuration in force with their last decision, from the daemon or the
 * journal.
 */
export async function listRules(
  context: CommandContext,
  { "data-dir": asked, ids }: { readonly "data-dir": string | null; readonly ids: boolean },
): Promise<number> {
  const treasury = findTreasury(context, asked)
  const { overview } = await askOverview(context, treasury)
  if (ids) for (const { id } of overview.rules) context.print(id)
  else if (context.json) context.print(plainJson({ rules: overview.rules }, 2))
  else
    context.print(
      overview.rules.length === 0
        ? "The configuration has no rules."
        : format(overview, context.columns),
    )
  return EXIT.ok
}

function format({ rules, at }: Overview, columns: number | null): string {
  const rows = rules.map((rule) => [
    rule.id,
    rule.kind,
    stateOf(rule),
    rule.next === null ? "-" : nextOf(rule.next, at),
    rule.last === null ? "-" : readableAt(Date.parse(rule.last)),
    rule.verdict ?? "none yet",
    [...new Set(rule.reasons.map(({ code }) => code))].join(" "),
  ])
  const table = formatTable(
    ["rule", "kind", "state", "next", "last decision", "verdict", "reasons"],
    rows,
    columns,
  )
  return `${table}\n\`ballast why RULE\` explains a decision.`
}

function stateOf({ enabled, paused }: ShownRule): string {
  if (!enabled) return "not enabled"
  return paused ? "paused" : "on"
}

function nextOf(next: string, now: string): string {
  const ms = Date.parse(next) - Date.parse(now)
  return ms <= 0 ? "now" : `in ${formatSpan(ms)}`
}
