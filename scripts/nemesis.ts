import { parseArgs } from "node:util"
import { CLUSTER_MUTANTS } from "../test/proof/fault-sim/cluster/cluster-mutants.ts"
import { canMakeNamespaces } from "../test/proof/nemesis/network.ts"
import { runNemesis } from "../test/proof/nemesis/run-nemesis.ts"
import { hasPostgres } from "../test/support/start-postgres.ts"

/**
 * `npm run nemesis -- --take-overs N [--seed S] [--longest SECONDS] [--asynchronous]`: two daemons
 * and two servers of PostgreSQL in network namespaces. `--asynchronous` plants a mistake: commits
 * do not wait for the second server, so a promotion loses some that were acknowledged.
 * `--plant NAME` plants one of those of the simulated cluster.
 */
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1))

const { values } = parseArgs({
  options: {
    "take-overs": { type: "string" },
    seed: { type: "string" },
    longest: { type: "string" },
    asynchronous: { type: "boolean" },
    plant: { type: "string" },
  },
})
const takeOvers = Number(values["take-overs"] ?? 30)
const seed = Number(values.seed ?? process.hrtime.bigint() % 1_000_000n)
const longestMs = Number(values.longest ?? 60) * 1_000
const plant = CLUSTER_MUTANTS.find(({ name }) => name === values.plant)

if (
  !(takeOvers > 0) ||
  (values.plant !== undefined && plant === undefined) ||
  !Number.isInteger(seed) ||
  !(longestMs > 0)
) {
  const names = CLUSTER_MUTANTS.map(({ name }) => `\n  ${name}`).join("")
  console.error(
    "Usage: npm run nemesis -- --take-overs N [--seed S] [--longest SECONDS] " +
      `[--asynchronous] [--plant NAME]\n\nNAME is one of${names}`,
  )
  process.exitCode = 64
} else if (!canMakeNamespaces() || !hasPostgres()) process.exitCode = 69
else {
  const asynchronous = values.asynchronous === true
  const planted = plant?.edits ?? []
  const result = await runNemesis({
    seed,
    takeOvers,
    longestMs,
    asynchronous,
    planted,
    say: console.log,
  })
  console.log(
    JSON.stringify(
      { ...result, faults: result.faults.length },
      (_, value) => (typeof value === "bigint" ? String(value) : value),
      2,
    ),
  )
  process.exit(result.violations.length === 0 ? 0 : 1)
}
