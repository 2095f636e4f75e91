import { expect, test } from "vitest"
import { createMemory } from "#engine/memory.ts"
import { createSpaceWatch, findMissingSpace } from "#engine/watches/journal-space.ts"

const MIB = 1_048_576
const START = 1_000_000

function scene(inFlight: number, hasKeeper = true) {
  const state = { isFull: false, nowMs: START, asked: [] as number[] }
  const journal = {
    countInFlight: () => inFlight,
    keepSpace: (bytes: number) => {
      state.asked.push(bytes)
      return !state.isFull
    },
  }
  const settings = hasKeeper ? { ownSecrets: { keeper: {} } } : {}
  // CAST: the watch reads these parts alone.
  const context = {
    journal,
    settings,
    clock: { now: () => state.nowMs },
    memory: createMemory(),
  } as never
  return { state, find: () => findMissingSpace(context), watch: createSpaceWatch(context) }
}

test.each([
  [0, 2 * MIB],
  [1, 2 * MIB + 65_536],
  [16, 3 * MIB],
])("with %i orders in flight the journal keeps %i bytes", async (inFlight, bytes) => {
  const { state, find, watch } = scene(inFlight)
  expect(find()).toEqual([])
  expect(state.asked).toEqual([bytes])
  // The watch keeps them too, without any order that asks.
  if ("run" in watch) await watch.run()
  expect(state.asked).toEqual([bytes, bytes])
  state.isFull = true
  expect(find()).toMatchObject([{ code: "secret.no_space", neededBytes: String(bytes) }])
})

test("a full disk is asked again after ten seconds, also of a clock that is set back", () => {
  const { state, find } = scene(0)
  state.isFull = true
  expect(find()).toHaveLength(1)
  state.isFull = false
  for (const [passedMs, times] of [
    [9_999, 1],
    [-9_999, 1],
    [10_000, 2],
  ] as const) {
    state.nowMs = START + passedMs
    expect([find().length, state.asked.length]).toEqual([2 - times, times])
  }
  state.isFull = true
  expect(find()).toHaveLength(1)
  state.isFull = false
  state.nowMs -= 10_000
  expect(find()).toEqual([])
})

test("a full disk matters only where Ballast chooses secrets", () => {
  const { state, find } = scene(3, false)
  state.isFull = true
  expect(find()).toEqual([])
  expect(state.asked).toEqual([])
})
