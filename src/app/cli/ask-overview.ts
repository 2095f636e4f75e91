import { type RunningDaemon, readRuntimeFile } from "#daemon/start/runtime-file.ts"
import type { Overview } from "#health/describe-overview.ts"
import { AppError } from "#lib/app-error.ts"
import { bodyOf, callDaemon } from "./call-daemon.ts"
import type { CommandContext } from "./define-command.ts"
import type { FoundTreasury } from "./open/find-treasury.ts"

/** `live`: the daemon itself answered. */
export type AskedOverview = {
  readonly overview: Overview
  readonly live: boolean
  readonly running: RunningDaemon | null
}

/** A frozen daemon takes the connection and never answers. */
const ANSWER_MS = 5_000

/**
 * The overview of the running daemon, or of the journal where none answers. Throws
 * `journal.missing` (refused) without both.
 */
export async function askOverview(
  { clock }: Pick<CommandContext, "clock">,
  { dataDir, readConfig }: FoundTreasury,
): Promise<AskedOverview> {
  const live = await askDaemon(dataDir)
  const running = readRuntimeFile(dataDir)
  if (live !== null) return { overview: live, live: true, running }
  // A daemon's answer needs none of these, and they load half of the engine.
  const [{ openExistingJournal }, { readOverview }, config] = await Promise.all([
    import("./open/open-journal.ts"),
    import("#daemon/views/read-overview.ts"),
    readConfig(),
  ])
  const journal = openExistingJournal({ dataDir })
  try {
    const { pid = null, startedAt = null, version = null } = running ?? {}
    const startedAtMs = startedAt === null ? null : Date.parse(startedAt)
    const daemon = { answers: false, pid, startedAtMs, version, waitsFor: [] }
    const overview = readOverview({
      journal,
      nowMs: clock.now(),
      dataDir,
      config,
      daemon,
      live: null,
    })
    return { overview, live: false, running }
  } finally {
    journal.close()
  }
}

async function askDaemon(dataDir: string): Promise<Overview | null> {
  try {
    const answer = await callDaemon({ dataDir }, "GET", "/api/v1/overview", undefined, {
      answerMs: ANSWER_MS,
    })
    return answer.status === 200 ? bodyOf<"Overview">(answer) : null
  } catch (error) {
    // Without an answer the journal tells.
    if (error instanceof AppError) return null
    throw error
  }
}
