/** The wait for the disk after a commit. `settled` resolves when every commit so far is on disk. */
export type Disk = {
  readonly want: () => void
  readonly settled: () => Promise<void>
  readonly isBusy: () => boolean
}

/**
 * One sync at a time. What is committed while one runs waits for the next one, because that one may
 * have begun before it. `sync: null`: a commit is on disk when it returns.
 */
export function shareSyncs(sync: (() => Promise<void>) | null): Disk {
  let running: PromiseWithResolvers<void> | null = null
  let next: PromiseWithResolvers<void> | null = null
  const begin = (): void => {
    if (sync === null || running !== null || next === null) return
    const begun = next
    running = begun
    next = null
    void sync().then(() => {
      running = null
      begun.resolve()
      begin()
    })
  }
  return {
    want: () => {
      if (sync === null) return
      next ??= Promise.withResolvers()
      begin()
    },
    settled: () => (next ?? running)?.promise ?? Promise.resolve(),
    isBusy: () => (next ?? running) !== null,
  }
}
