import type { Clock } from "#lib/clock.ts"
import type { ToolName } from "./tools.ts"

type Rate = { readonly most: number; readonly perMs: number }

const MINUTE_MS = 60_000
const ALL: Rate = { most: 60, perMs: MINUTE_MS }
/** A quote asks services; a swap may ask a person. */
const SLOWER: { readonly [name in ToolName]?: Rate } = {
  plan: { most: 10, perMs: MINUTE_MS },
  quote: { most: 10, perMs: MINUTE_MS },
  report: { most: 10, perMs: MINUTE_MS },
  simulate: { most: 6, perMs: 60 * MINUTE_MS },
  propose: { most: 6, perMs: 60 * MINUTE_MS },
  request_swap: { most: 12, perMs: 60 * MINUTE_MS },
}

/** Counts the calls of each agent. `take` answers the time to wait, 0 for none. */
export function createRates(clock: Pick<Clock, "now">) {
  const taken = new Map<string, readonly number[]>()
  return {
    take: (agent: string, tool: ToolName): number => {
      const nowMs = clock.now()
      const rates: readonly [string, Rate][] = [
        [agent, ALL],
        [`${agent} ${tool}`, SLOWER[tool] ?? ALL],
      ]
      const waits = rates.map(([key, { most, perMs }]) => {
        const recent = (taken.get(key) ?? []).filter((atMs) => atMs > nowMs - perMs)
        taken.set(key, recent)
        return recent.length < most ? 0 : (recent[0] ?? nowMs) + perMs - nowMs
      })
      const waitMs = Math.max(...waits)
      if (waitMs > 0) return waitMs
      for (const [key] of rates) taken.set(key, [...(taken.get(key) ?? []), nowMs])
      return 0
    },
  }
}
