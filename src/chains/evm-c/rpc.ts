import { BaseError, createPublicClient, defineChain, http, type PublicClient } from "viem"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { retryRead } from "#lib/retry.ts"

export type EvmRpc = {
  /** One client per configured endpoint, in order. */
  readonly clients: readonly PublicClient[]
  /**
   * A read, from the first endpoint that answers. Throws `evm.unreachable` (transient) when none does, `evm.wrong_chain` (hold)
   * when an endpoint serves another chain.
   */
  readonly read: <T>(body: (client: PublicClient) => Promise<T>) => Promise<T>
}

export function createRpc(options: {
  chain: string
  chainId: number
  rpc: readonly string[]
  timeoutMs: number
  clock: Clock
}): EvmRpc {
  const chain = defineChain({
    id: options.chainId,
    name: options.chain,
    nativeCurrency: { name: "native", symbol: "NATIVE", decimals: 18 },
    rpcUrls: { default: { http: [...options.rpc] } },
  })
  const clients = options.rpc.map((url) => {
    const transport = http(url, { timeout: options.timeoutMs, retryCount: 0 })
    return createPublicClient({ chain, transport, cacheTime: 0 })
  })
  const checked = new WeakSet<PublicClient>()

  async function ensureChain(client: PublicClient): Promise<void> {
    if (checked.has(client)) return
    const found = await client.getChainId()
    if (found !== options.chainId) throw wrongChain(options, found)
    checked.add(client)
  }

  async function readOnce<T>(body: (client: PublicClient) => Promise<T>): Promise<T> {
    let last: unknown
    for (const client of clients) {
      try {
        await ensureChain(client)
        return await body(client)
      } catch (error) {
        if (error instanceof AppError) throw error
        last = error
      }
    }
    throw unreachable(options.chain, last)
  }

  return { clients, read: (body) => retryRead(() => readOnce(body), { clock: options.clock }) }
}

function wrongChain({ chain, chainId }: { chain: string; chainId: number }, found: number): AppError {
  return new AppError({
    code: "evm.wrong_chain",
    disposition: "hold",
    message: `A node configured for ${chain} serves chain id ${found}, not ${chainId}; correct rpc or chain_id`,
    details: { chain, expected: chainId, found },
  })
}

function unreachable(chain: string, cause: unknown): AppError {
  return new AppError({
    code: "evm.unreachable",
    disposition: "transient",
    message: `No node of ${chain} gave an answer (${shortMessage(cause)}); check its rpc endpoints`,
    details: { chain },
    cause,
  })
}

/** viem's errors quote whole requests; the first line is what a person needs. */
export function shortMessage(error: unknown): string {
  if (error instanceof BaseError) return error.details || error.shortMessage
  return error instanceof Error ? error.message : String(error)
}
