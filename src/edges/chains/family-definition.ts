import type { z } from "zod"
import type { Asset, Family } from "#domain/asset.ts"
import type { ChainTraits } from "#domain/chain-traits.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { DepositWay, TimelockBounds } from "#domain/order.ts"
import type { Payout } from "#domain/payout.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Secret } from "#lib/secret.ts"
import type { Address } from "#nodes/address.ts"
import type { AskHttp, AskNode } from "#nodes/ask-node.ts"
import type { Paces } from "#nodes/paces.ts"
import type { FeeFigure } from "#nodes/quorum/fee-figures.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { DepositReader } from "#ports/deposit-reader.ts"
import type {
  InspectingKeyHolder,
  KeyAddress,
  KeyHolder,
  KeyHolderWorld,
  RouteRules,
} from "#ports/key-holder.ts"
import type { Contracts, RoutePins } from "#routes/route-definition.ts"
import type { AddressForm } from "#schema/reference-world.ts"
import type { BlockTime } from "./block-time.ts"
import type { ChainConfig, SharedChainConfig } from "./chain-config.ts"
import type { ChainPreset } from "./chain-preset.ts"
import type { ContractReader } from "./contract-reader.ts"
import type { SeededAccount } from "./mnemonic.ts"
import { asWatched, findWatched, holdWatched } from "./watch-only.ts"

/**
 * A chain family, complete: configuration, defaults, readers, and how to open a chain.
 * `src/edges/chains/families.ts` lists all definitions.
 *
 * A definition loads no SDK. `openPort` and `describeRefund` import theirs when called, because CLI
 * commands that only read need none.
 */
export type FamilyDefinition<
  Shape extends ChainShape = ChainShape,
  Chain extends ChainConfig = ChainConfig,
