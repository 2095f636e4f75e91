import type { Clock } from "#lib/clock.ts"
import { type Address, urlOf } from "./address.ts"
import { createPace, PATIENCE_TIMEOUTS, type Pace } from "./pace.ts"

/**
 * One pace for each endpoint of a chain, so that the orders, the health watch and the clock of the
 * chain share what they learn of its limit. Two places at one host are one endpoint.
 */
export type Paces = (address: Address, timeoutMs: number, burst?: number) => Pace

/** How the endpoints of a chain are asked, in every family. */
export type AskOptions = {
  readonly timeoutMs: number
  readonly clock: Clock
  readonly paces?: Paces
}

export function createPaces(clock: Clock): Paces {
  const known = new Map<string, Pace>()
  return (address, timeoutMs, burst) => {
    const url = urlOf(address)
    const perSecond = typeof address === "string" ? null : address.maxRequestsPerSecond
    const name = `${URL.canParse(url) ? new URL(url).origin : url} ${perSecond}`
    const found = known.get(name)
    if (found !== undefined) return found
    const pace = createPace({
      clock,
      patienceMs: PATIENCE_TIMEOUTS * timeoutMs,
      perSecond,
      ...(burst === undefined ? {} : { burst }),
    })
    known.set(name, pace)
    return pace
  }
}

/** Names of paces beside those of chains. A reload keeps them. */
export const SERVICES = "the services"
export const PRICES = "the price sources"

/** The paces of each chain, by its name. */
export type PacesOf = (chain: string) => Paces

export function createPacesOf(clock: Clock): PacesOf {
  const known = new Map<string, Paces>()
  return (chain) => {
    const paces = known.get(chain) ?? createPaces(clock)
    known.set(chain, paces)
    return paces
  }
}
