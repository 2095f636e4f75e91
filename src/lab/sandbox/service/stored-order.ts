import type { ContractsVersion, LocalSwap } from "../local-chain.ts"

/**
 * One order as the service stores it in JSON: amounts and block numbers are decimal text, times are
 * milliseconds since the epoch.
 *
 * `phase` says only whether the solver still works on the order. The `seen` fields of the two legs
 * say where the money is.
 */
export type StoredOrder = {
  readonly id: string
  /** A u64 as decimal text: the client's nonce, or a random one if the client sent none. */
  readonly nonce: string
  readonly solverId: string
  readonly createdAtMs: number
  /** The service must see the deposit by this time. */
  readonly deadlineMs: number
  /**
   * 32 bytes hex. Only a redemption reveals it to clients. If the client chose its own secret, this
   * is empty until the client's redemption of the destination reveals it to the service.
   */
  readonly secret: string
  readonly source: StoredLeg
  readonly destination: StoredLeg
  readonly affiliateFees: readonly AffiliateRecord[]
  readonly integrator: string | null
  /** The version of the HTLC contracts; a record of an older sandbox has none. */
  readonly version?: ContractsVersion
  /** The slippage of the create request in basis points; absent if it had none. */
  readonly slippageBps?: number
  readonly phase: OrderPhase
  /** Why the solver waits or has stopped, for readers of `/sandbox/orders`. */
  readonly note: string
  readonly depositSeenAtMs: number | null
  /**
   * The service stores each chain call here before it makes the call, so that it observes the chain
   * before it repeats a call after a restart.
   */
  readonly attempts: Readonly<
    Partial<Record<SolverAction, { readonly atMs: number; readonly count: number }>>
  >
}

/**
 * `stolen`: the solver redeemed the source and never paid the destination (fault
 * `redeemSourceOnly`). `expired`: never funded.
 */
export type OrderPhase = "open" | "complete" | "refunded" | "stolen" | "expired"

export type SolverAction =
  | "fund"
  | "redeemDestination"
  | "redeemSource"
  | "refundDestination"
  | "refundSource"

export type StoredLeg = {
  readonly swap: LocalSwap
  /** Fiat price of one whole unit of the asset, decimal text. */
  readonly price: string
  readonly requiredConfirmations: number
  readonly seen: LegSeen
}

export type LegSeen = {
  readonly initiated:
    | (LegEvent & { readonly filledUnits: string; readonly confirmations: number })
    | null
  readonly redeemed: LegEvent | null
  readonly refunded: LegEvent | null
}

/** `block` is "0" and `atMs` is null until the chain shows the transaction in a block. */
export type LegEvent = { readonly tx: string; readonly block: string; readonly atMs: number | null }

/**
 * The requested affiliate fee, with its `amount` at the prices of the quote in the payout asset's
 * smallest unit.
 */
export type AffiliateRecord = {
  readonly asset: string
  readonly address: string
  /** Basis points of the source value. */
  readonly fee: number
  readonly amount: string
}
