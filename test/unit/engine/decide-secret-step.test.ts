import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import type { ServiceOrder } from "#domain/leg.ts"
import { decideSecretStep, findShownSecret } from "#engine/orders/observe/decide-secret-step.ts"
import type { OrderData, OwnSecret } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"
import { emptyLeg, sampleData } from "../../support/sample-job.ts"

const AT = { txid: "a", height: 5n, final: true, revealable: true }
const HEIGHT = 1_000n
const TIMELOCK = SAMPLE.order.destination.timelock
// CAST: a step reads only these facts of a leg.
const leg = (over: object): LegObservation => ({ ...emptyLeg(HEIGHT), ...over }) as LegObservation
const OPEN = leg({ initiated: AT })
const REDEEMED = leg({ initiated: AT, redeemed: AT })
const REFUNDED = leg({ initiated: AT, refunded: AT })
const alone = (of: LegObservation): LegObservation => ({ ...of, agreed: false })

const REVEALED_AT = 1_000_000
const PREIMAGE = "c0ffee"
const HASH = createHash("sha256").update(Buffer.from(PREIMAGE, "hex")).digest("hex")
const secretOf = (over: Partial<OwnSecret>): OwnSecret => ({
  nonce: "1",
  hash: HASH,
  status: "unknown",
  revealedAt: null,
  isTold: false,
  ...over,
})

type Case = {
  readonly own?: Partial<OwnSecret>
  readonly payout?: LegObservation | null
  readonly left?: bigint | null
  readonly isShown?: boolean
  readonly isDecided?: boolean
  readonly waitedMs?: number
  readonly seen?: Partial<OrderData["seen"]>
  readonly delegate?: string
  readonly isUnread?: boolean
}

function step({ own = {}, payout = OPEN, left = TIMELOCK, ...rest }: Case) {
  const { isShown = false, isDecided = false, waitedMs = 0, seen, delegate, isUnread } = rest
  const destination = { ...SAMPLE.order.destination, delegate: delegate ?? null }
  const data = sampleData(
    {},
    {
      ownSecret: secretOf(own),
      serviceOrder: isUnread ? null : { ...SAMPLE.order, destination },
    },
  )
  const refundableAt = left === null ? null : HEIGHT + left
  return decideSecretStep(
    { data, nowMs: REVEALED_AT + waitedMs },
    { ...NOTHING_SEEN, ...seen },
    payout,
    { lock: { refundableAt, height: HEIGHT }, isShown, isDecided },
  )
}

describe("before our secret is told", () => {
  const SHOWN = { secret: "told", shown: true }
  test.each<[string, Case, object]>([
    ["an agreed payout reveals it", {}, { secret: "reveal" }],
    ["no payout was read", { payout: null }, {}],
    ["the payout is not there", { payout: leg({}) }, {}],
    ["one endpoint alone shows the payout", { payout: alone(OPEN) }, {}],
    ["the payout is not deep", { payout: leg({ initiated: { ...AT, revealable: false } }) }, {}],
    ["the payout is redeemed", { payout: REDEEMED }, {}],
    ["the payout went back", { payout: REFUNDED }, {}],
    ["one endpoint alone shows the end", { payout: alone(REFUNDED) }, {}],
    ["it stays withheld", { own: { status: "withheld" } }, {}],
    ["it is lost", { own: { status: "lost" }, isShown: true }, {}],
    ["others have it", { isShown: true, payout: null }, SHOWN],
    [
      "others have it, and one endpoint alone shows the end",
      { isShown: true, payout: alone(REDEEMED) },
      SHOWN,
    ],
    ["others have it, and the payout is redeemed", { isShown: true, payout: REDEEMED }, {}],
    ["the journal has the decision", { isDecided: true, payout: null }, { secret: "told" }],
    [
      "the journal has the decision, and the payout went back",
      { isDecided: true, payout: REFUNDED },
      {},
    ],
  ])("%s", (_name, known, expected) => {
    expect(step(known)).toEqual(expected)
  })

  test("an order whose secret the service chose has no step", () => {
    const data = sampleData({}, { ownSecret: null })
    const known = { lock: { refundableAt: null, height: HEIGHT }, isShown: true, isDecided: true }
    expect(decideSecretStep({ data, nowMs: 0 }, NOTHING_SEEN, OPEN, known)).toEqual({})
  })
})

