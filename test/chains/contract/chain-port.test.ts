import { afterAll, beforeAll, describe, test } from "vitest"
import type { Bench, World } from "./bench.ts"
import { bitcoinBench } from "./bitcoin-bench.ts"
import { evmBench, olderEvmBenches } from "./evm-bench.ts"
import { describeSkips, whyNot } from "./missing-abilities.ts"
import type { PortTest } from "./port-test.ts"
import { solanaBench } from "./solana-bench.ts"
import { starknetBench, starknetWordsBench } from "./starknet-bench.ts"
import { DEPOSITS } from "./tests-of-deposits.ts"
import { LEGS } from "./tests-of-legs.ts"
import { READS } from "./tests-of-reads.ts"
import { REDEMPTIONS } from "./tests-of-redemptions.ts"
import { TRANSACTIONS } from "./tests-of-transactions.ts"
import { VERSIONS } from "./tests-of-versions.ts"

const BENCHES = [bitcoinBench, evmBench, solanaBench, starknetBench, starknetWordsBench]
const TESTS: readonly PortTest[] = [
  ...READS,
  ...DEPOSITS,
  ...TRANSACTIONS,
  ...LEGS,
  ...REDEMPTIONS,
  ...VERSIONS,
]

describe.each(BENCHES)("the chain port of $family", (bench) => runSuite(bench, TESTS))

describe.each(olderEvmBenches)("the chain port of $family with contracts $contracts", (bench) => {
  runSuite(bench, [...LEGS, ...VERSIONS])
})

function runSuite(bench: Bench, tests: readonly PortTest[]): void {
  let world: World
  // The first start on a machine may download bitcoind.
  beforeAll(async () => {
    world = await bench.start()
  }, 120_000)
  afterAll(() => world?.stop())

  describe.each(bench.variants.map((variant) => ({ variant })))("$variant", ({ variant }) => {
    for (const { name, needs, run } of tests) {
      const why = needs === undefined ? null : whyNot(needs, variant)
      test(why === null ? name : `${name} (skipped: ${why})`, {
        timeout: 30_000,
        skip: why !== null,
      }, async () => {
        await run({ local: world.local, wallet: await world.openWallet(variant), variant })
      })
    }
  })
}

afterAll(() => {
  console.info(`Abilities that a family lacks:\n${describeSkips()}`)
})
