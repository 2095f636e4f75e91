import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { type ChainId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { ConfiguredParts } from "#engine/live-context.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import { ROUTES } from "#routes/registry.ts"
import type { RouteConfig, RouteDefinition, RoutePlace } from "#routes/route-definition.ts"
import type { KeySource } from "./start/key-source.ts"
import { addPlaceInFile } from "./start/place-in-file.ts"

/** The routes of the configuration, on chains that are open. */
export async function openRoutes(
  config: Config,
  chains: ReadonlyMap<ChainId, ChainPort>,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<Pick<ConfiguredParts, "routes">> {
  const onDroppedQuote = (reason: Reason): void => log.debug({ reason }, "A route gives no quote")
  const world = { timeoutMs: config.service.timeoutMs, clock, onDroppedQuote }
  const accountOn = async (chain: ChainId) => mustExist(chains.get(chain), chain).account
  const opened = config.routes.map(async (route) => {
    const definition = definitionOf(route)
    const places = await listPlaces(config, route, accountOn)
    return [route.kind, await definition.open(route, places, world)] as const
  })
  return config.routes.length === 0 ? {} : { routes: new Map(await Promise.all(opened)) }
}

/** What our keys may do for the routes. `keys`: the keys of another process. */
export async function readRouteRules(
  config: Config,
  keys?: KeySource,
): Promise<ReadonlyMap<RouteKind, RouteRules>> {
  const accountOn = async (chain: ChainId): Promise<string> => {
    const found = chainConfig(config, chain)
    if (keys === undefined) return readAccount(found, config)
    const { publicKey } = await keys.holderOf(chain)
    return mustExist(familyOf(found).routes, "the routes of the family").accountOf(publicKey)
  }
  const rules = config.routes.map(async (route) => {
    const places = await listPlaces(config, route, accountOn)
    return [route.kind, definitionOf(route).rulesOf(route, places)] as const
  })
  return new Map(await Promise.all(rules))
}

/** The assets of a route, with what is pinned on their chains; the configuration is checked. */
async function listPlaces(
  config: Config,
  route: RouteConfig,
  accountOn: (chain: ChainId) => Promise<string>,
): Promise<readonly RoutePlace<NonNullable<ReturnType<typeof pinOf>>>[]> {
  return Promise.all(
    route.assets.map(async (asset) => {
      const chain = chainOf(asset)
      const found = chainConfig(config, chain)
      const pin = mustExist(pinOf(found, route), `what is pinned on ${chain}`)
      return { asset, chain, family: found.family, account: await accountOn(chain), pin }
    }),
  )
}

function pinOf(chain: ChainConfig, route: RouteConfig) {
  const family = familyOf(chain)
  const read = family.routes?.pins[definitionOf(route).kind]
  return read?.(family.identityOf(chain), route.contracts[chain.chain]) ?? null
}

function definitionOf({ kind }: Pick<RouteConfig, "kind">): RouteDefinition {
  return mustExist(
    ROUTES.find((one) => one.kind === kind),
    `the route ${kind}`,
  )
}

function chainConfig({ chains }: Config, name: ChainId): ChainConfig {
  return mustExist(
    chains.find(({ chain }) => chain === name),
    `the chain ${name}`,
  )
}

async function readAccount(chain: ChainConfig, { assets }: Config): Promise<string> {
  const own = assets.filter((asset) => asset.chain === chain.chain)
  try {
    return await familyOf(chain).readAccount(chain, own)
  } catch (error) {
    throw addPlaceInFile(error, chain)
  }
}
