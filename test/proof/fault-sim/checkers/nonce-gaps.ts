import type { FakeLedger } from "../../../support/fake-ledger.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"

/** Pauses and dead processes end within this time. */
const LONGEST_MS = 15 * 60_000
/**
 * A turn counts for no more than this: a machine that was off, or a clock that jumped, gave the
 * engine no time to act.
 */
const LONGEST_TURN_MS = 60_000

/**
 * No transaction of ours waits long behind a nonce that we never signed for, also if another
 * program with our key made the gap.
 */
export function checkNonceGaps({ world, recorder, profile, schedule }: GroundTruth): Checker {
  const openMs = new Map<string, number>()
  let lastMs = world.clock.now()

  function findGap(chain: string, ledger: FakeLedger): string | null {
    const { nonce } = ledger.state()
    const next = `nonce:${nonce}`
    const waiting = ledger
      .mempool()
      .filter(({ resources }) => resources.some((name) => name.startsWith("nonce:")))
    if (waiting.length === 0 || waiting.some(({ resources }) => resources.includes(next)))
      return null
    const own = recorder.signatures.filter((one) => one.chain === chain)
    const isBehind = waiting.some(({ txid }) => own.some((one) => one.txid === txid))
    if (!isBehind || own.some(({ resources }) => resources.includes(next))) return null
    return `${chain}/${next}`
  }

  return {
    afterTurn: () => {
      // The key of a directed seed may refuse the same signature for hours.
      const isJudged =
        profile.target === null || schedule.quietSinceMs() !== Number.NEGATIVE_INFINITY
      const turnMs = isJudged
        ? Math.min(Math.max(world.clock.now() - lastMs, 0), LONGEST_TURN_MS)
        : 0
      lastMs = world.clock.now()
      const found: Violation[] = []
      const gaps = new Set<string>()
      for (const [chain, ledger] of world.ledgers) {
        const gap = ledger.kind === "account" ? findGap(chain, ledger) : null
        if (gap === null) continue
        gaps.add(gap)
        const known = openMs.get(gap)
        const age = known === undefined ? 0 : known + turnMs
        openMs.set(gap, age)
        if (age > LONGEST_MS)
          found.push(
            violation(
              "no nonce gap stays",
              `${gap}: our transactions wait behind a nonce that nothing uses`,
            ),
          )
      }
      for (const gap of openMs.keys()) if (!gaps.has(gap)) openMs.delete(gap)
      return found
    },
  }
}
