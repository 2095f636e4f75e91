import { toAppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { LocalChain } from "./local-chain.ts"

/**
 * A chain of a running sandbox: it is started again when its node dies, and it can be broken for a
 * rehearsal.
 */
export type KeptChain = {
  /** Its methods reach the present node. Name, URL and assets stay the same over a restart. */
  readonly chain: LocalChain
  readonly report: () => ChainReport
  /** Stops all answers of the node, as one that hangs does, until `mend` or for this long. */
  readonly break: (forMs: number | null) => void
  readonly mend: () => void
  readonly stop: () => Promise<void>
}

/**
 * `lost`: what the last restart could not keep, in words; `null` where the state survived, and
 * before a restart.
 */
export type ChainReport = {
  readonly chain: string
  readonly state: "up" | "broken" | "restarting"
  readonly restarts: number
  readonly lost: string | null
}

export type RestartedChain = { readonly chain: LocalChain; readonly lost: string | null }

type KeepOptions = {
  readonly first: LocalChain
  /** Starts the chain again at its port, with its state or with funded wallets. */
  readonly restart: () => Promise<RestartedChain>
  readonly log: Logger
  /** The time between two questions for the height. */
  readonly checkMs?: number
  /** A node without an answer for longer is dead. */
  readonly silentMs?: number
}

const CHECK_MS = 2_000
/** A busy machine may be silent for some seconds; Bitcoin may need a while for a flush. */
const SILENT_MS = 20_000
const RETRY_MS = 2_000
/** One lost connection is no death. */
const AGAIN_MS = 300

/** Watches a chain until `stop`. A restart that fails is tried again. */
export function keepChain({
  first,
  restart,
  log,
  checkMs = CHECK_MS,
  silentMs = SILENT_MS,
}: KeepOptions): KeptChain {
  let current = first
  let report: ChainReport = { chain: first.name, state: "up", restarts: 0, lost: null }
  let mending: NodeJS.Timeout | null = null
  const ended = new AbortController()
  // A function, because a rehearsal may begin at every `await`.
  const isBroken = (): boolean => report.state === "broken"
  const revive = async (failure: string): Promise<void> => {
    report = { ...report, state: "restarting" }
    log.error(
      { chain: first.name, failure },
      `A local chain died (${failure}); the sandbox starts it again`,
    )
    await Promise.allSettled([Promise.race([current.stop(), systemClock.sleep(silentMs)])])
    const restarted = await restartInTheEnd(restart, first.name, log, ended.signal)
    if (restarted === null) return
    current = restarted.chain
    report = { ...report, state: "up", restarts: report.restarts + 1, lost: restarted.lost }
    logRestart(log, first.url, report)
  }
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await systemClock.sleep(checkMs, ended.signal)
      if (ended.signal.aborted || isBroken() || (await findFailure(current, silentMs)) === null)
        continue
      await systemClock.sleep(AGAIN_MS, ended.signal)
      // A rehearsal may have begun, or the sandbox may have ended, while the question was open.
      if (ended.signal.aborted || isBroken()) continue
      const failure = await findFailure(current, silentMs)
      if (failure !== null && !ended.signal.aborted && !isBroken()) await revive(failure)
    }
  }
  const watching = watch()
  const mend = (): void => {
    if (mending !== null) clearTimeout(mending)
    mending = null
    if (!isBroken()) return
    current.freeze?.(false)
    report = { ...report, state: "up" }
    log.warn({ chain: first.name }, "A broken local chain answers again")
  }
  return {
    chain: delegate(first, () => current),
    report: () => report,
    break: (forMs) => {
      if (report.state === "restarting") return
      current.freeze?.(true)
      report = { ...report, state: "broken" }
      log.warn(
        { chain: first.name, forMs },
        "A local chain is broken on request and does not answer",
      )
      if (mending !== null) clearTimeout(mending)
      mending = forMs === null ? null : setTimeout(mend, forMs)
    },
    mend,
    stop: async () => {
      ended.abort()
      mend()
      await watching
      await current.stop()
    },
  }
}

function logRestart(log: Logger, url: string, { chain, restarts, lost }: ChainReport): void {
  const what = lost === null ? "with its state" : `anew: ${lost}`
  log.warn({ chain, url, restarts }, `A local chain runs again, ${what}`)
}

/** Repeats the restart until it works; `null` if the sandbox ends before. */
async function restartInTheEnd(
  restart: () => Promise<RestartedChain>,
  chain: string,
  log: Logger,
  ended: AbortSignal,
): Promise<RestartedChain | null> {
  while (!ended.aborted) {
    try {
      return await restart()
    } catch (error) {
      const { message } = toAppError(error, { code: "sandbox.chain", disposition: "transient" })
      log.error(
        { chain, err: error },
        `A local chain did not start again, next try follows: ${message}`,
      )
      await systemClock.sleep(RETRY_MS, ended)
    }
  }
  return null
}

/**
 * `null`: the node tells its height within the time. A node that hangs is told apart from one that
 * ended or answers with an error.
 */
async function findFailure(chain: LocalChain, withinMs: number): Promise<string | null> {
  const waiting = new AbortController()
  try {
    const late = systemClock
      .sleep(withinMs, waiting.signal)
      .then(() => `no answer within ${withinMs / 1_000} s`)
    return await Promise.race([chain.height().then(() => null), late])
  } catch (error) {
    return toAppError(error, { code: "sandbox.chain", disposition: "transient" }).message
  } finally {
    waiting.abort()
  }
}

/** Callers keep this object over restarts. */
function delegate(first: LocalChain, present: () => LocalChain): LocalChain {
  return new Proxy(first, {
    get: (_, key) => {
      const value: unknown = Reflect.get(present(), key)
      return value
    },
  })
}
