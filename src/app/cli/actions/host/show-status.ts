import { parseSpan } from "#books/period.ts"
import { formatSince } from "#daemon/money/format-since.ts"
import { readPause } from "#domain/pause.ts"
import { runAtOnce } from "#engine/rules/decide/steps.ts"
import type { Overview } from "#health/describe-overview.ts"
import type { Level } from "#health/problem.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { parseDuration } from "#schema/duration.ts"
import { askOverview } from "../../ask-overview.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatHealth } from "../../format/format-health.ts"
import { type FoundTreasury, findTreasury } from "../../open/find-treasury.ts"

const SHOWN_ALERTS = 20

/** The exit code of `status`, so that a script or a monitor needs to read nothing else. */
export const LEVEL_EXIT: Readonly<Record<Level, number>> = { ok: 0, attention: 1, trouble: 2 }

/**
 * Shows the verdict and the state of everything, from the daemon, or from the journal without one.
 */
export async function showStatus(
  context: CommandContext,
  asked: { readonly dataDir: string | null; readonly since: string | null },
): Promise<number> {
  const sinceMs = asked.since === null ? null : parseSince(asked.since, context.clock.now())
  const treasury = findTreasury(context, asked.dataDir)
  const { overview, live, running } = await askOverview(context, treasury)
  if (context.json) {
    const flat = {
      ...summarise(overview),
      ...(await readJournal(treasury.dataDir)),
      daemon: running,
      answers: live,
    }
    const summary = sinceMs === null ? null : await readSince(context, treasury, sinceMs)
    context.print(plainJson({ ...flat, overview, ...(summary === null ? {} : { summary }) }, 2))
  } else {
    for (const { text, tone } of formatHealth(overview)) context.print(text, tone)
    if (sinceMs !== null)
      for (const line of formatSince(await readSince(context, treasury, sinceMs)))
        context.print(line)
  }
  return LEVEL_EXIT[overview.level]
}

/** A span before now, or a date or time in UTC. Throws `cli.usage_period` (refused). */
function parseSince(text: string, nowMs: number): number {
  const span = parseDuration(text)
  return span === null ? parseSpan(text, "").fromMs : nowMs - span
}

/** From the journal, which a running daemon keeps up to date. */
async function readSince(
  { clock }: CommandContext,
  { dataDir, readConfig }: FoundTreasury,
  sinceMs: number,
): Promise<AnswerOf<"Summary">> {
  const [{ openExistingJournal }, { readSummary }, config] = await Promise.all([
    import("../../open/open-journal.ts"),
    import("#daemon/money/read-summary.ts"),
    readConfig(),
  ])
  if (config === null) {
    const message = "No configuration can be read, and the money needs its assets; see check"
    throw new AppError({ code: "config.not_found", disposition: "fatal", message })
  }
  const journal = openExistingJournal({ dataDir })
  try {
    const sources = { journal, config, nowMs: clock.now() }
    return runAtOnce(readSummary(sources, new Date(sinceMs).toISOString()))
  } finally {
    journal.close()
  }
}

/** The keys that `status --json` had before the overview. */
function summarise({ mode, orders }: Overview): Record<string, unknown> {
  return {
    ...(mode === null ? {} : { mode }),
    inFlight: orders.length,
    held: orders.filter(({ held }) => held).length,
  }
}

async function readJournal(dataDir: string): Promise<Record<string, unknown>> {
  const { openExistingJournal } = await import("../../open/open-journal.ts")
  const journal = openExistingJournal({ dataDir })
  try {
    const pause = readPause(journal)
    return {
      paused: pause !== null,
      pause,
      inFlight: journal.countInFlight(),
      alerts: journal.listAlerts(SHOWN_ALERTS),
    }
  } finally {
    journal.close()
  }
}
