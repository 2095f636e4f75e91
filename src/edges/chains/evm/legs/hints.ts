import type { Hex } from "viem"
import { readHintedTxids } from "#domain/route/reported-txids.ts"
import { evmTraits } from "../traits.ts"

/** Reads the first transaction hashes of a hint of the service. */
export function hashesIn(hint: string | null): readonly Hex[] {
  // CAST: the form of this family is `0x` and 64 hex digits.
  return readHintedTxids(hint, evmTraits.txidForm).map((id) => id as Hex)
}
