import { expect, test } from "vitest"
import type { Violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"
import { checkOwnSecrets } from "./own-secrets.ts"

const LOCK = 100n

/**
 * One order whose secret is told in the first turn, and whose payout nothing redeems. Each turn is
 * a count of blocks, and whether the process runs.
 */
function lose(
  turns: readonly { readonly blocks: bigint; readonly able: boolean; readonly ms?: number }[],
): Violation[] {
  const reveals = [{ orderId: "theirs" }]
  const order = {
    orderId: "theirs",
    isOwn: true,
    to: "base_sepolia:wbtc",
    destinationUnits: 7n,
    destinationTimelock: LOCK,
  }
  const payout = {
    units: 7n,
    timelock: LOCK,
    initiated: { height: 10n },
    redeemer: undefined,
    refunded: null,
  }
  let height = 10n
  let nowMs = 0
  let able = true
  // CAST: the parts of the truth that this checker reads.
  const truth = {
    world: { clock: { now: () => nowMs }, service: { orders: [order], reveals } },
    profile: { hasOwnSecrets: true, enabled: new Set() },
    recorder: { signatures: [] },
    rowOf: () => ({ id: "order-1" }),
    sourceOf: () => ({ redeemed: {} }),
    destinationOf: () => payout,
    ledgerOf: () => ({ height: () => height }),
    isAble: () => able,
  } as unknown as GroundTruth
  const checker = checkOwnSecrets(truth)
  // The reveal comes before the first block of the lock passes.
  const found = [...(checker.afterTurn?.() ?? [])]
  for (const turn of turns) {
    height += turn.blocks
    nowMs += turn.ms ?? 1_000
    able = turn.able
    found.push(...(checker.afterTurn?.() ?? []))
  }
  return found
}

test("a payout that ran out while Ballast could act is a loss", () => {
  const found = lose([
    { blocks: 60n, able: true },
    { blocks: 40n, able: true },
  ])
  expect(found.map(({ checker }) => checker)).toEqual(["no deposit without a payout"])
})

test("a jump of the clock is no time to act, because it brings no blocks", () => {
  // Down for most of the lock; then the clock jumps by two hours while only a few blocks are left.
  const found = lose([
    { blocks: 88n, able: false },
    { blocks: 1n, able: true, ms: 2 * 60 * 60_000 },
    { blocks: 11n, able: true, ms: 2 * 60 * 60_000 },
  ])
  expect(found).toEqual([])
})

test("a long stop with few blocks excuses nothing", () => {
  const found = lose([
    { blocks: 10n, able: false, ms: 6 * 60 * 60_000 },
    { blocks: 90n, able: true },
  ])
  expect(found.map(({ checker }) => checker)).toEqual(["no deposit without a payout"])
})
