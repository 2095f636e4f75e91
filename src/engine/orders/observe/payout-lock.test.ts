import { expect, test } from "vitest"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { estimateLock, growLock, keepLock } from "./payout-lock.ts"

const KNOWN = { refundableAt: 900n, height: 100n, readAt: 50_000 }

// CAST: a lock reads only this part of an order.
const dataOf = (seen: object, fastestSeconds: number | null = 2, timelock: bigint | null = 700n) =>
  ({
    seen,
    serviceOrder: timelock === null ? null : { destination: { timelock } },
    policy: { timelocks: { destination: { fastestSeconds, secondsPerUnit: 10 } } },
  }) as unknown as OrderData
// CAST: so does the reading of a payout.
const payoutOf = (refundableAt: bigint | null, agreed = true) =>
  ({ refundableAt, height: 110n, agreed }) as unknown as LegObservation

test("the lock is the one that the payout shows, or the last known one", () => {
  const data = dataOf({ payoutLock: KNOWN })
  const shown = { refundableAt: 950n, height: 110n, readAt: 7 }
  expect(keepLock(data, payoutOf(950n), 7)).toEqual(shown)
  expect(keepLock(data, payoutOf(950n, false), 7)).toBe(KNOWN)
  expect(keepLock(data, payoutOf(null), 7)).toBe(KNOWN)
  expect(keepLock(data, null, 7)).toBe(KNOWN)
  expect(keepLock(dataOf({}), payoutOf(950n, false), 7)).toEqual(shown)
  expect(keepLock(dataOf({}), null, 7)).toBeUndefined()
})

test("an unread lock is as near as the height says, or the fastest plausible blocks", () => {
  const known = dataOf({ payoutLock: KNOWN })
  expect(estimateLock(known, 130n, 0)).toEqual({ refundableAt: 900n, height: 130n })
  expect(estimateLock(known, null, 59_999)).toEqual({ refundableAt: 900n, height: 104n })
  expect(estimateLock(known, null, 60_000)).toEqual({ refundableAt: 900n, height: 105n })
  // The clock went back.
  expect(estimateLock(known, null, 50_000)).toEqual({ refundableAt: 900n, height: 100n })
  expect(estimateLock(known, null, 10_000)).toEqual({ refundableAt: 900n, height: 100n })
  expect(growLock(dataOf({}, null), KNOWN, 29_000)).toEqual({ refundableAt: 900n, height: 102n })
})

test("a lock that was never read ends a timelock after the payout was seen", () => {
  const seen = { destinationInitiated: { height: 40n } }
  expect(estimateLock(dataOf(seen), 130n, 0)).toEqual({ refundableAt: 740n, height: 130n })
  const unknown = { refundableAt: null, height: 130n }
  expect(estimateLock(dataOf({ destinationInitiated: null }), 130n, 0)).toEqual(unknown)
  expect(estimateLock(dataOf(seen, 2, null), 130n, 0)).toEqual(unknown)
  expect(estimateLock(dataOf(seen), null, 0)).toEqual({ refundableAt: null, height: 0n })
})
