import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, beforeEach, expect, test } from "vitest"
import { createEsplora } from "#chains/bitcoin/esplora.ts"
import { readFeeNeed } from "#chains/bitcoin/fees.ts"
import { GENESIS } from "#chains/bitcoin/nodes/genesis.ts"
import { fetchAgreement as fetchBitcoinAgreement } from "#chains/bitcoin/nodes/reference.ts"
import { readMarket } from "#chains/evm/fees.ts"
import { createRpc as createEvmRpc } from "#chains/evm/rpc.ts"
import {
  createEndpoints,
  fetchAgreement as fetchSolanaAgreement,
} from "#chains/solana/nodes/endpoints.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { fetchPrices } from "#chains/solana/spend/fetch-prices.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { priceGas } from "#chains/starknet/spend/estimate.ts"
import { parseConfig } from "#config/load.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import { createAsk } from "#nodes/create-ask.ts"
import { checkNodes } from "../../../src/app/cli/doctor/check-nodes.ts"

/*
 * `doctor` asks a node what an order asks: each request of its probes is one of the daemon's own,
 * by method, block tag and form of the parameters.
 */

type Call = {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

const nowS = Math.floor(Date.now() / 1_000)
/** Far enough apart that the daemon asks for the times of the blocks. */
const HEIGHTS: Readonly<Record<string, number>> = { a: 1_000_000, b: 1_009_000 }
const ACCOUNT = "11111111111111111111111111111111"
let asked: string[] = []

/** Two nodes of each family; the one at `a` is behind. */
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const [, family = "", name = "", ...rest] = (request.url ?? "").split("/")
    const height = HEIGHTS[name] ?? 0
    if (body === "") {
      asked.push(`${family} /${rest.map(formOf).join("/")}`)
      return void response.end(answerPath(`/${rest.join("/")}`, height))
    }
    // CAST: the requests of our own clients.
    const calls = JSON.parse(body) as Call | readonly Call[]
    const answer = ({ id, method, params }: Call) => {
      asked.push(`${family} ${method} ${JSON.stringify(params, (_key, value) => formOf(value))}`)
      return { jsonrpc: "2.0", id, result: answerCall(method, params, height) }
    }
    // CAST: one call is no list.
    response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls as Call)))
  })
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
afterAll(() => void server.close())
// CAST: a server of TCP.
const { port } = server.address() as { port: number }

/** A height or a hash is the same as another one; a word, such as a block's tag, is not. */
function formOf(value: unknown): unknown {
  if (typeof value === "number") return 0
  if (typeof value !== "string" || !/^(\d+|0x[0-9a-f]+|[0-9a-f]{64})$/.test(value)) return value
  return value.length > 40 ? "hash" : "number"
}

const hashAt = (height: number): string => height.toString(16).padStart(64, "0")
const timeAt = (height: number): number => nowS - (1_009_000 - height)

function answerPath(path: string, height: number): string {
  if (path === "/block-height/0") return GENESIS.testnet4
  if (path === "/fee-estimates") return '{"2":5}'
  if (path === "/blocks") return JSON.stringify([blockOf(hashAt(height))])
  if (path.startsWith("/block-height/")) return hashAt(Number(path.split("/")[2]))
  return JSON.stringify(blockOf(path.split("/")[2] ?? ""))
}

function blockOf(id: string) {
  const height = Number(`0x${id}`)
  return { id, height, timestamp: timeAt(height) }
}

function answerCall(method: string, [first]: readonly unknown[], height: number): unknown {
  const known: Readonly<Record<string, unknown>> = {
    eth_chainId: "0x14a34",
    eth_maxPriorityFeePerGas: "0x1",
    eth_feeHistory: { reward: [["0x1"]], gasUsedRatio: [0.5] },
    starknet_chainId: `0x${Buffer.from("SN_SEPOLIA").toString("hex")}`,
    starknet_blockHashAndNumber: { block_number: height, block_hash: `0x${hashAt(height)}` },
    getGenesisHash: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
    getSlot: height,
    getBlockTime: timeAt(Number(first)),
    getRecentPrioritizationFees: [{ slot: 1, prioritizationFee: 5 }],
  }
  if (method in known) return known[method]
  const number = numberIn(first) ?? height
  if (method === "eth_getBlockByNumber")
    return {
      number: `0x${number.toString(16)}`,
      hash: `0x${hashAt(number)}`,
      transactions: [],
      baseFeePerGas: "0x1",
      timestamp: `0x${timeAt(number).toString(16)}`,
    }
  if (method !== "starknet_getBlockWithTxHashes") throw new Error(method)
  const price = { price_in_fri: "0x5", price_in_wei: "0x1" }
  return {
    block_number: number,
    block_hash: `0x${hashAt(number)}`,
    timestamp: timeAt(number),
    l2_gas_price: price,
    l1_data_gas_price: price,
  }
}

