import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { formatResult } from "../test/proof/chaos/format-result.ts"
import { runChaos } from "../test/proof/chaos/run-chaos.ts"

/**
 * `npm run chaos -- --minutes N [--seed S] [--dialect contract|2026] [--forget]`: runs the real
 * daemon among real local chains and injects faults.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    seed: { type: "string" },
    dialect: { type: "string" },
    forget: { type: "boolean" },
  },
})
const minutes = Number(values.minutes ?? 5)
const seed = Number(values.seed ?? process.hrtime.bigint() % 1_000_000n)
const dialect = values.dialect === "2026" ? "2026" : "contract"

if (!(minutes > 0) || !Number.isInteger(seed) || (values.dialect ?? dialect) !== dialect) {
  console.error(
    "Usage: npm run chaos -- --minutes N [--seed S] [--dialect contract|2026] [--forget]",
  )
  process.exitCode = 64
} else {
  const dir = mkdtempSync(join(tmpdir(), "ballast-chaos-"))
  const forgetting = values.forget === true
  const result = await runChaos({
    seed,
    minutes,
    leastFaults: 1,
    leastOrders: 1,
    dir,
    dialect,
    forgetting,
    say: console.log,
  })
  console.log(formatResult(result))
  console.log(`\nseed ${seed}, dialect ${dialect}, data in ${dir}`)
  process.exit(result.violations.length === 0 ? 0 : 1)
}
