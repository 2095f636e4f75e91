import type { Durability } from "#ports/journal/durability.ts"
import type { HasJournal, Remembering } from "../context.ts"

/**
 * Call it right after the step that asks for approval. No operator has read a request that is not
 * on disk yet, and a step that the disk refused has not asked.
 */
export function noteRequest(
  { journal, memory: { unreadRequests } }: HasJournal<Durability> & Remembering,
  orderId: string,
): void {
  unreadRequests.add(orderId)
  const forget = (): void => void unreadRequests.delete(orderId)
  journal.durable().then(forget, forget)
}
