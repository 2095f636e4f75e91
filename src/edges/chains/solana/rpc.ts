import type { z } from "zod"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { isGiantInteger, type Reviver } from "#lib/peer-json.ts"
import { retryRead } from "#lib/retry.ts"
import { type Address, hostOf } from "#nodes/address.ts"
import { nonsense, type RpcDialect } from "#nodes/json-rpc.ts"
import { createNetworkCheck } from "#nodes/network-check.ts"
import { isLimited } from "#nodes/pace.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { firstIssues } from "#nodes/rpc-answer.ts"
import { createRpcClient } from "#nodes/rpc-client.ts"
import { createSharedReads } from "./nodes/share-reads.ts"

/**
 * Creates a JSON-RPC 2.0 client over HTTP for one or more Solana nodes.
 *
 * Integers beyond 2^53 arrive as bigint, because the protocol writes u64 amounts as plain JSON
 * numbers. Every failure of a read is transient and counts for its endpoint alone, so that no page
 * of a proxy holds an order: `solana.unreachable`, `solana.nonsense`, `solana.node_error`. The
 * details keep the number and text of the node's error.
 *
 * With a `genesisHash`, the first use of each endpoint compares it, so that Ballast never uses
 * answers of another cluster (`solana.wrong_network`).
 *
 * A limit of requests makes a read wait. `read` asks the next endpoint instead, where there is one.
 */
export function createRpc(options: RpcOptions): Rpc {
  const { urls, clock, paces = createPaces(clock) } = options
  const nodes = urls.map((address) => createNodeCalls(address, { ...options, paces }))
  const isAlone = nodes.length === 1
  const repeat = <T>(read: () => Promise<T>): Promise<T> =>
    retryRead(read, { clock, attempts: triesFor })
  const readOne = async <T>(
    { address, ...calls }: NodeCalls,
    way: "read" | "readOnce",
    call: RpcCall,
    schema: z.ZodType<T>,
  ): Promise<T> => {
    const parsed = schema.safeParse(await calls[way](call))
    if (parsed.success) return parsed.data
    throw nonsense(solanaDialect, { address, ...call }, firstIssues(parsed.error))
  }
  return {
    read: (method, params, schema) =>
      repeat(() =>
        readFirst(nodes, (node) =>
          readOne(node, isAlone ? "read" : "readOnce", { method, params }, schema),
        ),
      ),
    endpoints: nodes.map((node) => ({
      host: hostOf(node.address),
      read: (method, params, schema) =>
        repeat(() => readOne(node, "read", { method, params }, schema)),
      write: node.write,
      checkNetwork: node.checkNetwork,
    })),
  }
}

type RpcOptions = {
  readonly urls: readonly Address[]
  readonly genesisHash?: string | null
  readonly timeoutMs: number
  readonly clock: Clock
  readonly paces?: Paces
}

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

/** The wait for a limit is over when such a failure comes. */
function triesFor(error: AppError): number {
  return isLimited(error) ? 1 : 3
}

type AskCall = (call: RpcCall) => Promise<unknown>

/** `readOnce` does not wait for a limit of requests, and `write` hardly does. */
type NodeCalls = {
  readonly address: Address
  readonly checkNetwork: () => Promise<void>
  readonly read: AskCall
  readonly readOnce: AskCall
  readonly write: AskCall
}

function createNodeCalls(
  address: Address,
  { genesisHash = null, timeoutMs, clock, paces }: RpcOptions & { readonly paces: Paces },
): NodeCalls {
  const shared = { address, dialect: solanaDialect, timeoutMs, clock }
  const pace = paces(address, timeoutMs)
  const rpc = createRpcClient({ ...shared, pace, batches: false })
  const heads = createRpcClient({ ...shared, pace, batches: true })
  type Send = (method: string, params: unknown) => Promise<unknown>
  const network = createNetworkCheck(async (send: Send) => {
    if (genesisHash === null) return
    const found = await send("getGenesisHash", [])
    if (found !== genesisHash) throw wrongNetwork(address, genesisHash, found)
  })
  const askWith =
    (send: Send): AskCall =>
    async ({ method, params }) => {
      await network.first(send)
      return send(method, params)
    }
  return {
    address,
    checkNetwork: async () => {
      // A head waits for a turn, to be shared, and then goes with this in one request.
      await clock.turn?.()
      await network.again(heads.read)
    },
    read: createSharedReads(
      askWith((method, params) => (method === "getSlot" ? heads : rpc).read(method, params)),
      clock,
    ),
    readOnce: createSharedReads(askWith(rpc.readOnce), clock),
    write: askWith(rpc.write),
  }
}

export type RpcReader = {
  read<T>(method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<T>
}

/** `read` asks the endpoints in order until one gives a valid answer. */
export type Rpc = RpcReader & {
  /** Readers that ask one endpoint only, for answers that endpoints must give each on its own. */
  readonly endpoints: readonly RpcEndpoint[]
}

/**
 * `host` names the endpoint in reports; the rest of its URL may hold an access key. `write` asks it
 * once, without a retry.
 */
type RpcEndpoint = RpcReader & Pick<NodeCalls, "checkNetwork" | "write"> & { readonly host: string }

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

async function readFirst<T>(
  nodes: readonly NodeCalls[],
  readOne: (node: NodeCalls) => Promise<T>,
): Promise<T> {
  let last: unknown
  for (const node of nodes) {
    try {
      return await readOne(node)
    } catch (error) {
      const { disposition } = toAppError(error, { code: "solana.unreachable", disposition: "bug" })
      if (disposition !== "transient") throw error
      last = error
    }
  }
  throw last
}

function wrongNetwork(address: Address, expected: string, found: unknown): AppError {
  return new AppError({
    code: "solana.wrong_network",
    disposition: "transient",
    message: "The Solana endpoint is on another cluster than the preset; correct rpc or preset",
    details: { host: hostOf(address), expected, found: String(found).slice(0, 80) },
  })
}
