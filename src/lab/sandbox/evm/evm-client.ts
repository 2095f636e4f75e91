import { createPublicClient, defineChain, type HttpTransport, http, type PublicClient } from "viem"

/**
 * Creates a client of one local chain. It does not cache heights, so that a test sees a block
 * directly after it has mined it.
 */
export function createEvmClient(options: {
  name: string
  chainId: number
  url: string
}): EvmClient {
  const chain = defineChain({
    id: options.chainId,
    name: options.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [options.url] } },
  })
  const transport = http(options.url, { timeout: 60_000 })
  return createPublicClient({ chain, transport, pollingInterval: 50, cacheTime: 0 })
}

export type EvmClient = PublicClient<HttpTransport, ReturnType<typeof defineChain>>
