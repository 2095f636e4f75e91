import type { FoundTransaction } from "../node.ts"
import type { SwapHistories } from "./list-history.ts"

/** The memory of looks at swap accounts, for one endpoint. */
export type SwapNotes = {
  /** The entries that it has listed so far. */
  readonly histories: SwapHistories
  /** The calls of swap accounts that it has shown in finalized slots. */
  readonly transactions: Map<string, FoundTransaction>
  /** The transactions that the last look at a swap account has read. */
  readonly foreseen: Map<string, readonly string[]>
}

export function createSwapNotes(): SwapNotes {
  return { histories: new Map(), transactions: new Map(), foreseen: new Map() }
}
