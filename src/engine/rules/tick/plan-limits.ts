import { isDeepStrictEqual } from "node:util"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import { readCapacity } from "#guards/capacity.ts"
import { AppError } from "#lib/app-error.ts"
import type { Need } from "#policy/need.ts"
import type {
  BlockedPair,
  ChainGas,
  OrderCount,
  PairLimit,
  PlanLimits,
} from "#policy/planner/limits.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { Reservations } from "#ports/journal/reservations.ts"
import type { Journal } from "#ports/journal.ts"
import type {
  Clocked,
  Configured,
  EngineSettings,
  HasChains,
  HasJournal,
  HasServices,
  Logged,
  Remembering,
  Stoppable,
} from "../../context.ts"
import { findSecretLimit, type OwnSecrets } from "../../orders/pay/own-secret.ts"
import { findRefusals, readGas } from "../admission.ts"
import { countServicesLeft } from "../offer.ts"
import { type CountingContext, readUsage } from "../usage.ts"

/** A pair that a need lists, for one rule. */
export type NeededPair = {
  readonly rule: string
  readonly from: AssetId
  readonly to: AssetId
  readonly destination: string | null
}

/** The limits that do not depend on the pairs of a plan. */
export function generalLimits({
  journal,
  settings,
}: HasJournal<OrderSums> & Configured): PlanLimits {
  return limitsOf({ journal, settings }, commonCost(settings))
}

/** A backtest has its own count of orders, and the general cost limit at hand. */
export function limitsOf(
  { journal, settings }: GeneralContext,
  maxCost: CostLimit | null,
): PlanLimits {
  const { maxInFlight, maxOrder } = settings.limits
  const maxOrders = Math.max(0, maxInFlight - journal.countInFlight())
  return { maxOrders, maxOrder: belowLimit(maxOrder), split: true, maxCost, bindSums: true }
}

type GeneralContext = {
  readonly journal: Pick<Journal, "countInFlight">
  readonly settings: Pick<EngineSettings, "limits">
}

/**
 * Everything by which admission would judge an order on one of these pairs now: pauses, allowed
 * destinations, cool-downs, quiet hours, orders in flight, windows, and the coins for network fees.
 * The planner gets it as capacities and blocked pairs.
 */
export async function readPlanLimits(
  context: HasJournal<FlagStore & OrderSums & Reservations> &
    HasServices &
    HasChains &
    Configured &
    Clocked &
    Logged &
    Stoppable &
    Remembering,
  general: PlanLimits,
  pairs: readonly NeededPair[],
): Promise<PlanLimits> {
  if (pairs.length === 0) return general
  const gas = await Promise.all(gasSources(pairs).map((from) => readGasOrNull(context, from)))
  return combineLimits(context, general, pairs, {
    refusalsOf: (pair) => findRefusals(context, { ...pair, sourceUnits: 1n }),
    gas: gas.filter((one) => one !== null),
    servicesLeft: countServicesLeft(context),
    orderLimits: listSecretLimits(secretsOf(context), pairs),
  })
}

/**
 * The limits from counts of orders, refusals that need no counts, and network fees. A backtest
 * combines its own in the same way.
 */
export function combineLimits(
  context: CountingContext,
  general: PlanLimits,
  pairs: readonly NeededPair[],
  { refusalsOf, gas, servicesLeft, orderLimits = [] }: OwnLimits,
): PlanLimits {
  if (pairs.length === 0) return general
  const blocked = pairs.flatMap((pair): BlockedPair[] => {
    const reasons = refusalsOf(pair)
    return reasons.length === 0 ? [] : [{ ...pairOf(pair), reasons }]
  })
  const counted = countedLimits(context, general, pairs)
  const all = [...blocked, ...(counted.blocked ?? [])]
  const fees = joinByChain(gas)
  const counts = [...(counted.counts ?? []), ...countServices(context, servicesLeft)]
  return {
    ...counted,
    ...(counts.length > 0 ? { counts } : {}),
    ...(all.length > 0 ? { blocked: all } : {}),
    ...(fees.length > 0 ? { gas: fees } : {}),
    ...(orderLimits.length > 0 ? { orderLimits } : {}),
  }
}

/**
 * The limits that the engine and a backtest read each in its own way. `servicesLeft`: the orders
 * that all services together may still get; `null` for no limit.
 */
type OwnLimits = {
  readonly refusalsOf: (pair: NeededPair) => readonly Reason[]
  readonly gas: readonly ChainGas[]
  readonly servicesLeft: number | null
  readonly orderLimits?: readonly PairLimit[]
}

function countServices({ settings }: CountingContext, left: number | null): OrderCount[] {
  if (left === null) return []
  const max = String(settings.limits.maxInFlightPerService)
  const message =
    `No more than ${max} orders of one service may be in flight, and the services have room ` +
    `for ${left} more`
  return [{ left, reason: { code: "limit.in_flight_service", message, max } }]
}

function secretsOf({
  settings,
  services,
  chains,
}: HasServices & HasChains & Configured): SecretsPort {
  return {
    ownSecrets: settings.ownSecrets,
    services: [...services.keys()],
    paysUs: ({ to, destination }) => {
      const wallet = chains.get(chainOf(to))
      return destination === null || wallet?.sameAddress(destination, wallet.account) === true
    },
  }
}

