import { describe, expect, test } from "vitest"
import type { Job } from "#engine/orders/observe/job.ts"
import { countPayoutWait, mayPayoutLag } from "#engine/orders/observe/payout-wait.ts"
import { createOrderData, type OrderData, type PayoutWait } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { SAMPLE } from "../../../support/order-sample.ts"
import { emptyLeg } from "../../../support/sample-job.ts"

const MINUTE_MS = 60_000
const PATIENCE_MS = 15 * MINUTE_MS
const policy = { ...SAMPLE.input.policy, pollMaxMs: 30_000, reportPatienceMs: PATIENCE_MS }
const sample = createOrderData(SAMPLE.input)
const part = {
  txid: "tx",
  height: 5n,
  confirmations: 1,
  seen: true,
  revealable: true,
  final: true,
  paidUnits: 0n,
  secret: null,
}
const source = { txid: "take", height: 5n, final: true, at: 0 }

describe("the wait for a payout", () => {
  test("counts the time in which the destination is read and grows", () => {
    expect(isOver(read({ everyMs: 30_000, for: PATIENCE_MS, blockMs: 2_000 }))).toBe(false)
    expect(isOver(read({ everyMs: 30_000, for: PATIENCE_MS + MINUTE_MS, blockMs: 2_000 }))).toBe(
      true,
    )
    expect(
      isOver(read({ everyMs: 30_000, for: PATIENCE_MS + 20 * MINUTE_MS, blockMs: 3 * MINUTE_MS })),
    ).toBe(true)
  })

  test("does not count downtimes of the daemon, jumps of its clock, and hours without an answer", () => {
    expect(isOver(read({ everyMs: 25 * MINUTE_MS, for: 5 * 60 * MINUTE_MS, blockMs: 2_000 }))).toBe(
      false,
    )
    const back = count(wait({ readAt: 10 * MINUTE_MS }), leg({ height: 11n }), 0)
    expect(back).toMatchObject({ waitedMs: 0, readAt: 0 })
  })

  test("does not count a chain that stands still", () => {
    const still = read({ everyMs: 30_000, for: 24 * 60 * MINUTE_MS, blockMs: 25 * 60 * MINUTE_MS })
    expect(isOver(still)).toBe(false)
    // Its first blocks after the pause may hold the payout.
    const grown = [11n, 12n, 13n].reduce(
      (known, height) => count(known, leg({ height }), 24 * 60 * MINUTE_MS),
      still,
    )
    expect(isOver(grown)).toBe(false)
  })

  test(
    "takes no height twice: backends that are behind and branches that are gone do not grow " +
      "the chain",
    () => {
      const known = wait({ height: 20n, sinceHeightMs: MINUTE_MS })
      expect(count(known, leg({ height: 19n }), 1_000)).toMatchObject({
        waitedMs: 0,
        height: 20n,
        sinceHeightMs: 61_000,
      })
      expect(count(known, leg({ height: 21n }), 1_000)).toMatchObject({
        waitedMs: 61_000,
        height: 21n,
        sinceHeightMs: 0,
      })
    },
  )

  test("believes neither silence nor endpoints that disagree", () => {
    const known = wait({})
    expect(count(known, null, MINUTE_MS)).toBe(known)
    expect(count(known, { ...leg({ height: 99n }), agreed: false }, MINUTE_MS)).toBe(known)
    expect(
      count(known, { ...leg({ height: 99n }), redeemed: part, agreed: false }, MINUTE_MS),
    ).toBe(known)
  })

  test("starts again when the destination shows the payout", () => {
    expect(
      count(wait({ waitedMs: PATIENCE_MS }), { ...leg({}), redeemed: part }, MINUTE_MS),
    ).toBeNull()
  })

  test("ends with a final refund of the solver, and not with a young one", () => {
    const refunded = (final: boolean) => ({ ...leg({}), refunded: { ...part, final } })
    expect(mayLag(wait({}), refunded(true))).toBe(false)
    expect(mayLag(wait({}), refunded(false))).toBe(true)
  })
})

test("no wait is due before the source is redeemed or the service reports it", () => {
  const data = {
    ...sample,
    policy,
    seen: { ...sample.seen, sourceRedeemed: null },
    reportedAt: null,
  }
  expect(mayPayoutLag(jobOf(data), data.seen, leg({}))).toBe(false)
  expect(mayPayoutLag(jobOf({ ...data, reportedAt: 1 }), data.seen, leg({}))).toBe(true)
})

/** The wait after reads every `everyMs`, on a chain with a block every `blockMs`. */
function read({
  everyMs,
  for: lastMs,
  blockMs,
}: {
  everyMs: number
  for: number
  blockMs: number
}): PayoutWait | null {
  let known: PayoutWait | null = null
  for (let atMs = 0; atMs <= lastMs; atMs += everyMs) {
    known = count(known, leg({ height: 10n + BigInt(Math.floor(atMs / blockMs)) }), atMs)
  }
  return known
}

function count(
  known: PayoutWait | null,
  destination: LegObservation | null,
  nowMs: number,
): PayoutWait | null {
  return countPayoutWait(
    { policy, seen: { ...sample.seen, payoutWait: known } },
    destination,
    nowMs,
  )
}

function isOver(payoutWait: PayoutWait | null): boolean {
  return !mayLag(payoutWait, leg({}))
}

function mayLag(payoutWait: PayoutWait | null, destination: LegObservation): boolean {
  const seen = { ...sample.seen, sourceRedeemed: source, payoutWait }
  return mayPayoutLag(jobOf({ ...sample, policy }), seen, destination)
}

function jobOf(data: OrderData): Job {
  // CAST: only the order's data is read.
  return { data } as Job
}

function wait(over: Partial<PayoutWait>): PayoutWait {
  return { waitedMs: 0, height: 10n, sinceHeightMs: 0, readAt: 0, ...over }
}

function leg({ height = 10n }: { height?: bigint }): LegObservation {
  return emptyLeg(height)
}
