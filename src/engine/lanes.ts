/** Runs the bodies of one key one after another, those of different keys side by side. Forgets keys that nobody waits for. */
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