> = {
  readonly name: Family
  readonly traits: ChainTraits

  /** The live chains of this family that `preset` of a chain's configuration may name. */
  readonly presets: readonly ChainPreset[]
  /** The block time of a chain that neither `block_time` nor a preset describes. */
  readonly blockTime: BlockTime
  /**
   * The configuration keys of one chain, with their descriptions for docs/CONFIG.md and the JSON
   * Schema.
   */
  readonly keys: Shape
  /** The one of `keys` that lists the chain's endpoints; `null` where a chain has none. */
  readonly endpointKey: string | null
  /** Keys that a new configuration sets, because their defaults are those of older files. */
  readonly firstKeys?: Readonly<Record<string, string>>
  buildConfig(shared: SharedChainConfig, file: z.output<z.ZodObject<Shape>>): Chain
  /**
   * The names that the service gives to chains of this family. A payout may go to such a chain
   * although it is not configured.
   */
  readonly chainName: RegExp
  /** The form of an address that can be paid. */
  readonly addressForm: AddressForm
  /**
   * The form of `token` and `htlc` of an asset; `null` where each order has its own HTLC address.
   */
  readonly htlcForm: AddressForm | null
  /**
   * The values of an asset's `pinned`, by name, with their forms. Absent where each order has its
   * own HTLC address.
   */
  readonly pinKeys?: Readonly<Record<string, AddressForm>>
  /** Loads the reader of HTLC contracts. Absent together with `pinKeys`. */
  loadContractReader?(): Promise<ContractReader>
  /** USDC or cbBTC exist here, so that affiliate fees can be paid out. */
  readonly hasPayoutAssets: boolean
  /**
   * The values, by configuration key, that identify chain and wallet. They cannot change while
   * orders are in flight.
   */
  identityOf(chain: Chain): Readonly<Record<string, string>>
  /** The rest of a configuration's chain section for a chain of the local sandbox. */
  sandboxKeys(sandbox: SandboxChain): Readonly<Record<string, unknown>>

  /** How the chain's coin shows besides its own balance. Absent for a plain coin. */
  coinFacesOf?(chain: Chain): CoinFaces

  /**
   * How deposits are made unless a request says otherwise. `token`: that of the asset; `null` for
   * the native coin.
   */
  depositWayOf(chain: Chain, token?: string | null): DepositWay
  /** The accepted timelocks, and the time of one block or slot (`timelock-bounds.ts`). */
  timelocksOf(chain: Chain): TimelockBounds
  /** How long a signed transaction stays valid. Absent where a higher fee replaces it at once. */
  transactionLifeMs?(chain: Chain): number
  /** How long a deposit may take when the order has no deadline. */
  readonly depositWindowMs: number
  /** How long our own node may take to show a redemption that the service reports. */
  readonly reportPatienceMs: number
  /** How far the chain's endpoints are trusted, for `check`, `doctor` and the dashboard. Pure. */
  describeTrust(chain: Chain): ChainTrust
  /**
   * The configured depths that are lower than the least one with which the chain's network is safe.
   * Pure. Absent where the configuration sets no depth.
   */
  findLowDepths?(chain: Chain): readonly LowDepth[]
  /** Usual network fees in the native coin, for the backtest. */
  typicalFeesOf(chain: Chain): { readonly depositFeeUnits: bigint; readonly refundFeeUnits: bigint }

  /** Finds and reads this family's deposit request in the service's answer to a create. */
  readonly depositReader: DepositReader
  /**
   * A public key without a known private key, for a watchtower's port, which only observes and
   * sends. Absent where any account may redeem and refund: there a watchtower has a key of its own
   * for the fees.
   */
  readonly watchKey?: string
  /** Opens the chain; no IO. Throws `config.*` (fatal), for instance for a key of another form. */
  openPort(chain: Chain, world: ChainWorld): Promise<ChainPort>
  /** Loads the libraries of `openPort`, which takes up to some seconds of the processor. */
  loadPort(): Promise<unknown>
  /**
   * The account that `openPort` would have, for commands that ask no node: loads no SDK. `assets`
   * are the chain's own. Throws `config.*` (fatal) as `openPort` does.
   */
  readAccount(chain: Chain, assets: readonly Asset[]): Promise<string>
  /**
   * The addresses of a key, for a person. `seeded` is the mnemonic that `key` holds, or `null`.
   * Throws `config.*` (fatal) for a key of another form.
   */
  listAddresses(key: Secret, seeded: SeededAccount | null): Promise<readonly KeyAddress[]>
  /**
   * Opens the chain's key for the signer process, and loads no client of any node. Throws
   * `config.*` (fatal) for a key of another form.
   */
  openKey(chain: Chain, world: KeyHolderWorld): Promise<InspectingKeyHolder>

  /**
   * The hosts (`host:port`) without which the key cannot sign: those of a KMS. Absent: none. Throws
   * `kms.*` (fatal).
   */
  keyHosts?(chain: Chain): Promise<readonly string[]>

  /**
   * The content of an unsigned transaction for a person: calls, inputs, outputs. JSON-able. Absent
   * where `unsigned` is readable as it is.
   */
  describePlan?(plan: TransactionPlan, chain: Chain): Promise<Readonly<Record<string, unknown>>>
  readonly doctor: DoctorProbe<Chain>
  /** The kinds of routes beside HTLCs whose legs the family has. Absent: none. */
  readonly routes?: FamilyRoutes
  /**
   * How to refund a deposit without Ballast. Pure. `swapId` is the service's word; it only orders
   * the ids that follow from the deposit.
   */
  describeRefund(
    deposit: VerifiedDeposit,
    chain: Chain,
    swapId?: string | null,
  ): Promise<RefundRecipe>
  /**
   * How to redeem a payout of `asset` without Ballast. Pure. `secret` is `null` while no other
   * party may know it.
   */
  describeRedeem(
    payout: Payout,
    asset: Asset,
    chain: Chain,
    secret: string | null,
  ): Promise<RedeemRecipe>
}

type FamilyRoutes = {
  /** The account of a key that another process holds. */
  accountOf(publicKey: string): string
  /** The place that payouts of a kind reach for an account. Absent: the account itself. */
  readonly payees?: {
    readonly [Kind in keyof RoutePins]?: (
      account: string,
      keys: Readonly<Record<string, unknown>>,
      given?: Contracts,
    ) => Promise<string>
  }
  /**
   * What is pinned for the chain with these configuration keys, or what `given` contracts of a
   * local chain make; `null` where neither is there.
   */
  readonly pins: {
    readonly [Kind in keyof RoutePins]?: (
      keys: Readonly<Record<string, unknown>>,
      given?: Contracts,
    ) => RoutePins[Kind] | null
  }
  /** Absent: nothing of the kind's contracts can be compared with the chain. */
  readonly inspections?: { readonly [Kind in keyof RoutePins]?: Inspection<Kind> }
  /** How to take a payout without Ballast, by the kind of its route. */
  readonly recipes: {
    readonly [Kind in keyof RoutePins]?: (
      payout: PayoutOrder,
      keys: Readonly<Record<string, unknown>>,
      given?: Contracts,
    ) => Promise<RedeemRecipe>
  }
}

