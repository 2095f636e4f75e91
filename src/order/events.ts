import type { CreatedOrder, VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { OrderTerms, OrderValue } from "#domain/order.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import type { Intent } from "#guards/intent.ts"
import type { MinedTransaction, OrderData, QuotePrices, TransferredUnits } from "./data.ts"

/** Facts, in the past tense. Each carries `at`, ms since the epoch, so that the machine itself needs no clock. */
export type OrderEvent = { readonly at: number } & UntimedOrderEvent

export type UntimedOrderEvent =
  | {
      readonly type: "quote.accepted"
      readonly quote: Quote
      readonly value?: OrderValue
      readonly prices?: QuotePrices
    }
  /** Guards said no. Nothing was signed or created. */
  | { readonly type: "order.declined"; readonly reasons: readonly Reason[]; readonly landed?: MinedTransaction }
  | {
      readonly type: "order.created"
      readonly created: CreatedOrder
      readonly terms: OrderTerms
      /** What the order gives to affiliates, basis points together. */
      readonly affiliateBps?: number
    }
  /** The service would not have the order at this quote; another quote may do. */
  | { readonly type: "quote.outdated"; readonly reasons: readonly Reason[]; readonly nonce: string }
  | {
      readonly type: "deposit.verified"
      readonly deposit: VerifiedDeposit
      readonly serviceOrder: ServiceOrder
      readonly sendUntilMs: number
      /** Heights before the deposit: where searches of the chains may start. */
      readonly fromHeights: OrderData["fromHeights"]
      readonly needsApproval: boolean
      readonly intent: Intent
    }
  /** `intent` is the hash of what was shown; the approval is good for nothing else. */
  | { readonly type: "operator.approved"; readonly by: string; readonly intent: string | null }
  | { readonly type: "operator.rejected"; readonly by: string }
  | { readonly type: "operator.abandoned"; readonly by: string }
  /** The nonce is for an order that must be asked for anew. */
  | { readonly type: "operator.retried"; readonly by: string; readonly nonce: string }
  | { readonly type: "operator.refunded"; readonly by: string }
  | { readonly type: "approval.expired" }
  | { readonly type: "allowance.ready"; readonly way: "gasless" | "onchain" }
  | { readonly type: "transaction.planned"; readonly plan: TransactionPlan }
  | { readonly type: "transaction.signed"; readonly transaction: SignedTransaction }
  | { readonly type: "transaction.sent"; readonly txid: string }
  | {
      readonly type: "transaction.mined"
      readonly txid: string
      readonly ok: boolean
      readonly height: bigint
      readonly final: boolean
      readonly feeUnits: bigint
      readonly heldUnits?: bigint
      readonly landed?: MinedTransaction
    }
  | { readonly type: "transaction.pending" }
  /** In no block and no mempool that we can see: the same bytes may be sent again. */
  | { readonly type: "transaction.unseen" }
  | { readonly type: "transaction.stuck" }
  /** `reasons`: not now for a pause, but at all; an operator should look why it still waits. */
  | { readonly type: "transaction.unbumpable"; readonly reasons?: readonly Reason[] }
  /** Another transaction used its nonce or input, finally: it can never land. */
  | {
      readonly type: "transaction.excluded"
      readonly by: string
      /** Another move of the order that a block shows, and that nobody looks at any more. */
      readonly landed?: MinedTransaction
    }
  /** The window for sending is over; the stored bytes must be made harmless, unless no node ever had them (`unsent`). */
  | { readonly type: "transaction.late"; readonly unsent?: true }
  /** While it was being voided or relied upon, the deposit itself turned out otherwise: look at it again. */
  | { readonly type: "deposit.unsettled" }
  | { readonly type: "gasless.signed"; readonly digest: string; readonly signature: string }
  /** `refused`: the service answered that it will not relay. What really happened is for the chain to say. */
  | { readonly type: "gasless.submitted"; readonly answer: string; readonly refused: boolean }
  | { readonly type: "gasless.initiated"; readonly txid: string; readonly height: bigint; readonly final: boolean }
  /** The relay did not submit in time, and chain and contract allow the direct way. */
  | { readonly type: "gasless.fell_through"; readonly reasons: readonly Reason[] }
  | { readonly type: "gasless.missing"; readonly reasons: readonly Reason[] }
  /** The relay has the signature and the time is over: without an allowance it cannot be used. */
  | { readonly type: "gasless.late"; readonly reasons: readonly Reason[] }
  /** No allowance is left, and it was not used while there was one. */
  | { readonly type: "gasless.disarmed"; readonly reasons: readonly Reason[] }
  /** A reorganisation took the approval out that the signature needs. */
  | { readonly type: "approval.lost"; readonly reasons: readonly Reason[] }
  | {
      readonly type: "order.observed"
      /** `null`: the service could not be read this time. */
      readonly serviceOrder: ServiceOrder | null
      readonly seen: OrderData["seen"]
      readonly paidUnits: bigint | null
      /** What the wallet got, by transaction, for the books. */
      readonly moved?: {
        readonly receipt: TransferredUnits | null
        readonly returned: TransferredUnits | null
        readonly rentReturned: TransferredUnits | null
      }
      /** Our own node shows that the owner was paid what the terms say, deep enough. */
      readonly paid: boolean
      /** Source funds came back to us, deep enough. */
      readonly refunded: boolean
      readonly lapsed: boolean
      readonly refundable: boolean
      readonly alerts: readonly Reason[]
    }
  /** The work could not be done now; nothing changed in the world, or what changed will be looked up first. */
  | { readonly type: "work.deferred"; readonly reasons: readonly Reason[]; readonly waitMs?: number }
  /** A person must look. */
  | { readonly type: "order.held"; readonly reasons: readonly Reason[] }
