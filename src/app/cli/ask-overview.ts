import { lstatSync } from "node:fs"
import { findDiskFault } from "#daemon/start/find-disk-fault.ts"
import { readLastExit } from "#daemon/start/last-exit.ts"
import { readOpenDescriptors } from "#daemon/start/open-descriptors.ts"
import { type RunningDaemon, readRuntimeFile } from "#daemon/start/runtime-file.ts"
import { readStartNote } from "#daemon/start/start-note.ts"
import type { Overview } from "#health/describe-overview.ts"
import { describeExit, describeStart } from "#health/find-problems.ts"
import type { Problem } from "#health/problem.ts"
import { AppError } from "#lib/app-error.ts"
import type { Journal } from "#ports/journal.ts"
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
  const nowMs = clock.now()
  const journal = openOrTell(() => openExistingJournal({ dataDir }), dataDir, nowMs)
  try {
    const { pid = null, startedAt = null, version = null } = running ?? {}
    const startedAtMs = startedAt === null ? null : Date.parse(startedAt)
    const socket = running?.socket ?? null
    const lost = socket === null || isSocket(socket) ? {} : { lostSocket: socket }
    const files = pid === null ? null : readOpenDescriptors(pid)
    const start = readStartNote(dataDir)
    const starting = start === null ? {} : { starting: start }
    const known = { answers: false, pid, startedAtMs, version, waitsFor: [], files }
    const daemon = { ...known, ...lost, ...starting }
    const overview = readOverview({
      journal,
      nowMs,
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

/** Another file may have its name. */
function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true
}

/** Before the first good start there is no journal, and the error of that start says why. */
function openOrTell(open: () => Journal, dataDir: string, nowMs: number): Journal {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "journal.missing") throw error
    const { code, disposition, message, details } = error
    const lastExit = readLastExit(dataDir)
    const start = readStartNote(dataDir)
    const why = [
      start === null ? undefined : describeUntold(describeStart(start, nowMs)),
      ...(lastExit === null ? [] : [`No start has succeeded yet; ${describeExit(lastExit)}`]),
      findDiskFault(dataDir)?.message,
    ].filter((part) => part !== undefined)
    if (why.length === 0) throw error
    throw new AppError({ code, disposition, message: [...why, message].join(". "), details })
  }
}

function describeUntold({ sentence, todo }: Problem): string {
  return `${sentence}. ${todo.replace(/\.$/, "")}`
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
