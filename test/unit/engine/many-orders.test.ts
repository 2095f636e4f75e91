import { beforeEach, describe, expect, test } from "vitest"
import { listFigures } from "#engine/orders/order-figures.ts"
import { knownHeight } from "#engine/rules/tick/in-flight.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"

const ID = "order-1"

let world: World
let daemon: Daemon
beforeEach(async () => {
  world = createWorld()
  daemon = world.start()
  await daemon.accept()
  await daemon.reach("completed")
})

/** Newer orders of the same pair, which no chain has seen yet. */
function addNewer(count: number): void {
  const { journal, clock } = daemon.context
  const first = mustExist(journal.findOrder(ID), "the first order")
  const atMs = clock.now()
  for (let index = 0; index < count; index++) {
    const times = { createdAtMs: atMs, updatedAtMs: atMs, countedAtMs: atMs }
    const none = {
      outcome: null,
      deposited: false,
      secretHash: null,
      payoutTx: null,
      state: "quoting",
    }
    const snapshot = first.snapshot.replaceAll(
      /"(source|destination)(Initiated|Redeemed|Refunded)":\{[^}]*\}[^}]*\}/g,
      '"$1$2":null',
    )
    const row: OrderRow = { ...first, ...none, ...times, id: `newer-${index}`, snapshot }
    journal.openOrder(row, { atMs, type: "order.opened", state: "quoting", body: "{}" }, null, null)
  }
}

describe("behind many newer orders", () => {
  test(
    "the block that a node has shown before is still known, so that a lagging balance is not " +
      "believed",
    () => {
      const before = knownHeight(daemon.context, listFigures(daemon.context), ETH)
      expect(before).toBeGreaterThan(0n)
      addNewer(51)
      expect(knownHeight(daemon.context, listFigures(daemon.context), ETH)).toBe(before)
    },
  )

  test("the order of a payout is still found, so that one payment does not count for two orders", () => {
    const { txid } = mustExist(daemon.order(ID).data.seen.destinationRedeemed, "the payout")
    addNewer(501)
    const found = daemon.context.journal.listPaidBy(BTC, txid)
    expect(found.map(({ id }) => id)).toEqual([ID])
    expect(daemon.context.journal.listPaidBy(ETH, txid)).toEqual([])
    expect(daemon.context.journal.listPaidBy(BTC, "another")).toEqual([])
  })
})
