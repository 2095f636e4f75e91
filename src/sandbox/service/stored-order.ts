import type { LocalSwap } from "../local-chain.ts"

/**
 * One order as the service keeps it: JSON-able, amounts and block numbers as decimal text, times in milliseconds since the epoch.
 *
 * `phase` only tells whether the solver still cares; where the money is is read from the two legs' `seen`.
 */
export type StoredOrder = {
  readonly id: string
  /** A u64 as decimal text: the client's, or ours when it gave none. */
  readonly nonce: string
  readonly solverId: string
  readonly createdAtMs: number
  /** By when the deposit must be seen. */
  readonly deadlineMs: number
  /** 32 bytes hex. Leaves the service only by a redemption. */
  readonly secret: string
  readonly source: StoredLeg
  readonly destination: StoredLeg
  readonly affiliateFees: readonly AffiliateRecord[]
  readonly integrator: string | null
  readonly phase: OrderPhase
  /** Why the solver is waiting or stopped, for whoever reads `/sandbox/orders`. */
  readonly note: string
  readonly depositSeenAtMs: number | null
  /** Every chain call is written here before it is made: after a restart the chain is looked at before anything is repeated. */
  readonly attempts: Readonly<Partial<Record<SolverMove, { readonly atMs: number; readonly count: number }>>>
}

/** `stolen`: the source was redeemed and the destination never paid (fault `redeemSourceOnly`). `expired`: never funded. */
export type OrderPhase = "open" | "complete" | "refunded" | "stolen" | "expired"

export type SolverMove = "fund" | "redeemDestination" | "redeemSource" | "refundDestination" | "refundSource"

export type StoredLeg = {
  readonly swap: LocalSwap
  /** Fiat price of one whole unit of the asset, decimal text. */
  readonly price: string
  readonly requiredConfirmations: number
  readonly seen: LegSeen
}

export type LegSeen = {
  readonly initiated: (LegEvent & { readonly filledUnits: string; readonly confirmations: number }) | null
  readonly redeemed: LegEvent | null
  readonly refunded: LegEvent | null
}

/** `block` is "0" and `atMs` null from sending until the chain shows it. */
export type LegEvent = { readonly tx: string; readonly block: string; readonly atMs: number | null }

/** The stored record of an affiliate fee: the requested entry plus what it is worth at quote time in the payout asset's smallest unit. */
export type AffiliateRecord = {
  readonly asset: string
  readonly address: string
  /** Basis points of the source value. */
  readonly fee: number
  readonly amount: string
}
