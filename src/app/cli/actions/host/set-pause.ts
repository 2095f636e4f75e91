import { existsSync } from "node:fs"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { journalFile } from "#daemon/start/journal-file.ts"
import { readRuntimeFile } from "#daemon/start/runtime-file.ts"
import { readStopFile, writeStopFile } from "#daemon/start/stop-file.ts"
import { toChainId } from "#domain/asset.ts"
import {
  liftPause,
  type PauseScope,
  type PausingContext,
  writePause,
} from "#engine/watches/pause.ts"
import { readReplica } from "#journal/disk/replay-groups.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import type { Journal } from "#ports/journal.ts"
import { type CallOptions, callDaemon } from "../../call-daemon.ts"
import { confirmChange } from "../../confirm.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { findTreasury } from "../../open/find-treasury.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { openJournalForReading } from "../../open/open-journal.ts"

type Change = "pause" | "resume"
type Choices = {
  readonly chain: string | null
  readonly rule: string | null
  readonly "data-dir": string | null
  /** The ids of alarms, separated by commas. */
  readonly acknowledge?: string | null
  /** A pause never asks: it must stop everything at once. */
  readonly yes?: boolean
}

/**
 * Pauses or resumes everything, one chain or one rule. Returns after the change is in effect.
 *
 * It is the kill switch, so it needs neither a valid configuration nor a daemon that answers:
 * without one it writes the journal, which a running daemon reads before each signature, and
 * without a journal the file PAUSE.
 */
export async function setPause(
  context: CommandContext,
  change: Change,
  choices: Choices,
): Promise<number> {
  const { chain, rule, "data-dir": asked, acknowledge = null, yes = false } = choices
  const { dataDir, readConfig } = findTreasury(context, asked)
  const ids = acknowledge === null ? [] : acknowledge.split(",").map((id) => id.trim())
  const scope = { ...(chain === null ? {} : { chain }), ...(rule === null ? {} : { rule }) }
  const body = { ...scope, ...(ids.length === 0 ? {} : { acknowledge: ids }) }
  if (change === "resume")
    await confirmChange(context, `Lift the pause of ${chain ?? rule ?? "everything"}?`, yes)
  const answer = await askDaemon(context, dataDir, change, body)
  if (answer !== null && answer.status !== 200) return printRefusal(context, answer.body)
  if (answer === null)
    return writeToDisk(context, { change, chain, rule, ids, dataDir, config: await readConfig() })
  const target = chain ?? rule ?? "everything"
  context.print(
    context.json
      ? plainJson(answer.body)
      : `${target}: ${change === "pause" ? "paused" : "resumed"}`,
  )
  // The change is in effect, and told; a damaged file is worth a note.
  await readConfig()
  return EXIT.ok
}

/**
 * A frozen daemon takes the connection and never answers. The journal or the file PAUSE stops it
 * when it goes on.
 */
const PAUSE_MS = 3_000

/**
 * `null` when no daemon takes the request. A pause goes on also when the socket is not trusted: a
 * user with write access to the journal may stop the daemon.
 */
async function askDaemon(
  context: CommandContext,
  dataDir: string,
  change: Change,
  body: object,
): Promise<{ status: number; body: unknown } | null> {
  try {
    const options: CallOptions =
      change === "pause" ? { answerMs: PAUSE_MS, repeat: "harmless" } : {}
    return await callDaemon({ dataDir }, "POST", `/api/v1/${change}`, body, options)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // A journal of this machine alone shows whether the pause is lifted, so the next lines lift it
    // at once.
    const isLost = error.code === "daemon.answer_lost" && existsSync(dataDir) && !isCopy(dataDir)
    const isUnreachable = error.disposition === "transient" || isLost
    // Without a data directory no daemon has ever run with this configuration.
    if ((change === "resume" && !isUnreachable) || !existsSync(dataDir)) throw error
    context.warn(error.message)
    return null
  }
}

type Wanted = {
  readonly change: Change
  readonly chain: string | null
  readonly rule: string | null
  readonly ids: readonly string[]
  readonly dataDir: string
  readonly config: Config | null
}

