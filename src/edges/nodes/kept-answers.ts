import type { Clock } from "#lib/clock.ts"

/**
 * Asks one endpoint the same question once for as long as its answer holds, such as a constant of
 * the network, or a state at a block of one hash. A failure is no answer, and nor is one of another
 * form. `forMs` 0: the answer holds for no time.
 */
export function createKeptAnswers({ now }: Pick<Clock, "now">): KeptAnswers {
  const kept = new Map<string, { readonly value: unknown; readonly untilMs: number }>()
  return async <T>(key: string, forMs: number, ask: () => Promise<T>): Promise<T> => {
    if (forMs === 0) return ask()
    const known = kept.get(key)
    const leftMs = (known?.untilMs ?? 0) - now()
    // A clock that was set back ends it.
    // CAST: one question has one form of answer.
    if (leftMs > 0 && leftMs <= forMs) return known?.value as T
    const value = await ask()
    kept.delete(key)
    const [oldest] = kept.keys()
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    // Nothing was found: it may be there at the next question.
    if (value !== null) kept.set(key, { value, untilMs: now() + forMs })
    return value
  }
}

type KeptAnswers = <T>(key: string, forMs: number, ask: () => Promise<T>) => Promise<T>

const MOST_KEPT = 500
