import { expect, test } from "vitest"
import { decodeJson, encodeJson } from "./json.ts"

test("a bigint comes back as a bigint", () => {
  expect(encodeJson({ units: 12n })).toBe('{"units":{"$bigint":"12"}}')
  expect(decodeJson('{"units":{"$bigint":"-12"}}')).toEqual({ units: -12n })
})

test(
  "a foreign object that looks like our mark comes back unchanged: typed data of a service may " +
    "contain one",
  () => {
    for (const foreign of [
      { $bigint: "no number" },
      { $bigint: "12" },
      { $$bigint: 1, a: 2 },
      { a: { $bigint: {} } },
    ]) {
      expect(decodeJson(encodeJson(foreign))).toEqual(foreign)
    }
  },
)

test("nested values come back whole, with their keys in order", () => {
  const foreign = JSON.parse('{"__proto__":{"$bigint":"1"},"z":1}')
  const ours = [[1n, { a: [2n, null] }], "$bigint", []]
  const back = decodeJson(encodeJson({ foreign, ours, empty: {} }))
  expect(back).toEqual({ foreign, ours, empty: {} })
  expect(Object.keys(back?.["foreign" as keyof typeof back] ?? {})).toEqual(["__proto__", "z"])
})

test("a text that encodeJson did not write is refused with a code", () => {
  for (const damaged of ['{"$bigint":"x"}', '{"$bigint":"1","a":2}', '{"units":', ""]) {
    expect(() => decodeJson(damaged)).toThrow(
      expect.objectContaining({ code: "journal.damaged", disposition: "hold" }),
    )
  }
})
