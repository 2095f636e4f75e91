import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import { AppError } from "#lib/app-error.ts"
import { type Address, urlOf } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { agreedHead } from "#nodes/quorum/agree-on.ts"
import type { ChainPort } from "#ports/chain.ts"

/**
 * Gives the port a `blockTime`, unless it has its own: the newest block time that as many
 * endpoints have reached as must agree. A local test chain tells no time, because its blocks come
 * on request.
 */
export function tellBlockTime(port: ChainPort, chain: ChainConfig, ask: AskHttp): ChainPort {
  const { doctor, describeTrust } = familyOf(chain)
  const urls = doctor.endpointsOf(chain)
  const slackMs = doctor.staleMsOf(chain)
  if (port.blockTime !== undefined || slackMs === null || urls.every(isLoopback)) return port
  const fetchBlockTime = async (): Promise<{ ms: number; slackMs: number }> => {
    const tips = await Promise.allSettled(urls.map((url) => doctor.readTip(chain, url, ask)))
    const times = tips.flatMap((tip) =>
      tip.status === "fulfilled" &&
      (tip.value.expected === null || tip.value.expected === tip.value.network)
        ? [BigInt(tip.value.blockMs)]
        : [],
    )
    const newest = agreedHead(times, describeTrust(chain).agree)
    if (newest !== null) return { ms: Number(newest), slackMs }
    const message = `Too few endpoints of ${chain.chain} tell the time of their newest block`
    throw new AppError({
      code: "chain.unreadable",
      disposition: "transient",
      message,
      details: { chain: chain.chain },
    })
  }
  return { ...port, blockTime: { fetchBlockTime } }
}

function isLoopback(address: Address): boolean {
  const url = urlOf(address)
  return URL.canParse(url) && /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)
}
