import { readPause } from "#domain/pause.ts"
import type { Overview } from "#health/describe-overview.ts"
import type { Level } from "#health/problem.ts"
import { plainJson } from "#lib/json.ts"
import { askOverview } from "../../ask-overview.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatHealth } from "../../format/format-health.ts"
import { findTreasury } from "../../open/find-treasury.ts"

const SHOWN_ALERTS = 20

/** The exit code of `status`, so that a script or a monitor needs to read nothing else. */
export const LEVEL_EXIT: Readonly<Record<Level, number>> = { ok: 0, attention: 1, trouble: 2 }

/**
 * Shows the verdict and the state of everything, from the daemon, or from the journal without one.
 */
export async function showStatus(context: CommandContext, asked: string | null): Promise<number> {
  const treasury = findTreasury(context, asked)
  const { overview, live, running } = await askOverview(context, treasury)
  if (context.json) {
    const flat = {
      ...summarise(overview),
      ...(await readJournal(treasury.dataDir)),
      daemon: running,
      answers: live,
    }
    context.print(plainJson({ ...flat, overview }, 2))
  } else for (const { text, tone } of formatHealth(overview)) context.print(text, tone)
  return LEVEL_EXIT[overview.level]
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
