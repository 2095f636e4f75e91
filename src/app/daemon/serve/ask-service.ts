import { DEPOSIT_READERS } from "#chains/families.ts"
import type { Config, ServiceConfig } from "#config/config.ts"
import type { Clock } from "#lib/clock.ts"
import type { Paces } from "#nodes/paces.ts"
import type { QuoteRequest } from "#ports/service.ts"
import { createServiceProbe, type ServiceProbe } from "#service/probe.ts"

/**
 * Asks one service for signs of life, with its app id and within `limitMs` for each question.
 * `paces`: those of the daemon's other calls.
 */
export function openProbe(
  service: ServiceConfig,
  limitMs: number,
  clock: Clock,
  paces?: Paces,
): ServiceProbe {
  return createServiceProbe({
    ...service,
    baseUrl: service.url,
    timeoutMs: limitMs,
    depositReaders: DEPOSIT_READERS,
    clock,
    ...(paces === undefined ? {} : { paces }),
  })
}

/**
 * A quote that commits to nothing, for a service without a list of chains. A service that refuses
 * the pair or the amount answers too. `null` without assets.
 */
export function pickIndicativeQuote({ assets }: Pick<Config, "assets">): QuoteRequest | null {
  const [from] = assets
  if (from === undefined) return null
  const to =
    assets.find(({ chain }) => chain !== from.chain) ?? assets.find((one) => one !== from) ?? from
  return {
    from: from.id,
    to: to.id,
    sourceUnits: 10n ** BigInt(Math.max(0, from.decimals - 3)),
    affiliateBps: 0,
  }
}
