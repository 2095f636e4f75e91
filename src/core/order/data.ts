import type { AssetId } from "#domain/asset.ts"
import type { CreatedOrder, VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { FeeBudget, OrderPolicy, OrderTerms, OrderValue } from "#domain/order.ts"
import type { ConsideredQuote, ExactOut, Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { SignatureLife, SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import type { Intent } from "#guards/intent.ts"

/**
 * Our own transactions within one order. `void` makes a signed deposit impossible; `revoke` ends an
 * approval that the order no longer needs. `redeem` takes the payout with our own secret: its track
 * lies on the destination chain, every other one on the source chain.
 */
export type TransactionPurpose = "approve" | "deposit" | "void" | "refund" | "revoke" | "redeem"

/**
 * Everything that one order knows: the machine's context, as plain data. Amounts in smallest units,
 * times in ms since the epoch.
 */
export type OrderData = {
  readonly id: string
  /** The rule that proposed the order, or `manual`. */
  readonly rule: string
  /** The other rule that the order serves; absent for one rule. */
  readonly secondRule?: string
  readonly occurrence: string | null
  /** The caller that asked for the order; absent for those of rules. */
  readonly askedBy?: string
  readonly request: {
    readonly from: AssetId
    readonly to: AssetId
    /** Of an exact payout: what the accepted quote sells. */
    readonly sourceUnits: bigint
    readonly exactOut?: ExactOut
    readonly sourceOwner: string
    readonly destinationOwner: string
  }
  readonly policy: OrderPolicy
  /** The highest network fees that were estimated when the order was accepted. */
  readonly feeBudget?: FeeBudget | null
  readonly createdAt: number
  /**
   * The start of the order's patience: its creation, or the latest approval or retry by an
   * operator.
   */
  readonly patienceSince: number
  /**
   * Sent with the create request, so that an order is recognised when its answer was lost. Each new
   * request gets a new nonce.
   */
  readonly nonce: string

  /**
   * The service that gave the quote. All calls for the order go there. `null` before the first
   * quote.
   */
  readonly service: string | null
  readonly quote: Quote | null
  /**
   * All quotes that the accepted one was chosen from; empty where only one service is configured.
   */
  readonly considered?: readonly ConsideredQuote[]
  /** The most that the redeemer's own network fee may take from the payout, in smallest units. */
  readonly payoutFeeUnits: bigint
  /** The value that limits count, by the quote and the reference prices at that time. */
  readonly value?: OrderValue | null
  /** The number of create requests without a usable answer. Their orders are never funded. */
  readonly creations: number
  readonly created: CreatedOrder | null
  readonly terms: OrderTerms | null
  /** The order as the service last reported it, unproven. */
  readonly serviceOrder: ServiceOrder | null
  /** The state of our own secret. `null`: the service chooses the secret. */
  readonly ownSecret: OwnSecret | null
  /**
   * The service answered an order request with another secret hash, so further requests leave the
   * choice to the service.
   */
  readonly serviceChoosesSecret?: boolean
  readonly deposit: VerifiedDeposit | null
  /** What the payout of a route without a secret is taken with; absent before it is known. */
  readonly voucher?: RouteVoucher
  readonly sendUntilMs: number | null
  readonly fromHeights: { readonly source: bigint; readonly destination: bigint }
  /** The effects of the verified deposit, and their hash; an approval names the hash. */
  readonly intent?: Intent | null
  /** The approvals so far of an order that needs several; each counts for its intent only. */
  readonly approvals?: readonly Approval[]
  readonly approvedBy: string | null
  readonly approvedIntent?: string | null
  readonly approvedAt?: number | null

  readonly transactions: { readonly [kind in TransactionPurpose]: TransactionTrack }
  /**
   * Signed transactions whose track a fresh plan took over. Together with the tracks they are
   * everything that the order ever signed.
   */
  readonly earlierSigned: readonly EarlierSigned[]
  /** No allowance of ours can be used: the approval was never sent, was excluded, or is revoked. */
  readonly allowanceCleared: boolean
  readonly gasless: {
    readonly digest: string
    readonly signature: string
    readonly signedAt: number
    readonly submissions: number
    readonly refused: boolean
    /** When the signature dies by itself; absent where it lasts for ever. */
    readonly life?: SignatureLife
  } | null

  /** The HTLC transactions that our own nodes show, and when they first did. */
  readonly seen: {
    readonly sourceInitiated: SeenOnChain | null
    readonly sourceRedeemed: SeenOnChain | null
    readonly sourceRefunded: SeenOnChain | null
    readonly destinationInitiated: SeenOnChain | null
    readonly destinationRedeemed: SeenOnChain | null
    readonly refundableAtHeight: bigint | null
    readonly sourceHeight: bigint | null
    /** The wait for a payout that is due; absent while none is. */
    readonly payoutWait?: PayoutWait | null
    /**
     * The payout's lock as it was last read; absent before that, and where the service chose the
     * secret.
     */
    readonly payoutLock?: KnownLock
  }
  /** When the service first reported the redemption. */
  readonly reportedAt: number | null
  readonly paidUnits: bigint | null
  readonly networkFeeUnits: bigint
  /**
   * For the books: each transaction of ours in a block with its fee, and the amounts that came back
   * to the wallet.
   */
  readonly mined: readonly MinedTransaction[]
  readonly receipt: TransferredUnits | null
  readonly returned: TransferredUnits | null
  readonly rentReturned: TransferredUnits | null
  /** Reference prices at the time of the quote, and the affiliates' share of the order. */
  readonly prices: QuotePrices
  readonly affiliateBps: number
  /** The number of deposits that could never land and were replaced. */
  readonly replans: number

  readonly reasons: readonly Reason[]
  /**
   * The codes of raised alerts, and of an alarm about a leg the leg too (`alertKeyOf`): each is
   * raised once.
   */
  readonly alerted: readonly string[]
  readonly ending: "rejected" | "abandoned"
  /** Consecutive repetitions of the state's work. */
  readonly tries: number
  readonly waitMs: number
  readonly stateSince: number
}

/**
 * The end of the time for an approval: the approval's own limit, or the end of the time for sending
 * the deposit.
 */
export function approvableUntil({ stateSince, policy, sendUntilMs }: OrderData): number {
  const untilMs = stateSince + policy.approvalTtlMs
  return sendUntilMs === null ? untilMs : Math.min(untilMs, sendUntilMs)
}

/**
 * Our secret of the present service order. `nonce` is the create request that the secret is derived
 * from; `hash` is its SHA-256.
 *
 * `unknown`: no other party has the secret. `revealed`: it may have left this process, so the
 * payout must be redeemed. `withheld`: it never left and never will, because the payout came too
 * late; after a signed refund it may stay `unknown`, and the journal excludes the reveal. `lost`:
 * revealed, and the payout is finally back at the solver.
 */
export type OwnSecret = {
  readonly nonce: string
  readonly hash: string
  readonly status: "unknown" | "revealed" | "withheld" | "lost"
  /** The time of the decision to tell the secret. */
  readonly revealedAt: number | null
  /** The secret was given to the service, or may have been. */
  readonly isTold: boolean
  /** A chain or the service has shown the secret itself, so the payout is redeemed at once. */
  readonly isShown?: true
}

/**
 * All attempts of one transaction; they exclude each other on chain. `plan` is the attempt that is
 * not signed yet.
 */
export type TransactionTrack = {
  /**
   * An approval on the nonce before its deposit's: both were planned, signed and sent together (ADR
   * 35).
   */
  readonly isPaired?: boolean
  readonly plan: TransactionPlan | null
  readonly signed: readonly SignedTransaction[]
  readonly sentAt: number | null
  /**
   * When the newest bytes were first sent, or their next fee was last put off. `sentAt` is their
   * last sending: nodes may take bytes and drop them again, each time. `null` once in a block.
   */
  readonly waitsSince?: number | null
  /** `seen`: deep enough to go on with the order. */
  readonly mined: {
    readonly txid: string
    readonly height: bigint
    readonly seen?: boolean
    readonly final: boolean
  } | null
  /**
   * A final block holds one attempt, or excludes all of them. Until then a signed attempt may land.
   */
  readonly settled?: boolean
}

export type Approval = { readonly by: string; readonly intent: string | null; readonly at: number }

/**
 * `openSince`: a later one took its place by the time alone, without a proof that it cannot land.
 * It is observed until its fee is known, or that it costs none.
 */
type EarlierSigned = SignedTransaction & {
  readonly purpose: TransactionPurpose
  readonly openSince?: number
}

/**
 * Every transaction that the order ever signed, oldest first within its purpose. The HTLC may hold
 * the deposit of any of them.
 */
export function listEverSigned({
  earlierSigned = [],
  transactions,
}: OrderData): readonly SignedTransaction[] {
  const earlier = earlierSigned.map(({ plan, raw, txid }) => ({ plan, raw, txid }))
  return [...earlier, ...Object.values(transactions).flatMap(({ signed }) => signed)]
}

/** Its bytes die by their time, and no common nonce makes two of them exclude each other. */
export function isMortal({ plan }: Pick<SignedTransaction, "plan">): boolean {
  return plan.expiresAtHeight !== null
}

/** The earlier transactions that may still land. */
export function listOpenEarlier({ earlierSigned = [] }: OrderData): readonly EarlierSigned[] {
  return earlierSigned.filter(({ openSince }) => openSince !== undefined)
}

/** A refund was signed, or its plan may be at the key. */
export function wasRefundSigned({ transactions: { refund }, earlierSigned }: OrderData): boolean {
  return (
    refund.plan !== null ||
    refund.signed.length > 0 ||
    earlierSigned.some(({ purpose }) => purpose === "refund")
  )
}

export type SeenOnChain = {
  readonly txid: string
  readonly height: bigint
  readonly final: boolean
  readonly at: number
  /** Too few endpoints have shown it, so it may be invented. */
  readonly isAlone?: true
}

/** The end of an HTLC, where enough endpoints have shown it: no other one stops urgent work. */
export function agreedEnd(seen: SeenOnChain | null): SeenOnChain | null {
  return seen?.isAlone === true ? null : seen
}

/**
 * The end of an HTLC's lock, with the height and the time at which it was read. While the HTLC
 * cannot be read, the deadline follows from it.
 */
export type KnownLock = {
  readonly refundableAt: bigint
  readonly height: bigint
  readonly readAt: number
  /**
   * The most that a redemption may pay by the end of the lock, in the chain's native coin; `null`
   * where none can be made, absent in orders of 0.5.0.
   */
  readonly capUnits?: bigint | null
}

/**
 * The wait for a payout while the destination is read with agreement and shows none. Only time in
 * which the destination grew counts: neither a daemon that is down nor a chain that stands still
 * has waited.
 */
export type PayoutWait = {
  readonly waitedMs: number
  /**
   * The greatest height of the destination so far, and the time since then in which it was read.
   */
  readonly height: bigint
  readonly sinceHeightMs: number
  readonly readAt: number
}

/** One of our transactions in a block, whether it succeeded or failed there. */
export type MinedTransaction = {
  readonly purpose: TransactionPurpose
  readonly txid: string
  readonly ok: boolean
  readonly height: bigint
  readonly final: boolean
  readonly feeUnits: bigint
  /**
   * Native units beside amount and fee that the chain returns when the HTLC closes (Solana's rent).
   */
  readonly heldUnits: bigint
}

export type TransferredUnits = { readonly txid: string; readonly units: bigint }

/** Millionths of the reference currency per whole unit; `null` where no source gave a price. */
export type QuotePrices = {
  readonly from: bigint | null
  readonly to: bigint | null
  readonly native: bigint | null
  /** Of `native`; absent where its coin is no configured asset. */
  readonly nativeDecimals?: number
  /**
   * The coin in which the destination chain takes its fees; absent where Ballast redeems no payouts
   * itself.
   */
  readonly payoutCoin?: bigint | null
  /** Of `payoutCoin`; absent where its coin is no configured asset. */
  readonly payoutDecimals?: number
  /** The sources of the two assets that were too far from the others to count. */
  readonly outliers?: readonly {
    readonly asset: AssetId
    readonly source: string
    readonly fiat: bigint
  }[]
}

export type OrderInput = Pick<
  OrderData,
  | "id"
  | "rule"
  | "secondRule"
  | "occurrence"
  | "askedBy"
  | "request"
  | "policy"
  | "createdAt"
  | "nonce"
  | "feeBudget"
>

const UNTOUCHED: TransactionTrack = { plan: null, signed: [], sentAt: null, mined: null }

/** The data of the books before the first transaction. */
const NOTHING_BOOKED = {
  mined: [],
  receipt: null,
  returned: null,
  rentReturned: null,
  prices: { from: null, to: null, native: null },
  affiliateBps: 0,
}

export function createOrderData(input: OrderInput): OrderData {
  return {
    ...input,
    patienceSince: input.createdAt,
    service: null,
    quote: null,
    payoutFeeUnits: 0n,
    creations: 0,
    created: null,
    terms: null,
    serviceOrder: null,
    ownSecret: null,
    deposit: null,
    sendUntilMs: null,
    fromHeights: { source: 0n, destination: 0n },
    approvedBy: null,
    transactions: {
      approve: UNTOUCHED,
      deposit: UNTOUCHED,
      void: UNTOUCHED,
      refund: UNTOUCHED,
      revoke: UNTOUCHED,
      redeem: UNTOUCHED,
    },
    earlierSigned: [],
    allowanceCleared: false,
    gasless: null,
    seen: {
      sourceInitiated: null,
      sourceRedeemed: null,
      sourceRefunded: null,
      destinationInitiated: null,
      destinationRedeemed: null,
      refundableAtHeight: null,
      sourceHeight: null,
    },
    reportedAt: null,
    paidUnits: null,
    networkFeeUnits: 0n,
    ...NOTHING_BOOKED,
    replans: 0,
    reasons: [],
    alerted: [],
    ending: "rejected",
    tries: 0,
    waitMs: 0,
    stateSince: input.createdAt,
  }
}
