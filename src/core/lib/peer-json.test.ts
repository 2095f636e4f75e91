import { describe, expect, it } from "vitest"
import { isGiantInteger, parsePeerJson, refuseGiants } from "./peer-json.ts"

const HUGE = "9".repeat(15_000_000)
/** It takes a few milliseconds; the integer would take seconds. */
const MOST_MICROSECONDS = 500_000

describe("JSON of a peer", () => {
  it.each([
    `{"a":${HUGE}}`,
    `[1, -${HUGE}]`,
    HUGE,
    `{"id":${"1".repeat(129)}}`,
    `[0.${"1".repeat(200)}]`,
  ])("refuses a number longer than any of ours (case %#)", (text) => {
    // Not the time by the clock: other processes may take most of it.
    const before = process.cpuUsage()
    expect(() => parsePeerJson(text)).toThrow("a number of more than 128 characters")
    expect(process.cpuUsage(before).user).toBeLessThan(MOST_MICROSECONDS)
  })

  it.each([
    [`{"a":${"1".repeat(128)}}`, { a: Number("1".repeat(128)) }],
    [`{"a":"${"1".repeat(300)}"}`, { a: "1".repeat(300) }],
    ['{"a":[-1.5e-7,"0x1"]}', { a: [-1.5e-7, "0x1"] }],
    [" 12 ", 12],
  ])("reads every other text as JSON.parse does (case %#)", (text, value) => {
    expect(parsePeerJson(text)).toEqual(value)
  })

  it("throws for text that is not JSON", () => {
    expect(() => parsePeerJson("<html>")).toThrow(SyntaxError)
  })
})

describe("numbers in strings", () => {
  const refuse = (value: unknown): void => refuseGiants(value, (_key, text) => isGiantInteger(text))

  it.each([
    [{ a: [{ b: `0x${"f".repeat(65)}` }] }, "67 characters at b"],
    [[["1".repeat(79)]], "79 characters"],
    [`0x${"0".repeat(65)}`, "67 characters"],
  ])("are at most 256 bits long (case %#)", (value, message) => {
    expect(() => refuse(value)).toThrow(message)
  })

  it.each([
    `0x${"f".repeat(64)}`,
    "1".repeat(78),
    { text: `revert: ${"0".repeat(100)}`, none: null, flag: true },
    "AAAA".repeat(100),
  ])("are read otherwise (case %#)", (value) => {
    expect(() => refuse(value)).not.toThrow()
  })
})
