import { type Chain, type CustomTransport, createPublicClient, custom, defineChain, type PublicClient } from "viem"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { createBatchedReads } from "./batch-reads.ts"

/** One JSON-RPC endpoint with its own viem client. viem itself never retries here. */
export type Endpoint = {
  /** Its host, without access keys. */
  readonly host: string
  /** Never rejects; translates foreign errors to AppErrors. */
  ask<T>(ask: Ask<T>): Promise<Answer<T>>
}

export type EvmClient = PublicClient<CustomTransport, Chain>
export type Ask<T> = (client: EvmClient) => Promise<T>
export type Answer<T> =
  | { readonly endpoint: string; readonly ok: true; readonly value: T }
  | { readonly endpoint: string; readonly ok: false; readonly error: AppError }

/** The first use reads the chain id, so that Ballast never uses answers of an endpoint on another chain. */
export function createEndpoint(
  url: string,
  { chainId, timeoutMs, clock }: { chainId: number; timeoutMs: number; clock: Clock },
): Endpoint {
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: "Native", symbol: "NATIVE", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })
  const read = createBatchedReads({ url, timeoutMs }, clock)
  const provider = {
    request: ({ method, params }: { method: string; params?: unknown }) => read(method, params ?? []),
  }
  const transport = custom(provider, { retryCount: 0 })
  const client = createPublicClient({ chain, transport, cacheTime: 0, ccipRead: false })
  const { host } = new URL(url)
  let verified = false
  return {
    host,
    ask: async (ask) => {
      try {
        if (!verified) checkChainId(host, chainId, await client.getChainId())
        verified = true
        return { endpoint: host, ok: true, value: await ask(client) }
      } catch (error) {
        return { endpoint: host, ok: false, error: translate(host, error) }
      }
    },
  }
}

/**
 * viem wraps the errors of our transport. An error of viem itself means that an answer did not have the published
 * shape.
 */
function translate(host: string, error: unknown): AppError {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof AppError) return each
  return new AppError({
    code: "evm.nonsense",
    disposition: "transient",
    message: "An answer of the EVM endpoint is invalid; check the url, and that the configured contracts exist there",
    details: { host, found: String(error).slice(0, 300) },
    cause: error,
  })
}

/** A proxy may serve a wrong network for a moment, so other endpoints and later tries go on. */
function checkChainId(host: string, expected: number, found: number): void {
  if (found === expected) return
  throw new AppError({
    code: "evm.wrong_chain",
    disposition: "transient",
    message: `The EVM endpoint is on chain ${found}, not ${expected}; correct rpc or chain_id`,
    details: { host, expected, found },
  })
}
