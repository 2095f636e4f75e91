import { atMost, type Part } from "../row.ts"
import { measureOrders } from "../run-orders.ts"

/** The writes and requests of one order, with 256 at once. */
export const writes: Part = async (quick) => {
  const costs = await measureOrders({ count: quick ? 256 : 1_024, atOnce: 256 })
  const { writtenKib, keptKib, commits, requests } = costs
  return [
    {
      what: "written, for each byte of events and snapshot kept",
      value: writtenKib / keptKib,
      unit: "×",
      goal: atMost(6),
    },
    { what: "written for an order", value: writtenKib, unit: "KiB", goal: null },
    { what: "kept of an order", value: keptKib, unit: "KiB", goal: null },
    { what: "commits an order", value: commits, unit: "", goal: null },
    { what: "requests to nodes and service an order", value: requests, unit: "", goal: atMost(20) },
  ]
}
