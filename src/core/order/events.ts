import type { CreatedOrder, VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { OrderTerms, OrderValue } from "#domain/order.ts"
import type { ConsideredQuote, Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { SignatureLife, SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import type { Intent } from "#guards/intent.ts"
import type {
  MinedTransaction,
  OrderData,
  QuotePrices,
  TransactionPurpose,
  TransferredUnits,
} from "./data.ts"

/**
 * Something that happened to an order. `at` is in ms since the epoch, so that the machine needs no
 * clock.
 */
export type OrderEvent = { readonly at: number } & UntimedOrderEvent

/**
 * `doubts`: contradictions between endpoints that this work met. Each code is an alert once, and
 * changes nothing else. `tried`: how often the work was tried since the order was written, without
 * anything new (ADR 29); the waits grow with it.
 */
export type UntimedOrderEvent = {
  readonly doubts?: readonly Reason[]
  readonly tried?: number
} & Happening

type Happening =
  | {
      readonly type: "quote.accepted"
      readonly quote: Quote
      readonly value?: OrderValue
      readonly prices?: QuotePrices
      readonly service?: string
      readonly considered?: readonly ConsideredQuote[]
      readonly payoutFeeUnits?: bigint
    }
  /**
   * The guards refused the order, or its time ended. `landed`: a transaction that turned out to be
   * in a block.
   */
  | {
      readonly type: "order.declined"
      readonly reasons: readonly Reason[]
      readonly landed?: MinedTransaction
      /**
       * A final block shows that another transaction used the nonce of this one, so it can never
       * land.
       */
      readonly excluded?: TransactionPurpose
    }
  | {
      readonly type: "order.created"
      readonly created: CreatedOrder
      readonly terms: OrderTerms
      /** The affiliates' share of the order, in basis points together. */
      readonly affiliateBps?: number
      /**
       * The request carried the hash of our own secret; absent where the service chooses the
       * secret.
       */
      readonly ownSecret?: { readonly nonce: string; readonly hash: string }
    }
  /**
   * The service refused the order at this quote; it may accept another quote.
   * `serviceChoosesSecret`: it did not take our secret hash, so the next request leaves the secret
   * to it.
   */
  | {
      readonly type: "quote.outdated"
      readonly reasons: readonly Reason[]
      readonly nonce: string
      readonly serviceChoosesSecret?: true
    }
  | {
      readonly type: "deposit.verified"
      readonly deposit: VerifiedDeposit
      /** `null` for a kind of route without a service that reports. */
      readonly serviceOrder: ServiceOrder | null
      readonly sendUntilMs: number
      /** Heights before the deposit, from which the chains are searched. */
      readonly fromHeights: OrderData["fromHeights"]
      readonly needsApproval: boolean
      readonly intent: Intent
    }
  /** `intent` is the hash of the intent that the operator saw; the approval covers no other. */
  | { readonly type: "operator.approved"; readonly by: string; readonly intent: string | null }
  | { readonly type: "operator.rejected"; readonly by: string }
  | { readonly type: "operator.abandoned"; readonly by: string }
  /** `nonce` serves a new create request, in case the order starts over. */
  | { readonly type: "operator.retried"; readonly by: string; readonly nonce: string }
  | { readonly type: "operator.refunded"; readonly by: string }
  /** Our own redemption begins now, without waiting for the service. */
  | { readonly type: "operator.redeemed"; readonly by: string }
  | { readonly type: "approval.expired" }
  | { readonly type: "allowance.ready"; readonly way: "gasless" | "onchain" }
  /**
   * `companion`: the transaction on the nonce before this one, in every step of a pair (ADR 35).
   */
  | {
      readonly type: "transaction.planned"
      readonly plan: TransactionPlan
      readonly companion?: { readonly purpose: CompanionPurpose; readonly plan: TransactionPlan }
    }
  | {
      readonly type: "transaction.signed"
      readonly transaction: SignedTransaction
      readonly companion?: {
        readonly purpose: CompanionPurpose
        readonly transaction: SignedTransaction
      }
    }
  | {
      readonly type: "transaction.sent"
      readonly txid: string
      readonly companion?: { readonly purpose: CompanionPurpose; readonly txid: string }
    }
  | {
      readonly type: "transaction.mined"
      readonly txid: string
      readonly ok: boolean
      readonly height: bigint
      /** Deep enough to go on with the order; absent means as `final`. */
      readonly seen?: boolean
      readonly final: boolean
      readonly feeUnits: bigint
      readonly heldUnits?: bigint
      readonly landed?: MinedTransaction
      /** A transaction that a block had shown before, and that another one has excluded. */
      readonly excluded?: TransactionPurpose
    }
  | { readonly type: "transaction.pending" }
  /**
   * Our node shows the transaction in no block and no mempool: the same bytes may be sent again.
   */
  | { readonly type: "transaction.unseen" }
  | { readonly type: "transaction.stuck" }
  /**
   * `reasons`: the fee cannot be raised at all, and an operator should find out why. Without them a
   * pause prevents it.
   */
  | { readonly type: "transaction.unbumpable"; readonly reasons?: readonly Reason[] }
  /** A final block holds another transaction with its nonce or input: it can never land. */
  | {
      readonly type: "transaction.excluded"
      readonly by: string
      /** By the time alone: no endpoints prove that it cannot land. */
      readonly unproven?: true
      /**
       * Another transaction of the order that a block shows, and that no state observes any more.
       */
      readonly landed?: MinedTransaction
      readonly excluded?: TransactionPurpose
    }
  /**
   * The time for sending is over. The signed transaction must be excluded, unless it was never sent
   * (`unsent`). `reasons`: of a redemption.
   */
  | {
      readonly type: "transaction.late"
      readonly unsent?: true
      readonly reasons?: readonly Reason[]
    }
  /**
   * The deposit is not as the state assumes (it landed, or its block vanished), so it is observed
   * again. `reasons`: an alarm, because a final block had shown the opposite.
   */
  | { readonly type: "deposit.unsettled"; readonly reasons?: readonly Reason[] }
  /**
   * The block of our refund vanished, and the HTLC holds the deposit again. `reasons`: an alarm,
   * because that block was final.
   */
  | { readonly type: "refund.unsettled"; readonly reasons?: readonly Reason[] }
  /** The block of our redemption vanished, and the payout HTLC is open again. */
  | { readonly type: "redeem.unsettled" }
  /** The journal holds the decision to tell our secret. `told`: it was sent, or may have been. */
  | {
      readonly type: "secret.revealed"
      readonly told: boolean
      readonly reasons: readonly Reason[]
    }
  /** The journal holds the decision never to tell our secret. */
  | { readonly type: "secret.withheld"; readonly reasons: readonly Reason[] }
  /**
   * The payout is not proven (any more); the secret stays unknown to others, and the order is
   * observed again.
   */
  | {
      readonly type: "secret.kept"
      readonly reasons: readonly Reason[]
      /** The reasons that an operator must know. */
      readonly alerts?: readonly Reason[]
    }
  /**
   * Enough endpoints prove that the HTLC never had the deposit, and that nothing the order signed
   * can still fund it.
   */
  | { readonly type: "order.unfunded"; readonly height: bigint; readonly rivals: readonly string[] }
  /**
   * The proof is not possible yet. `alerts`: it has been missing for so long that an operator must
   * know.
   */
  | { readonly type: "order.unproven"; readonly alerts: readonly Reason[] }
  /** `mark`: the name under which the chain shows the use of our key; absent where it has none. */
  | {
      readonly type: "gasless.signed"
      readonly digest: string
      readonly signature: string
      readonly life?: SignatureLife
      readonly mark?: string
    }
  /**
   * `refused`: the service answered that it will not relay. Only the chain tells whether it did.
   */
  | { readonly type: "gasless.submitted"; readonly answer: string; readonly refused: boolean }
  | {
      readonly type: "gasless.initiated"
      readonly txid: string
      readonly height: bigint
      readonly seen?: boolean
      readonly final: boolean
    }
  /**
   * The relay did not deposit in time or can take no signature any more, and chain and contract
   * allow our own deposit.
   */
  | { readonly type: "gasless.fell_through"; readonly reasons: readonly Reason[] }
  /** The relay has not deposited yet, and there is time to submit the signature again. */
  | { readonly type: "gasless.missing"; readonly reasons: readonly Reason[] }
  /**
   * The relay has the signature and the time is over. Without an allowance it cannot use the
   * signature, and one that dies by itself needs no revocation.
   */
  | { readonly type: "gasless.late"; readonly reasons: readonly Reason[] }
  /** No allowance is left, and the signature was not used while there was one. */
  | {
      readonly type: "gasless.disarmed"
      readonly reasons: readonly Reason[]
      /**
       * Enough endpoints agree that the destination HTLC does not show the booked payout any more.
       */
      readonly payoutGone?: true
    }
  /** A reorganisation removed the approval that the signature needs. */
  | { readonly type: "approval.lost"; readonly reasons: readonly Reason[] }
  | {
      readonly type: "order.observed"
      /** `null`: the service could not be read. */
      readonly serviceOrder: ServiceOrder | null
      readonly seen: OrderData["seen"]
      readonly paidUnits: bigint | null
      /** The amounts that the wallet received, by transaction, for the books. */
      readonly moved?: {
        readonly receipt: TransferredUnits | null
        readonly returned: TransferredUnits | null
        readonly rentReturned: TransferredUnits | null
      }
      /**
       * An approval, deposit or refund of ours that this observation found deeper in the chain than
       * the order knew.
       */
      readonly landed?: MinedTransaction
      /**
       * A final block shows that another transaction used the nonce of this one, so it can never
       * land.
       */
      readonly excluded?: TransactionPurpose
      /** News of transactions whose place a later one took by the time alone. */
      readonly outlived?: readonly OutlivedNews[]
      /**
       * Enough endpoints gave the same facts about both HTLCs; absent means yes. Without it no
       * conclusion ends the order.
       */
      readonly agreed?: boolean
      /**
       * The payout or the refund is deep enough to go on with (`finality.seen`), and only the
       * finality of an ending is missing.
       */
      readonly settling?: boolean
      /**
       * Our own node shows, with enough confirmations, that the owner received the amount of the
       * terms.
       */
      readonly paid: boolean
      /** The source funds came back to us, with enough confirmations. */
      readonly refunded: boolean
      readonly lapsed: boolean
      readonly refundable: boolean
      readonly alerts: readonly Reason[]
      /** The reasons of a wait that is no alarm. */
      readonly notes?: readonly Reason[]
      /**
       * Our own secret: the payout is shown, so its proof may begin; or others may have the secret
       * already; or the payout is not redeemed in time; or it is finally back at the solver.
       */
      readonly secret?: "reveal" | "told" | "redeem" | "lost" | undefined
      /** A chain or the service shows our secret itself. */
      readonly shown?: true
      /** What the payout is taken with, once the route gives it. */
      readonly voucher?: RouteVoucher
      /** The chain would pay the voucher now. */
      readonly redeemable?: true
      /**
       * A payout is due, and an honest destination may still not show it: an alarm, and no reason
       * to hold the order.
       */
      readonly mayLag?: boolean
    }
  /**
   * The work could not be done now. It changed nothing, or its next try observes the change first.
   */
  | {
      readonly type: "work.deferred"
      readonly reasons: readonly Reason[]
      readonly waitMs?: number
    }
  /** An operator must decide. */
  | {
      readonly type: "order.held"
      readonly reasons: readonly Reason[]
      /**
       * A final block shows that another transaction used the nonce or input of this one, so it can
       * never land.
       */
      readonly excluded?: TransactionPurpose
    }

/** `landed`: its block, or `null` without one. `isOver`: that changes no more. */
export type OutlivedNews = {
  readonly txid: string
  readonly landed: MinedTransaction | null
  readonly isOver: boolean
}

/**
 * `approve` beside a deposit. `revoke` beside the void of such a deposit: it voids the approval.
 */
export type CompanionPurpose = "approve" | "revoke"
