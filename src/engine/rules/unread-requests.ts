import type { Journal } from "#ports/journal.ts"

/**
 * The orders whose request for approval is not on disk yet, per journal. No operator has read such
 * a request.
 */
const unread = new WeakMap<Journal, Set<string>>()

/** Call it right after the step that asks. A step that the disk refused has not asked. */
export function noteRequest(journal: Journal, orderId: string): void {
  const orders = unread.get(journal) ?? new Set()
  unread.set(journal, orders.add(orderId))
  const forget = (): void => void orders.delete(orderId)
  journal.durable().then(forget, forget)
}

export function isUnread(journal: Journal, orderId: string): boolean {
  return unread.get(journal)?.has(orderId) === true
}
