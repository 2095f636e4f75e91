import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { exchange } from "#nodes/exchange.ts"
import type { Heartbeat } from "./port.ts"
import { addressOf, limits } from "./send-message.ts"

/** With no heartbeat configured, the configuration is read again after this time. */
const IDLE_MS = 10_000

/**
 * Calls the configured address while `isAlive` holds, so that its owner notices a daemon that is
 * gone: a dead process, a machine without a network and an engine that stands still send nothing. A
 * failed call is logged once, until one succeeds.
 */
export async function runHeartbeat(
  parts: {
    readonly config: () => Heartbeat | null
    /** Rejects or answers false when the daemon should count as dead. */
    readonly isAlive: () => Promise<boolean>
    readonly clock: Clock
    readonly log: Logger
  },
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = parts
  let failed: string | null = null
  while (!signal.aborted) {
    const config = parts.config()
    if (config !== null) {
      const error = await beat(config, parts.isAlive, clock).catch((reason: unknown) =>
        messageOf(reason),
      )
      if (error !== null && failed === null) log.warn({ error }, "The heartbeat is not sent")
      if (error === null && failed !== null) log.info({}, "The heartbeat is sent again")
      failed = error
    }
    await clock.sleep(config?.everyMs ?? IDLE_MS, signal)
  }
}

/** `null`: it was sent. */
async function beat(
  config: Heartbeat,
  isAlive: () => Promise<boolean>,
  clock: Clock,
): Promise<string | null> {
  if (!(await isAlive())) return "the engine stands still"
  const { method } = config
  const { status } = await exchange({ address: addressOf(config), method, ...limits(clock) })
  return status >= 200 && status < 300 ? null : `HTTP ${status}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.name : "unknown"
}
