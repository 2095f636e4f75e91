import { expect, test } from "vitest"
import type { RevealWait } from "#ports/chain/htlc-reader.ts"
import { findShortLock } from "./find-short-lock.ts"

type Scene = {
  readonly timelock?: bigint
  readonly stuckAfterMs?: number
  readonly redeemStuckAfterMs?: number
  readonly isOwn?: boolean
}

/**
 * A payout on Bitcoin with a lock of twelve blocks: its blocks come every ten minutes, and twice as
 * fast at the fastest.
 */
function judge(
  wait: RevealWait | null,
  { timelock = 12n, stuckAfterMs = 600_000, isOwn = true, ...later }: Scene = {},
): string[] {
  const bounds = { min: 6n, max: 144n, secondsPerUnit: 600, fastestSeconds: 300 }
  const order = {
    ownSecret: isOwn ? { hash: "aa", nonce: "1", status: "unknown" } : null,
    policy: { stuckAfterMs, ...later, timelocks: { source: bounds, destination: bounds } },
  }
  // CAST: the parts that this judgement reads.
  type Given = Parameters<typeof findShortLock>
  const reasons = findShortLock(
    order as unknown as Given[0],
    { destination: { timelock, units: 5n } } as unknown as Given[1],
    { revealWait: () => wait },
  )
  return reasons.map(({ code, waitUnits }) => `${code} ${waitUnits}`)
}

test("half of the lock must be left at the depth for the secret", () => {
  expect(judge({ units: 6n })).toEqual([])
  expect(judge({ units: 7n })).toEqual(["secret.lock_short 7"])
})

test("a wait in seconds counts with the fastest blocks, which end the lock early", () => {
  expect(judge({ seconds: 1_800 })).toEqual([])
  expect(judge({ seconds: 1_801 })).toEqual(["secret.lock_short 7"])
})

test("the time for the service and two fee bumps must be left", () => {
  // Six fast blocks are half an hour.
  expect(judge({ units: 6n }, { stuckAfterMs: 885_000 })).toEqual([])
  expect(judge({ units: 6n }, { stuckAfterMs: 885_001 })).toEqual(["secret.lock_short 6"])
})

test("the bumps are the ones of the destination, whatever the source waits", () => {
  const judged = (redeemStuckAfterMs: number): string[] =>
    judge({ units: 6n }, { stuckAfterMs: 1, redeemStuckAfterMs })
  expect(judged(885_000)).toEqual([])
  expect(judged(885_001)).toEqual(["secret.lock_short 6"])
})

test("a wait longer than the lock is too long", () => {
  expect(judge({ units: 20n })).toEqual(["secret.lock_short 20"])
})

test("neither a secret of the service nor a chain without such a depth asks for it", () => {
  expect(judge({ units: 11n }, { isOwn: false })).toEqual([])
  expect(judge(null)).toEqual([])
})
