import { expect, test } from "vitest"
import { observeAll, type Progress } from "#engine/rules/tick/in-flight.ts"
import { flight } from "./sample-flight.ts"

const NOTHING: Progress = { left: false, back: false, arrived: false, height: 0n }
const MANY = 5_000
const FLIGHTS = Array.from({ length: MANY }, (_, n) => flight(`order-${n}`))

test("each order is observed once and added, and not all of them at the same time", async () => {
  const added = new Set<string>()
  let running = 0
  let most = 0
  const observe = async (): Promise<Progress> => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    return NOTHING
  }
  await observeAll(FLIGHTS, observe, { add: ({ id }) => void added.add(id) }, () => false)
  expect(added).toEqual(new Set(FLIGHTS.map(({ id }) => id)))
  expect(most).toBeGreaterThanOrEqual(100)
  expect(most).toBeLessThan(MANY)
})

test("no further order is observed after a failure, which is thrown", async () => {
  let asked = 0
  const observe = async (): Promise<Progress> => {
    if (++asked === 2_000) throw new Error("the node is gone")
    await new Promise((resolve) => setImmediate(resolve))
    return NOTHING
  }
  await expect(observeAll(FLIGHTS, observe, { add: () => undefined }, () => false)).rejects.toThrow(
    "the node is gone",
  )
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(asked).toBeLessThan(3_100)
})

test("no further order is observed once the answer comes too late", async () => {
  let asked = 0
  const observe = async (): Promise<Progress> => {
    asked++
    await new Promise((resolve) => setImmediate(resolve))
    return NOTHING
  }
  await observeAll(FLIGHTS, observe, { add: () => undefined }, () => asked >= 1_500)
  expect(asked).toBeLessThan(2_600)
})
