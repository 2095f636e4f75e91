import type { Reason } from "#domain/reason.ts"

/**
 * How often a rule was refused for one reason. A refusal that repeats without a pause belongs to
 * the same episode. `message`: the first reason's own words.
 */
export type RefusalCount = {
  readonly rule: string
  readonly code: string
  readonly message: string
  readonly times: number
  readonly episodes: number
}

type Refusals = {
  /** `about` separates the refusals of one rule that concern different pairs or orders. */
  readonly add: (
    rule: string,
    reason: Pick<Reason, "code" | "message">,
    nowMs: number,
    about?: string,
  ) => void
  readonly list: () => readonly RefusalCount[]
}

/** A refusal that repeats within this time belongs to the same episode. */
const EPISODE_GAP_MS = 2 * 3_600_000

export function createRefusals(): Refusals {
  const counts = new Map<string, RefusalCount>()
  const lastSeen = new Map<string, number>()
  return {
    add: (rule, { code, message }, nowMs, about = "") => {
      const key = `${rule} ${code}`
      const known = counts.get(key) ?? { rule, code, message, times: 0, episodes: 0 }
      const before = lastSeen.get(`${key} ${about}`)
      const isNew = before === undefined || nowMs - before > EPISODE_GAP_MS
      counts.set(key, {
        ...known,
        times: known.times + 1,
        episodes: known.episodes + (isNew ? 1 : 0),
      })
      lastSeen.set(`${key} ${about}`, nowMs)
    },
    list: () =>
      [...counts.values()].sort(
        (a, b) => b.times - a.times || (`${a.rule} ${a.code}` < `${b.rule} ${b.code}` ? -1 : 1),
      ),
  }
}
