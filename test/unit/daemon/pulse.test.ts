import { expect, test } from "vitest"
import { createPulse } from "#daemon/watch/pulse.ts"
import { createMemory } from "#engine/memory.ts"

/** Each beat takes so long; the pulse ends with the last one. */
async function beat(lengthsMs: readonly number[]) {
  const memory = createMemory()
  const stop = new AbortController()
  let nowMs = 1_000_000
  let beats = 0
  const clock = {
    now: () => nowMs,
    sleep: async () => {
      nowMs += lengthsMs[beats] ?? 0
      beats += 1
      if (beats === lengthsMs.length) stop.abort()
    },
  }
  await createPulse({ memory, clock }).run(stop.signal)
  return memory.faults.get("event loop")
}

const spend = (ms: number, times: number): readonly number[] =>
  Array.from({ length: times }, () => ms)

test("an event loop in time is no fault", async () => {
  expect(await beat(spend(260, 200))).toBeUndefined()
})

test("one that stands still for most of the time is noted until it is in time again", async () => {
  expect(await beat(spend(1_000, 30))).toMatchObject({
    times: 3,
    error: "it stood still for 7.5 of the last 10.0 seconds",
  })
  expect(await beat([...spend(1_000, 30), ...spend(250, 40)])).toBeUndefined()
})

test("a suspended machine and a clock that was set are no fault", async () => {
  expect(await beat([...spend(250, 4), 3_600_000])).toBeUndefined()
  expect(await beat([...spend(250, 4), -3_600_000, ...spend(250, 60)])).toBeUndefined()
})
