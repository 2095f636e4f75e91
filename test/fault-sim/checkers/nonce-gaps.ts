import type { FakeLedger } from "../../support/fake-ledger.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"

/** Pauses and dead processes end within this time. */
const LONGEST_MS = 15 * 60_000

/** No transaction of ours waits long behind a nonce that we never signed for, also if another program with our key made the gap. */
export function checkNonceGaps({ world, recorder }: GroundTruth): Checker {
  const since = new Map<string, number>()

  function findGap(chain: string, ledger: FakeLedger): string | null {
    const { nonce } = ledger.state()
    const next = `nonce:${nonce}`
    const waiting = ledger.mempool().filter(({ resources }) => resources.some((name) => name.startsWith("nonce:")))
    if (waiting.length === 0 || waiting.some(({ resources }) => resources.includes(next))) return null
    const own = recorder.signatures.filter((one) => one.chain === chain)
    const isBehind = waiting.some(({ txid }) => own.some((one) => one.txid === txid))
    if (!isBehind || own.some(({ resources }) => resources.includes(next))) return null
    return `${chain}/${next}`
  }

  return {
    afterTurn: () => {
      const nowMs = world.clock.now()
      const found: Violation[] = []
      const gaps = new Set<string>()
      for (const [chain, ledger] of world.ledgers) {
        const gap = ledger.kind === "account" ? findGap(chain, ledger) : null
        if (gap === null) continue
        gaps.add(gap)
        const sinceMs = since.get(gap) ?? nowMs
        since.set(gap, sinceMs)
        if (nowMs - sinceMs > LONGEST_MS)
          found.push(violation("no nonce gap stays", `${gap}: our transactions wait behind a nonce that nothing uses`))
      }
      for (const gap of since.keys()) if (!gaps.has(gap)) since.delete(gap)
      return found
    },
  }
}
