import {
  BaseError,
  type Chain,
  createPublicClient,
  defineChain,
  HttpRequestError,
  type HttpTransport,
  http,
  type PublicClient,
  RpcRequestError,
  TimeoutError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem"
import type { ChainId } from "#domain/asset.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { retryRead } from "#lib/retry.ts"

/**
 * JSON-RPC to one or more EVM nodes through viem, whose own retries and caches are off.
 *
 * A node is asked for its chain id once before anything else. Errors: `evm.unreachable` and `evm.node_error` (transient),
 * `evm.wrong_chain` and `evm.nonsense` (hold). No IO until the first call.
 */
export function createRpc(options: RpcOptions): Rpc {
  const endpoints = options.urls.map((url) => createEndpoint(url, options))
  const { clock } = options
  return {
    read: (look) => retryRead(() => askFirst(endpoints, look), { clock }),
    readEach: (look) => Promise.allSettled(endpoints.map((ask) => retryRead(() => ask(look), { clock }))),
    callEach: (send) => Promise.allSettled(endpoints.map((ask) => ask(send))),
  }
}

export type RpcOptions = {
  readonly chain: ChainId
  readonly chainId: number
  readonly urls: readonly string[]
  readonly timeoutMs: number
  readonly clock: Clock
}

export type Rpc = {
  /** The first endpoint that answers, for the whole of `look`: what it reads together belongs together. */
  read<T>(look: (client: Client) => Promise<T>): Promise<T>
  /** Every endpoint, each with its own retries. Rejections are AppErrors. */
  readEach<T>(look: (client: Client) => Promise<T>): Promise<readonly PromiseSettledResult<T>[]>
  /** Every endpoint, one try each: for writes. Rejections are AppErrors. */
  callEach<T>(send: (client: Client) => Promise<T>): Promise<readonly PromiseSettledResult<T>[]>
}

export type Client = PublicClient<HttpTransport, Chain>

/** `null` for a transaction or receipt that the node does not have, which viem throws as an error. */
export async function nullWhenMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if (error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError) return null
    throw error
  }
}

/** The first rejection of several, as an AppError. */
export function firstFailure(settled: readonly PromiseSettledResult<unknown>[]): AppError {
  const failure = settled.find((one) => one.status === "rejected")
  return toAppError(failure?.reason, { code: "evm.unreachable", disposition: "transient" })
}

type Endpoint = <T>(ask: (client: Client) => Promise<T>) => Promise<T>

function createEndpoint(url: string, options: RpcOptions): Endpoint {
  const client = createClient(url, options)
  // The host only: the path of a hosted node often holds its access key.
  const host = URL.canParse(url) ? new URL(url).host : "(not a URL)"
  let checked = false
  return async (ask) => {
    try {
      if (!checked) checkChainId(await client.getChainId(), options, host)
      checked = true
      return await ask(client)
    } catch (error) {
      throw translate(error, host)
    }
  }
}

function createClient(url: string, { chain, chainId, timeoutMs }: RpcOptions): Client {
  return createPublicClient({
    chain: defineChain({
      id: chainId,
      name: chain,
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    }),
    transport: http(url, { timeout: timeoutMs, retryCount: 0 }),
    cacheTime: 0,
    // Otherwise a contract could make us fetch addresses of its choice (EIP-3668).
    ccipRead: false,
  })
}

async function askFirst<T>(endpoints: readonly Endpoint[], look: (client: Client) => Promise<T>): Promise<T> {
  let last: unknown = new AppError({ code: "evm.no_endpoint", disposition: "fatal", message: "configure an rpc URL" })
  for (const ask of endpoints) {
    try {
      return await ask(look)
    } catch (error) {
      if (!(error instanceof AppError) || error.disposition !== "transient") throw error
      last = error
    }
  }
  throw last
}

function checkChainId(found: number, { chain, chainId }: RpcOptions, host: string): void {
  if (found === chainId) return
  throw new AppError({
    code: "evm.wrong_chain",
    disposition: "hold",
    message: `the node at ${host} serves chain ${found}, but ${chain} is configured as ${chainId}; correct the rpc URL or chain_id`,
    details: { host, found, expected: chainId },
  })
}

/** viem's own errors are not kept as a cause: they quote the URL and with it a hosted node's access key. */
function translate(error: unknown, host: string): AppError {
  if (error instanceof AppError) return error
  const cause = error instanceof BaseError ? error.walk(isForeign) : null
  if (cause instanceof RpcRequestError) return nodeError(cause, host)
  if (cause instanceof HttpRequestError || cause instanceof TimeoutError) return unreachable(cause, host)
  const problem = error instanceof BaseError ? error.shortMessage : String(error)
  return new AppError({
    code: "evm.nonsense",
    disposition: "hold",
    message: `the answer of the node at ${host} cannot be read (${problem}); check the rpc URL and the configured addresses`,
    details: { host, problem },
  })
}

function isForeign(error: unknown): boolean {
  return error instanceof RpcRequestError || error instanceof HttpRequestError || error instanceof TimeoutError
}

function unreachable(error: HttpRequestError | TimeoutError, host: string): AppError {
  const status = error instanceof HttpRequestError ? error.status : undefined
  const reason = status === undefined ? error.shortMessage : `HTTP ${status}`
  return new AppError({
    code: "evm.unreachable",
    disposition: "transient",
    message: `the EVM node at ${host} did not answer (${reason}); it will be asked again, check the network if this lasts`,
    details: { host, reason },
  })
}

/** -32601 and -32602: the node does not know the method or the parameters. Trying again would not change that. */
function nodeError(error: RpcRequestError, host: string): AppError {
  const permanent = error.code === -32601 || error.code === -32602
  return new AppError({
    code: "evm.node_error",
    disposition: permanent ? "hold" : "transient",
    message: `the EVM node at ${host} refused: ${error.details}`,
    details: { host, rpcCode: error.code, rpcMessage: error.details },
  })
}
