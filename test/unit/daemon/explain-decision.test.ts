import { beforeEach, expect, test } from "vitest"
import { describeWindows, explainOrder } from "#daemon/study/explain-decision.ts"
import { BTC, createWorld, ETH, type World } from "../../support/fake-world.ts"

const RULE = {
  id: "band",
  kind: "band",
  asset: BTC,
  minUnits: 1_100_000n,
  targetUnits: 1_150_000n,
  maxUnits: 1_200_000n,
  sources: [ETH],
  sinks: [ETH],
  everyMs: 5_000,
} as const

let world: World
beforeEach(() => {
  world = createWorld()
})

test("an order tells its cost and its ceiling, from the decision that asked for it", async () => {
  const daemon = world.start({ settings: { rules: [RULE] } })
  const { journal } = daemon.context
  await world.run(() => journal.listOrders({ limit: 1 }).length > 0)
  const [row] = journal.listOrders({ limit: 1 })
  const sentences = explainOrder(journal, { id: row?.id ?? "", rule: "band" })
  expect(sentences).toHaveLength(2)
  expect(sentences[0]).toMatch(
    /^It costs \d+\.\d\d usd, [\d.]+ bps of the sold value; no rule lists another way\.$/,
  )
  expect(sentences[1]).toMatch(/^The ceiling is .* guards\.max_cost\.$/)
  expect(explainOrder(journal, { id: "other", rule: "band" })).toEqual([])
})

test("a window says what it left, and when its oldest order leaves it", async () => {
  const window = { perMs: 86_400_000, max: null, maxFeesFiat: null, maxCount: null }
  const max = { kind: "units" as const, byAsset: { [ETH]: 20_000n } }
  const limits = { maxOrder: null, maxInFlight: 8, windows: [{ ...window, max }] }
  const daemon = world.start({ settings: { rules: [RULE], limits } })
  const { journal } = daemon.context
  const isEnded = () => {
    const [last] = journal.listDecisions({ rule: "band", limit: 1 })
    return last?.body.includes("limit.window") === true
  }
  await world.run(isEnded)
  const [last] = journal.listDecisions({ rule: "band", limit: 1 })
  if (last === undefined) throw new Error("the run ends with a decision")
  const oldest = journal.listOrders({ limit: 99 }).at(-1)?.createdAtMs ?? 0
  const leaves = new Date(oldest + 86_400_000).toISOString().slice(0, 10)
  const sentences = describeWindows(journal, last, world.clock.now())
  expect(sentences).toHaveLength(1)
  expect(sentences[0]).toMatch(
    new RegExp(
      `^guards\\.windows of 1d has more room than .* ${ETH}: its oldest order .* ${leaves}`,
    ),
  )
})
