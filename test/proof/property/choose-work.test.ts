import fc from "fast-check"
import { expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { type Candidate, chooseWork } from "#engine/orders/choose-work.ts"
import type { Work } from "#order/work.ts"

test("chooses the same work as asking for one candidate after the other, the most urgent first", () => {
  const run = fc.property(
    fc.array(CANDIDATE, { maxLength: 200 }),
    fc.array(CANDIDATE, { maxLength: 40 }),
    (due, busy) => {
      const waiting = due.map(numbered(1))
      const running = busy.map(numbered(1_000))
      expect(chooseWork(waiting, running, SLOTS)).toEqual(chooseOneByOne(waiting, running))
    },
  )
  fc.assert(run, { numRuns: 300 })
})

/** The places differ in their slots. */
const SLOTS = {
  count: (key: string) => 16 + key.length,
  bindsLate: (chain: string) => chain === "base",
}

/** Asks, for one candidate after the other, whether it starts beside all that run by then. */
function chooseOneByOne(
  due: readonly Candidate[],
  running: readonly Candidate[],
): readonly Candidate[] {
  const started: Candidate[] = []
  for (const candidate of due.toSorted((a, b) => rankOf(a) - rankOf(b) || a.row.id - b.row.id))
    started.push(...chooseWork([candidate], [...running, ...started], SLOTS))
  return due.filter((candidate) => started.includes(candidate))
}

/** Work that is not urgent lets urgent work of the next minute go first, and each refund. */
function rankOf({ row, work }: Candidate): number {
  if (RESCUE.includes(work)) return row.dueAtMs - 1_000_000
  return row.dueAtMs + (URGENT.includes(work) ? 0 : 60_000)
}

const RESCUE: readonly Work[] = [
  { kind: "planTransaction", purpose: "refund" },
  { kind: "broadcastTransaction", purpose: "refund" },
]
const URGENT: readonly Work[] = [
  { kind: "observeOrder" },
  { kind: "observeTransaction", purpose: "deposit" },
  { kind: "planTransaction", purpose: "void" },
]
const OTHER: readonly Work[] = [
  { kind: "fetchQuote" },
  { kind: "createOrder" },
  { kind: "planTransaction", purpose: "deposit" },
  { kind: "broadcastTransaction", purpose: "approve" },
]
const ASSET = fc.constantFrom(...["base:eth", "bitcoin:btc", "arbitrum:eth"].map(parseAssetId))
const CANDIDATE = fc.record({
  work: fc.constantFrom(...RESCUE, ...URGENT, ...OTHER),
  from: ASSET,
  to: ASSET,
  dueAtMs: fc.integer({ min: 0, max: 120_000 }),
  service: fc.constantFrom("main", "slow"),
  lock: fc.option(fc.constantFrom("lock/a", "lock/b")),
})
type Drawn = typeof CANDIDATE extends fc.Arbitrary<infer T> ? T : never

function numbered(firstId: number): (drawn: Drawn, index: number) => Candidate {
  return ({ work, lock, ...drawn }, index) => {
    const id = firstId + index
    return {
      row: { ...drawn, id, orderId: `order-${id}`, body: "", begun: 0, isAhead: false },
      work,
      lock,
    }
  }
}
