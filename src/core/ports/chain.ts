import type { AssetId, ChainId, Family } from "#domain/asset.ts"
import type { ChainTraits } from "#domain/chain-traits.ts"
import type { ContractIdentity } from "#domain/contract-identity.ts"
import type { DecodedDeposit, DepositRequest, Finding, VerifiedDeposit } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import type { MayLeave } from "#domain/may-leave.ts"
import type { FeedPrice, PriceFeed } from "#domain/price.ts"
import type { Reason } from "#domain/reason.ts"
import type { RedeemStake } from "#domain/redeem-fee-cap.ts"
import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
  TransactionRequest,
} from "#domain/transaction.ts"
import type { AccountUses, PastUse } from "./account-uses.ts"
import type { SigningContext } from "./key-holder.ts"

/**
 * One chain with its hot wallet, as the engine sees it. Implemented by each family;
 * `test/chains/contract` runs one suite over all.
 *
 * Reads throw AppError `transient` (try again) or `hold` (node answers nonsense). Only
 * `broadcastTransaction` changes the world; its unknown failures are `uncertain`. Only
 * `signTransaction` and `signTypedData` touch the key.
 */
export interface ChainPort {
  readonly chain: ChainId
  readonly family: Family
  /** How the family behaves, as far as the engine depends on it. */
  readonly traits: ChainTraits
  /**
   * The hot wallet's address: `owner` on the wire. One lane plans this wallet's transactions one by
   * one.
   */
  readonly account: string
  /**
   * Extra fields for the create body's `source` (Bitcoin: `delegate`, our own x-only key, so that
   * the refund leaf is ours).
   */
  readonly sourceExtras: Readonly<Record<string, string>>
  /**
   * Extra fields for the create body's `destination` when we choose the secret (Bitcoin:
   * `delegate`, our own x-only key, so that the redeem leaf is ours).
   */
  readonly destinationExtras: Readonly<Record<string, string>>
  /**
   * Pure: how long a payout of so many units waits for the depth at which a secret may be told
   * (`finality.reveal`). Absent where every block has it.
   */
  revealWait?(units: bigint): RevealWait

  /** Is this text a receiving address on this chain and network? */
  isAddress(text: string): boolean
  sameAddress(a: string, b: string): boolean
  fetchHeight(): Promise<bigint>
  /**
   * `units`: everything that the wallet owns, change that waits for a block included.
   * `spendableUnits`: the part that a deposit could use now, which is confirmed and not one of the
   * `reserved` resources (Bitcoin outpoints).
   */
  fetchBalance(
    asset: AssetId,
    reserved: ReadonlySet<string>,
  ): Promise<{ units: bigint; spendableUnits: bigint }>
  /**
   * The balance in the chain's native coin, also where that is not a configured asset. Absent where
   * it cannot be read alone.
   */
  fetchNativeBalance?(): Promise<bigint>
  /**
   * The native units that the account must keep whatever it pays (Solana's rent minimum). Absent
   * where it may keep none.
   */
  fetchLeastBalance?(): Promise<bigint>
  /**
   * The nonces or coins of the account that transactions have used since an earlier answer with
   * this `mark`; with `null` none yet. Where transactions use neither: the transactions that its
   * key has signed, without those that `isOurs` names.
   */
  fetchUses?(mark: string | null, isOurs?: (txid: string) => boolean): Promise<AccountUses>
  /**
   * Reads the call of a transaction that `fetchUses` names: by the nonce that it used, or by its id
   * where the family tells that. It is read from fields or bytes that give its id and our
   * signature. `null` where no endpoint shows it, and where it makes another call than Ballast, or
   * one that another machine never makes without the log (ADR 37). Absent where the family cannot
   * tell.
   */
  readUse?(resourceOrTxid: string): Promise<PastUse | null>
  /**
   * A cautious upper estimate of native units for a deposit of this asset and, where there is one,
   * its refund. No signing.
   */
  estimateFees(asset: AssetId): Promise<{ depositUnits: bigint; refundUnits: bigint }>
  /**
   * A cautious upper estimate, in native units, of redeeming a payout of this asset ourselves.
   * `null`: this family or key cannot redeem.
   */
  estimateRedeemFee(asset: AssetId): Promise<bigint | null>
  /**
   * Pure: the most, in native units, that a redemption of this asset may pay now (`redeemFeeCap`).
   * Absent where none can be.
   */
  capRedeemFee?(asset: AssetId, stake: RedeemStake | null): bigint

