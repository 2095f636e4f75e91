import type { Clock } from "#lib/clock.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import type { Logger } from "#lib/log.ts"
import { describeFailure, exchange } from "#nodes/exchange.ts"
import { exchangeInPace } from "#nodes/exchange-in-pace.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { findRefusal } from "./find-refusal.ts"
import type { Heartbeat } from "./port.ts"
import { addressOf, limits } from "./send-message.ts"

/** With no heartbeat configured, the configuration is read again after this time. */
const IDLE_MS = 10_000
const MOST_SHOWN = 100

/**
 * Calls the configured address while `isAlive` holds, so that its owner notices a daemon that is
 * gone: a dead process, a machine without a network and an engine that stands still send nothing.
 */
export async function runHeartbeat(
  parts: {
    readonly config: () => Heartbeat | null
    /** Rejects or answers false when the daemon should count as dead. */
    readonly isAlive: () => Promise<boolean>
    /** The words of a call that failed; `null` for one that arrived. */
    readonly note: (error: string | null) => void
    readonly clock: Clock
    readonly log: Logger
  },
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = parts
  const paces = createPaces(clock)
  let failed: string | null = null
  while (!signal.aborted) {
    const config = parts.config()
    if (config !== null) {
      const isAlive = await parts.isAlive().catch(() => false)
      const error = isAlive
        ? await beat(config, clock, paces)
        : "the engine or the journal stands still"
      if (isAlive) noteOrLog(parts, error)
      if (error !== null && failed === null) log.warn({ error }, "The heartbeat is not sent")
      if (error === null && failed !== null) log.info({}, "The heartbeat is sent again")
      failed = error
    }
    await clock.sleep(config?.everyMs ?? IDLE_MS, signal)
  }
}

/** A journal that refuses the note ends no heartbeat: the next call notes its own end. */
function noteOrLog(
  { note, log }: { readonly note: (error: string | null) => void; readonly log: Logger },
  error: string | null,
): void {
  try {
    note(error)
  } catch (err) {
    log.warn({ err }, "How a heartbeat ended could not be noted")
  }
}

/** `null`: it was sent. Its owner is not called while it refuses calls. */
async function beat(config: Heartbeat, clock: Clock, paces: Paces): Promise<string | null> {
  const { method } = config
  const address = addressOf(config)
  const { timeoutMs, ...bounds } = limits(clock)
  try {
    const call = { address, method, timeoutMs, ...bounds }
    const sent = await exchangeInPace(paces(address, timeoutMs), () => exchange(call))
    if ("unasked" in sent) return sent.limit
    const { status, text } = sent
    if (status < 200 || status >= 300) return `HTTP ${status}`
    const hide = (said: string): string => hideKeys(config.url.reveal(), said)
    const refusal = findRefusal("webhook", text, hide)
    return refusal === null ? null : `HTTP ${status} ${refusal.slice(0, MOST_SHOWN)}`
  } catch (error) {
    return hideKeys(config.url.reveal(), describeFailure(error))
  }
}
