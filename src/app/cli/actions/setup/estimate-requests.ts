import type { Config } from "#config/config.ts"
import { everyMsOf } from "#policy/rules/registry.ts"

const DAY_MS = 86_400_000
/** The agreement's look while no order is in flight (`IDLE_ASK_MS`). */
const IDLE_READS = DAY_MS / 30_000
/** A reading of a chain's balances: the newest block before and behind, and two for each asset. */
const EACH_READING = 2
const EACH_ASSET = 2
/** Of one leg's chain, with one endpoint or several (docs/PERFORMANCE.md). */
export const EACH_ORDER = 20

type Estimated = Pick<Config, "books" | "rules" | "assets">

/** The requests of a day without an order at each endpoint of this chain, to two digits. Pure. */
export function estimateRequests({ books, rules, assets }: Estimated, chain: string): number {
  const own = assets.filter(({ id }) => id.startsWith(`${chain}:`)).length
  const ticks = rules.flatMap((rule) => (rule.enabled ? (everyMsOf(rule) ?? []) : []))
  const tickMs = Math.min(...ticks)
  const readings = DAY_MS / books.reconcileEveryMs + DAY_MS / tickMs
  return roundUp(IDLE_READS + readings * (own === 0 ? 0 : EACH_READING + EACH_ASSET * own))
}

function roundUp(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1)
  return Math.ceil(count / unit) * unit
}
