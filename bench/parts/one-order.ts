import { measureBareScript } from "../bare-script.ts"
import { atMost, bySpeed, type Part } from "../row.ts"
import { measureOrders } from "../run-orders.ts"

const TRIES = 5

/** One order at a time: the time that Ballast adds to chain and service. */
export const oneOrder: Part = async () => {
  const times: number[] = []
  for (let turn = 0; turn < TRIES; turn++)
    times.push((await measureOrders({ count: 1, atOnce: 1 })).seconds * 1_000)
  const bare = (await measureBareScript({ count: 1, atOnce: 1 })).seconds * 1_000
  const median = times.toSorted((a, b) => a - b)[Math.floor(TRIES / 2)] ?? Number.NaN
  return [
    {
      what: "time that one order takes beyond the bare script's",
      value: median - bare,
      unit: "ms",
      goal: bySpeed(atMost(50)),
    },
  ]
}
