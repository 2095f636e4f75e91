import { describe, expect, test } from "vitest"
import { hasLegs, waitsForEvent } from "#engine/orders/waits-for-event.ts"
import { awaitsPayout } from "#engine/rules/route-waits.ts"
import type { OrderData } from "#order/data.ts"
import { NOTHING_SEEN } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

// CAST: only the presence and the depth of a sight count here.
const part = (final: boolean) => ({ at: 1, txid: "x", final, units: 1n }) as never
const seen = (...names: readonly (keyof OrderData["seen"])[]): Partial<OrderData> => ({
  seen: {
    ...NOTHING_SEEN,
    sourceInitiated: part(true),
    ...Object.fromEntries(names.map((name) => [name, part(true)])),
  },
})
// CAST: only the presence of a secret of our own counts here.
const ownSecret = { hash: "ab" } as never
// CAST: only the presence of a relay's signature counts here.
const gasless = {} as never
const shallow = { seen: { ...NOTHING_SEEN, sourceInitiated: part(false) } }

describe("an order", () => {
  test.each<readonly [string, Partial<OrderData>, waits: boolean, awaits: boolean]>([
    ["with its deposit", seen(), true, true],
    ["without its deposit", { seen: NOTHING_SEEN }, true, false],
    ["with a shallow deposit", shallow, true, true],
    ["without a verified deposit", { ...seen(), deposit: null }, false, false],
    ["without an order of the service", { ...seen(), serviceOrder: null }, false, false],
    ["without terms", { ...seen(), terms: null }, false, false],
    ["with a payout", seen("destinationInitiated"), true, true],
    ["with a redeemed source", seen("sourceRedeemed"), false, false],
    ["with a refunded source", seen("sourceRefunded"), false, false],
    ["with a redeemed payout", seen("destinationRedeemed"), false, false],
    ["of a relay, with a shallow deposit", { ...shallow, gasless }, false, false],
    ["of a relay, with its deposit", { ...seen(), gasless }, true, true],
    ["of a relay, without its deposit", { seen: NOTHING_SEEN, gasless }, false, false],
    ["with our own secret", { ...seen(), ownSecret }, true, false],
    [
      "with our own secret and a payout",
      { ...seen("destinationInitiated"), ownSecret },
      false,
      false,
    ],
  ])("%s: waits for an event, and for nothing but its payout", (what, over, waits, awaits) => {
    const data = sampleData({}, over)
    expect([waitsForEvent(data), awaitsPayout("funded", data)]).toEqual([waits, awaits])
    expect(awaitsPayout("void-confirming", data)).toBe(false)
    expect(hasLegs(data)).toBe(data.deposit !== null && !/without (an order|terms)/.test(what))
  })
})
