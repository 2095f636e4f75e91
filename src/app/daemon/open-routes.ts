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
import type { Paces } from "#nodes/paces.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import type { RoutePort } from "#ports/route.ts"
import { ROUTES } from "#routes/registry.ts"
import type { RouteConfig, RouteDefinition, RoutePlace } from "#routes/route-definition.ts"
import type { KeySource } from "./start/key-source.ts"
import { addPlaceInFile } from "./start/place-in-file.ts"

type Surroundings = {
  readonly clock: Clock
  readonly log: Logger
  /** Absent: such quotes are in the log alone. */
  readonly onDroppedQuote?: (reason: Reason) => void
}

/** The routes of the configuration, on chains that are open. `paces`: those of the services. */
export async function openRoutes(
  config: Config,
  chains: ReadonlyMap<ChainId, ChainPort>,
  { clock, log, onDroppedQuote = logDropped(log) }: Surroundings,
  paces?: Paces,
): Promise<Pick<ConfiguredParts, "routes">> {
  const world = { timeoutMs: config.service.timeoutMs, clock, paces, onDroppedQuote }
  const accountOn = async (chain: ChainId) => mustExist(chains.get(chain), chain).account
  const opened = await openRoutePorts(config, accountOn, world)
  return opened.length === 0 ? {} : { routes: new Map(opened) }
}

function logDropped(log: Logger): (reason: Reason) => void {
  return (reason) => log.debug({ reason }, "A route gives no quote")
}

/** The parts of a configuration that routes are opened from. */
export type RoutedChains = Pick<Config, "chains" | "routes">
type AccountOn = (chain: ChainId) => Promise<string>

/** The port of each route, with our own accounts. */
export function openRoutePorts(
  config: RoutedChains,
  accountOn: AccountOn,
  world: Parameters<RouteDefinition["open"]>[2],
): Promise<readonly (readonly [RouteKind, RoutePort])[]> {
  return Promise.all(
    config.routes.map(async (route) => {
      const places = await listPlaces(config, route, accountOn)
      return [route.kind, await definitionOf(route).open(route, places, world)] as const
    }),
  )
}

/** The accounts of our keys. `keys`: the keys of another process. */
export function accountsOf(config: Config, keys?: KeySource): AccountOn {
  return async (chain) => {
    const found = chainConfig(config, chain)
    if (keys === undefined) return readAccount(found, config)
    const { publicKey } = await keys.holderOf(chain)
    return mustExist(familyOf(found).routes, "the routes of the family").accountOf(publicKey)
  }
}

/** What our keys may do for the routes. */
export async function readRouteRules(
  config: RoutedChains,
  accountOn: AccountOn,
): Promise<ReadonlyMap<RouteKind, RouteRules>> {
  const rules = config.routes.map(async (route) => {
    const places = await listPlaces(config, route, accountOn)
    return [route.kind, definitionOf(route).rulesOf(route, places)] as const
  })
  return new Map(await Promise.all(rules))
}

/** The assets of a route, with what is pinned on their chains; the configuration is checked. */
async function listPlaces(
  config: RoutedChains,
  route: RouteConfig,
  accountOn: AccountOn,
): Promise<readonly RoutePlace<NonNullable<ReturnType<typeof pinOf>>>[]> {
  return Promise.all(
    route.assets.map(async (asset) => {
      const chain = chainOf(asset)
      const found = chainConfig(config, chain)
      const pin = mustExist(pinOf(found, route), `what is pinned on ${chain}`)
      const account = await accountOn(chain)
      const family = familyOf(found)
      const payeeOf = family.routes?.payees?.[definitionOf(route).kind]
      const given = route.contracts[chain]
      const payee = (await payeeOf?.(account, family.identityOf(found), given)) ?? account
      return { asset, chain, family: found.family, account, payee, pin }
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

function chainConfig({ chains }: RoutedChains, name: ChainId): ChainConfig {
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
