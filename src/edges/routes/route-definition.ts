import type { z } from "zod"
import type { AssetId, ChainId, Family } from "#domain/asset.ts"
import type { PinnedContract } from "#domain/contract-identity.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { Clock } from "#lib/clock.ts"
import type { Address } from "#nodes/address.ts"
import type { Paces } from "#nodes/paces.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import type { RoutePort } from "#ports/route.ts"
import type { Path } from "#schema/problem.ts"
import type { ReferenceWorld } from "#schema/reference-world.ts"
import type { BurnDomain } from "./cctp/burn-domain.ts"

/** What is pinned of one chain, for each kind of route. The families have the values. */
export type RoutePins = { readonly cctp: BurnDomain }

/** The part of every kind's configuration. JSON-able. */
export type RouteConfig = {
  readonly kind: RouteKind
  readonly assets: readonly AssetId[]
  /** The most that may be under way, in fiat millionths: it is in the hands of the issuer. */
  readonly maxInFlightFiat: bigint
  /** The contracts of chains that are not pinned, by chain and by name. */
  readonly contracts: Readonly<Record<string, Contracts>>
  /** The reviewed identities of the contracts of each chain. Absent: none is compared. */
  readonly pinned?: Readonly<Record<string, readonly PinnedContract[]>>
}

export type Contracts = Readonly<Record<string, string>>

/** One asset of a route, with our own account on its chain and what is pinned there. */
export type RoutePlace<Pin> = {
  readonly asset: AssetId
  readonly chain: ChainId
  readonly family: Family
  readonly account: string
  /** The place there that payouts reach; of most families the account itself. */
  readonly payee: string
  readonly pin: Pin
}

/**
 * A kind of route for the configuration and the composition. It loads no client: `open` imports
 * what it needs. `registry.ts` lists the kinds.
 */
export type RouteDefinition<
  Schema extends z.ZodType = z.ZodType,
  Built extends RouteConfig = RouteConfig,
  Kind extends keyof RoutePins = keyof RoutePins,
> = {
  readonly kind: Kind
  /** The keys of `routes.<kind>`, and what the kind is, for docs/CONFIG.md. */
  readonly schema: Schema
  readonly summary: string
  /** `pinOf`: what is pinned for a chain; `undefined` where its family has no such route. */
  checkReferences(
    world: ReferenceWorld,
    path: Path,
    pinOf: (chain: string, given?: Contracts) => RoutePins[Kind] | null | undefined,
  ): void
  build(file: z.output<Schema>, world: BuildWorld): Built
  /** The addresses of the contracts that can be pinned on one chain. */
  contractsOf(pin: RoutePins[Kind]): readonly string[]
  /** What a key may sign for the route. */
  rulesOf(config: Built, places: readonly RoutePlace<RoutePins[Kind]>[]): RouteRules
  open(
    config: Built,
    places: readonly RoutePlace<RoutePins[Kind]>[],
    world: RouteWorld,
  ): Promise<RoutePort>
}

type BuildWorld = {
  readonly addressOf: (written: Address) => Address
  readonly tokenOf: (asset: string) => string | null
}

type RouteWorld = {
  readonly timeoutMs: number
  readonly clock: Clock
  /** Those of the other calls to services. */
  readonly paces?: Paces | undefined
  /** Told of each quote that the route could not give. */
  readonly onDroppedQuote: (reason: Reason) => void
}

/** Checks a definition against its own types. */
export function defineRoute<
  Schema extends z.ZodType,
  Built extends RouteConfig,
  Kind extends keyof RoutePins,
>(definition: RouteDefinition<Schema, Built, Kind>): RouteDefinition<Schema, Built, Kind> {
  return definition
}