function writeToDisk(context: CommandContext, wanted: Wanted): number {
  const { change, dataDir } = wanted
  const scope = scopeOf(wanted)
  const isStop = change === "pause" && scope.kind === "all"
  const opened = openJournalOrNull(context, dataDir, isStop)
  if (opened === null) {
    if (!isStop) throw noJournal(dataDir)
    return pauseByFile(context, dataDir)
  }
  const { journal, isOfCluster } = opened
  if (isOfCluster) {
    journal.close()
    if (!isStop) throw onlyLeader()
    context.warn(
      "This journal is a copy of a cluster's, so the file PAUSE stops only the daemon of " +
        "this machine",
    )
    return pauseByFile(context, dataDir)
  }
  try {
    const readFile = (): string | null => readStopFile(dataDir)
    const pausing: PausingContext = {
      journal,
      clock: context.clock,
      log: silentLogger,
      readStopFile: readFile,
    }
    if (change === "resume") {
      const answer = liftPause(pausing, scope, wanted.ids)
      if (!answer.ok) return printRefusal(context, { reasons: answer.reasons })
    } else writePause(pausing, scope, { by: "operator", reason: null })
    return say(context, { paused: change === "pause", scope }, dataDir)
  } catch (error) {
    // A process that was stopped in the middle of a write holds the journal's lock.
    if (!isStop) throw error
    context.warn(
      `The journal takes no pause (${error instanceof Error ? error.message : "unknown error"})`,
    )
    return pauseByFile(context, dataDir)
  } finally {
    journal.close()
  }
}

/**
 * A write here would not reach the cluster's log, and the log's next group would not fit the copy.
 */
function isCopy(dataDir: string): boolean {
  return (readReplica(journalFile({ dataDir }))?.position ?? null) !== null
}

function onlyLeader(): AppError {
  const message =
    "No daemon answers here, and this journal is a copy of a cluster's; use the command on " +
    "the leader's machine (`ballast cluster status` names it)"
  return new AppError({ code: "cluster.standby", disposition: "refused", message })
}

function pauseByFile(context: CommandContext, dataDir: string): number {
  return say(
    context,
    { paused: true, file: writeStopFile(dataDir, "paused by `ballast pause`") },
    dataDir,
  )
}

/**
 * The file PAUSE stops everything without the journal, also a daemon of another version. `null`
 * also for a journal that cannot tell whether it is a copy.
 */
function openJournalOrNull(
  context: CommandContext,
  dataDir: string,
  isStop: boolean,
): { readonly journal: Journal; readonly isOfCluster: boolean } | null {
  try {
    const isOfCluster = isCopy(dataDir)
    const journal = openJournalForReading({ dataDir })
    return journal === null ? null : { journal, isOfCluster }
  } catch (error) {
    if (!isStop || !(error instanceof AppError)) throw error
    context.warn(error.message)
    return null
  }
}

/**
 * Refuses a name that the configuration does not have: otherwise the answer would be "paused" while
 * nothing is paused.
 */
function scopeOf({ chain, rule, config }: Wanted): PauseScope {
  if (chain === null && rule === null) return { kind: "all" }
  const chains: readonly string[] = config?.chains.map((one) => one.chain) ?? []
  if (chain !== null && chains.includes(chain)) return { kind: "chain", chain: toChainId(chain) }
  if (rule !== null && config?.rules.some(({ id }) => id === rule)) return { kind: "rule", rule }
  const message =
    `No readable configuration has ${chain ?? rule}; \`ballast pause\` without a name stops ` +
    "everything"
  throw new AppError({ code: "pause.unknown", disposition: "refused", message })
}

function say(context: CommandContext, answer: Record<string, unknown>, dataDir: string): number {
  const running = readRuntimeFile(dataDir)
  if (context.json) context.print(plainJson({ ...answer, daemon: running?.pid ?? null }))
  else {
    const place = typeof answer["file"] === "string" ? answer["file"] : "the journal"
    const effect =
      running === null
        ? "no daemon runs here; the next one follows it"
        : `the daemon (process ${running.pid}) reads it before each signature`
    context.print(`${answer["paused"] === true ? "paused" : "resumed"} in ${place}: ${effect}`)
  }
  return EXIT.ok
}

function noJournal(dataDir: string): AppError {
  const message = `No daemon answers, and ${dataDir} has no readable journal, so nothing changed`
  return new AppError({
    code: "journal.missing",
    disposition: "refused",
    message,
    details: { dataDir },
  })
}

/** The operator answers for the machine's clock, so that limits follow it again. */
export async function confirmClock(context: CommandContext, yes: boolean): Promise<number> {
  const clock = new Date(context.clock.now()).toISOString()
  await confirmChange(context, `Is it ${clock} now? Limits count by this time.`, yes)
  const answer = await callDaemon(
    openConfigForReading(context),
    "POST",
    "/api/v1/confirm-clock",
    {},
  )
  if (answer.status !== 200) return printRefusal(context, answer.body)
  context.print(context.json ? plainJson(answer.body) : "clock: confirmed")
  return EXIT.ok
}
