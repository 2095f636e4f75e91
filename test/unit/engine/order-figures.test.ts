import { beforeEach, expect, test } from "vitest"
import { pendingOf } from "#books/pending.ts"
import { chainOf } from "#domain/asset.ts"
import { type EngineContext, walletsOf } from "#engine/context.ts"
import { readFigures, refreshFigures } from "#engine/orders/order-figures.ts"
import { toFlight } from "#engine/rules/tick/flight.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeOrder } from "#order/step.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
  daemon = world.start()
})

/** Counts everything again from the stored orders. */
function recount({ context }: Daemon): unknown {
  const { journal, chains } = context
  // Newest first; the other list begins with the oldest.
  return journal
    .listOrders({ open: true })
    .toReversed()
    .map(({ id, snapshot }) => {
      const order = decodeOrder(snapshot)
      const traits = chains.get(chainOf(order.data.request.to))?.traits ?? null
      return {
        id,
        flight: toFlight(order, traits),
        pending: pendingOf([order], walletsOf(context)),
      }
    })
}

function counted({ context }: Daemon): unknown {
  return context.journal.listOpenRefs().map((ref) => {
    const { flight, pending } = mustExist(readFigures(context, ref), "figures")
    return {
      id: ref.id,
      flight,
      pending: new Map(pending.map(({ asset, ...sums }) => [asset, sums])),
    }
  })
}

test("after each step an order counts as a full recount of the stored orders says", async () => {
  for (const units of [10_000n, 20_000n, 30_000n]) await daemon.accept(ETH, BTC, units)
  const { journal } = daemon.context
  await world.run(() => {
    expect(counted(daemon)).toEqual(recount(daemon))
    return journal.listOpenRefs().length === 0
  })
  const states = journal.listEvents("order-1").map(({ state }) => state)
  expect(states).toEqual(
    expect.arrayContaining(["deposit-confirming", "funded", "redeem-reported", "completed"]),
  )
})

test("a new configuration counts the known orders again", async () => {
  await daemon.accept(ETH, BTC, 10_000n)
  const [ref] = daemon.context.journal.listOpenRefs()
  const { context } = daemon
  const before = readFigures(context, mustExist(ref, "the order"))
  const settings = { ...context.settings, assets: new Map(context.settings.assets) }
  // CAST: the same parts with other settings.
  const reloaded = Object.create(context, { settings: { value: settings } }) as EngineContext
  const after = readFigures(reloaded, mustExist(ref, "the order"))
  expect(after).not.toBe(before)
  expect(after).toEqual(before)
})

test("orders that are neither open nor recent are forgotten, and read again when asked for", async () => {
  await daemon.accept(ETH, BTC, 10_000n)
  const [open] = daemon.context.journal.listOpenRefs()
  const ref = mustExist(open, "the order")
  const before = readFigures(daemon.context, ref)
  await refreshFigures(daemon.context)
  expect(readFigures(daemon.context, ref)).toBe(before)
  await world.run(() => daemon.context.journal.listOpenRefs().length === 0)
  const [ended] = daemon.context.journal.listEndedRefs(0)
  const last = readFigures(daemon.context, mustExist(ended, "the ended order"))
  await world.pass(9 * 60_000)
  await refreshFigures(daemon.context)
  expect(readFigures(daemon.context, mustExist(ended, "the ended order"))).toBe(last)
  await world.pass(2 * 60_000)
  await daemon.accept(ETH, BTC, 10_000n)
  await refreshFigures(daemon.context)
  expect(readFigures(daemon.context, mustExist(ended, "the ended order"))).not.toBe(last)
})
