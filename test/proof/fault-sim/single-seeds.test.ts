import { expect, test } from "vitest"
import { formatFailure } from "./run-seeds.ts"
import type { SimCase } from "./sim-case.ts"
import { simulate } from "./simulate.ts"

/**
 * One seed a test, so that each is short enough to judge a changed line (`npm run mutate`). The
 * seeds with a number beyond a hundred failed before their repair (SEEDS.md).
 */
const PLAIN = [15, 16, 18, 22, 23, 24, 25]
const REPAIRED = [771_560, 9_001_482, 9_010_314, 9_013_165, 9_015_335, 9_016_367]
const CASES: readonly SimCase[] = [
  ...[...PLAIN, ...REPAIRED].map((seed) => ({ seed })),
  ...[7, 283, 418].map((seed) => ({ seed, mode: "honest" as const })),
  ...[1, 2, 3, 4, 507, 776, 807].map((seed) => ({ seed, ownSecrets: true })),
]

test.each(CASES.map((one): [string, SimCase] => [JSON.stringify(one), one]))(
  "no promise is broken in %s",
  { timeout: 120_000 },
  async (_, one) => {
    const result = await simulate(one)
    expect(result.violations, formatFailure(result, one)).toEqual([])
  },
)
