import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { change, Refused } from "../../../web/session.ts"

const OPENED = { id: "order-1" }
const problem = (status: number, code: string): Response =>
  Response.json({ reasons: [{ code, message: code }] }, { status })
const lost = (): Response => {
  throw new TypeError("fetch failed")
}

let keys: (string | null)[] = []

/** The daemon answers in this way, and with the last one from then on. */
function answerWith(...answers: readonly (() => Response)[]): void {
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get("idempotency-key"))
    return answers[Math.min(keys.length, answers.length) - 1]?.()
  })
}

beforeEach(() => {
  keys = []
  vi.useFakeTimers()
  vi.stubGlobal("localStorage", { getItem: () => "csrf" })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  ["the answer is lost", lost],
  ["a proxy has no daemon", () => new Response("<html>", { status: 502 })],
  ["the first one is still judged", () => problem(409, "request.key_in_flight")],
])("a change is asked again under its key while %s", async (_case, answer) => {
  answerWith(answer, answer, () => Response.json(OPENED))
  const asked = change("swap", { amount: "1" })
  await vi.runAllTimersAsync()
  expect(await asked).toEqual(OPENED)
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^\d+-\d+$/)
})

test.each([
  ["guards refuse", 422, "guard.max_order"],
  ["a standby did nothing", 503, "cluster.standby"],
])("%s: nothing is asked again", async (_case, status, code) => {
  answerWith(() => problem(status, code))
  await expect(change("swap", {})).rejects.toMatchObject({ status, reasons: [{ code }] })
  expect(keys).toHaveLength(1)
})

test("after a while it says that the change may be done, and the next press has the key", async () => {
  answerWith(lost)
  const asked = change("swap", {}, "a-key").catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  const refused = await asked
  expect(refused).toBeInstanceOf(Refused)
  expect(refused).toMatchObject({ reasons: [{ code: "page.uncertain" }] })
  expect(new Set(keys)).toEqual(new Set(["a-key"]))
  expect(keys.length).toBeGreaterThan(4)
})

test("two changes have two keys", async () => {
  answerWith(() => Response.json(OPENED))
  await change("pause", {})
  await change("pause", {})
  expect(new Set(keys).size).toBe(2)
})
