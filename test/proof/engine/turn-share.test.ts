import { expect, test } from "vitest"
import { createTurnShare } from "#engine/orders/turn-share.ts"
import { BTC, createWorld, ETH, type World } from "../../support/fake-world.ts"
import { createManualClock } from "../../support/manual-clock.ts"

let world: World | null = null

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test("many orders whose answers come at once take a bounded part of each turn of the event loop", async () => {
  world = createWorld()
  const { clock } = world
  // Each step of an order takes a millisecond.
  let steps = 0
  let inTurn = 0
  let most = 0
  let isOver = false
  const followTurns = (): void => {
    most = Math.max(most, inTurn)
    inTurn = 0
    if (!isOver) setImmediate(followTurns)
  }
  setImmediate(followTurns)
  const { engine, context } = world.start({
    settings: { limits: { maxOrder: null, maxInFlight: 100, windows: [] } },
    adaptContext: (own) => ({
      ...own,
      clock: { now: () => clock.now() + steps, sleep: clock.sleep, turn: nextTurn },
      journal: {
        ...own.journal,
        commit: (step) => {
          steps += 1
          // The test itself requests all orders in one turn.
          if (step.cause !== null) inTurn += 1
          own.journal.commit(step)
        },
      },
    }),
  })
  const orders = Array.from({ length: 40 }, () =>
    engine.submit({ from: ETH, to: BTC, sourceUnits: 1_000n }),
  )
  for (const answer of await Promise.all(orders)) expect(answer).toMatchObject({ ok: true })
  await world.run(() => context.journal.listOpenRefs().length === 0)
  isOver = true
  expect(context.journal.countOrders()).toEqual([
    expect.objectContaining({ state: "completed", count: 40 }),
  ])
  expect(steps).toBeGreaterThan(300)
  // The share of one turn, and the step that was under way at its end.
  expect(most).toBeLessThanOrEqual(9)
})

test(
  "work waits for a later turn in the order in which it came, and a turn with time left lets " +
    "it go on at once",
  async () => {
    const clock = createManualClock(0)
    const turns = createTurnShare({ ...clock, turn: nextTurn })
    const done: string[] = []
    expect([turns.wait(), turns.wait()]).toEqual([null, null])
    clock.set(8)
    for (const [name, tookMs] of [
      ["a", 5],
      ["b", 5],
      ["c", 1],
      ["d", 0],
    ] as const)
      void turns.wait()?.then(() => {
        clock.set(clock.now() + tookMs)
        done.push(name)
      })
    await nextTurn()
    expect(done).toEqual(["a", "b"])
    await nextTurn()
    expect(done).toEqual(["a", "b", "c", "d"])
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    clock.set(-1_000)
    expect(turns.wait()).toBeNull()
    clock.set(-2_000)
    expect(turns.wait()).not.toBeNull()
  },
)

test("a simulated clock has no turns, and no work waits", () => {
  const clock = createManualClock(0)
  const turns = createTurnShare(clock)
  for (let ms = 0; ms < 100; ms++) {
    clock.set(ms)
    expect(turns.wait()).toBeNull()
  }
})