/**
 * Compares the contracts of a kind with the chain, without a key, and with the places of the other
 * chains of the route. `keys` and `given` as for `pins`.
 */
export type Inspection<Kind extends keyof RoutePins> = (
  ask: AskNode,
  place: {
    readonly keys: Readonly<Record<string, unknown>>
    readonly given: Contracts | undefined
  },
  others: readonly RoutePins[Kind][],
) => Promise<readonly Reason[]>

/** `depositTx`: the deposit's transaction, as far as the order knows it. */
export type PayoutOrder = {
  readonly deposit: VerifiedDeposit
  readonly voucher: RouteVoucher | null
  readonly depositTx: string | null
}

/**
 * `faces`: token contracts that show the coin's own balance. `exists`: whether the chain has a coin
 * at all.
 */
export type CoinFaces = { readonly faces: readonly string[]; readonly exists: boolean }

/**
 * In plain words. `worst`: the worst damage that one lying endpoint could do with this
 * configuration.
 */
export type ChainTrust = {
  readonly endpoints: number
  readonly agree: number
  readonly finality: { readonly seen: string; readonly reveal: string; readonly ending: string }
  readonly worst: string
}

/**
 * A depth below the network's minimum, in words of the configuration. `reveal` tells a secret,
 * `ending` ends an order. `seen` has no minimum: nothing leaves because of it.
 */
export type LowDepth = {
  readonly use: "reveal" | "ending"
  readonly found: string
  readonly least: string
}

/** At least the keys that every chain has (`chain-keys.ts`). */
type ChainShape = {
  readonly family: z.ZodLiteral<string>
  readonly key: z.ZodType<string>
  readonly stuck_after: z.ZodType<number>
  readonly deadline_margin: z.ZodType<number>
  readonly preset: z.ZodType<string | null>
  readonly block_time: z.ZodType<number | null>
  readonly agree: z.ZodType<number | null>
  readonly timelock: z.ZodType<{ min: number | null; max: number | null } | null>
}

/** A chain's surroundings in the program. */
type ChainWorld = {
  readonly assets: readonly Asset[]
  readonly timeoutMs: number
  readonly clock: Clock
  /** What other readers of the chain's endpoints learn of their limits; absent: the port's own. */
  readonly paces?: Paces
  /** Newest blocks that were read so lately serve another look; absent: each look asks. */
  readonly headsForMs?: number
  /** The route kinds beside HTLCs that the wallets use; absent: none. */
  readonly routes?: ReadonlyMap<RouteKind, RouteRules>
  /** The directory in which a family may keep what it has verified; absent or `null` for none. */
  readonly dataDir?: string | null
  /**
   * The holder of the key, where that is another process; `chain.key` is empty then. A port loads
   * its libraries while that process starts.
   */
  readonly keyHolder?: Promise<KeyHolder>
  /**
   * The port redeems and refunds for this account, where it is not the key's own: a watchtower only
   * pays the fees.
   */
  readonly onBehalfOf?: string
}

type SandboxChain = {
  readonly url: string
  readonly chainId: number | string | null
  /** The way to deposit that the caller wants, for families that have a choice. */
  readonly deposit: string
}

/** One endpoint's report of its network and its newest block. */
export type Tip = {
  /** Chain id or genesis hash, as text. */
  readonly network: string
  /** The network that the configuration names; `null` where it names none. */
  readonly expected: string | null
  readonly height: bigint
  readonly blockMs: number
}

/** `code`: of its alarm, if it is a fact of the wallet itself; absent for one of the endpoint. */
export type WalletFault = {
  readonly code?: string
  readonly found: string
  readonly todo: string
}

