import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import type { Config } from "#config/config.ts"
import { readObservations } from "#daemon/study/read-observations.ts"
import type { Journal } from "#ports/journal.ts"
import { BTC, createWorld, ETH, type World } from "../../support/fake-world.ts"

let world: World

// CAST: the observations need these parts of a configuration.
const CONFIG = { rules: [{ id: "band", kind: "band", everyMs: 60_000 }] } as unknown as Config

test.each(["completed", "refunded"] as const)(
  "the end of a %s order is read from its summary, and is that of the order",
  async (end) => {
    world = createWorld({ confirmations: 4 })
    const daemon = world.start()
    world.service.conduct.fills = world.service.conduct.takesSource = end === "completed"
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
    await world.run(() => daemon.state("order-1") === end)
    const { journal } = daemon.context
    const body = JSON.stringify({ decided: { proposals: [], declined: [] }, verdicts: [] })
    const known = {
      id: "d1",
      atMs: 1,
      rule: "band",
      verdict: "proposed" as const,
      body,
      inputs: null,
      configHash: null,
    }
    journal.recordDecision(known)
    const db = new DatabaseSync(world.journalFile)
    db.exec("insert into decision_orders (decision, order_id) values ('d1', 'order-1')")
    const nowMs = world.clock.now() + 5_000
    const reads: string[] = []
    const watched: Journal = {
      ...journal,
      listDecisions: (query) => journal.listDecisions(query),
      findSummary: (id) => journal.findSummary(id),
      findOrder: (id) => {
        reads.push(id)
        return journal.findOrder(id)
      },
    }
    const fromSummary = readObservations(watched, CONFIG, nowMs)
    expect(reads).toEqual([])
    db.exec("update orders set summary = null")
    db.close()
    expect(readObservations(watched, CONFIG, nowMs)).toEqual(fromSummary)
    expect(reads).toEqual(["order-1"])
    expect(fromSummary).toHaveLength(1)
    expect(fromSummary[0]?.arrivedMs).toBeLessThan(nowMs)
    expect(fromSummary[0]?.arrivedMs).toBeGreaterThan(1)
  },
)
