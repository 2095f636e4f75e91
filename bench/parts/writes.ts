import { ENDPOINTS } from "../ask-endpoints.ts"
import { atMost, type Part } from "../row.ts"
import { measureOrders } from "../run-orders.ts"

/**
 * The goal is 20 with one endpoint: 4 requests to the service, which do not depend on the
 * endpoints, and 16 to nodes, each of which goes to every endpoint.
 */
const MOST_REQUESTS = 4 + 16 * ENDPOINTS
/** The requests of the bare script to the service and to nodes. */
const BARE_REQUESTS = 3 + 4 * ENDPOINTS

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
    {
      what: "requests to nodes and service an order",
      value: requests,
      unit: "",
      goal: atMost(MOST_REQUESTS),
      floor: BARE_REQUESTS,
    },
  ]
}
