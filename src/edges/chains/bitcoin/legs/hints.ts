import { readHintedTxids } from "#domain/route/reported-txids.ts"
import { bitcoinTraits } from "../traits.ts"

/** Reads the first transaction ids of a hint of the service. */
export function txidsIn(hint: string | null): readonly string[] {
  return readHintedTxids(hint, bitcoinTraits.txidForm)
}
