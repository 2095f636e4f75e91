import type { ChainId } from "#domain/asset.ts"
import type { Remembering } from "../context.ts"

/*
 * A journal that was restored from a backup does not know which secrets were told after it. No
 * process tells a secret before its payout is on chain, so a secret may have left unnoticed only
 * where the payout is older than the process that has opened this journal.
 */

export function noteHeight({ memory }: Remembering, chain: ChainId, height: bigint): void {
  if (!memory.firstHeights.has(chain)) memory.firstHeights.set(chain, height)
}

/** What a block of this height holds may have been there before the journal was opened. */
export function mayPrecedeJournal(
  { memory }: Remembering,
  chain: ChainId,
  height: bigint,
): boolean {
  const first = memory.firstHeights.get(chain)
  return first === undefined || height <= first
}
