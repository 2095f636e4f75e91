import { isDeepStrictEqual } from "node:util"
import { familyOf } from "#chains/families.ts"
import type { TowerConfig } from "#config/tower.ts"
import { openRoutePorts, type RoutedChains, readRouteRules } from "#daemon/open-routes.ts"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import { payoutWorth } from "#engine/orders/pay/payout-worth.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { type PacesOf, SERVICES } from "#nodes/paces.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import { decodeOrder } from "#order/step.ts"
import { holdNothing, type RouteRules } from "#ports/key-holder.ts"
import type { GuardedOrder, TowerChain, TowerMemory } from "#tower/watch-orders.ts"
import type { WatchData } from "./watch-data.ts"

const TIMEOUT_MS = 10_000

/** `pacesOf`: those of the other orders, which ask the same endpoints. */
type Opening = {
  readonly clock: Clock
  readonly memory: TowerMemory
  readonly pacesOf: PacesOf
}

/**
 * Opens the two chains of a guarded order with the tower's own nodes. Throws `tower.no_deposit`
 * (refused) for an order without a verified deposit, `tower.chain` (fatal) for a chain that the
 * tower's file lacks or that is another one there, and the errors of `decodeOrder`.
 */
export async function openGuardedOrder(
  watch: WatchData,
  tower: TowerConfig,
  { clock, memory, pacesOf }: Opening,
): Promise<GuardedOrder> {
  const { data } = decodeOrder(watch.order)
  const isReadBack = data.serviceOrder !== null || !abilitiesOf(data).isReported
  if (data.deposit === null || !isReadBack || data.terms === null)
    throw new AppError({
      code: "tower.no_deposit",
      disposition: "refused",
      message:
        "The order of this rescue file has no verified deposit, so there is nothing to guard",
    })
  const { from, to, sourceOwner, destinationOwner } = data.request
  const accountOn = async (chain: ChainId): Promise<string> =>
    chain === chainOf(from) ? sourceOwner : destinationOwner
  const opening = {
    clock,
    pacesOf,
    routes: await readRouteRules(configOf(watch, tower), accountOn),
  }
  const [source, destination] = await Promise.all([
    openTowerChain(watch, tower, opening, { asset: from, owner: sourceOwner }),
    openTowerChain(watch, tower, opening, { asset: to, owner: destinationOwner }),
  ])
  const paces = pacesOf(SERVICES)
  const world = { timeoutMs: TIMEOUT_MS, clock, paces, onDroppedQuote: () => undefined }
  const [opened] = await openRoutePorts(configOf(watch, tower), accountOn, world)
  const { secret, redemptions } = watch
  const paid = watch.assets.find(({ id }) => id === to)
  const worthUnits = payoutWorth(data, paid, destination.port.traits.nativeCoin)
  const guarded = { data, secret, worthUnits, redemptions, memory, source, destination }
  return opened === undefined ? guarded : { ...guarded, route: opened[1] }
}

/** The route of the order on the tower's own chains. */
function configOf({ route }: WatchData, { chains }: TowerConfig): RoutedChains {
  return { chains, routes: route === undefined ? [] : [route] }
}

type OpeningChain = Pick<Opening, "clock" | "pacesOf"> & {
  readonly routes: ReadonlyMap<RouteKind, RouteRules>
}

async function openTowerChain(
  { assets, identities }: WatchData,
  tower: TowerConfig,
  { clock, pacesOf, routes }: OpeningChain,
  { asset, owner }: { readonly asset: AssetId; readonly owner: string },
): Promise<TowerChain> {
  const name = chainOf(asset)
  const chain = tower.chains.find((one) => one.chain === name)
  if (chain === undefined)
    throw wrongChain(`the tower's file has no chain ${name}, which the order needs`)
  const { watchKey, identityOf, openPort } = familyOf(chain)
  const expected = withoutWallet(identities[name] ?? {})
  const found = withoutWallet(identityOf(chain))
  if (!isDeepStrictEqual(expected, found)) {
    const [theirs, ours] = [expected, found].map((identity) => JSON.stringify(identity))
    throw wrongChain(
      `the chain ${name} of the tower's file is not the one of the order: expected ` +
        `${theirs}, found ${ours}`,
    )
  }
  const world = {
    assets: assets.filter((one) => one.chain === name),
    timeoutMs: TIMEOUT_MS,
    clock,
    paces: pacesOf(name),
    dataDir: null,
    ...(routes.size === 0 ? {} : { routes }),
  }
  const canSend = watchKey === undefined
  const port = await openPort(
    chain,
    canSend
      ? { ...world, onBehalfOf: owner }
      : { ...world, keyHolder: Promise.resolve(holdNothing(watchKey, NO_KEY)) },
  )
  return { port, canSend, stuckAfterMs: chain.stuckAfterMs }
}

/** The keys of an identity that name the daemon's wallet. The tower has another one. */
function withoutWallet(
  identity: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { account: _account, address: _address, ...chain } = identity
  return chain
}

const NO_KEY = {
  code: "tower.no_key",
  message: "A watchtower has no key on this chain, so it signs nothing",
} as const

function wrongChain(message: string): AppError {
  return new AppError({ code: "tower.chain", disposition: "fatal", message })
}
