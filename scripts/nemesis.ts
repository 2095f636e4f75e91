import { parseArgs } from "node:util"
import { canMakeNamespaces } from "../test/nemesis/network.ts"
import { runNemesis } from "../test/nemesis/run-nemesis.ts"
import { hasPostgres } from "../test/support/start-postgres.ts"

/** `npm run nemesis -- --take-overs N [--seed S] [--longest SECONDS] [--asynchronous]`: two daemons and two servers of PostgreSQL in network namespaces.
 * `--asynchronous` plants a mistake: commits do not wait for the second server, so a promotion loses some that were acknowledged. */
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1))

const { values } = parseArgs({
  options: {
    "take-overs": { type: "string" },
    seed: { type: "string" },
    longest: { type: "string" },
    asynchronous: { type: "boolean" },
  },
})
const takeOvers = Number(values["take-overs"] ?? 30)
const seed = Number(values.seed ?? process.hrtime.bigint() % 1_000_000n)
const longestMs = Number(values.longest ?? 60) * 1_000

if (!(takeOvers > 0) || !Number.isInteger(seed) || !(longestMs > 0)) {
  console.error("Usage: npm run nemesis -- --take-overs N [--seed S] [--longest SECONDS]")
  process.exitCode = 64
} else if (!canMakeNamespaces() || !hasPostgres()) process.exitCode = 69
else {
  const asynchronous = values.asynchronous === true
  const result = await runNemesis({ seed, takeOvers, longestMs, asynchronous, say: console.log })
  console.log(
    JSON.stringify(
      { ...result, faults: result.faults.length },
      (_, value) => (typeof value === "bigint" ? String(value) : value),
      2,
    ),
  )
  process.exit(result.violations.length === 0 ? 0 : 1)
}
