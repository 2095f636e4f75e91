import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { toFlight } from "#engine/rules/tick/flight.ts"
import { sumInFlight } from "#engine/rules/tick/in-flight.ts"
import type { StateName } from "#order/states.ts"
import type { ChainPort } from "#ports/chain.ts"
import { NOTHING_SEEN, SAMPLE } from "../../../support/order-sample.ts"
import { sampleData } from "../../../support/sample-job.ts"

const { from, to, sourceUnits, destinationOwner } = SAMPLE.input.request
const PAID = SAMPLE.terms.destinationUnits
const TRAITS = familyNamed("evm").traits
const NOTHING = { left: false, back: false, arrived: false, height: 0n }
const LEFT = { ...NOTHING, left: true }

describe("an order in flight", () => {
  test("leaves its source until it has left, and arrives at its destination until it has arrived", () => {
    expect(sum(from, "deposit-sending", NOTHING)).toEqual({
      ok: true,
      inUnits: 0n,
      outUnits: sourceUnits,
    })
    expect(sum(from, "funded", LEFT)).toEqual({ ok: true, inUnits: 0n, outUnits: 0n })
    expect(sum(to, "funded", LEFT)).toEqual({ ok: true, inUnits: PAID, outUnits: 0n })
    expect(sum(to, "funded", { ...LEFT, arrived: true })).toEqual({
      ok: true,
      inUnits: 0n,
      outUnits: 0n,
    })
  })

  test("that waits for its refund comes back, and pays nothing out", () => {
    const seen = {
      ...NOTHING_SEEN,
      sourceRefunded: { txid: "back", height: 7n, final: false, at: 1 },
    }
    for (const [state, over] of [
      ["refund-confirming", {}],
      ["settling", { seen }],
    ] as const) {
      expect(sum(from, state, LEFT, over)).toEqual({ ok: true, inUnits: sourceUnits, outUnits: 0n })
      expect(sum(from, state, { ...LEFT, back: true }, over)).toEqual({
        ok: true,
        inUnits: 0n,
        outUnits: 0n,
      })
      expect(sum(to, state, LEFT, over)).toEqual({ ok: true, inUnits: 0n, outUnits: 0n })
    }
    expect(sum(to, "settling", LEFT)).toMatchObject({ inUnits: PAID })
  })

  test(
    "whose payout is lost arrives no more once it is held, and still does while the alarm may " +
      "be a lagging node",
    () => {
      const alerted = ["alarm.source_redeemed"]
      expect(sum(to, "held", LEFT, { alerted })).toEqual({ ok: true, inUnits: 0n, outUnits: 0n })
      expect(sum(to, "held", LEFT)).toMatchObject({ inUnits: PAID })
      expect(sum(to, "redeem-reported", LEFT, { alerted })).toMatchObject({ inUnits: PAID })
    },
  )

  test("to an address outside the treasury never arrives", () => {
    expect(sum(to, "funded", LEFT, {}, "another wallet")).toEqual({
      ok: true,
      inUnits: 0n,
      outUnits: 0n,
    })
  })

  test("is asked for its payout from its first signed deposit on, also while it plans another one", () => {
    const ask = (over: Parameters<typeof sampleData>[1]): boolean =>
      toFlight({ state: "deposit-planning", data: sampleData({}, over) }, TRAITS).payout !== null
    expect(ask({ replans: 0 })).toBe(false)
    expect(ask({ replans: 1 })).toBe(true)
  })

  test("without a quote has an unknown payout", () => {
    const unknown = { ok: false, cause: { code: "policy.amount_unknown" } }
    expect(sum(to, "quoting", NOTHING, { terms: null, quote: null })).toMatchObject(unknown)
  })
})

function sum(
  asset: typeof from,
  state: StateName,
  progress: typeof NOTHING,
  over: Parameters<typeof sampleData>[1] = {},
  account = destinationOwner,
) {
  // CAST: the sum uses only this part of the port.
  const chain = { account, sameAddress: (a: string, b: string) => a === b } as ChainPort
  const orders = sumInFlight(chain, asset)
  orders.add(toFlight({ state, data: sampleData({}, over) }, TRAITS), progress)
  return orders.total()
}
