import { describe, expect, test } from "vitest"
import { AppError, type Disposition } from "#lib/app-error.ts"
import { createSlots, type Slots } from "./slots.ts"

const failure = (code: string, disposition: Disposition): AppError =>
  new AppError({ code, disposition, message: code })
const answer = (slots: Slots, times: number, tookMs = 50): void => {
  for (let answered = 0; answered < times; answered++) slots.ended("node", tookMs, null)
}

describe("the slots of a place", () => {
  test("begin with 16, and grow by one for each prompt answer up to 256", () => {
    const slots = createSlots()
    expect(slots.count("node")).toBe(16)
    answer(slots, 10)
    expect(slots.count("node")).toBe(26)
    expect(slots.count("other")).toBe(16)
    answer(slots, 1_000)
    expect(slots.count("node")).toBe(256)
  })

  test.each([
    failure("service.rate_limited", "transient"),
    failure("evm.unreachable", "transient"),
    failure("service.lost", "uncertain"),
  ])("are halved by $code, and never fewer than 16", (error) => {
    const slots = createSlots()
    answer(slots, 84)
    slots.ended("node", 50, error)
    expect(slots.count("node")).toBe(50)
    for (let failed = 0; failed < 20; failed++) slots.ended("node", 50, error)
    expect(slots.count("node")).toBe(16)
  })

  test("shrink while answers take more than a second", () => {
    const slots = createSlots()
    answer(slots, 20)
    answer(slots, 5, 1_001)
    expect(slots.count("node")).toBe(31)
    answer(slots, 100, 1_001)
    expect(slots.count("node")).toBe(16)
  })

  test("grow when the journal or the order caused the error, because the place answered", () => {
    const slots = createSlots()
    slots.ended("node", 50, failure("journal.resource_taken", "transient"))
    slots.ended("node", 50, failure("evm.would_revert", "refused"))
    expect(slots.count("node")).toBe(18)
  })
})
