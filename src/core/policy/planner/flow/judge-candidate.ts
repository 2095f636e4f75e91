import type { FlowProblem } from "./flow-problem.ts"
import { answerOf, type SearchedHere } from "./search-here.ts"
import { flowOf, type OrderAnswer } from "./settle-flow.ts"

/**
 * Numbers of orders as HiGHS states them, in floating point. `objective` is in units of the
 * currency. `stopped`: the limit that ended HiGHS; `null` when it says that no plan costs less.
 */
export type Candidate = {
  readonly orders: readonly number[]
  readonly objective: number
  readonly stopped: "time" | "limit" | null
}

/** Two plans whose costs differ by less, in units of the currency or as a share, count as equal. */
const EQUAL = { units: 1e-6, share: 1e-9 }
/** A unit of the currency in the objective of a flow problem. */
const UNIT = 10n ** 36n

/**
 * Checks a candidate in exact arithmetic. Numbers that allow no flow within all limits, or whose
 * flow costs more than the one found here, do not count. The plan counts as proven only when its
 * exact cost is the one that HiGHS states as least.
 */
export function judgeCandidate(
  problem: FlowProblem,
  here: SearchedHere,
  candidate: Candidate,
): OrderAnswer {
  const found = flowOf(problem, candidate.orders)
  if (found === null) return answerOf(here, candidate.stopped ?? "infeasible")
  const isBetter = found.objective <= here.objective
  const best = isBetter ? found.objective : here.objective
  const orders = isBetter ? candidate.orders : here.orders
  const by = isBetter ? "highs" : here.by
  if (candidate.stopped !== null) return { orders, exact: false, by, why: candidate.stopped }
  if (isEqual(best, candidate.objective)) return { orders, exact: true, by }
  return { orders, exact: false, by, why: isBetter ? "inexact" : "worse" }
}

function isEqual(exact: bigint, stated: number): boolean {
  const cost = Number(exact) / Number(UNIT)
  return Math.abs(cost - stated) <= Math.max(EQUAL.units, EQUAL.share * Math.abs(cost))
}
