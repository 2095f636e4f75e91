import { z } from "zod"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { isGiantInteger } from "#lib/peer-json.ts"
import { retryRead } from "#lib/retry.ts"
import { type Address, hostOf } from "#nodes/address.ts"
import { nonsense, type RpcDialect } from "#nodes/json-rpc.ts"
import { createNetworkCheck } from "#nodes/network-check.ts"
import { isLimited } from "#nodes/pace.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { createQuorum, type Quorum } from "#nodes/quorum/create-quorum.ts"
import { firstIssues } from "#nodes/rpc-answer.ts"
import { createRpcClient } from "#nodes/rpc-client.ts"
import { encodeShortString, readFelt } from "./felt.ts"

/**
 * Starknet JSON-RPC over several endpoints. Errors of the specification are AppErrors with
 * `details.rpcCode`.
 */
export type StarknetRpc = {
  readonly quorum: Quorum<StarknetNode>
  /**
   * Sends to every endpoint once. Returns an answer or error for each, in the order of the
   * configuration. Never rejects.
   */
  writeEach<T>(
    method: string,
    params: unknown,
    schema: z.ZodType<T>,
  ): Promise<readonly EndpointAnswer<T>[]>
}

/** One endpoint. `host` has no access keys. */
export type StarknetNode = {
  readonly host: string
  readonly checkNetwork: () => Promise<void>
  /** Asks again when the endpoint fails for a moment, and waits while it limits its requests. */
  read<T>(method: string, params: unknown, schema: z.ZodType<T>): Promise<T>
  /** Asks once, and waits while the endpoint limits its requests. */
  ask<T>(method: string, params: unknown, schema: z.ZodType<T>): Promise<T>
  /** Sends once, before every read. */
  write<T>(method: string, params: unknown, schema: z.ZodType<T>): Promise<T>
}

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
  invalidNonce: 52,
  insufficientResources: 53,
  insufficientBalance: 54,
  validationFailure: 55,
  nonAccount: 58,
  duplicate: 59,
  unsupportedVersion: 61,
  replacementUnderpriced: 64,
  feeBelowMinimum: 65,
} as const

type NodeOptions = {
  readonly chainId: string
  readonly timeoutMs: number
  readonly clock: Clock
  readonly paces?: Paces
}

export function createRpc(
  options: NodeOptions & {
    readonly urls: readonly Address[]
    readonly needed?: number
    readonly headsForMs?: number
  },
): StarknetRpc {
  const { paces = createPaces(options.clock) } = options
  const nodes = options.urls.map((address) => createNode(address, { ...options, paces }))
  const quorum = createQuorum({
    nodes,
    needed: options.needed ?? 1,
    clock: options.clock,
    lead: MOST_LEAD_BLOCKS,
    stalledMs: STALLED_MS,
    fastestBlockMs: null,
    patienceMs: PATIENCE_MS,
    headsForMs: options.headsForMs ?? 0,
    codes: { stalled: "starknet.stalled", silent: "starknet.unreachable" },
  })
  return {
    quorum,
    writeEach: (method, params, schema) =>
      Promise.all(
        nodes.map(({ host, write }) =>
          write(method, params, schema).then(
            (value) => ({ endpoint: host, ok: true as const, value }),
            (error: unknown) => ({ endpoint: host, ok: false as const, error: asRpcError(error) }),
          ),
        ),
      ),
  }
}

/** Five minutes of blocks at 2 s. */
const MOST_LEAD_BLOCKS = 150n
const STALLED_MS = 10 * 60_000
const PATIENCE_MS = 1_500

/**
 * A load balancer may send two requests to two backends, one of which lags. It gets more tries than
 * a dead endpoint.
 */
function triesFor(error: AppError): number {
  // The wait for a limit is over when such a failure comes.
  if (isLimited(error)) return 1
  return rpcCodeOf(error) === RPC_CODES.blockNotFound ? 5 : 3
}

