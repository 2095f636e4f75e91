import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import type { PinnedContract } from "#domain/contract-identity.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { SignedTransaction, TransactionAction, TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"

/**
 * The holder of one chain's key, as the chain's port uses it: this process, or a client of the
 * signer process.
 *
 * The methods are deterministic, and throw `signer.*` (refused) for content that they do not sign.
 * A client also throws `signer.unavailable` (transient): nothing is lost then, because the same
 * plan gives the same bytes later.
 */
export type KeyHolder = {
  /** The public half, in the family's own form. The port derives its wallet from it. */
  readonly publicKey: string
  signTransaction(plan: TransactionPlan, context: SigningContext): Promise<SignedTransaction>
  signTypedData(deposit: VerifiedDeposit, context: SigningContext): Promise<TypedSignature>
}

export type TypedSignature = { readonly digest: string; readonly signature: string }

/**
 * The reason for a signature. The signer judges content by itself, and uses these facts only to
 * refuse more.
 */
export type SigningContext = {
  /** The order's id, or the name of other work. */
  readonly order: string
  /**
   * The verified deposit of the order. On Bitcoin its terms prove that a deposit address is our
   * HTLC.
   */
  readonly deposit: VerifiedDeposit | null
  /**
   * The worth of the payout that a redemption takes, in the chain's native coin: its fee may reach
   * it. The signer process believes it only with a deposit of its own record.
   */
  readonly worthUnits?: bigint
}

/**
 * A key holder that also reads the effect of a signature from the content to be signed. Only the
 * signer process uses it.
 */
export type InspectingKeyHolder = KeyHolder & {
  readonly account: string
  /**
   * The same content gives other bytes each time, because a token chooses the nonce. The signer
   * keeps the first ones.
   */
  readonly isRandomised: boolean
  /** Pure. Throws `signer.*` (refused) unless the bytes do exactly one permitted action. */
  readTransaction(plan: TransactionPlan, context: SigningContext): SigningScope
  /** Pure. The effect of a signature over typed data that is rebuilt from the deposit's fields. */
  readTypedData(deposit: VerifiedDeposit): SigningScope
}

/** What one signature can do at most. Every value is read or computed from the signed content. */
export type SigningScope = {
  readonly chain: ChainId
  readonly account: string
  readonly action: TransactionAction | "gasless"
  /** Equal digests mean equal signatures. */
  readonly digest: string
  /**
   * Nonce or inputs; the swap account on Solana; and `terms:…` (`nameTerms`) where a contract takes
   * each deposit once, whether a transaction or a relay brings it.
   */
  readonly resources: readonly string[]
  /**
   * The chain accepts at most one of the signatures that share a resource. Without it each
   * signature can spend on its own.
   */
  readonly isExclusive: boolean
  /**
   * Of a deposit; `null` for any other action. A deposit without a secret has the hash of its terms
   * and no timelock, so that its order can make no second one either.
   */
  readonly deposit: { readonly secretHash: string; readonly timelock: bigint | null } | null
  /**
   * The most that leaves the wallet beside the fee. A contract with several assets counts for each.
   */
  readonly spends: readonly { readonly asset: AssetId; readonly units: bigint }[]
  /** The hash of the secret that a redemption tells; absent for anything else. */
  readonly redeemsHash?: string
  /**
   * The same hash for a redemption with a fee above `URGENT_FEE_FACTOR` times the configured cap;
   * absent for anything else.
   */
  readonly dearRedemptionOf?: string
  /** The allowance that an approval sets; `null` for any other action. */
  readonly allowance: { readonly asset: AssetId; readonly units: bigint } | null
  /** The most that the network can take, rent included, in the native coin. */
  readonly feeUnits: bigint
}

/** One address that a key gives. `path` is where a mnemonic derives it; `null` for a single key. */
export type KeyAddress = {
  readonly what: string
  readonly path: string | null
  readonly address: string
}

/** The parts of the program that a key holder gets. It has no endpoint and no clock. */
export type KeyHolderWorld = {
  readonly assets: readonly Asset[]
  /** A service may keep the refund key of a deposit address (`signer.refund_key: any`). */
  readonly foreignRefundKeys: boolean
  /** The route kinds beside HTLCs that the key may use; absent: none. */
  readonly routes?: ReadonlyMap<RouteKind, RouteRules>
}

/** What a key may do for one kind of route. The families read the texts. */
export type RouteRules = {
  /** The asset of each chain. */
  readonly assets: readonly AssetId[]
  /** Our own accounts by the kind's own name of their chain. */
  readonly payees: ReadonlyMap<string, readonly string[]>
  /** The highest fee of the route, in thousandths of a basis point of the amount. */
  readonly maxFeeRate: bigint
  /** The contracts of chains that are not pinned, such as local ones, by chain and by name. */
  readonly contracts?: ReadonlyMap<ChainId, Readonly<Record<string, string>>>
  /** The reviewed identities of contracts, by chain. */
  readonly pinned?: ReadonlyMap<ChainId, readonly PinnedContract[]>
  /** The contract that sends on each chain, by the kind's own name of the chain. */
  readonly peers?: ReadonlyMap<string, string>
  /** Tables of addresses that make a redemption short enough, by chain. */
  readonly lookupTables?: ReadonlyMap<ChainId, string>
}

/**
 * The name of a deposit's terms: a contract of these families refuses a second deposit with the
 * same ones.
 */
export function nameTerms(htlc: string, terms: readonly (string | bigint)[]): string {
  return `${TERMS_PREFIX}${[htlc, ...terms].map(String).join("/").toLowerCase()}`
}

export const TERMS_PREFIX = "terms:"

/** The same world with its key holder, once that is there. */
export async function awaitKeyHolder<World extends { readonly keyHolder?: Promise<KeyHolder> }>(
  world: World,
): Promise<Omit<World, "keyHolder"> & { readonly keyHolder?: KeyHolder }> {
  const { keyHolder, ...others } = world
  return keyHolder === undefined ? others : { ...others, keyHolder: await keyHolder }
}

/** A watch-only wallet: it has an account, and each signature throws this refusal. */
export function holdNothing(
  publicKey: string,
  refusal: { readonly code: string; readonly message: string },
): KeyHolder {
  const refuse = async (): Promise<never> => {
    throw new AppError({ ...refusal, disposition: "refused" })
  }
  return { publicKey, signTransaction: refuse, signTypedData: refuse }
}

/** The context of a signature for other work than an order's. */
export function contextOf(order: string): SigningContext {
  return { order, deposit: null }
}
