import type { AssetId } from "#domain/asset.ts"
import type { CreatedOrder, VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { FeeBudget, OrderPolicy, OrderTerms, OrderValue } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import type { Intent } from "#guards/intent.ts"

/** Our own on-chain moves within one order. `revoke` takes an approval back that its order no longer needs. */
export type TransactionPurpose = "approve" | "deposit" | "void" | "refund" | "revoke"

/** Everything that one order knows; plain data, the machine's context. Amounts in smallest units, times in ms since the epoch. */
export type OrderData = {
  readonly id: string
  /** The rule that asked, or `manual`. */
  readonly rule: string
  readonly occurrence: string | null
  readonly request: {
    readonly from: AssetId
    readonly to: AssetId
    readonly sourceUnits: bigint
    readonly sourceOwner: string
    readonly destinationOwner: string
  }
  readonly policy: OrderPolicy
  /** What the network was estimated to take at worst when the order was accepted. */
  readonly feeBudget?: FeeBudget | null
  readonly createdAt: number
  /** From when on patience counts: from the creation, or from the last word of a person that the order shall go on. */
  readonly patienceSince: number
  /** Ours, sent with the create request: a lost answer is recovered by it. A new try gets a new one. */
  readonly nonce: string

  readonly quote: Quote | null
  /** What the order counts as in limits, by the quote and the reference prices of its moment. */
  readonly value?: OrderValue | null
  /** How often an order was asked for whose answer was lost or refused. Those are never funded. */
  readonly creations: number
  readonly created: CreatedOrder | null
  readonly terms: OrderTerms | null
  /** As last read from the service: claims. */
  readonly serviceOrder: ServiceOrder | null
  readonly deposit: VerifiedDeposit | null
  readonly sendUntilMs: number | null
  readonly fromHeights: { readonly source: bigint; readonly destination: bigint }
  /** What the verified deposit would do, and the hash of it that an approval names. */
  readonly intent?: Intent | null
  readonly approvedBy: string | null
  readonly approvedIntent?: string | null
  readonly approvedAt?: number | null

  readonly transactions: { readonly [kind in TransactionPurpose]: TransactionTrack }
  /** Nothing is left of our approval that could be used: it never left the house, was excluded, or was taken back. */
  readonly allowanceCleared: boolean
  readonly gasless: {
    readonly digest: string
    readonly signature: string
    readonly signedAt: number
    readonly submissions: number
    readonly refused: boolean
  } | null

  /** Our own node's word, and when. */
  readonly seen: {
    readonly sourceInitiated: SeenOnChain | null
    readonly sourceRedeemed: SeenOnChain | null
    readonly sourceRefunded: SeenOnChain | null
    readonly destinationInitiated: SeenOnChain | null
    readonly destinationRedeemed: SeenOnChain | null
    readonly refundableAtHeight: bigint | null
    readonly sourceHeight: bigint | null
  }
  /** When the service first reported the redemption. */
  readonly reportedAt: number | null
  readonly paidUnits: bigint | null
  readonly networkFeeUnits: bigint
  /** For the books: every transaction of ours that a block shows, with what it cost; and what came back to the wallet. */
  readonly mined: readonly MinedTransaction[]
  readonly receipt: TransferredUnits | null
  readonly returned: TransferredUnits | null
  readonly rentReturned: TransferredUnits | null
  /** Reference prices of the quote's moment, and what the affiliates get of the order. */
  readonly prices: QuotePrices
  readonly affiliateBps: number
  /** Deposits that were proven never to land, and were planned anew. */
  readonly replans: number

  readonly reasons: readonly Reason[]
  /** Alerts raised, by code: each is raised once. */
  readonly alerted: readonly string[]
  readonly ending: "rejected" | "abandoned"
  /** Consecutive repetitions of the work of the present state. */
  readonly tries: number
  readonly waitMs: number
  readonly stateSince: number
}

/** An order that rests for approval: until its time is over, or that for depositing. */
export function approvableUntil({ stateSince, policy, sendUntilMs }: OrderData): number {
  const untilMs = stateSince + policy.approvalTtlMs
  return sendUntilMs === null ? untilMs : Math.min(untilMs, sendUntilMs)
}

/** All attempts of one purpose; they exclude each other on chain. `plan` is the one not yet signed. */
export type TransactionTrack = {
  readonly plan: TransactionPlan | null
  readonly signed: readonly SignedTransaction[]
  readonly sentAt: number | null
  readonly mined: { readonly txid: string; readonly height: bigint; readonly final: boolean } | null
  /** The chain has decided, for good: one attempt is in a final block, or none can ever be. Else what is signed may land. */
  readonly settled?: boolean
}

export type SeenOnChain = {
  readonly txid: string
  readonly height: bigint
  readonly final: boolean
  readonly at: number
}

/** One of our transactions in a block, also one that failed there. */
export type MinedTransaction = {
  readonly purpose: TransactionPurpose
  readonly txid: string
  readonly ok: boolean
  readonly height: bigint
  readonly final: boolean
  readonly feeUnits: bigint
  /** Native units that the chain keeps beside amount and fee until the HTLC closes (Solana's rent). */
  readonly heldUnits: bigint
}

export type TransferredUnits = { readonly txid: string; readonly units: bigint }

/** Millionths of the reference currency per whole unit; `null` where no source gave a price. */
export type QuotePrices = { readonly from: bigint | null; readonly to: bigint | null; readonly native: bigint | null }

export type OrderInput = Pick<
  OrderData,
  "id" | "rule" | "occurrence" | "request" | "policy" | "createdAt" | "nonce" | "feeBudget"
>

const untouched: TransactionTrack = { plan: null, signed: [], sentAt: null, mined: null }

const unbooked = {
  mined: [],
  receipt: null,
  returned: null,
  rentReturned: null,
  prices: { from: null, to: null, native: null },
  affiliateBps: 0,
}

/** For an order that was stored before some of the fields were thought of. */
export function completeOrderData(data: OrderData): OrderData {
  const allowanceCleared = data.allowanceCleared ?? false
  const dated = { ...data, patienceSince: data.patienceSince ?? data.createdAt, allowanceCleared }
  return Object.hasOwn(data, "mined") ? dated : { ...dated, ...unbooked }
}

export function createOrderData(input: OrderInput): OrderData {
  return {
    ...input,
    patienceSince: input.createdAt,
    quote: null,
    creations: 0,
    created: null,
    terms: null,
    serviceOrder: null,
    deposit: null,
    sendUntilMs: null,
    fromHeights: { source: 0n, destination: 0n },
    approvedBy: null,
    transactions: { approve: untouched, deposit: untouched, void: untouched, refund: untouched, revoke: untouched },
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
    ...unbooked,
    replans: 0,
    reasons: [],
    alerted: [],
    ending: "rejected",
    tries: 0,
    waitMs: 0,
    stateSince: input.createdAt,
  }
}