export function rpcCodeOf(error: unknown): number | null {
  const code = error instanceof AppError ? error.details["rpcCode"] : undefined
  return typeof code === "number" ? code : null
}

/**
 * The data of a node's error: a text, or an object that contains one. Since RPC 0.9 a node may give
 * the words of a contract as felts; both forms mean the same.
 */
export function rpcDataOf(error: unknown): string {
  if (!(error instanceof AppError)) return String(error)
  return String(error.details["data"] ?? error.message).replace(WORDS, (felt) =>
    Buffer.from(felt.slice(2), "hex").toString("ascii"),
  )
}

/** A felt of printable characters. Fewer of them may be a number. */
const WORDS = /\b0x(?:[2-7][0-9a-f]){8,31}\b/gi

function createNode(
  address: Address,
  { chainId, timeoutMs, clock, paces }: NodeOptions & { readonly paces: Paces },
): StarknetNode {
  const shared = { address, dialect: starknetDialect, timeoutMs, clock }
  const pace = paces(address, timeoutMs)
  const rpc = createRpcClient({ ...shared, pace, batches: false })
  /** The newest block and the network, in one request. */
  const heads = createRpcClient({ ...shared, pace, batches: true })
  type Send = (method: string, params: unknown) => Promise<unknown>
  const call = async <T>(send: Send, method: string, given: unknown, form: z.ZodType<T>) => {
    const result = form.safeParse(await send(method, given))
    if (result.success) return result.data
    throw nonsense(starknetDialect, { address, method }, firstIssues(result.error))
  }
  const network = createNetworkCheck(async (send: Send) => {
    const found = await call(send, "starknet_chainId", [], z.string())
    if (readFelt(found) !== encodeShortString(chainId)) throw wrongNetwork(address, chainId, found)
  })
  const askWith =
    (send: Send): StarknetNode["ask"] =>
    async (method, params, schema) => {
      try {
        await network.first(send)
        return await call(send, method, params, schema)
      } catch (error) {
        throw asRpcError(error)
      }
    }
  const ask = askWith((method, params) => (method === HEAD ? heads : rpc).read(method, params))
  return {
    host: hostOf(address),
    checkNetwork: () => network.again(heads.read),
    ask,
    write: askWith(rpc.write),
    read: (method, params, schema) =>
      retryRead(() => ask(method, params, schema), { clock, attempts: triesFor }),
  }
}

export const HEAD = "starknet_blockHashAndNumber"

const starknetDialect: RpcDialect = {
  name: "Starknet",
  codes: {
    unreachable: "starknet.unreachable",
    unavailable: "starknet.unavailable",
    nonsense: "starknet.nonsense",
    rpc: "starknet.rpc",
  },
  // The specification's own codes, such as that of a revert, mean no limit.
  isAboutCall: ({ code }) => code >= 0,
  dispositionOf: ({ code }) => (isLasting(code) ? "hold" : "transient"),
  isNumber: () => (_key, text) => isGiantInteger(text),
}

/**
 * Whether the same request fails for ever: the specification's own errors, except for content that
 * the node does not have yet.
 */
export function isLasting(code: number): boolean {
  const temporary: readonly number[] = [
    RPC_CODES.blockNotFound,
    RPC_CODES.transactionNotFound,
    32,
    63,
  ]
  return (
    (code > 0 && code < 1_000 && !temporary.includes(code)) || code === -32_601 || code === -32_602
  )
}

function asRpcError(error: unknown): AppError {
  return toAppError(error, { code: "starknet.unreachable", disposition: "transient" })
}

function wrongNetwork(address: Address, expected: string, found: string): AppError {
  const why = `is on another network than ${expected}; correct rpc or chain_id`
  return new AppError({
    code: "starknet.wrong_network",
    // A proxy may serve a wrong network for a moment, so other endpoints and later tries go on.
    disposition: "transient",
    message: `The Starknet endpoint ${why}`,
    details: { host: hostOf(address), expected, found },
  })
}
