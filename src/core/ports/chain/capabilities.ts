import type { AssetId } from "#domain/asset.ts"
import type { ContractIdentity } from "#domain/contract-identity.ts"
import type { Finding, VerifiedDeposit } from "#domain/deposit.ts"
import type { ReportedLeg } from "#domain/leg.ts"
import type { FeedPrice, PriceFeed } from "#domain/price.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import type { AccountUses, PastUse } from "../account-uses.ts"
import type { RouteLeg } from "../route.ts"
import type { LegQuery } from "./htlc-reader.ts"

/** What only some families can do. Each is one object: a family has all of it or none. */
export interface Capabilities {
  /** Absent where the chain's own coin cannot be read alone. */
  readonly native?: NativeBalance
  /** Absent where the family cannot tell how the key was used. */
  readonly uses?: UseReader
  /** Absent where no sequence of nonces orders the account's transactions. */
  readonly nonces?: NonceSequence
  /** Absent where no token needs an approval of its own. Present only with `nonces`. */
  readonly pairs?: PairPlanner
  /** Absent where no account is needed to receive, and where the configuration says no. */
  readonly tokenAccounts?: TokenAccounts
  /** Absent where each order has its own HTLC address. */
  readonly contracts?: ContractReader
  /** Absent where contracts hold orders. */
  readonly outputs?: HtlcOutputs
  /** Absent where nothing of an asset can be wrong. */
  readonly assetChecks?: AssetChecks
  /** Absent where a gasless signature needs no reading of the chain. */
  readonly relayed?: RelayedDeposits
  /** Absent where each order must be observed alone. */
  readonly touched?: TouchReader
  readonly closing?: ClosingReader
  /** Absent where blocks come only on request. */
  readonly blockTime?: BlockTimeReader
  /** The route kinds beside HTLCs that this chain takes part in, by name; absent for none. */
  readonly routeLegs?: ReadonlyMap<RouteKind, RouteLeg>
}

/** Gasless deposits whose content the service made, and which end with a block. */
export interface RelayedDeposits {
  /**
   * Why the relay's transaction would not deposit exactly the verified amount now. `isLasting`: it
   * never will. Asked immediately before the signature.
   */
  findObstacles(
    deposit: VerifiedDeposit,
  ): Promise<{ readonly reasons: readonly Reason[]; readonly isLasting: boolean }>
}

/** The account in the chain's native coin. */
export interface NativeBalance {
  /** The balance, also where the coin is not a configured asset. */
  fetchNativeBalance(): Promise<bigint>
  /** The units that the account must keep whatever it pays: zero, or Solana's rent minimum. */
  fetchLeastBalance(): Promise<bigint>
}

export interface UseReader {
  /**
   * The nonces or coins of the account that transactions have used since an earlier answer with
   * this `mark`; with `null` none yet. Where transactions use neither: the transactions that its
   * key has signed, without those that `isOurs` names.
   */
  fetchUses(mark: string | null, isOurs?: (txid: string) => boolean): Promise<AccountUses>
  /**
   * Reads the call of a transaction that `fetchUses` names: by the nonce that it used, or by its id
   * where the family tells that. It is read from fields or bytes that give its id and our
   * signature. `null` where no endpoint shows it, and where it makes another call than Ballast, or
   * one that another machine never makes without the log (ADR 37).
   */
  readUse(resourceOrTxid: string): Promise<PastUse | null>
}

export interface NonceSequence {
  /**
   * Binds an unsigned plan to the account's next free nonce, immediately before it is signed in the
   * account's lane. Returns the same plan when its nonce is still the next.
   */
  bindPlan(plan: TransactionPlan, reserved: ReadonlySet<string>): Promise<TransactionPlan>
  /**
   * The redemption or refund `plan` with the nonce of `of`, another transaction of the account that
   * waits before it. Its fee outbids that one's; `null` where it offers no more than that.
   */
  takeNonce(plan: TransactionPlan, of: TransactionPlan): Promise<TransactionPlan | null>
}

export interface PairPlanner {
  /**
   * Can deposits of this asset be sent together with their approvals (ADR 35)? Their approval must
   * replace any other one, and the deposit must be simulated before its approval is mined.
   */
  canPair(asset: AssetId, spender: string): Promise<boolean>
  /** As `NonceSequence.bindPlan`, for an approval and its deposit: they get adjacent nonces. */
  bindPair(
    plans: readonly [TransactionPlan, TransactionPlan],
    reserved: ReadonlySet<string>,
  ): Promise<readonly [TransactionPlan, TransactionPlan]>
}

/** Opens token accounts that the wallet needs to receive its assets. */
export interface TokenAccounts {
  /**
   * Reads which configured assets have no token account of the wallet yet. An asset whose token is
   * not as configured is not among them.
   */
  findMissing(): Promise<readonly MissingTokenAccount[]>
  /**
   * Builds the transaction that opens the account of one asset, for our own wallet. Refusals are
   * values, as in `planTransaction`.
   */
  plan(asset: AssetId): Promise<TransactionPlan | { readonly refused: readonly Reason[] }>
}

