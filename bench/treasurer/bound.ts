import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import type { CorrectionGoal } from "#policy/need.ts"
import { drawTreasury } from "../random-treasury.ts"
import { seeRun } from "./foresee-treasury.ts"
import { createForesight } from "./foresight.ts"

/**
 * The parts of the costs of random treasuries, and the least that an observer of the future pays:
 * as far outside as this run and with its balances at the end.
 *
 *     node bench/treasurer/bound.ts edge 1 200
 */
const [goal = "edge", first = "1", last = "200"] = process.argv.slice(2)
const GOALS: readonly CorrectionGoal[] = ["target", "edge", "values"]
const move = GOALS.find((one) => one === goal) ?? "edge"
const solve = await createDirectSolver()
const foresee = await createForesight()
const sums = { orders: 0, fixed: 0, shares: 0, others: 0, bound: 0, outside: 0 }
for (let seed = Number(first); seed <= Number(last); seed += 1) {
  const drawn = drawTreasury(seed)
  const { settings } = drawn.subject
  const rules = settings.rules.map((rule) => (rule.kind === "band" ? { ...rule, move } : rule))
  const subject = { ...drawn.subject, solve, settings: { ...settings, rules } }
  const { foresight, outsideShare, isPaused, ...run } = seeRun({ ...drawn, subject }, 90)
  const { usd: bound } = foresee(foresight, false, 60)
  const line = { seed, mix: drawn.mix, ...run, bound, outside: outsideShare, isPaused }
  console.log(JSON.stringify(line))
  for (const name of ["orders", "fixed", "shares", "others", "bound", "outside"] as const)
    sums[name] += line[name]
}
console.log(JSON.stringify({ move, ...sums }))