  /**
   * Pure: decodes the deposit that the request and the order read back really make. Hostile input
   * becomes findings; it never throws.
   */
  decodeDeposit(request: DepositRequest, order: ServiceOrder, asset: AssetId): DecodedDeposit

  /**
   * Pure: the deposit requests that may have funded a reported order's source leg, one for each
   * contract that it may be in. They are built from the report, and count only after the same
   * verification as a service's own requests.
   */
  rebuildRequests(order: ServiceOrder): readonly DepositRequest[]

  /**
   * Pure: finds contradictions between the fields of a leg that shall pay us. Absent where a leg
   * alone proves nothing.
   */
  checkDestination?(leg: ReportedLeg): readonly Finding[]

  /**
   * The values that `pinned` compares, of an HTLC contract or program. Absent where each order has
   * its own HTLC address.
   */
  fetchContractIdentity?(htlc: string): Promise<ContractIdentity>

  /**
   * Reads why a payment of `asset` to `owner` cannot arrive now (Solana: no token account, or a
   * frozen one; EVM and Starknet: a simulated payment fails). Absent where every address can be
   * paid. `payout`: an HTLC holds the money already, so that exactly its payment is simulated where
   * the family can.
   */
  checkPayout?(
    asset: AssetId,
    owner: string,
    payout?: Omit<FundedPayout, "owner">,
  ): Promise<readonly Finding[]>

  /**
   * Reads every contradiction between an asset's configuration and the chain: token, decimals,
   * contracts, and the wallet's own account where the asset needs one. Absent where nothing of an
   * asset can be wrong.
   */
  checkAsset?(asset: AssetId): Promise<readonly AssetFault[]>

  /**
   * Reads a price feed on this chain, with the agreement of endpoints that every read has; `null`
   * for a kind of feed that the family cannot read. The caller judges the price's age. Throws
   * `prices.feed` (transient) for a feed whose state shows no sound price. Absent where the family
   * reads none.
   */
  fetchFeedPrice?(feed: PriceFeed): Promise<FeedPrice> | null

  /**
   * Opens token accounts that the wallet needs to receive its assets. Absent where it needs none,
   * and where the configuration says no.
   */
  readonly tokenAccounts?: TokenAccounts

  /**
   * The allowance to set before `units` of `asset` can be deposited into `spender`; `null` when the
   * present one is exact or none is needed.
   */
  findMissingApproval(
    asset: AssetId,
    spender: string,
    units: bigint,
  ): Promise<{ setUnits: bigint } | null>

  /**
   * Can deposits of this asset be sent together with their approvals (ADR 35)? Their approval must
   * replace any other one, and the deposit must be simulated before its approval is mined. Absent
   * where no token needs an approval of its own.
   */
  canPair?(asset: AssetId, spender: string): Promise<boolean>

