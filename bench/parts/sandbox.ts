import { mustExist } from "#lib/assert.ts"
import { startSandboxProcess } from "../../test/support/sandbox-process.ts"
import { ENDPOINTS } from "../ask-endpoints.ts"
import { CHAINS, measureOrders } from "../measure-orders.ts"
import { atMost, type Part } from "../row.ts"

/** Each question of the goal is asked of each endpoint. */
const MOST_REQUESTS = 20 * ENDPOINTS

/**
 * One order on the real local chains of the sandbox. A proxy counts the requests to the nodes from
 * the order to its end.
 */
export const sandbox: Part = async () => {
  const local = await startSandboxProcess(["--chains", CHAINS.join(",")])
  try {
    const orders = await measureOrders(local, { count: 2, endpoints: ENDPOINTS })
    const [better] = orders.toSorted((a, b) => a.asked.length - b.asked.length)
    const requests = mustExist(better, "an order").asked.map(({ request }) => request)
    const sent = requests.findIndex((request) => request.includes("eth_sendRawTransaction")) + 1
    const requestsForHeads = requests.slice(sent).filter((request) => HEAD.test(request)).length
    const seconds = Math.min(...orders.map((order) => order.seconds))
    const goal = atMost(MOST_REQUESTS)
    const floor = countNeeded()
    return [
      { what: "requests to nodes for an order", value: requests.length, unit: "", goal, floor },
      { what: "of these, until the deposit is sent", value: sent, unit: "", goal: null },
      {
        what: "of these, to learn of new blocks afterwards",
        value: requestsForHeads,
        unit: "",
        goal: null,
      },
      { what: "time of an order", value: seconds, unit: "s", goal: null },
    ]
  } finally {
    await local.stop()
  }
}

/**
 * The requests that this order needs if it asks for each fact once, at the moment at which it
 * decides something. A batch is one request; one that needs an answer before it is another one.
 * `once`: an answer that proves itself comes from one endpoint, every other one from each endpoint.
 */
const NEEDED: readonly {
  readonly what: string
  readonly requests: number
  readonly once?: true
}[] = [
  {
    what: "admission: the newest block with the fees; then the balance at it, and its check",
    requests: 2,
  },
  { what: "the service's order: the heads of both chains", requests: 2 },
  { what: "the plan: newest block, fees, funds and simulation", requests: 1 },
  { what: "the nonce: the newest block; then the count at it, and its check", requests: 2 },
  { what: "the deposit is sent", requests: 1 },
  {
    what: "the deposit is in a block: the newest one; then receipt and count at it, and its check",
    requests: 2,
  },
  {
    what: "the source HTLC: the newest block; then order and receipts at it, and their blocks",
    requests: 2,
  },
  {
    what:
      "the payout: the height, the list of the address, and the blocks of funding and " +
      "redemption",
    requests: 4,
  },
  { what: "the bytes of the funding and of the redemption", requests: 2, once: true },
]

function countNeeded(): number {
  return NEEDED.reduce((sum, { requests, once }) => sum + requests * (once ? 1 : ENDPOINTS), 0)
}

/** The only question of a request: the newest block of an EVM chain, or the newest of Bitcoin. */
const HEAD = /^GET \/blocks |^POST \/ \{[^[]*"eth_getBlockByNumber","params":\["latest",false]\}$/
