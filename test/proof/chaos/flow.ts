/**
 * One transfer between the wallet and an HTLC, as the chain shows it. `units` excludes network
 * fees.
 *
 * `out`: an initiation. `in`: a redemption or a refund.
 */
export type Flow = {
  readonly asset: string
  readonly direction: "in" | "out"
  readonly units: bigint
  readonly tx: string
}

/** The sandbox wallet's flows, fees and oddities on one chain since `startWatch`. */
export type Evidence = {
  readonly flows: readonly Flow[]
  /** The fees of the wallet's own transactions by asset, from receipts. */
  readonly fees: Readonly<Record<string, bigint>>
  /** Coins that an open HTLC account holds beside the amount (Solana's rent). */
  readonly locked: Readonly<Record<string, bigint>>
  /**
   * Sentences about errors, for example a transaction that no order knows or a remaining allowance.
   */
  readonly oddities: readonly string[]
}

/**
 * Reads a chain from the time of its creation. `known`: ids of the transactions that the daemon's
 * orders list.
 */
export type Watch = { readonly read: (known: readonly string[]) => Promise<Evidence> }