  /**
   * Builds the unsigned transaction. `reserved` are resources (nonces, outpoints) that other
   * transactions in the journal hold. Refusals (`funds.insufficient`, `fees.above_cap`) are values
   * with numbers. With `isBoundLater` the plan may have any nonce, and none is read for it:
   * `bindPlan` or `bindPair` reads it immediately before the signature.
   */
  planTransaction(
    intent: TransactionRequest,
    reserved: ReadonlySet<string>,
    options?: PlanOptions,
  ): Promise<TransactionPlan | { readonly refused: readonly Reason[] }>
  /**
   * Plans one redemption at doubling fees up to the worth of the payout, the lowest first, for
   * signatures that a watchtower keeps. All of them spend the payout, so at most one lands. Absent
   * where anybody may redeem.
   */
  planRedemptions?(
    intent: Extract<TransactionRequest, { action: "redeem" }>,
  ): Promise<readonly TransactionPlan[] | { readonly refused: readonly Reason[] }>
  /**
   * The same transaction with a higher fee, sharing nonce or inputs; `null` when no bump is
   * possible or allowed (cap reached). `stake` and `pace`: of a redemption, as in its request.
   */
  planBump(
    plan: TransactionPlan,
    stake?: RedeemStake | null,
    pace?: RedeemStake | null,
  ): Promise<TransactionPlan | null>
  /**
   * The redemption or refund `plan` with the nonce of `of`, another transaction of the account that
   * waits before it. Its fee outbids that one's; `null` where it offers no more than that. Absent
   * where no sequence of nonces orders the account's transactions.
   */
  takeNonce?(plan: TransactionPlan, of: TransactionPlan): Promise<TransactionPlan | null>
  /**
   * Deterministic. Throws `signer.*` (refused) when the plan does more than its action allows.
   * `context` names the order, for a signer process that keeps its own record.
   */
  signTransaction(plan: TransactionPlan, context?: SigningContext): Promise<SignedTransaction>
  /**
   * Sends the stored bytes to every endpoint. "Already known" is success. Throws `refused` only
   * when the node reports that the bytes can never become valid.
   */
  broadcastTransaction(transaction: SignedTransaction, mayLeave?: MayLeave): Promise<void>
  /** `stakeFiat`: the value at stake, for chains whose finality depends on it; see `LegQuery`. */
  observeTransaction(
    ours: SignedTransaction,
    stakeFiat?: bigint | null,
  ): Promise<TransactionObservation>
  /**
   * Binds an unsigned plan to the account's next free nonce, immediately before it is signed in the
   * account's lane. Returns the same plan when its nonce is still the next. Absent where no
   * sequence of nonces orders the account's transactions.
   */
  bindPlan?(plan: TransactionPlan, reserved: ReadonlySet<string>): Promise<TransactionPlan>
  /**
   * As `bindPlan`, for an approval and its deposit: they get adjacent nonces. Present where
   * `canPair` is.
   */
  bindPair?(
    plans: readonly [TransactionPlan, TransactionPlan],
    reserved: ReadonlySet<string>,
  ): Promise<readonly [TransactionPlan, TransactionPlan]>
  /**
   * Reads the HTLC itself, and proves that no deposit of the order is in it, was in it, or can
   * still get into it. An order that signed anything ends without a deposit only with this proof.
   */
  proveUnfunded(query: UnfundedQuery): Promise<UnfundedProof>
  /**
   * Reports how many endpoints answer and agree now. New deposits and endings wait while fewer than
   * needed do.
   */
  fetchAgreement(): Promise<AgreementReport>
  /**
   * The time of the newest block that enough endpoints show, and how far behind the true time it
   * usually is at most. It bounds the clock by which limits count. Absent where blocks come only on
   * request.
   */
  fetchBlockTime?(): Promise<{ readonly ms: number; readonly slackMs: number }>
  /**
   * The most that the redeemer's own network fee may take out of a payout to us, in smallest units:
   * size × fee rate × a factor. Absent where the HTLC pays the whole amount.
   */
  estimatePayoutFee?(): Promise<bigint>

  /**
   * Gasless (EVM, Starknet): the signature over the verified deposit's typed data, in wire form.
   * Throws `signer.gasless_unsupported`.
   */
  signTypedData(
    deposit: VerifiedDeposit,
    context?: SigningContext,
  ): Promise<{ digest: string; signature: string }>

  /** Our own node's report of one HTLC of an order. */
  observeLeg(query: LegQuery): Promise<LegObservation>
  /**
   * Names the HTLCs that the blocks above `since` touched, by their secret hashes: one question for
   * all orders of the chain. An answer only makes Ballast observe an order earlier; it proves
   * nothing, and one that is incomplete does no harm. `null`: no height is known yet.
   *
   * `waiting` are the legs of the orders that wait on the chain. A family that has events lists
   * those, and needs no legs. Solana has none, so it reads the accounts of these legs; Bitcoin
   * compares the transactions of each new block with them. Absent where the family has no such
   * question.
   */
  listTouchedLegs?(since: bigint | null, waiting: readonly WaitingLeg[]): Promise<TouchedLegs>
}

/**
 * A payment that a redemption would make. `htlc`: `null` for one of the asset's configured ones.
 */
export type FundedPayout = {
  readonly owner: string
  readonly htlc: string | null
  readonly units: bigint
}

/** `isBoundLater`: `bindPlan` or `bindPair` gives the plan its nonce. */
export type PlanOptions = { readonly isBoundLater?: boolean }

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

/**
 * `ofWallet`: the fault is in the wallet's own account on the chain, and the configuration is
 * right.
 */
export type AssetFault = Finding & { readonly ofWallet?: boolean }

