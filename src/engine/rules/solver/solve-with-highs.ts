import { createRequire } from "node:module"
import type { default as HighsLoader } from "highs"
import type { FlowProblem } from "#policy/planner/flow-problem.ts"
import { type OrderAnswer, settleFlow } from "#policy/planner/settle-flow.ts"
import { EQUAL_COST, searchOrders } from "./search-orders.ts"
import type { SearchMates } from "./shared-search.ts"
import { toMilp } from "./to-milp.ts"

/** The nodes of our own search. HiGHS gets the problems that are still open then. */
export const SEARCH_NODES = 3_000

/**
 * Solves the problem with HiGHS (https://highs.dev), a solver for mixed-integer programs. Our own
 * search comes first (`search-orders.ts`) and proves most plans sooner. When the time ends without
 * a proof, the better of both plans counts, and the answer is not exact.
 */
export async function createHighsSolver(): Promise<
  (problem: FlowProblem, limitMs: number, mates?: SearchMates) => OrderAnswer
> {
  // CAST: the package exports its loader in this form; its ES module form has other types.
  const load = createRequire(import.meta.url)("highs") as (typeof HighsLoader)["default"]
  const highs = await load()
  return (problem, limitMs, mates) => {
    const searched = settleFlow(problem, searchOrders(problem, SEARCH_NODES, mates))
    if (searched.exact) return { orders: searched.orders, exact: true }
    const solved = highs.solve(toMilp(problem), {
      output_flag: false,
      time_limit: limitMs / 1_000,
      mip_rel_gap: 0,
      mip_abs_gap: EQUAL_COST,
      threads: 1,
    })
    // CAST: the columns of a mixed-integer program have a value each, when there is one.
    const columns = solved.Columns as Readonly<
      Record<string, { readonly Primal?: number } | undefined>
    >
    const orders = problem.edges.map((_, index) => Math.round(columns[`n${index}`]?.Primal ?? 0))
    if (solved.Status === "Optimal") return { orders, exact: true }
    const found = settleFlow(problem, { orders, exact: false })
    return found.objective < searched.objective
      ? { orders: found.orders, exact: false }
      : { orders: searched.orders, exact: false }
  }
}
