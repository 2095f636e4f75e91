import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import type { DaemonAnswer } from "./call-daemon.ts"
import { callOnce } from "./call-once.ts"

type Step = DaemonAnswer | AppError

function play(...steps: readonly Step[]) {
  let nowMs = 0
  const keys: (string | undefined)[] = []
  const clock = {
    now: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms
    },
  }
  const answer = callOnce({
    clock,
    call: async ({ key }) => {
      const step = steps[Math.min(keys.length, steps.length - 1)]
      keys.push(key)
      if (step === undefined || step instanceof AppError) throw step
      return step
    },
  })
  return { answer, keys }
}

const done: DaemonAnswer = { status: 200, body: { id: "o1", state: "held" } }
const inFlight: DaemonAnswer = {
  status: 409,
  body: { reasons: [{ code: "request.key_in_flight", message: "" }] },
}
const fault = (code: string, disposition: "uncertain" | "transient" | "fatal"): AppError =>
  new AppError({ code, disposition, message: code })
const lost = fault("daemon.answer_lost", "uncertain")
const away = fault("daemon.unreachable", "transient")

test("asks again under the same key until an answer comes", async () => {
  const { answer, keys } = play(lost, away, inFlight, done)
  expect(await answer).toEqual(done)
  expect([keys.length, new Set(keys).size]).toEqual([4, 1])
})

test("stays uncertain when no answer comes", async () => {
  const { answer, keys } = play(lost, away)
  await expect(answer).rejects.toBe(lost)
  expect(keys.length).toBeGreaterThan(10)
})

test("does not wait for a daemon that never took the request, nor for a foreign one", async () => {
  const { answer, keys } = play(away)
  await expect(answer).rejects.toBe(away)
  expect(keys).toHaveLength(1)
  const foreign = fault("daemon.socket_foreign", "fatal")
  await expect(play(lost, foreign).answer).rejects.toBe(foreign)
})