describe("once our secret is told", () => {
  const told = (over: Partial<OwnSecret> = {}): Partial<OwnSecret> => ({
    status: "revealed",
    revealedAt: REVEALED_AT,
    isTold: true,
    ...over,
  })
  const REDEEM = { secret: "redeem" }
  const third = TIMELOCK / 3n
  const quarter = TIMELOCK / 4n
  test.each<[string, Case, object]>([
    ["the service has half a minute", { waitedMs: 30_000 }, {}],
    ["then Ballast redeems", { waitedMs: 30_001 }, REDEEM],
    ["a clock set back makes it wait no longer", { waitedMs: -30_001 }, REDEEM],
    ["nor does an unknown time", { own: told({ revealedAt: null }) }, REDEEM],
    ["more than a third of the lock is left", { left: third + 1n }, {}],
    ["a third of the lock is left", { left: third }, REDEEM],
    ["others have it", { isShown: true }, { ...REDEEM, shown: true }],
    ["others had it before", { own: told({ isShown: true }) }, REDEEM],
    ["only our key can redeem", { delegate: "us" }, REDEEM],
    ["the service does not have it", { own: told({ isTold: false }) }, REDEEM],
    ["nothing can be read", { payout: null, waitedMs: 30_001 }, REDEEM],
    ["the payout is redeemed", { payout: REDEEMED, waitedMs: 30_001 }, {}],
    ["a final refund loses it", { payout: REFUNDED }, { secret: "lost" }],
    [
      "a refund that may vanish does not",
      { payout: leg({ refunded: { ...AT, final: false } }), left: 1n },
      {},
    ],
    ["a refund behind a redemption does not", { payout: leg({ redeemed: AT, refunded: AT }) }, {}],
    [
      "one endpoint alone shows the end early",
      { payout: alone(REFUNDED), left: third + 1n, waitedMs: 30_001 },
      {},
    ],
    ["one endpoint alone shows the end late", { payout: alone(REFUNDED), left: third }, REDEEM],
    [
      "one endpoint alone shows the end of an unread order",
      { payout: alone(REDEEMED), left: third, isUnread: true, waitedMs: 30_001 },
      {},
    ],
  ])("%s", (_name, known, expected) => {
    expect(step({ own: told(), ...known })).toEqual(expected)
  })

  const late = { left: quarter - 1n, own: told({ isTold: false }) }
  test.each<[string, Case, object]>([
    ["a quarter is enough", { ...late, left: quarter }, REDEEM],
    ["less tells it for nothing", late, {}],
    ["an unknown end is no time", { ...late, left: null }, {}],
    ["others have it", { ...late, isShown: true }, { ...REDEEM, shown: true }],
    ["others had it before", { ...late, own: told({ isTold: false, isShown: true }) }, REDEEM],
    ["the service may have it", { ...late, own: told() }, REDEEM],
    ["the source is taken", { ...late, seen: { sourceRedeemed: { ...AT, at: 1 } } }, REDEEM],
    ["the order was never read", { ...late, isUnread: true }, {}],
  ])("near the end of the lock: %s", (_name, known, expected) => {
    expect(step(known)).toEqual(expected)
  })
})

describe("others have our secret", () => {
  const ours = { ownSecret: secretOf({}) }
  const report = (source: string | null, destination: string | null): ServiceOrder => ({
    ...SAMPLE.order,
    source: { ...SAMPLE.order.source, secret: source },
    destination: { ...SAMPLE.order.destination, secret: destination },
  })
  const withSecret = (secret: string | null): LegObservation => leg({ redeemed: { ...AT, secret } })
  test.each<[string, boolean, ServiceOrder | null, LegObservation | null, LegObservation | null]>([
    ["nothing shows it", false, SAMPLE.order, OPEN, OPEN],
    ["a redeemed source", true, null, REDEEMED, null],
    ["a redeemed source of one endpoint alone", false, null, alone(REDEEMED), null],
    ["a redeemed payout alone", false, null, null, REDEEMED],
    ["the service shows it at the source", true, report(PREIMAGE, null), null, null],
    ["the service shows it at the payout", true, report(null, `0x${PREIMAGE}`), null, null],
    ["the service shows another one", false, report("c0ffef", "00"), null, null],
    ["one endpoint alone shows it at the source", true, null, alone(withSecret(PREIMAGE)), null],
    ["the payout shows it", true, null, null, withSecret(PREIMAGE)],
    ["the payout shows another one", false, null, null, withSecret("00")],
  ])("%s: %s", (_name, expected, service, source, destination) => {
    expect(findShownSecret(ours, service, source, destination)).toBe(expected)
    expect(findShownSecret({ ownSecret: null }, service, source, destination)).toBe(false)
  })
})