/**
 * `costUnits`: at most this much of the native coin leaves the wallet, of which the chain keeps
 * `rentUnits` while the account is open.
 */
export type MissingTokenAccount = {
  readonly asset: AssetId
  readonly address: string
  readonly rentUnits: bigint
  readonly costUnits: bigint
}

export interface ContractReader {
  /** The values that `pinned` compares, of an HTLC contract or program. */
  fetchContractIdentity(htlc: string): Promise<ContractIdentity>
  /**
   * Reads why a payment of `asset` to `owner` cannot arrive now (Solana: no token account, or a
   * frozen one; EVM and Starknet: a simulated payment fails). `payout`: an HTLC holds the money
   * already, so that exactly its payment is simulated where the family can.
   */
  checkPayout(
    asset: AssetId,
    owner: string,
    payout?: Omit<FundedPayout, "owner">,
  ): Promise<readonly Finding[]>
  /**
   * Reads a price feed on this chain, with the agreement of endpoints that every read has; `null`
   * for a kind of feed that the family cannot read. The caller judges the price's age. Throws
   * `prices.feed` (transient) for a feed whose state shows no sound price.
   */
  fetchFeedPrice(feed: PriceFeed): Promise<FeedPrice> | null
}

/**
 * A payment that a redemption would make. `htlc`: `null` for one of the asset's configured ones.
 */
export type FundedPayout = {
  readonly owner: string
  readonly htlc: string | null
  readonly units: bigint
}

/** HTLCs that are outputs: only their redeemer's key spends them, and the fee comes out of them. */
export interface HtlcOutputs {
  /** Pure: finds contradictions between the fields of a leg that shall pay us. */
  checkDestination(leg: ReportedLeg): readonly Finding[]
  /**
   * The most that the redeemer's own network fee may take out of a payout to us, in smallest units:
   * size × fee rate × a factor.
   */
  estimatePayoutFee(): Promise<bigint>
  /**
   * Plans one redemption at doubling fees up to the worth of the payout, the lowest first, for
   * signatures that a watchtower keeps. All of them spend the payout, so at most one lands.
   */
  planRedemptions(
    intent: Extract<TransactionRequest, { action: "redeem" }>,
  ): Promise<readonly TransactionPlan[] | { readonly refused: readonly Reason[] }>
}

export interface AssetChecks {
  /**
   * Reads every contradiction between an asset's configuration and the chain: token, decimals,
   * contracts, and the wallet's own account where the asset needs one.
   */
  checkAsset(asset: AssetId): Promise<readonly AssetFault[]>
}

/**
 * `ofWallet`: the fault is in the wallet's own account on the chain, and the configuration is
 * right.
 */
export type AssetFault = Finding & { readonly ofWallet?: boolean }

export interface TouchReader {
  /**
   * Names the HTLCs that the blocks above `since` touched, by their secret hashes: one question for
   * all orders of the chain. An answer only makes Ballast observe an order earlier; it proves
   * nothing, and one that is incomplete does no harm. `null`: no height is known yet.
   *
   * `waiting` are the legs of the orders that wait on the chain. A family that has events lists
   * those, and needs no legs. Solana has none, so it reads the accounts of these legs; Bitcoin
   * compares the transactions of each new block with them.
   */
  listTouchedLegs(since: bigint | null, waiting: readonly WaitingLeg[]): Promise<TouchedLegs>
}

/**
 * `isOpen`: the last observation showed an HTLC that is neither redeemed nor refunded. `openedBy`:
 * the transaction that it showed as the one that opened the HTLC; absent or `null` for none.
 */
export type WaitingLeg = {
  readonly query: LegQuery
  readonly isOpen: boolean
  readonly openedBy?: string | null
}

export type TouchedLegs = {
  readonly height: bigint
  readonly secretHashes: readonly string[]
  /**
   * Secret hashes of waiting legs about which the question says nothing, so their orders keep their
   * polls. Absent: none.
   */
  readonly unasked?: readonly string[]
  /**
   * Each waiting leg that the blocks touched is named, also by a refund: a new block alone tells
   * the others nothing but depth.
   */
  readonly isWhole?: boolean
  /** The usual time between two blocks, where the family has one. The watch learns the true one. */
  readonly blockMs?: number
}

/** Of a chain whose closed HTLC leaves no record, so that only a history tells how it ended. */
export interface ClosingReader {
  /**
   * Whether the HTLC that was opened at this height is closed, by the chain's final state alone: it
   * was redeemed or refunded. Strangers can lengthen a history, and not this. Throws like every
   * read.
   */
  isClosed(query: LegQuery, openedAt: bigint): Promise<boolean>
}

export interface BlockTimeReader {
  /**
   * The time of the newest block that enough endpoints show, and how far behind the true time it
   * usually is at most. It bounds the clock by which limits count.
   */
  fetchBlockTime(): Promise<{ readonly ms: number; readonly slackMs: number }>
}
