import type { Wallets } from "#books/entries-of.ts"
import { type Asset, type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { ImportMark, KeyUsePage, RecordedUse, RedeemHeadroom } from "#domain/key-use.ts"
import { findNativeAsset, nativeAssetId } from "#domain/native-coin.ts"
import type { OrderPolicy } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import type { AffiliateFee } from "#domain/route/affiliate-fee.ts"
import type { TxidForm } from "#domain/route/reported-txids.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { Limits } from "#guards/limits.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import type { OrderData } from "#order/data.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Journal } from "#ports/journal.ts"
import type { PricePort } from "#ports/prices.ts"
import type { RoutePort } from "#ports/route.ts"
import type { ServicePort } from "#ports/service.ts"
import type { EngineMemory } from "./memory.ts"
import type { OwnSecrets } from "./orders/pay/own-secret.ts"
import type { Solver } from "./rules/solver/create-solver.ts"

/**
 * Everything that the engine may touch: ports, and settings as plain data. A function names the
 * parts that it uses; only the composition knows the whole.
 *
 * A reload replaces `services`, `prices`, `chains` and `settings` together (`live-context.ts`):
 * read them at the moment of use.
 */
export type EngineContext = WorkContext & Solving

/** What the performers of orders' work may touch. */
export type WorkContext = HasJournal &
  OfferContext &
  Stoppable &
  Leased &
  HasKeyRecord &
  Naming &
  Remembering

/** What a judgement of quotes reads. */
export type OfferContext = HasServices & MarketContext

/** What a comparison of balances and prices reads. */
export type MarketContext = HasPrices & HasChains & Configured & Clocked & Logged

/** With the stores of the journal that are used. */
export type HasJournal<Store = Journal> = { readonly journal: Store }

export type HasServices = {
  readonly services: Services
  /** Absent: only services give quotes. */
  readonly routes?: Routes | undefined
}
/**
 * The configured services by name; at least one. The first owns the orders that were made when
 * services had no names.
 */
export type Services = ReadonlyMap<string, ServicePort>
/**
 * The configured routes of other kinds than HTLCs, by their kind. It is also the name under which
 * their quotes and orders are counted, beside the names of the services.
 */
type Routes = ReadonlyMap<RouteKind, RoutePort>

export type HasPrices = { readonly prices: PricePort }
export type HasChains = { readonly chains: Chains }
export type Chains = ReadonlyMap<ChainId, ChainPort>
export type Configured = { readonly settings: EngineSettings }
export type Clocked = { readonly clock: Clock }
export type Logged = { readonly log: Logger }

/** With the parts of what an engine remembers beside its journal. */
export type Remembering<Part extends keyof EngineMemory = keyof EngineMemory> = {
  readonly memory: Pick<EngineMemory, Part>
}

export type Stoppable = {
  /**
   * The text of the file that asks for a pause from outside the process; `null` without such a
   * file.
   */
  readonly readStopFile?: () => string | null
}

export type Solving = {
  /** Answers the planner's problems; absent for a search on this thread. */
  readonly solver?: Pick<Solver, "solve">
}

/** A treasury on several machines. Each part is absent on one machine. */
export type Leased = {
  /**
   * Throws unless this process holds the treasury's lease. A write that the log acknowledged after
   * `since` is a proof too, and then the lease is not asked for.
   */
  readonly proveLease?: (since?: number) => Promise<void>
  /**
   * The present moment for `proveLease`: the number of acknowledgements so far. Absent: the lease
   * is asked for each time.
   */
  readonly countProofs?: () => number
  /** The log of the cluster is silent, so no new deposit begins; `null` while it answers. */
  readonly findLogSilence?: () => Reason | null
}

export type HasKeyRecord = {
  /**
   * The record of the process that holds the keys, and a way to complete it; absent where this
   * process holds them.
   */
  readonly keyRecord?: KeyRecord
}

export type Naming = {
  /** 128 random bits as hex. */
  readonly newOrderId: () => string
  /** A random u64 as decimal text. */
  readonly newNonce: () => string
}

/**
 * The signer's own record of every use of a key. Its calls throw `signer.unavailable` (transient).
 */
export type KeyRecord = {
  readonly listUses: (before: number | null) => Promise<KeyUsePage>
  readonly importUses: (uses: readonly RecordedUse[]) => Promise<ImportMark | null>
  /**
   * Asks whether the redemption would be signed now; it uses nothing up. Throws the refusal. Absent
   * only in tests whose record has no limits.
   */
  readonly askHeadroom?: (redemption: RedeemHeadroom) => Promise<null>
}

export type EngineSettings = {
  readonly assets: ReadonlyMap<AssetId, Asset>
  readonly limits: Limits
  /** `null`: one minute after a failure for rules, nothing for manual requests. */
  readonly cooldownMs: number | null
  /** The longest cool-down after failures in a row; `null`: sixteen times its base. */
  readonly cooldownMaxMs?: number | null
  /**
   * The longest wait for the quotes of each service, where several are asked; a service without an
   * entry gets five seconds.
   */
  readonly quoteTimeouts?: ReadonlyMap<string, number>
  /** The first rest of a service after a failure; absent for five seconds. */
  readonly serviceRestMs?: number
  /**
   * The units of a chain's own coin that must stay, beside the fees of a deposit and its refund.
   */
  readonly minNative: ReadonlyMap<ChainId, bigint>
  /** How much more than its `maxCost` a quote may lose by reference prices. */
  readonly priceToleranceBps: bigint
  readonly affiliateFees: readonly AffiliateFee[]
  /** All rules of the configuration, also disabled ones. */
  readonly rules: readonly TimedRule[]
  readonly policyFor: (from: AssetId, to: AssetId) => OrderPolicy
  /**
   * The address that an order pays: the one asked for, or our own wallet when none was asked for.
   * `null` when the address is not allowed or is no address of that chain.
   */
  readonly destinationFor: (to: AssetId, asked: string | null) => string | null
  readonly mode: "live" | "observe"
  /** What follows an alarm of a theft; absent for `pause`. */
  readonly onAlarm?: "pause" | "continue"
  /** The hash by which decisions name the configuration; absent in tests that record none. */
  readonly configHash?: string
  /** Absent: the services choose the secrets of all orders. */
  readonly ownSecrets?: OwnSecrets
}

export function chainFor(context: HasChains, asset: AssetId): ChainPort {
  const chain = context.chains.get(chainOf(asset))
  if (chain) return chain
  throw new AppError({
    code: "config.chain_missing",
    disposition: "hold",
    message:
      `The chain of ${asset} is not configured any more; add it again so that its orders can ` +
      "go on",
    details: { asset },
  })
}

/**
 * The service that an order is with. Throws `config.service_missing` (hold) when the configuration
 * no longer has it.
 */
export function serviceFor(
  { services }: HasServices,
  order: Pick<OrderData, "service">,
): ServicePort {
  const service = order.service === null ? undefined : services.get(order.service)
  if (service) return service
  throw new AppError({
    code: "config.service_missing",
    disposition: "hold",
    message:
      `The service ${order.service} is not configured any more; add it again so that its ` +
      "orders can go on",
    details: { service: order.service },
  })
}

/** Everything that gives quotes, by name: the services, and the routes of other kinds. */
export function quoteSourcesOf({ services, routes }: HasServices): QuoteSources {
  return routes === undefined
    ? services
    : new Map<string, QuoteSource>([...services.entries(), ...routes.entries()])
}

type QuoteSource = Pick<ServicePort, "fetchQuotes">
type QuoteSources = ReadonlyMap<string, QuoteSource>

export function firstService(services: Services): string {
  const [first] = services.keys()
  return mustExist(first, "a service")
}

/** How the asset's chain writes transaction ids; `null` for a chain that is not configured. */
export function txidFormIn({ chains }: HasChains, asset: AssetId): TxidForm | null {
  return chains.get(chainOf(asset))?.traits.txidForm ?? null
}

/**
 * The configured asset in which the chain takes its network fees; `null` where none is configured.
 */
export function nativeAssetOf(
  { settings, chains }: HasChains & Configured,
  chain: ChainId,
): Asset | null {
  const port = chains.get(chain)
  return port ? findNativeAsset(chain, settings.assets.values(), port.traits.nativeCoin) : null
}

/** The chain's native coin in the books: the configured asset, else `<chain>:native`. */
export function nativeIdOf({ settings, chains }: HasChains & Configured, chain: ChainId): AssetId {
  return nativeAssetId(
    chain,
    settings.assets.values(),
    chains.get(chain)?.traits.nativeCoin ?? { token: null },
  )
}

/** The wallets of this daemon, for the books. */
export function walletsOf(context: HasChains & Configured): Wallets {
  const { settings, chains } = context
  return {
    assets: [...settings.assets.values()],
    nativeOf: (chain) => nativeIdOf(context, chain),
    takesRefundFeeFromAmount: (chain) =>
      chains.get(chain)?.traits.refundFeeTakenFromAmount === true,
    isOurs: (asset, address) => {
      const chain = chains.get(chainOf(asset))
      return chain?.sameAddress(address, chain.account) === true
    },
  }
}

/** The prefix of an account's resources in the journal: `<chain>/<account>/nonce:7`. */
export function accountPrefix(chain: ChainPort): string {
  return `${chain.chain}/${chain.account}/`
}

/**
 * The journal's name for the allowance lock: one order at a time holds it, from its exact allowance
 * to its deposit.
 */
export function allowanceLock(asset: AssetId, spender: string): string {
  return `lock/${asset}/${spender.toLowerCase()}`
}
