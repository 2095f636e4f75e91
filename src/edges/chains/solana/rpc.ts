import { z } from "zod"
import { isGiantInteger, type Reviver } from "#lib/peer-json.ts"
import { type Address, hostOf } from "#nodes/address.ts"
import type { RpcDialect } from "#nodes/json-rpc.ts"
import { requireNetwork } from "#nodes/network-check.ts"
import { createNodeClient, type NodeClient, readAgain } from "#nodes/node-client.ts"
import { type AskOptions, createPaces } from "#nodes/paces.ts"
import { askInTurn } from "#nodes/quorum/create-quorum.ts"
import { createSharedReads } from "./nodes/share-reads.ts"

/**
 * Creates a JSON-RPC 2.0 client over HTTP for one or more Solana nodes.
 *
 * Integers beyond 2^53 arrive as bigint, because the protocol writes u64 amounts as plain JSON
 * numbers. Every failure of a read is transient and counts for its endpoint alone, so that no page
 * of a proxy holds an order: `solana.unreachable`, `solana.nonsense`, `solana.node_error`. The
 * details keep the number and text of the node's error.
 *
 * A limit of requests makes a read wait. `read` asks the next endpoint instead, where there is one.
 */
export function createRpc({ urls, genesisHash = null, ...shared }: RpcOptions): Rpc {
  const paces = shared.paces ?? createPaces(shared.clock)
  const endpoints = urls.map((address) =>
    createNodeClient({
      ...shared,
      paces,
      address,
      dialect: solanaDialect,
      checkNetwork: async (ask) => {
        if (genesisHash === null) return
        const found = String(await ask("getGenesisHash", [], z.unknown())).slice(0, 80)
        const names = { host: hostOf(address), expected: genesisHash, found }
        requireNetwork(found === genesisHash, { ...WRONG, ...names })
      },
      holdsMs: (method) => (method === "getMinimumBalanceForRentExemption" ? RENT_HOLDS_MS : 0),
      join: (send) => createSharedReads(send, shared.clock),
    }),
  )
  const way = endpoints.length === 1 ? "ask" : "askNow"
  return {
    endpoints,
    read: (method, params, schema) =>
      readAgain(
        () => askInTurn(endpoints, (node) => node[way](method, params, schema)),
        shared.clock,
      ),
  }
}

type RpcOptions = AskOptions & {
  readonly urls: readonly Address[]
  readonly genesisHash?: string | null
}

/** It is a constant of the cluster; a wrong answer passes. */
const RENT_HOLDS_MS = 600_000
const WRONG = { code: "solana.wrong_network", setting: "rpc or preset" }

const keepBigNumbers: Reviver = (_key, value, context) =>
  typeof value === "number" &&
  !Number.isSafeInteger(value) &&
  /^-?\d{1,100}$/.test(context?.source ?? "")
    ? BigInt(context?.source ?? "")
    : value

const solanaDialect: RpcDialect = {
  name: "Solana",
  codes: {
    unreachable: "solana.unreachable",
    unavailable: "solana.unreachable",
    nonsense: "solana.nonsense",
    rpc: "solana.node_error",
  },
  // A failed preflight has the texts of programs.
  isAboutCall: ({ code }) => code === -32_002,
  isNumber: () => (_key, text) => isGiantInteger(text),
  revive: keepBigNumbers,
}

export type RpcReader = Pick<NodeClient, "read">

/**
 * `read` asks the endpoints in order until one gives a valid answer. `endpoints`: for answers that
 * endpoints must give each on its own.
 */
export type Rpc = RpcReader & {
  readonly endpoints: readonly Pick<NodeClient, "host" | "read" | "write" | "checkNetwork">[]
}
