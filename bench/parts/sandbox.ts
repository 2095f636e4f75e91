import { readFileSync, writeFileSync } from "node:fs"
import { mustExist } from "#lib/assert.ts"
import { acceptSwap, waitForOutcome } from "../../test/support/e2e-orders.ts"
import { type Exchange, startNetworkRecorder } from "../../test/support/network-recorder.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  TOKEN,
  writeDaemonConfig,
} from "../../test/support/sandbox-process.ts"
import { ENDPOINTS } from "../ask-endpoints.ts"
import { atMost, type Part } from "../row.ts"

const CHAINS = ["base_sepolia", "bitcoin_testnet"] as const
/** Each question of the goal is asked of each endpoint. */
const MOST_REQUESTS = 20 * ENDPOINTS

/**
 * One order on the real local chains of the sandbox. A proxy counts the requests to the nodes from
 * the order to its end.
 */
export const sandbox: Part = async () => {
  const local = await startSandboxProcess(["--chains", CHAINS.join(",")])
  try {
    const { requests, requestsToSend, requestsForHeads, seconds } = await measureOrder(local)
    const goal = atMost(MOST_REQUESTS)
    const floor = countNeeded()
    return [
      { what: "requests to nodes for an order", value: requests, unit: "", goal, floor },
      { what: "of these, until the deposit is sent", value: requestsToSend, unit: "", goal: null },
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

/**
 * `requestsToSend`: up to the deposit's own transaction. `requestsForHeads`: after it, those that
 * ask for the newest block and nothing else.
 */
type Measured = {
  readonly requests: number
  readonly requestsToSend: number
  readonly requestsForHeads: number
  readonly seconds: number
}

/** The better of two orders. A second endpoint is another proxy of the same node. */
async function measureOrder(local: SandboxProcess): Promise<Measured> {
  const exchanges: Exchange[] = []
  const recorders = await Promise.all(
    Array.from({ length: ENDPOINTS }, () => startNetworkRecorder(local, exchanges)),
  )
  const [first] = recorders
  if (first === undefined) throw new Error("no recorder")
  const nodes = new Set(local.chains.map(({ url }) => url))
  const config = await writeDaemonConfig(
    first.sandbox,
    "bench",
    {},
    { only: CHAINS, deposit: "onchain" },
  )
  giveEndpoints(
    config.file,
    recorders.map(({ sandbox: { chains } }) => chains),
  )
  const daemon = startDaemonProcess(config, { BALLAST_OPS_TOKEN: TOKEN })
  const list = (): readonly string[] =>
    exchanges.filter(({ target }) => nodes.has(target)).map(({ request }) => request)
  try {
    await daemon.ready()
    const orders: Measured[] = []
    for (let turn = 0; turn < 2; turn++) {
      const before = list().length
      const startMs = performance.now()
      const swap = { from: "base_sepolia:eth", to: "bitcoin_testnet:btc", amount: "0.02" }
      const { outcome } = await waitForOutcome(daemon, await acceptSwap(daemon, swap), 120_000)
      if (outcome !== "completed") throw new Error(`the order ended as ${outcome}`)
      orders.push({
        ...countRequests(list().slice(before)),
        seconds: (performance.now() - startMs) / 1_000,
      })
    }
    const [better] = orders.toSorted((a, b) => a.requests - b.requests)
    return {
      ...mustExist(better, "an order"),
      seconds: Math.min(...orders.map(({ seconds }) => seconds)),
    }
  } finally {
    await daemon.stop()
    await Promise.all(recorders.map((recorder) => recorder.stop()))
  }
}

function countRequests(requests: readonly string[]): Omit<Measured, "seconds"> {
  const sent = requests.findIndex((request) => request.includes("eth_sendRawTransaction")) + 1
  const heads = requests.slice(sent).filter((request) => HEAD.test(request))
  return { requests: requests.length, requestsToSend: sent, requestsForHeads: heads.length }
}

/** The only question of a request: the newest block of an EVM chain, or the height of Bitcoin's. */
const HEAD =
  /^GET \/blocks\/tip\/height |^POST \/ \{[^[]*"eth_getBlockByNumber","params":\["latest",false]\}$/

/** Each chain of the configuration gets the addresses that all lists have for it. */
function giveEndpoints(file: string, lists: readonly SandboxProcess["chains"][]): void {
  // CAST: `writeDaemonConfig` wrote it, with one of these keys for each chain.
  const config = JSON.parse(readFileSync(file, "utf8")) as {
    chains: Record<string, { rpc?: string[]; esplora?: string[] }>
  }
  for (const [name, chain] of Object.entries(config.chains)) {
    const urls = lists.flatMap((chains) =>
      chains.filter((one) => one.name === name).map(({ url }) => url),
    )
    if (chain.rpc !== undefined) chain.rpc = urls
    if (chain.esplora !== undefined) chain.esplora = urls
  }
  writeFileSync(file, JSON.stringify(config))
}
