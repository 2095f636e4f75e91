import { expect, test } from "vitest"
import { ciSample } from "../../support/ci-sample.ts"
import type { PlantedBug } from "./planted-bugs.ts"
import { findPlantedBugs } from "./run-seeds.ts"

/**
 * Bugs that take few seeds, each with the first one that finds it: the search begins there.
 * `npm run sim -- --planted` searches all of them from the first seed on.
 */
const QUICK: readonly (readonly [PlantedBug, number])[] = [
  ["sent before recorded", 1],
  ["in-flight limit counted late", 3],
  ["signed content differs from verified", 1],
  ["payout believed unseen", 8],
  ["key used without the journal", 8],
  ["schedule read in UTC", 6],
  ["missed occurrence fires", 20],
  ["limit checked but not reserved", 5],
  ["reload changes an order under way", 1],
  ["decision lost with its order", 5],
  ["event written as another", 1],
  ["agreement of one", 17],
  ["any endpoint excludes", 11],
  ["excluded without a rival", 5],
  ["released before it is on disk", 1],
  ["pair claimed by half", 13],
  ["input values believed", 8],
  ["final fact forgotten", 8],
  ["pair in the wrong order", 13],
  ["approval of another order used", 13],
  ["approval left behind", 11],
  ["dead chain takes all slots", 10],
  ["stalled head trusted", 5],
  ["missed block trusted", 5],
  ["mint final as soon as seen", 1],
  ["burn final as soon as seen", 21],
  ["burn repeated after not found", 5],
  ["burn not found is none", 5],
  ["used nonce read from another account", 7],
  ["nonce of another message counts as used", 11],
]

test.for(ciSample(QUICK, 2))(
  "the simulator finds a planted bug: %s",
  { timeout: 120_000 },
  async ([bug, from]) => {
    expect(await findPlantedBugs(from, 200, [bug])).toMatchObject([
      { bug, seeds: expect.any(Number) },
    ])
  },
)
