import { createSolver } from "#engine/rules/solver/create-solver.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { settleFlow } from "#policy/planner/flow/settle-flow.ts"
import { createRandom, randomProblem } from "../random-problem.ts"
import type { Part, Row } from "../row.ts"

const SIZES = [2, 4, 8, 16, 32, 50]
const SEED = 20_260_101

/** A plan of the rules, from two assets to fifty: its needs, and its optimum. */
export const assets: Part = async (quick) => {
  const solver = createSolver({ clock: systemClock, log: { warn: () => undefined } })
  const rows: Row[] = []
  for (const size of quick ? SIZES.slice(0, 4) : SIZES) {
    const random = createRandom(SEED + size)
    const prepared: number[] = []
    const solved: number[] = []
    for (let turn = 0; turn < (quick ? 3 : 9); turn++) {
      const startMs = performance.now()
      const problem = randomProblem(size, random)
      const readyMs = performance.now()
      settleFlow(problem, await solver.solve(problem))
      prepared.push(readyMs - startMs)
      solved.push(performance.now() - readyMs)
    }
    for (const [line, times] of [
      ["needs and routes", prepared],
      ["the plan of least cost", solved],
    ] as const)
      rows.push({
        what: `${line}, ${size} assets`,
        value: mustExist(times.toSorted((a, b) => a - b)[times.length >> 1], "a time"),
        unit: "ms",
        goal: null,
        point: { plot: "assets", line, x: size },
      })
  }
  return rows
}
