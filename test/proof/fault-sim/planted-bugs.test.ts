import { expect, test } from "vitest"
import type { PlantedBug } from "./planted-bugs.ts"
import { findPlantedBugs } from "./run-seeds.ts"

/** Bugs that take few seeds; `npm run sim -- --planted` searches all of them. */
const QUICK: readonly PlantedBug[] = [
  "sent before recorded",
  "in-flight limit counted late",
  "signed content differs from verified",
  "payout believed unseen",
  "key used without the journal",
  "schedule read in UTC",
  "missed occurrence fires",
  "limit checked but not reserved",
  "reload changes an order under way",
  "decision lost with its order",
  "event written as another",
  "agreement of one",
  "any endpoint excludes",
  "excluded without a rival",
  "released before it is on disk",
  "pair claimed by half",
  "input values believed",
  "final fact forgotten",
  "pair in the wrong order",
  "approval of another order used",
  "approval left behind",
  "dead chain takes all slots",
  "stalled head trusted",
  "missed block trusted",
]

test.for(QUICK)("the simulator finds a planted bug: %s", { timeout: 120_000 }, async (bug) => {
  expect(await findPlantedBugs(1, 200, [bug])).toMatchObject([{ bug, seeds: expect.any(Number) }])
})
