/** The length of a backtest: `seeds` runs of `days`. */
export type Span = { readonly days: number; readonly seeds: number }

/** The first ticks are slower than all others, so a shorter trial says nothing. */
const LEAST_TRIAL_SHARE = 50

/**
 * The longest part of `asked` that is expected to end within `budgetMs`: rules that look every few
 * seconds take minutes for a month. `tryDays` runs one seed of so many days, and returns the time
 * that it took; each trial is twice as long as the one before. Days are given up before runs.
 */
export function fitDays(asked: Span, budgetMs: number, tryDays: (days: number) => number): Span {
  let days = 1
  let tookMs = tryDays(days)
  let spentMs = tookMs
  const allMs = (): number => (tookMs / days) * asked.days * asked.seeds
  while (allMs() > budgetMs / 2 && tookMs < budgetMs / LEAST_TRIAL_SHARE && days * 2 < asked.days) {
    days *= 2
    tookMs = tryDays(days)
    spentMs += tookMs
  }
  // Later days have more orders to look through, so half of the time is left for them.
  const runDays = Math.floor((budgetMs - spentMs) / 2 / (tookMs / days))
  if (allMs() <= budgetMs / 2 || runDays >= asked.days * asked.seeds) return asked
  const seeds = Math.max(1, Math.min(asked.seeds, runDays))
  return { days: Math.max(1, Math.min(asked.days, Math.floor(runDays / seeds))), seeds }
}
