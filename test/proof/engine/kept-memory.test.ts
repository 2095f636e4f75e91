import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { toFlight } from "#engine/rules/tick/flight.ts"
import { decodeOrder, encodeOrder } from "#order/step.ts"
import { NOTHING_SEEN } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const COUNT = 4_000
/** The addresses of an order are so long. */
const LONG = "a".repeat(200)

test("what balances count of an open order keeps no copy of the addresses that all orders share", () => {
  setFlagsFromString("--expose-gc")
  // CAST: the flag gives new contexts this function.
  const collect = runInNewContext("gc") as () => void
  const heapBytes = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const seen = { ...NOTHING_SEEN, sourceInitiated: { txid: "in", height: 7n, final: true, at: 1 } }
  const data = sampleData({}, { seen, replans: 1 })
  const request = {
    ...data.request,
    sourceOwner: `${LONG}-source`,
    destinationOwner: `${LONG}-destination`,
  }
  const text = encodeOrder({ state: "funded", data: { ...data, request } })
  const { traits } = familyNamed("evm")
  const decode = () => toFlight(decodeOrder(text), traits)
  expect([decode().refund?.owner, decode().payout?.owner]).toEqual([
    request.sourceOwner,
    request.destinationOwner,
  ])
  const before = heapBytes()
  const kept = Array.from({ length: COUNT }, decode)
  const bytes = (heapBytes() - before) / kept.length
  expect(bytes).toBeLessThan(1_000)
})