export type TokenAccounts = {
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

export type LegQuery = {
  readonly side: "source" | "destination"
  readonly asset: AssetId
  /**
   * The HTLC contract or program; on Bitcoin the deposit address. `null` searches the asset's
   * configured list.
   */
  readonly htlc: string | null
  readonly secretHash: string
  readonly units: bigint
  /** The address that a redemption (destination) or a refund (source) must pay. */
  readonly owner: string
  readonly initiator: string | null
  readonly redeemer: string | null
  readonly timelock: bigint | null
  /**
   * Transaction hashes that the service reported. The search starts there, and proves them on
   * chain.
   */
  readonly hints: {
    readonly initiateTx: string | null
    readonly redeemTx: string | null
    readonly refundTx: string | null
  }
  /** Logs and history before this height are not searched. */
  readonly fromHeight: bigint
  /**
   * The value at stake, in millionths of the reference currency, for chains whose finality depends
   * on it. `null` or absent: unknown, which counts as high.
   */
  readonly stakeFiat?: bigint | null
  /**
   * Only an HTLC counts whose initiator, redeemer, timelock and amount are proven to be exactly
   * these: a secret is told because of it.
   */
  readonly isExact?: true
}

/**
 * `signed`: every transaction that the order ever signed on this chain, each with its plan; its
 * txid is the name of a rival that is ours.
 */
export type UnfundedQuery = LegQuery & { readonly signed: readonly SignedTransaction[] }

/**
 * `unfunded`: enough endpoints show, about the same final block, that the HTLC never had this
 * order's deposit, and each signed deposit is excluded for ever (`rivals`: the transactions that
 * used its nonce or inputs; empty where the chain expires transactions). `funded`: the HTLC has or
 * had a deposit. `unsure`: the endpoints cannot prove either yet, for `reasons`.
 */
export type UnfundedProof =
  | { readonly status: "unfunded"; readonly height: bigint; readonly rivals: readonly string[] }
  | { readonly status: "funded" }
  | { readonly status: "unsure"; readonly reasons: readonly Reason[] }

/**
 * `needed` of `endpoints` must give the same answer. `reasons`: silent endpoints, outliers and
 * contradictions, each with its answer.
 */
export type AgreementReport = {
  readonly endpoints: number
  readonly needed: number
  readonly agreeing: number
  readonly reasons: readonly Reason[]
}

/**
 * Blocks or slots on top of the payout's own, the chain's unit of locks; or seconds where the chain
 * itself names the block.
 */
export type RevealWait = { readonly units: bigint } | { readonly seconds: number }

/**
 * Every part is `null` until our own node shows it. `confirmations` counts from 1; `final` by the
 * chain's configured depth.
 */
export type LegObservation = {
  readonly height: bigint
  /**
   * Enough endpoints gave these same facts about the same block. Without agreement the facts serve
   * to watch, to void and to refund, and no part is `final`.
   */
  readonly agreed: boolean
  /**
   * Contradictions between endpoints, with both answers, and endpoints that are missing for an
   * agreement: alerts for the operator.
   */
  readonly doubts?: readonly Reason[]
  readonly initiated: (OnChain & { readonly units: bigint }) | null
  /**
   * `paidUnits`: the amount that the owner received in the redeeming transaction; `null` when it
   * cannot be read.
   */
  readonly redeemed:
    | (OnChain & {
        readonly paidUnits: bigint | null
        readonly secret: string | null
        readonly releasedUnits?: bigint
      })
    | null
  /**
   * `releasedUnits`: native units beside the amount that the initiator got back as the HTLC closed
   * (Solana's rent).
   */
  readonly refunded:
    | (OnChain & { readonly paidUnits: bigint | null; readonly releasedUnits?: bigint })
    | null
  /** From which height (or slot) on a refund is possible; `null` until initiated. */
  readonly refundableAt: bigint | null
}

export type OnChain = {
  readonly txid: string
  readonly height: bigint
  readonly confirmations: number
  /** Deep enough to go on with the order (`finality.seen`). */
  readonly seen: boolean
  /** Deep enough to tell a secret because of it (`finality.reveal`). */
  readonly revealable: boolean
  /**
   * Deep enough to end an order or to release money by it (`finality.ending`), and enough endpoints
   * agree.
   */
  readonly final: boolean
}
