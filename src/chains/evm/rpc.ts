import { type Chain, type CustomTransport, createPublicClient, custom, defineChain, type PublicClient } from "viem"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { retryRead } from "#lib/retry.ts"
import { postRpc } from "./post-rpc.ts"

/** Several JSON-RPC endpoints of one chain, each with its own viem client. viem itself never retries here. */
export type EvmRpc = {
  /**
   * Runs `ask` on one endpoint, so that all its reads are consistent: first on the endpoint with the highest block,
   * then on the others until one answers. Throws `transient`, `hold`, or `refused` for a call that reverts.
   */
  read<T>(ask: Ask<T>): Promise<T>
  /**
   * Asks every endpoint once. Returns an answer or error for each, in the order of the configuration. Never rejects.
   */
  askEach<T>(ask: Ask<T>): Promise<readonly Answer<T>[]>
}

export type EvmClient = PublicClient<CustomTransport, Chain>
export type Ask<T> = (client: EvmClient) => Promise<T>
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: AppError }

export function createRpc(options: {
  urls: readonly string[]
  chainId: number
  timeoutMs: number
  clock: Clock
}): EvmRpc {
  const { clock } = options
  const endpoints = options.urls.map((url) => createEndpoint(url, options))
  return {
    read: (ask) => retryRead(async () => readFirst(await newestFirst(endpoints, clock), ask), { clock }),
    askEach: (ask) => Promise.all(endpoints.map((endpoint) => answerOf(endpoint(ask)))),
  }
}

/** Runs on one endpoint and translates foreign errors to AppErrors. */
type Endpoint = <T>(ask: Ask<T>) => Promise<T>

/** The first use reads the chain id, so that Ballast never uses answers of an endpoint on another chain. */
function createEndpoint(url: string, { chainId, timeoutMs }: { chainId: number; timeoutMs: number }): Endpoint {
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: "Native", symbol: "NATIVE", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })
  const provider = {
    request: ({ method, params }: { method: string; params?: unknown }) =>
      postRpc({ url, timeoutMs, method, params: params ?? [] }),
  }
  const transport = custom(provider, { retryCount: 0 })
  const client = createPublicClient({ chain, transport, cacheTime: 0, ccipRead: false })
  let verified = false
  return async (ask) => {
    try {
      if (!verified) checkChainId(url, chainId, await client.getChainId())
      verified = true
      return await ask(client)
    } catch (error) {
      throw translate(url, error)
    }
  }
}

async function readFirst<T>(endpoints: readonly Endpoint[], ask: Ask<T>): Promise<T> {
  const failures: AppError[] = []
  for (const endpoint of endpoints) {
    const answer = await answerOf(endpoint(ask))
    if (answer.ok) return answer.value
    const { error } = answer
    if (error.code === WRONG_CHAIN || !["transient", "hold"].includes(error.disposition)) throw error
    failures.push(error)
  }
  // A retry may help as long as one endpoint failed transiently.
  throw failures.find(({ disposition }) => disposition === "transient") ?? failures[0] ?? noEndpoint()
}

/**
 * Sorts endpoints by height, because a node that lags shows old nonces, allowances and heights. A silent endpoint
 * delays the others by `HEAD_PATIENCE_MS` at most.
 */
async function newestFirst(endpoints: readonly Endpoint[], clock: Clock): Promise<readonly Endpoint[]> {
  if (endpoints.length < 2) return endpoints
  const done = new AbortController()
  const late = clock.sleep(HEAD_PATIENCE_MS, done.signal).then(() => BEHIND)
  const heads = await Promise.all(
    endpoints.map(async (endpoint) => ({ endpoint, head: await Promise.race([readHead(endpoint), late]) })),
  )
  done.abort()
  return heads.sort((a, b) => Number(b.head - a.head)).map(({ endpoint }) => endpoint)
}

const HEAD_PATIENCE_MS = 1_500
const BEHIND = -1n
const WRONG_CHAIN = "evm.wrong_chain"

async function readHead(endpoint: Endpoint): Promise<bigint> {
  const answer = await answerOf(endpoint((client) => client.getBlockNumber()))
  if (answer.ok) return answer.value
  if (answer.error.code === WRONG_CHAIN) throw answer.error
  return BEHIND
}

function answerOf<T>(request: Promise<T>): Promise<Answer<T>> {
  return request.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error: translate("", error) }),
  )
}

/**
 * viem wraps the errors of our transport. An error of viem itself means that an answer did not have the published
 * shape.
 */
function translate(url: string, error: unknown): AppError {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof AppError) return each
  return new AppError({
    code: "evm.nonsense",
    disposition: "hold",
    message: "An answer of the EVM endpoint is invalid; check the url, and that the configured contracts exist there",
    details: { host: url === "" ? null : new URL(url).host, found: String(error).slice(0, 300) },
    cause: error,
  })
}

function checkChainId(url: string, expected: number, found: number): void {
  if (found === expected) return
  throw new AppError({
    code: "evm.wrong_chain",
    disposition: "hold",
    message: `The EVM endpoint is on chain ${found}, not ${expected}; correct rpc or chain_id`,
    details: { host: new URL(url).host, expected, found },
  })
}

function noEndpoint(): AppError {
  return new AppError({ code: "evm.no_endpoint", disposition: "fatal", message: "Configure an rpc url for this chain" })
}
