import type { Reason } from "#domain/reason.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { EngineContext } from "../context.ts"

/**
 * Compares the members of each configured peg every minute, and raises an alarm when one does not
 * hold.
 */
type PegWatch = {
  /** Asks when it is due. Does not wait for the answer. */
  readonly poll: () => void
  readonly idle: () => Promise<void>
}

const ASK_MS = 60_000

export function createPegWatch(context: EngineContext): PegWatch {
  let dueMs = 0
  let running: Promise<void> | null = null

  async function check(): Promise<void> {
    const reasons = (await context.prices.checkPegs?.()) ?? []
    for (const reason of reasons.filter(({ code }) => code !== BROKEN)) {
      context.log.warn({ reason }, "A peg cannot be watched now")
    }
    alert(
      context,
      reasons.filter(({ code }) => code === BROKEN),
    )
  }

  return {
    poll: () => {
      const nowMs = context.clock.now()
      const isDue = nowMs >= dueMs || dueMs - nowMs > ASK_MS
      if (running !== null || !isDue || context.prices.checkPegs === undefined) return
      dueMs = nowMs + ASK_MS
      running = check()
        .catch((error: unknown) =>
          context.log.error({ err: error }, "The comparison of pegs is lost"),
        )
        .then(() => {
          running = null
        })
    },
    idle: async () => void (await running),
  }
}

const BROKEN = "prices.peg_broken"
const FLAG = "pegs/alarmed"

/**
 * The journal remembers the pairs that have their alarm, so that each is raised once until its peg
 * holds again.
 */
function alert({ journal, clock, log }: EngineContext, broken: readonly Reason[]): void {
  const stored = journal.readFlag(FLAG)
  // CAST: written below.
  const alarmed = stored === null ? [] : (decodeJson(stored) as readonly string[])
  for (const reason of broken.filter((one) => !alarmed.includes(nameOf(one)))) {
    log.error({ reason }, "A peg does not hold: its assets have no price now")
    journal.raiseAlert(clock.now(), reason)
  }
  const names = broken.map(nameOf).toSorted()
  if (names.length === 0 && alarmed.length > 0) log.info({}, "All pegs hold again")
  const next = names.length === 0 ? null : encodeJson(names)
  if (next !== stored) journal.writeFlag(FLAG, next)
}

/** The two assets that are too far apart, without their prices, which change all the time. */
function nameOf({ lowest, highest }: Reason): string {
  return [lowest, highest]
    .map((member) => String(member).split(" ")[0])
    .toSorted()
    .join(" ")
}
