import { createRequire } from "node:module"
import type { Highs } from "highs"
import type { FlowProblem } from "#policy/planner/flow/flow-problem.ts"
import type { Candidate } from "#policy/planner/flow/judge-candidate.ts"
import { toMilp } from "./to-milp.ts"

/**
 * Where HiGHS stops without a proof. Seconds end it on time; nodes of its search end it at the
 * same place on every machine.
 */
type HighsLimit = { readonly seconds: number } | { readonly nodes: number }

/** The options of HiGHS. It has one thread, and the seed decides its ties. */
const OPTIONS = {
  output_flag: false,
  random_seed: 0,
  mip_rel_gap: 0,
  // Far below the smallest difference between two plans that counts (judge-candidate.ts).
  mip_abs_gap: 1e-7,
  // A part of an order that counts as none must not carry an amount that matters.
  mip_feasibility_tolerance: 1e-9,
}

/**
 * HiGHS (https://highs.dev), a solver for mixed-integer programs, as WebAssembly. It computes in
 * floating point, so its answer is a candidate that `judgeCandidate` checks.
 */
export async function createHighs(): Promise<
  (problem: FlowProblem, limit: HighsLimit) => Candidate
> {
  // CAST: the package exports its loader in this form; its ES module form has other types.
  const load = createRequire(import.meta.url)("highs") as () => Promise<Highs>
  const highs = await load()
  return (problem, limit) =>
    highs.withModel({ format: "lp", data: toMilp(problem) }, (model) => {
      model.options.set({ ...OPTIONS, ...optionOf(limit) })
      const { modelStatus } = model.run()
      const { colValue } = model.getSolution()
      return {
        orders: problem.edges.map((_, edge) => {
          return Math.round(colValue[model.getColByName(`n${edge}`)] ?? Number.NaN)
        }),
        objective: model.getObjectiveValue(),
        stopped: stopOf(modelStatus),
      }
    })
}

/** The codes of the state in which HiGHS ends (`HighsModelStatus`). */
const OPTIMAL = 7
const TIME_LIMIT = 13

function stopOf(status: number): Candidate["stopped"] {
  if (status === OPTIMAL) return null
  return status === TIME_LIMIT ? "time" : "limit"
}

function optionOf(limit: HighsLimit): Readonly<Record<string, number>> {
  return "seconds" in limit ? { time_limit: limit.seconds } : { mip_max_nodes: limit.nodes }
}
