import type { NativeCoin } from "./native-coin.ts"
import type { TxidForm } from "./route/reported-txids.ts"

/**
 * How the chains of one family differ in behaviour, as far as the engine and the books depend on
 * it. The family states its traits once; no other room compares the family's name.
 */
export type ChainTraits = {
  readonly nativeCoin: NativeCoin
  /** How the family's nodes and explorers write the id of a transaction. */
  readonly txidForm: TxidForm
  /**
   * Where an HTLC lives. `contract`: one contract or program holds many orders, and the order's
   * terms find the leg. `address`: each order has its own address, which is the leg's `swapId`.
   */
  readonly htlcPlace: "contract" | "address"
  /**
   * When a spend leaves the wallet's balance and a payment enters it: with the `block`, or already
   * in the `mempool`. With `mempool`, a payment that waits for its block counts in `units` and not
   * in `spendableUnits`.
   */
  readonly balanceChangesIn: "mempool" | "block"
  /**
   * One redeeming transaction can pay several orders, because the redeemer chooses its outputs. One
   * payment could then be shown for two orders. `false`: the contract itself pays each order.
   */
  readonly onePayoutMayServeSeveralOrders: boolean
  /**
   * A true report of a redemption can come before our node shows the funding of that leg, because
   * both wait for a block. `false`: a reported redemption of a leg without funding is a lie.
   */
  readonly redemptionMayPrecedeFunding: boolean
  /**
   * The chain takes the network fee of a refund out of the refunded amount, and not out of the
   * wallet.
   */
  readonly refundFeeTakenFromAmount: boolean
  /**
   * The state that a deposit must have reached at the order's deadline: to be `seen` in the
   * mempool, or to be `mined`.
   */
  readonly deadlineAsksFor: "seen" | "mined"
  /**
   * The approvals that deposits need. `none`: none. `separate`: a token needs an approval in a
   * transaction before the deposit. `carried`: every asset is a token, and a deposit transaction of
   * ours carries its approval itself; only a gasless deposit needs a separate one.
   */
  readonly allowances: "none" | "separate" | "carried"
  /**
   * Refusals of a plan that pass when a lagging node catches up: codes of failed simulations. The
   * engine tries those a few times.
   */
  readonly refusalsOfLaggingNodes: readonly string[]
  /**
   * Refusals of a deposit's plan by which the HTLC says that it already holds this deposit. The
   * engine then looks for the deposit on chain, and makes no second one.
   */
  readonly refusalsOfExistingDeposit: readonly string[]
}