function numberIn(block: unknown): number | null {
  if (typeof block === "string") return block.startsWith("0x") ? Number(block) : null
  // CAST: a block of Starknet.
  const { block_number, block_hash } = block as { block_number?: number; block_hash?: string }
  return block_number ?? Number(block_hash)
}

const urlsOf = (family: string): readonly string[] => [
  `http://127.0.0.1:${port}/${family}/a`,
  `http://localhost:${port}/${family}/b`,
]

const { chains } = parseConfig(
  `{ service: { url: "http://127.0.0.1:1", app_id: x }, data_dir: ./d, assets: {}, rules: [],
     chains: {
       base_sepolia: { family: evm, chain_id: 84532, key: "env:NONE",
           rpc: ${JSON.stringify(urlsOf("evm"))} },
       bitcoin_testnet: { family: bitcoin, network: testnet4, key: "env:NONE",
           esplora: ${JSON.stringify(urlsOf("bitcoin"))} },
       starknet_sepolia: { family: starknet, account: "0x1", key: "env:NONE", chain_id: SN_SEPOLIA,
           rpc: ${JSON.stringify(urlsOf("starknet"))} },
       solana_devnet: { family: solana, key: "env:NONE",
           rpc: ${JSON.stringify(urlsOf("solana"))} } } }`,
  { file: "test.yaml", secrets: (reference) => new Secret("", reference) },
)

const SHARED = { clock: systemClock, timeoutMs: 5_000, needed: 1 }

/** The reads of an order: how far the chain is, what a transaction costs, and how late it is. */
const ACTS: Readonly<Record<string, () => Promise<unknown>>> = {
  evm: async () => {
    const at = { urls: urlsOf("evm"), chainId: 84_532, fastestBlockMs: 1_000 }
    const rpc = createEvmRpc({ ...SHARED, ...at })
    await rpc.readEach(async ({ block }) => block)
    await readMarket(rpc, 10n ** 12n, { feeCap: 10n ** 12n })
  },
  bitcoin: async () => {
    const genesis = GENESIS.testnet4
    const esplora = createEsplora({ ...SHARED, endpoints: urlsOf("bitcoin"), genesis })
    await fetchBitcoinAgreement(esplora)
    await readFeeNeed(esplora, 100)
  },
  starknet: async () => {
    const rpc = createStarknetRpc({ ...SHARED, urls: urlsOf("starknet"), chainId: "SN_SEPOLIA" })
    // CAST: the prices of gas concern no other part of a wallet.
    await priceGas({ rpc, maxFeeUnits: 10n ** 18n } as never, { l2: 1n, l1Data: 1n })
  },
  solana: async () => {
    const rpc = createSolanaRpc({
      ...SHARED,
      urls: urlsOf("solana"),
      genesisHash: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
    })
    const endpoints = createEndpoints(rpc, 1, systemClock)
    await fetchSolanaAgreement(endpoints, "confirmed")
    await fetchPrices([ACCOUNT], endpoints, 10n ** 6n)
  },
}

beforeEach(() => {
  asked = []
})

test.each(chains.map((chain) => ({ chain, family: chain.family })))(
  "on $family, each request of doctor's probes is one of an order's reads",
  async ({ chain, family }) => {
    const account = family === "solana" ? ACCOUNT : null
    const found = await checkNodes(chain, createAsk(5_000), systemClock, account)
    expect(found.filter(({ status }) => status === "fail")).toEqual([])
    const probes = new Set(asked)
    asked = []
    await ACTS[family]?.()
    expect([...probes].filter((one) => !asked.includes(one))).toEqual([])
    expect(probes.size).toBeGreaterThanOrEqual(3)
  },
)
