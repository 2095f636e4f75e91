import type { FaultKind } from "./fault-kinds.ts"
import type { SimCase } from "./sim-case.ts"
import { simulate } from "./simulate.ts"

export type Shrunk = { readonly found: SimCase; readonly checker: string; readonly runs: number }

/** Shrinking stops after this many runs. */
const MAX_RUNS = 200

/**
 * Finds a smaller case that the same checker fails: fewer rules, orders, fault kinds and turns, and
 * a later first fault. `null` if the case does not fail. The search is greedy and draws nothing, so
 * a case always shrinks to the same result.
 */
export async function shrink(start: SimCase): Promise<Shrunk | null> {
  const first = await simulate(start)
  const checker = first.violations[0]?.checker
  if (checker === undefined) return null
  let runs = 1
  let found: SimCase = {
    ...start,
    orders: first.profile.orders,
    only: [...first.profile.enabled],
    steps: first.profile.activeSteps,
    rules: first.rules,
  }

  /** Takes the first of the candidates that still fails. */
  async function take(candidates: Iterable<SimCase>): Promise<boolean> {
    for (const candidate of candidates) {
      if (runs >= MAX_RUNS) return false
      runs++
      const { violations } = await simulate(candidate)
      if (!violations.some((one) => one.checker === checker)) continue
      found = candidate
      return true
    }
    return false
  }

  for (let again = true; again && runs < MAX_RUNS; ) {
    const before = JSON.stringify(found)
    await take(smaller(found.rules ?? 0, 0).map((rules) => ({ ...found, rules })))
    await take(smaller(found.orders ?? 1, 1).map((orders) => ({ ...found, orders })))
    while (await take(withoutOne(found.only ?? []).map((only) => ({ ...found, only }))));
    while (await take(halfway(found.steps ?? 1).map((steps) => ({ ...found, steps }))));
    await take(
      smaller(found.steps ?? 1, (found.faultsFrom ?? 0) + 1)
        .reverse()
        .map((faultsFrom) => ({ ...found, faultsFrom })),
    )
    again = JSON.stringify(found) !== before
  }
  return { found, checker, runs }
}

/** At most eight values from `least` to below `value`. */
function smaller(value: number, least: number): number[] {
  const stride = Math.max(1, Math.ceil((value - least) / 8))
  const values: number[] = []
  for (let candidate = least; candidate < value; candidate += stride) values.push(candidate)
  return values
}

function halfway(steps: number): number[] {
  return [Math.floor(steps / 2), Math.floor((steps * 3) / 4), Math.floor((steps * 9) / 10)].filter(
    (fewer) => fewer > 0 && fewer < steps,
  )
}

/** No kind, each half, and all kinds except one. */
function withoutOne(kinds: readonly FaultKind[]): (readonly FaultKind[])[] {
  const half = Math.ceil(kinds.length / 2)
  const halves = kinds.length > 3 ? [kinds.slice(0, half), kinds.slice(half)] : []
  return kinds.length === 0
    ? []
    : [[], ...halves, ...kinds.map((one) => kinds.filter((other) => other !== one))]
}
