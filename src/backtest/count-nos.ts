/** How often a "no" was said, and how often it was a new one: repeated at every look, it is the same for as long as it is not interrupted. */
export type No = {
  readonly rule: string
  readonly code: string
  readonly times: number
  readonly episodes: number
}

export type Nos = {
  /** `about` tells apart what one rule hears of several things. */
  readonly add: (rule: string, code: string, nowMs: number, about?: string) => void
  readonly list: () => readonly No[]
}

/** A "no" that comes again within this time is still the same one. */
const SAME_MS = 2 * 3_600_000

export function createNos(): Nos {
  const counts = new Map<string, { rule: string; code: string; times: number; episodes: number }>()
  const heard = new Map<string, number>()
  return {
    add: (rule, code, nowMs, about = "") => {
      const key = `${rule} ${code}`
      const known = counts.get(key) ?? { rule, code, times: 0, episodes: 0 }
      const before = heard.get(`${key} ${about}`)
      known.times += 1
      if (before === undefined || nowMs - before > SAME_MS) known.episodes += 1
      counts.set(key, known)
      heard.set(`${key} ${about}`, nowMs)
    },
    list: () =>
      [...counts.values()].sort(
        (a, b) => b.times - a.times || (`${a.rule} ${a.code}` < `${b.rule} ${b.code}` ? -1 : 1),
      ),
  }
}
