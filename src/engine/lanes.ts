/**
 * Runs bodies with the same key one after another, and bodies with different keys side by side. Drops keys without waiting bodies.
 *
 * Written by hand: the queues of p-queue have no keys, so they would need the same map and the same clean-up.
 */
export function createLanes(): { run: <T>(key: string, body: () => Promise<T>) => Promise<T> } {
  const tails = new Map<string, Promise<void>>()
  return {
    run: (key, body) => {
      const mine = (tails.get(key) ?? Promise.resolve()).then(body)
      const tail: Promise<void> = mine.then(forget, forget)
      tails.set(key, tail)
      return mine

      function forget(): void {
        if (tails.get(key) === tail) tails.delete(key)
      }
    },
  }
}
