import type { NativeCoin } from "#domain/native-coin.ts"

/**
 * The known facts of one live chain, as data. `preset: <name>` of a chain's configuration takes
 * them over.
 *
 * A preset never contains an HTLC address: a person adds those, after a comparison with the chain.
 */
export type ChainPreset = {
  /** The chain's name at the service, such as `base_sepolia`. */
  readonly name: string
  readonly network: "main" | "test"
  /**
   * The configuration keys that say which chain it is. Another explicit value is an error. Empty
   * where the family has no such key.
   */
  readonly identity: Readonly<Record<string, string | number>>
  /** Other configuration keys. Explicit keys override them. */
  readonly defaults: Readonly<Record<string, string | number>>
  readonly nativeCoin: NativeCoin
  readonly blockTime: DatedInterval
  readonly explorer: Explorer | null
}

/** The average time between two blocks or slots, and since when it is known. */
export type DatedInterval = { readonly ms: number; readonly asOf: string; readonly source: string }

/** URLs with `{tx}` and `{address}` in the place of the value. */
export type Explorer = { readonly tx: string; readonly address: string }

/** The explorer's page of a transaction. */
export function transactionLink(explorer: Explorer, tx: string): string {
  return explorer.tx.replace("{tx}", encodeURIComponent(tx))
}

/** The paths that most explorers use: `<base>/tx/…` and `<base>/address/…`. */
export function explorerAt(base: string): Explorer {
  return { tx: `${base}/tx/{tx}`, address: `${base}/address/{address}` }
}