export type DoctorProbe<Chain extends ChainConfig = ChainConfig> = {
  endpointsOf(chain: Chain): readonly Address[]
  /**
   * Asks one endpoint alone. Throws when it does not answer, or not in the family's form. With
   * `network`, that of an earlier answer, it does not ask for the network again.
   */
  readTip(chain: Chain, at: Address, ask: AskHttp, network?: string | null): Promise<Tip>
  /**
   * The time of the block or slot at `height`, in milliseconds; `null` where that slot has no
   * block. Throws like `readTip`.
   */
  readBlockMs(chain: Chain, at: Address, ask: AskHttp, height: bigint): Promise<number | null>
  /**
   * Asks one endpoint for its fee estimates through the daemon's own code, for the wallet of that
   * account where it is known; throws where it lacks one. Absent where a family needs no estimate.
   */
  readFees?(
    chain: Chain,
    at: Address,
    ask: AskHttp,
    account?: string | null,
  ): Promise<readonly FeeFigure[]>
  /** What is unusual about the wallet by this endpoint, in one line; `null` for nothing. */
  findWalletFault?(account: string, at: Address, ask: AskHttp): Promise<WalletFault | null>
  /**
   * Quotes wait for a fee estimate too, because the payout's redeemer takes the fee out of it;
   * absent for no.
   */
  readonly quotesNeedFees?: true
  /**
   * The age from which the newest block is too old; see `staleAfterMs`. `null` where blocks come
   * only on request.
   */
  staleMsOf(chain: Chain): number | null
  /**
   * How far in the future a block's time may be. More means that a clock is wrong, ours or theirs.
   */
  readonly aheadMs: number
}

/**
 * The age from which a newest block is too old: ten times the usual, and at least two minutes,
 * because nodes need a moment to follow.
 */
export function staleAfterMs(blockMs: number): number {
  return Math.max(2 * 60_000, 10 * blockMs)
}

/**
 * The refund of one deposit in the family's own terms: the transaction, its sender, and its time.
 * JSON-able.
 */
export type RefundRecipe = {
  /** The holder of the right to send it. */
  readonly who: string
  readonly when: string
  readonly how: readonly string[]
  readonly [detail: string]: unknown
}

/** The redemption of one payout, in the same form. */
export type RedeemRecipe = RefundRecipe

/** `who` of a recipe where the contract itself pays the redeemer. */
export const ANYBODY_REDEEMS =
  "anybody with the secret: the contract pays the redeemer, no matter which account sends " +
  "the redemption"

/** The place of the secret in a recipe that may not contain it yet. */
export const NO_SECRET = "SECRET: 32 bytes, known once Ballast has decided to tell it"

/** `who` of a recipe where the contract itself pays the initiator. */
export const ANYBODY_REFUNDS =
  "anybody: the contract pays the initiator, no matter which account sends the refund"

/**
 * Checks a definition against its own types, and hides them: the registry goes by `chain.family`,
 * so that a family only ever gets its own configuration back.
 */
export function defineFamily<Shape extends ChainShape, Chain extends ChainConfig>(
  definition: FamilyDefinition<Shape, Chain>,
): FamilyDefinition {
  const { openPort, readAccount, openKey } = definition
  const guarded = {
    ...definition,
    openPort: async (chain, world) => {
      const watched = findWatched(chain.key)
      if (watched !== null) {
        const keyHolder = Promise.resolve(holdWatched(watched))
        return asWatched(await openPort.call(definition, chain, { ...world, keyHolder }), watched)
      }
      if (world.keyHolder === undefined) refuseMissing(chain.key)
      return await openPort.call(definition, chain, world)
    },
    readAccount: async (chain, assets) => {
      const watched = findWatched(chain.key)
      if (watched !== null) return watched
      refuseMissing(chain.key)
      return await readAccount.call(definition, chain, assets)
    },
    openKey: async (chain, world) => {
      refuseMissing(chain.key)
      return await openKey.call(definition, chain, world)
    },
  } satisfies FamilyDefinition<Shape, Chain>
  // CAST: the registry is asked by `chain.family` (`familyOf`), so each method gets the
  // configuration that it declares.
  return guarded as FamilyDefinition
}

/**
 * A key that was not found is empty. A family would call that a wrong key, which hides the cause.
 */
function refuseMissing({ missing, reference }: Secret): void {
  if (missing === null) return
  const { code, disposition, message, details } = missing
  throw new AppError({ code, disposition, message, details: { ...details, reference } })
}
