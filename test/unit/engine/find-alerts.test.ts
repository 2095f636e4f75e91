import { expect, test } from "vitest"
import { findEndingPayout } from "#engine/orders/observe/find-alerts.ts"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { emptyLeg, sampleData, sampleJob } from "../../support/sample-job.ts"

const HEIGHT = 1_000n
const MOMENT = { height: HEIGHT, txid: "a", final: true, at: 1 }
const { serviceOrder } = sampleData()
const quarter = (serviceOrder?.destination.timelock ?? 0n) / 4n
// CAST: the alarm reads only this part of a secret.
const revealed = { status: "revealed" } as OrderData["ownSecret"]
// CAST: and of an observed HTLC only whether it has these.
const leg = (over: object): LegObservation => ({ ...emptyLeg(HEIGHT), ...over }) as LegObservation
const open = leg({ initiated: MOMENT })

test.each<[string, string | null, Partial<OrderData>, LegObservation | null, bigint | null]>([
  ["with a quarter of its lock left", "alarm", {}, open, quarter],
  ["that cannot be read", "alarm", {}, null, quarter],
  ["with more of its lock left", null, {}, open, quarter + 1n],
  ["without a known end", null, {}, open, null],
  ["that is not there any more", null, {}, leg({}), quarter],
  ["that is redeemed", null, {}, leg({ initiated: MOMENT, redeemed: MOMENT }), quarter],
  ["before our secret is told", null, { ownSecret: null }, open, quarter],
])("a payout %s: %s", (_name, expected, over, destination, left) => {
  const data = sampleData({}, { ownSecret: revealed, ...over })
  const lock = { refundableAt: left === null ? null : HEIGHT + left, height: HEIGHT }
  const found = findEndingPayout(sampleJob(data, {}), destination, lock).map(({ code }) => code)
  expect(found).toEqual(expected === null ? [] : ["alarm.payout_unredeemed"])
})
