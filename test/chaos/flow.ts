/**
 * One movement of a wallet's money between it and an HTLC, as the chain itself shows it. `units` without network fees.
 *
 * `out`: an initiation. `in`: a redemption or a refund.
 */
export type Flow = {
  readonly asset: string
  readonly direction: "in" | "out"
  readonly units: bigint
  readonly tx: string
}

/** What a chain shows of the play wallet since `startWatch`. */
export type Evidence = {
  readonly flows: readonly Flow[]
  /** What the wallet's own transactions cost, by asset; from receipts. */
  readonly fees: Readonly<Record<string, bigint>>
  /** Coins that an open HTLC account keeps beside the amount (Solana's rent). */
  readonly locked: Readonly<Record<string, bigint>>
  /** Sentences about what cannot be: a transaction that no order knows, an allowance that is left. */
  readonly oddities: readonly string[]
}

/** Reads what happened from now on. `known`: ids of the transactions that the daemon's orders list. */
export type Watch = { readonly read: (known: readonly string[]) => Promise<Evidence> }
