/**
 * An entry that is needed again only after this time takes no other entry's place. Thousands of
 * orders that wait in turn would replace each other before any of them is used again, and each
 * replacement costs the garbage collector as much as the entry itself.
 */
const LONG_WAIT_MS = 10_000

/** The entries that were kept last, up to a number. */
export type KeptLast<Value> = {
  readonly find: (key: string) => Value | null
  /** `waitMs`: the time until the entry is probably needed again. */
  readonly keep: (key: string, value: Value, waitMs: number) => void
  readonly drop: (key: string) => void
  readonly size: () => number
}

export function createKeptLast<Value>(most: number): KeptLast<Value> {
  const entries = new Map<string, Value>()
  return {
    find: (key) => entries.get(key) ?? null,
    keep: (key, value, waitMs) => {
      // An older value of the key must not stay.
      entries.delete(key)
      if (entries.size >= most && waitMs > LONG_WAIT_MS) return
      entries.set(key, value)
      const oldest = entries.size > most ? entries.keys().next().value : undefined
      if (oldest !== undefined) entries.delete(oldest)
    },
    drop: (key) => void entries.delete(key),
    size: () => entries.size,
  }
}
