/**
 * How often a rule was refused for one reason. A refusal that repeats without a pause belongs to
 * the same episode.
 */
export type RefusalCount = {
  readonly rule: string
  readonly code: string
  readonly times: number
  readonly episodes: number
}

type Refusals = {
  /** `about` separates the refusals of one rule that concern different pairs or orders. */
  readonly add: (rule: string, code: string, nowMs: number, about?: string) => void
  readonly list: () => readonly RefusalCount[]
}

/** A refusal that repeats within this time belongs to the same episode. */
const EPISODE_GAP_MS = 2 * 3_600_000

export function createRefusals(): Refusals {
  const counts = new Map<string, { rule: string; code: string; times: number; episodes: number }>()
  const lastSeen = new Map<string, number>()
  return {
    add: (rule, code, nowMs, about = "") => {
      const key = `${rule} ${code}`
      const known = counts.get(key) ?? { rule, code, times: 0, episodes: 0 }
      const before = lastSeen.get(`${key} ${about}`)
      known.times += 1
      if (before === undefined || nowMs - before > EPISODE_GAP_MS) known.episodes += 1
      counts.set(key, known)
      lastSeen.set(`${key} ${about}`, nowMs)
    },
    list: () =>
      [...counts.values()].sort(
        (a, b) => b.times - a.times || (`${a.rule} ${a.code}` < `${b.rule} ${b.code}` ? -1 : 1),
      ),
  }
}
