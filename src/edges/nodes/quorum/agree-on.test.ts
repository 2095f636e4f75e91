import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { agreedHead, agreeOn, type EndpointAnswer, neededAnswers } from "./agree-on.ts"

test(
  "two of several endpoints must agree unless the configuration says more, and one alone " +
    "agrees with itself",
  () => {
    expect([1, 2, 3, 5].map((endpoints) => neededAnswers(null, endpoints))).toEqual([1, 2, 2, 2])
    expect(neededAnswers(3, 5)).toBe(3)
    expect(neededAnswers(1, 5)).toBe(1)
  },
)

describe("answers", () => {
  test("agree when enough are equal, and the others are told", () => {
    expect(agreeOn(give("a", "a"), 2)).toEqual({ status: "agreed", value: "a", dissent: [] })
    const dissent = [{ endpoint: "1", ok: true, value: "b" }]
    expect(agreeOn(give("a", "b", "a"), 2)).toEqual({ status: "agreed", value: "a", dissent })
    expect(agreeOn(give("b", "a", "a"), 2)).toMatchObject({ status: "agreed", value: "a" })
  })

  test("of two equal groups are a contradiction, and neither is chosen", () => {
    expect(agreeOn(give("a", "a", "b", "b"), 2)).toMatchObject({ status: "split" })
    expect(agreeOn(give("a", "b"), 1)).toMatchObject({ status: "split" })
  })

  test("fewer than needed are too few while they are equal, and a contradiction otherwise", () => {
    expect(agreeOn(give("a"), 2)).toEqual({ status: "short", value: "a", answered: 1 })
    expect(agreeOn(give("a", "a"), 3)).toEqual({ status: "short", value: "a", answered: 2 })
    expect(agreeOn(give("a", "a", "b"), 3)).toMatchObject({ status: "split" })
    expect(agreeOn(give(), 1)).toEqual({ status: "short", value: null, answered: 0 })
  })

  test("that failed count for nothing", () => {
    expect(agreeOn([...give("a"), FAILED, FAILED], 2)).toEqual({
      status: "short",
      value: "a",
      answered: 1,
    })
    expect(agreeOn([FAILED], 1)).toEqual({ status: "short", value: null, answered: 0 })
  })

  test("are compared by the given key, and otherwise field by field", () => {
    const answers = give({ height: 5n, note: "x" }, { height: 5n, note: "y" })
    expect(agreeOn(answers, 2)).toMatchObject({ status: "split" })
    expect(agreeOn(answers, 2, ({ height }) => `${height}`)).toMatchObject({ status: "agreed" })
  })
})

test("fewer liars than needed decide nothing, whatever the order of the answers is", () => {
  const scene = fc.record({
    needed: fc.integer({ min: 1, max: 4 }),
    honest: fc.integer({ min: 0, max: 6 }),
    lies: fc.array(fc.constantFrom("x", "y"), { maxLength: 3 }),
    order: fc.array(fc.nat(), { minLength: 9, maxLength: 9 }),
  })
  fc.assert(
    fc.property(scene, ({ needed, honest, lies, order }) => {
      fc.pre(lies.length < needed)
      const values = [...Array<string>(honest).fill("true"), ...lies]
      const shuffled = values
        .map((value, at) => ({ value, key: order[at] ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
      const agreement = agreeOn(give(...shuffled.map(({ value }) => value)), needed)
      if (agreement.status === "agreed") expect(agreement.value).toBe("true")
      expect(agreement.status === "agreed").toBe(
        honest >= needed && honest > lies.filter((lie) => lie === "x").length,
      )
    }),
  )
})

test("the agreed head is the newest that enough endpoints have reached", () => {
  expect(agreedHead([9n, 1_000_000n, 10n], 1)).toBe(1_000_000n)
  expect(agreedHead([9n, 1_000_000n, 10n], 2)).toBe(10n)
  expect(agreedHead([9n, 1_000_000n, 10n], 3)).toBe(9n)
  expect(agreedHead([9n, 10n], 3)).toBeNull()
  expect(agreedHead([], 1)).toBeNull()
})

const FAILED: EndpointAnswer<never> = {
  endpoint: "failed",
  ok: false,
  error: new AppError({ code: "a.b", disposition: "transient", message: "no answer" }),
}

function give<T>(...values: readonly T[]): EndpointAnswer<T>[] {
  return values.map((value, at) => ({ endpoint: `${at}`, ok: true, value }))
}