type SecretsPort = {
  readonly ownSecrets: OwnSecrets | undefined
  readonly services: readonly string[]
  readonly paysUs: (pair: NeededPair) => boolean
}

/** `guards.max_service_secret`, for the pairs on which the service would choose the secret. */
export function listSecretLimits(
  { ownSecrets, services, paysUs }: SecretsPort,
  pairs: readonly NeededPair[],
): PairLimit[] {
  return pairs.flatMap((pair) => {
    const { from, to, destination } = pair
    const max = findSecretLimit(ownSecrets, services, { from, to, isOurs: paysUs(pair) })
    return max === null ? [] : [{ from, to, destination, max: belowFiat(max) }]
  })
}

/**
 * The pairs that the needs of a tick list, one for each need and partner. An order on such a pair
 * may serve a need at its other end too, so the pair is judged for that need's rule as well.
 */
export function neededPairs(needs: readonly Need[]): NeededPair[] {
  const pairs = needs.flatMap((need) =>
    need.partners.flatMap(({ asset, destination }): NeededPair[] => {
      const [from, to] = need.kind === "lose" ? [need.asset, asset] : [asset, need.asset]
      const others = needs.filter(
        (one) => destination === null && one.asset === asset && one.kind !== need.kind,
      )
      return [need, ...others].map(({ rule }) => ({ rule, from, to, destination }))
    }),
  )
  return pairs.filter(
    (pair, index) => pairs.findIndex((one) => isDeepStrictEqual(one, pair)) === index,
  )
}

/**
 * The sources of the pairs. Their orders pay the fees of their chain: a token's deposit costs more
 * than one of the coin.
 */
export function gasSources(pairs: readonly NeededPair[]): AssetId[] {
  return [...new Set(pairs.map(({ from }) => from))]
}

/**
 * One entry for each chain: the highest fees of its sources, and what the wallet has for the fees
 * of tokens.
 */
function joinByChain(gas: readonly ChainGas[]): readonly ChainGas[] {
  const joined = new Map<string, ChainGas>()
  for (const one of gas) {
    const known = joined.get(one.chain)
    const perOrderUnits =
      known && known.perOrderUnits > one.perOrderUnits ? known.perOrderUnits : one.perOrderUnits
    joined.set(one.chain, {
      ...one,
      perOrderUnits,
      leftUnits: one.leftUnits ?? known?.leftUnits ?? null,
    })
  }
  return [...joined.values()]
}

function countedLimits(
  context: CountingContext,
  general: PlanLimits,
  pairs: readonly NeededPair[],
): PlanLimits {
  const { settings, clock } = context
  const usageOf = (query: Pick<NeededPair, "rule" | "from" | "to">) =>
    readUsage(context, { ...query, exceptOrder: null })
  const { orders, counts, windows, refused } = readCapacity(
    settings.limits,
    pairs,
    usageOf,
    clock.now(),
  )
  const limited = windows.filter(
    ({ leftFiat, leftUnits, leftFeesFiat }) =>
      leftFiat !== null || leftFeesFiat !== null || Object.keys(leftUnits).length > 0,
  )
  return {
    ...general,
    maxOrders: Math.min(general.maxOrders, orders),
    ...(refused.length > 0
      ? { blocked: refused.map((pair) => ({ ...pairOf(pair), reasons: pair.reasons })) }
      : {}),
    ...(counts.length > 0 ? { counts } : {}),
    ...(limited.length > 0 ? { windows: limited } : {}),
  }
}

function pairOf({
  rule,
  from,
  to,
}: Pick<NeededPair, "rule" | "from" | "to">): Omit<BlockedPair, "reasons"> {
  return { rule, from, to }
}

/** A chain whose coins cannot be read now has no entry: admission reads them again and decides. */
async function readGasOrNull(
  context: HasJournal<FlagStore & OrderSums & Reservations> & HasChains & Configured,
  from: AssetId,
): Promise<ChainGas | null> {
  try {
    return await readGas(context, from)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function belowLimit(maxOrder: PlanLimits["maxOrder"]): PlanLimits["maxOrder"] {
  return maxOrder === null ? null : belowFiat(maxOrder)
}

/**
 * One percent below a fiat limit. Admission values the order by its own quote, so an order planned
 * to the cent would fail after any price rise.
 */
function belowFiat(limit: SoldLimit): SoldLimit {
  return limit.kind === "fiat" ? { ...limit, fiat: (limit.fiat * 99n) / 100n } : limit
}

/**
 * The general cost limit. The configuration has one for all pairs; the engine reads it from any
 * pair of two chains.
 */
function commonCost({ assets, policyFor }: EngineSettings): CostLimit | null {
  const ids: readonly AssetId[] = [...assets.keys()]
  const [from] = ids
  const to = ids.find((id) => from !== undefined && chainOf(id) !== chainOf(from)) ?? from
  return from === undefined || to === undefined ? null : policyFor(from, to).maxCost
}
