import { expect, test } from "vitest"
import { createEngine } from "#engine/engine.ts"
import { BTC, createWorld, ETH, type World } from "../../support/fake-world.ts"

let world: World

test(
  "answers within a microtask keep no timer waiting: each poll of the outbox leaves a turn to " +
    "the event loop",
  async () => {
    world = createWorld()
    const { context } = world.start()
    let reads = 0
    const steps: ("poll" | "turn")[] = []
    const engine = createEngine({
      ...context,
      clock: {
        // Each reading takes a millisecond.
        now: () => world.clock.now() + reads++,
        sleep: world.clock.sleep,
        turn: async () => {
          steps.push("turn")
          await new Promise((resolve) => setImmediate(resolve))
        },
      },
      journal: {
        ...context.journal,
        listDueWork: (...args) => {
          steps.push("poll")
          return context.journal.listDueWork(...args)
        },
      },
    })
    const stopping = new AbortController()
    const ended = engine.run(stopping.signal)
    expect(await engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })).toMatchObject({
      ok: true,
    })
    await world.run(() => context.journal.listOpenRefs().length === 0)
    stopping.abort()
    await ended
    expect(steps.length).toBeGreaterThan(5)
    const polls = steps
      .join(" ")
      .split("turn")
      .map((part) => part.split("poll").length - 1)
    expect(Math.max(...polls)).toBe(1)
  },
)
