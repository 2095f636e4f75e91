import type { ChainId } from "#domain/asset.ts"
import type { EngineContext } from "../context.ts"

/*
 * A journal that was restored from a backup does not know which secrets were told after it. No
 * process tells a secret before its payout is on chain, so a secret may have left unnoticed only
 * where the payout is older than the process that has opened this journal.
 */

/** The first height of each chain that was read with this journal. */
const FIRST = new WeakMap<EngineContext["journal"], Map<ChainId, bigint>>()

export function noteHeight(
  { journal }: Pick<EngineContext, "journal">,
  chain: ChainId,
  height: bigint,
): void {
  const heights = FIRST.get(journal) ?? new Map<ChainId, bigint>()
  FIRST.set(journal, heights)
  if (!heights.has(chain)) heights.set(chain, height)
}

/** What a block of this height holds may have been there before the journal was opened. */
export function mayPrecedeJournal(
  { journal }: Pick<EngineContext, "journal">,
  chain: ChainId,
  height: bigint,
): boolean {
  const first = FIRST.get(journal)?.get(chain)
  return first === undefined || height <= first
}
