/**
 * The price of one whole unit of an asset, from sources that are independent of the swap service.
 */
export type ReferencePrice = {
  /** Millionths of the reference currency per whole unit; above zero. */
  readonly fiat: bigint
  /** How many sources gave a fresh price that agrees with the others; `fiat` is their median. */
  readonly sources: number
  /** The fresh prices that are too far from the others to count; absent without one. */
  readonly outliers?: readonly { readonly source: string; readonly fiat: bigint }[]
  /** The sources that gave no fresh price, each with its error; absent without one. */
  readonly failed?: readonly string[]
  /** No source tells the time of its price; absent where one does. */
  readonly isUndated?: true
}

/**
 * A price feed on a chain. `chainlink`: a contract with the published AggregatorV3 interface;
 * `sequencer` is the uptime feed of the chain's sequencer, where it has one. `pyth`: an account of
 * the Pyth receiver program with the price of `feedId` (lower-case hex, 32 bytes).
 */
export type PriceFeed =
  | { readonly kind: "chainlink"; readonly address: string; readonly sequencer: string | null }
  | {
      readonly kind: "pyth"
      readonly address: string
      readonly feedId: string
      /** The widest confidence interval that counts, as a share of the price. */
      readonly maxConfidenceBps: bigint
    }

/** `atMs`: when the feed's publishers gave this price. */
export type FeedPrice = { readonly fiat: bigint; readonly atMs: number }

/** Two assets of one peg have the same value, up to a tolerance that is watched. */
export type Peg = { readonly toleranceBps: bigint }
