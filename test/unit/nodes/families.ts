import { zeroAddress } from "viem"
import { createEsplora } from "#chains/bitcoin/esplora.ts"
import { readAgreedCoins } from "#chains/bitcoin/keys/read-coins.ts"
import { readAgreed as readEvm } from "#chains/evm/nodes/agree.ts"
import { createRpc as createEvmRpc } from "#chains/evm/rpc.ts"
import { createEndpoints, readAgreed as readSolana } from "#chains/solana/nodes/endpoints.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { readAgreed as readStarknet } from "#chains/starknet/nodes/compare-views.ts"
import { fetchNonce } from "#chains/starknet/nodes/read-chain.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import type { Clock } from "#lib/clock.ts"

/** What one node shows. Its chain names the hashes of its blocks. */
export type Chain = {
  readonly network: "ours" | "another"
  readonly height: number
  /** Its newest block is so old. */
  readonly ageMs: number
  /** An account's balance, or its count. */
  readonly units: number
}

type World = {
  readonly urls: readonly string[]
  readonly needed: number
  readonly timeoutMs: number
  readonly clock: Clock
}

/** One fact that endpoints must agree on, by a family's own readers, and a node of the family. */
export type Family = {
  open(world: World): () => Promise<bigint>
  answer(path: string, params: readonly unknown[], chain: Chain): unknown
}

const hex = (value: number): string => `0x${value.toString(16)}`

function hashOf({ network }: Chain, height: number): string {
  return `${network === "ours" ? "1" : "2"}${height.toString(16).padStart(62, "0")}`
}

function timeOf({ ageMs, height }: Chain, at = height): number {
  return Math.floor((Date.now() - ageMs) / 1_000) - (height - at)
}

/** The error that a node answers. */
export class Refusal extends Error {
  readonly code: number
  constructor(code: number) {
    super("unknown block")
    this.code = code
  }
}

const evm: Family = {
  open: ({ urls, needed, timeoutMs, clock }) => {
    const rpc = createEvmRpc({
      urls,
      needed,
      chainId: 8453,
      timeoutMs,
      fastestBlockMs: 1_000,
      clock,
    })
    return () =>
      readEvm(rpc, ({ client, height }) =>
        client.getBalance({ address: zeroAddress, blockNumber: height }),
      )
  },
  answer: (method, params, chain) => {
    if (method === "eth_chainId") return hex(chain.network === "ours" ? 8453 : 1)
    // CAST: the client's own questions.
    const [first, at] = params as [string, { readonly blockHash?: string }]
    if (method === "eth_getBalance") {
      const known = [0, 1, 2].map((back) => `0x0${hashOf(chain, chain.height - back)}`)
      if (!known.includes(at.blockHash ?? "")) throw new Refusal(-32_000)
      return hex(chain.units)
    }
    const height = first.startsWith("0x") ? Number(first) : chain.height
    if (height > chain.height) return null
    const block = { number: hex(height), hash: `0x0${hashOf(chain, height)}` }
    return { ...block, transactions: [], timestamp: hex(timeOf(chain, height)) }
  },
}

const solana: Family = {
  open: ({ urls, needed, timeoutMs, clock }) => {
    const rpc = createSolanaRpc({ urls, genesisHash: "ours", timeoutMs, clock })
    const endpoints = createEndpoints(rpc, needed, clock)
    return () => readSolana(endpoints, "confirmed", (node) => node.fetchBalance("account"))
  },
  answer: (method, _params, chain) => {
    if (method === "getGenesisHash") return chain.network
    if (method === "getBlockTime") return timeOf(chain)
    if (method === "getSlot") return chain.height
    return { context: { slot: chain.height }, value: chain.units }
  },
}

const starknet: Family = {
  open: ({ urls, needed, timeoutMs, clock }) => {
    const rpc = createStarknetRpc({ urls, needed, chainId: "SN_MAIN", timeoutMs, clock })
    return async () => (await readStarknet(rpc, (view) => fetchNonce(view, 1n))) ?? -1n
  },
  answer: (method, params, chain) => {
    if (method === "starknet_chainId")
      return `0x${Buffer.from(chain.network === "ours" ? "SN_MAIN" : "SN_SEPOLIA").toString("hex")}`
    const blockOf = (height: number) => ({
      block_number: height,
      block_hash: `0x${hashOf(chain, height)}`,
      timestamp: timeOf(chain, height),
    })
    if (method === "starknet_blockHashAndNumber") return blockOf(chain.height)
    // CAST: the client's own questions.
    const [at] = params as [{ readonly block_number?: number; readonly block_hash?: string }]
    const height = at.block_number ?? Number(BigInt(at.block_hash ?? 0) & 0xffff_ffffn)
    const known = blockOf(height)
    const isKnown =
      at.block_hash === undefined || BigInt(known.block_hash) === BigInt(at.block_hash)
    if (height > chain.height || !isKnown) throw new Refusal(24)
    return method === "starknet_getNonce" ? hex(chain.units) : known
  },
}

const GENESIS = "ab".repeat(32)

const bitcoin: Family = {
  open: ({ urls, needed, timeoutMs, clock }) => {
    const genesis = GENESIS
    const esplora = createEsplora({ endpoints: urls, needed, genesis, timeoutMs, clock })
    return async () => {
      const coins = await readAgreedCoins(esplora, "address")
      return coins.reduce((sum, { units }) => sum + units, 0n)
    }
  },
  answer: (path, _params, chain) => {
    if (path === "/block-height/0") return chain.network === "ours" ? GENESIS : "cd".repeat(32)
    const blockOf = (height: number) => ({
      id: `0${hashOf(chain, height)}`,
      height,
      timestamp: timeOf(chain, height),
    })
    const { height } = chain
    if (path === "/blocks") return [0, 1, 2, 3].map((back) => blockOf(height - back))
    const [, asked] = /^\/block-height\/(\d+)$/.exec(path) ?? []
    if (asked !== undefined) return blockOf(Number(asked)).id
    if (path.startsWith("/block/")) return blockOf(height)
    const status = { confirmed: true, block_height: 1 }
    return [{ txid: GENESIS, vout: 0, value: chain.units, status }]
  },
}

export const FAMILIES: Readonly<Record<string, Family>> = { bitcoin, evm, solana, starknet }
