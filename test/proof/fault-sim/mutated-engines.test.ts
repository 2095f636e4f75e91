import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { ciSample } from "../../support/ci-sample.ts"
import { ADVERSARY_MUTANTS } from "./adversary/adversary-mutants.ts"
import { CLUSTER_MUTANTS } from "./cluster/cluster-mutants.ts"
import { ENGINE_MUTANTS } from "./engine-mutants.ts"
import { tryMutatedEngines } from "./mutated-engines.ts"
import { ROUTE_MUTANTS } from "./route-mutants.ts"

/**
 * Mutants that take few seeds; `npm run sim -- --mutated-engines --seeds 1..200` tries all of them.
 */
const QUICK = [
  "a deposit is signed without its claim",
  "a void is signed without its claim",
  "calls do not wait for the journal",
  "a deposit is sent before its bytes are stored",
  "signed bytes are not stored",
  "the lease is not asked for",
  "the proof of the lease is cached",
  "a broadcast needs no lease",
  "a secret is told without its payout",
]

test.for(ciSample(QUICK, 2))(
  "the trace checker rejects a mutated engine: %s",
  { timeout: 120_000 },
  async (name) => {
    const mutants = ENGINE_MUTANTS.filter((mutant) => mutant.name === name)
    expect(await tryMutatedEngines({ from: 1, seeds: 60 }, mutants)).toMatchObject([
      { name, seeds: expect.any(Number) },
    ])
  },
)

// The ninth seed is the first one that notices one of them.
test.for(["an attested burn is voided", "an attested burn is late"])(
  "a seed in which attested burns lose their blocks notices: %s",
  { timeout: 120_000 },
  async (name) => {
    const mutants = ROUTE_MUTANTS.filter((mutant) => mutant.name === name)
    const trial = { from: 9, seeds: 60, byAny: true, compares: true }
    expect(await tryMutatedEngines(trial, mutants)).toMatchObject([
      { name, seeds: expect.any(Number), message: expect.stringContaining("attested burn") },
    ])
  },
)

test("a mutant whose text is gone from the code is an error", async () => {
  const edits = [{ file: "src/engine/orders/stepper.ts", find: "no such text", replace: "" }]
  await expect(
    tryMutatedEngines({ from: 1, seeds: 1 }, [{ name: "stale", edits }]),
  ).rejects.toThrow(/has this text 0 times/)
})

test("the code has the text of every mutant once", () => {
  const lists = [ENGINE_MUTANTS, ADVERSARY_MUTANTS, CLUSTER_MUTANTS, ROUTE_MUTANTS]
  const stale = lists
    .flat()
    .flatMap(({ name, edits }) =>
      edits.flatMap(({ file, find }) =>
        readFileSync(file, "utf8").split(find).length === 2 ? [] : [`${name}: ${find}`],
      ),
    )
  expect(stale).toEqual([])
})
