import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { isGiantInteger } from "#lib/peer-json.ts"
import { type Address, hostOf } from "#nodes/address.ts"
import type { RpcDialect } from "#nodes/json-rpc.ts"
import { requireNetwork } from "#nodes/network-check.ts"
import { createNodeClient, type NodeClient } from "#nodes/node-client.ts"
import { spell } from "#nodes/node-words.ts"
import { type AskOptions, createPaces } from "#nodes/paces.ts"
import { createQuorum, type Quorum } from "#nodes/quorum/create-quorum.ts"
import { encodeShortString, readFelt } from "./felt.ts"

/** The endpoints of a chain. Errors of the specification are AppErrors with `details.rpcCode`. */
export type StarknetRpc = Quorum<StarknetNode>

/** One endpoint. `host` has no access keys. */
export type StarknetNode = Omit<NodeClient, "askNow">

/**
 * The error codes of the specification that Ballast distinguishes (starknet_api_openrpc,
 * starknet_write_api).
 */
export const RPC_CODES = {
  contractNotFound: 20,
  entryPointNotFound: 21,
  blockNotFound: 24,
  transactionNotFound: 29,
  pageTooBig: 31,
  contractError: 40,
  executionError: 41,
  insufficientResources: 53,
  insufficientBalance: 54,
  validationFailure: 55,
  nonAccount: 58,
  duplicate: 59,
  unsupportedVersion: 61,
  replacementUnderpriced: 64,
  feeBelowMinimum: 65,
} as const

export function createRpc({
  urls,
  needed = 1,
  chainId,
  headsForMs = 0,
  ...shared
}: AskOptions & {
  readonly urls: readonly Address[]
  readonly needed?: number
  readonly chainId: string
  readonly headsForMs?: number
}): StarknetRpc {
  const { clock, paces = createPaces(clock) } = shared
  const nodes = urls.map((address) =>
    createNodeClient({
      ...shared,
      paces,
      address,
      dialect: starknetDialect,
      checkNetwork: async (ask) => {
        const found = await ask("starknet_chainId", [], z.string())
        const names = { host: hostOf(address), expected: chainId, found }
        requireNetwork(readFelt(found) === encodeShortString(chainId), { ...WRONG, ...names })
      },
      holdsMs: (method, params) => (isStateAtHash(method, params) ? STATE_HOLDS_MS : 0),
      // A load balancer may send two requests to two backends, one of which lags. It gets more
      // tries than a dead endpoint.
      triesFor: (error) => (rpcCodeOf(error) === RPC_CODES.blockNotFound ? 5 : 3),
    }),
  )
  return createQuorum({ ...RULES, nodes, needed, clock, headsForMs })
}

const STATE_HOLDS_MS = 5_000
/** It never changes, and nor do the gas prices of a block; a list of events may be behind. */
const isStateAtHash = (method: string, params: readonly unknown[]): boolean =>
  /^starknet_(getNonce|call|getBlockWithTxHashes)$/.test(method) &&
  JSON.stringify(params).includes('"block_hash"')
const WRONG = { code: "starknet.wrong_network", setting: "rpc or chain_id" }
const RULES = {
  /** Five minutes of blocks at 2 s. */
  lead: 150n,
  patienceMs: 1_500,
  codes: {
    stalled: "starknet.stalled",
    silent: "starknet.unreachable",
    split: "starknet.disagreement",
    short: "starknet.agreement_short",
  },
}

export function rpcCodeOf(error: unknown): number | null {
  const code = error instanceof AppError ? error.details["rpcCode"] : undefined
  return typeof code === "number" ? code : null
}

/** The data of a node's error, for people. */
export function rpcDataOf(error: unknown): string {
  return spell(String(error instanceof AppError ? (error.details["data"] ?? error.message) : error))
}

const starknetDialect: RpcDialect = {
  name: "Starknet",
  codes: {
    unreachable: "starknet.unreachable",
    unavailable: "starknet.unavailable",
    nonsense: "starknet.nonsense",
    rpc: "starknet.rpc",
  },
  // The specification's own codes, such as that of a revert, mean no limit.
  isAboutCall: ({ code }) => code > 0,
  dispositionOf: ({ code }) => (isLasting(code) ? "hold" : "transient"),
  isNumber: () => (_key, text) => isGiantInteger(text),
}

/**
 * Whether the same request fails for ever: the specification's own errors, except for content that
 * the node does not have yet.
 */
export function isLasting(code: number): boolean {
  return (code > 0 && code < 1_000 && !TEMPORARY.has(code)) || code === -32_601 || code === -32_602
}

const TEMPORARY: ReadonlySet<number> = new Set([
  RPC_CODES.blockNotFound,
  RPC_CODES.transactionNotFound,
  32,
  63,
])
