/** The price of one whole unit of an asset, from sources that are independent of the swap service. */
export type ReferencePrice = {
  /** Millionths of the reference currency per whole unit; above zero. */
  readonly fiat: bigint
  /** How many sources gave a fresh price; `fiat` is their median. */
  readonly sources: number
}
