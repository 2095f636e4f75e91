import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseArguments } from "#cli/arguments.ts"
import { formatUnits, parseFiat, parseUnits } from "#domain/amount.ts"
import { chainOf, parseAssetId, toChainId } from "#domain/asset.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { decodeOrder } from "#order/step.ts"
import { parsePriceAnswer } from "#prices/parse-price-answer.ts"
import { formatDuration, parseDuration } from "#schema/duration.ts"
import { formatLimitAmount, parseLimitAmount } from "#schema/limit-amount.ts"
import { onlyCoded } from "../support/only-coded.ts"

/** Text near what is expected, which a random string never is. */
const NUMBERS = [
  "0",
  "00",
  "1",
  "-1",
  "+1",
  "1e3",
  "0x10",
  "1.",
  ".5",
  "1.5",
  "1,5",
  " 1 ",
  "٣",
  "1_000",
  "NaN",
  "∞",
  "",
]
const numberish = fc.oneof(
  fc.string(),
  fc.constantFrom(...NUMBERS),
  fc.stringMatching(/^\d{1,90}(\.\d{0,90})?$/),
  fc.bigInt().map(String),
)
const long = fc.constantFrom("9".repeat(100_000), `0.${"0".repeat(100_000)}1`, " ".repeat(100_000), "1.".repeat(50_000))

describe("whatever stands where an amount belongs", () => {
  test("is refused with a code, or is exactly the amount that it says", () => {
    fc.assert(
      fc.property(fc.oneof(numberish, long), fc.integer({ min: 0, max: 36 }), (text, decimals) => {
        const read = onlyCoded(() => parseUnits(text, decimals), /^domain\.amount$/)
        if (!read.ok) return
        expect(parseUnits(formatUnits(read.value, decimals), decimals)).toBe(read.value)
        // Digits only, and as many as were written: nothing was rounded.
        expect(text.trim()).toMatch(/^\d+(\.\d+)?$/)
        expect(strip(formatUnits(read.value, decimals))).toBe(strip(text.trim()))
      }),
    )
  })

  test("comes back from smallest units as it was", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.integer({ min: 0, max: 36 }), (units, decimals) => {
        expect(parseUnits(formatUnits(units, decimals), decimals)).toBe(units)
      }),
    )
  })

  test("as fiat is refused with a code, or is never less than it says and less than a millionth more", () => {
    fc.assert(
      fc.property(fc.oneof(numberish, long), (text) => {
        const read = onlyCoded(() => parseFiat(text), /^domain\.amount$/)
        if (!read.ok) return
        const [whole = "", fraction = ""] = text.trim().split(".")
        const exact = BigInt(`${whole}${fraction}`)
        const scaled = read.value * 10n ** BigInt(fraction.length)
        expect(scaled >= exact * 10n ** 6n && scaled < exact * 10n ** 6n + 10n ** BigInt(fraction.length)).toBe(true)
      }),
    )
  })

  test("as a limit or a duration is nothing, or comes back from its shortest form", () => {
    const units = fc.constantFrom("usd", " usd", "%", " %", "bps", "ms", "s", "m", "h", "d", "w", "")
    fc.assert(
      fc.property(fc.oneof(numberish, long), units, (number, unit) => {
        const amount = parseLimitAmount(`${number}${unit}`)
        if (amount !== null) expect(parseLimitAmount(formatLimitAmount(amount))).toEqual(amount)
        const ms = parseDuration(`${number}${unit}`)
        if (ms !== null) expect([Number.isSafeInteger(ms), parseDuration(formatDuration(ms))]).toEqual([true, ms])
      }),
    )
  })
})

describe("whatever stands where an asset id belongs", () => {
  test("is refused with a code, or is of two parts that make it again", () => {
    const idish = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[a-z0-9_:.-]{0,30}$/),
      fc.constantFrom("a:b:c", ":", "a:", "a:b\n", "A:b", "__proto__:x", `${"a".repeat(100_000)}:`),
    )
    fc.assert(
      fc.property(idish, (text) => {
        const read = onlyCoded(() => parseAssetId(text), /^domain\.asset_id$/)
        if (!read.ok) return
        expect(`${chainOf(read.value)}:${text.slice(text.indexOf(":") + 1)}`).toBe(text)
        expect(toChainId(chainOf(read.value))).toBe(chainOf(read.value))
      }),
    )
  })
})

describe("whatever is given on the command line", () => {
  test("is refused with a code, or read without inventing anything", () => {
    const words = [
      "--json",
      "--config",
      "-c",
      "--",
      "-",
      "--limit=",
      "--limit",
      "swap",
      "order",
      "--no-json",
      "--json=1",
    ]
    const word = fc.oneof(fc.string(), fc.constantFrom(...words, "--__proto__", "--help", "-h", "--version", "-vvv"))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (argv) => {
        const read = onlyCoded(() => parseArguments(argv), /^cli\.usage$/)
        if (!read.ok) return
        const { command, operands, config } = read.value
        for (const given of [...(command === "" ? [] : [command]), ...operands]) expect(argv).toContain(given)
        if (config !== null) expect(argv.some((given) => given.endsWith(config))).toBe(true)
      }),
    )
  })
})

describe("whatever is stored", () => {
  const marked = fc.constantFrom("$bigint", "$$bigint", "$$$bigint", "__proto__", "toJSON")
  const { value } = fc.letrec((tie) => ({
    leaf: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.bigInt(), fc.constant("12")),
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie("leaf"),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string(), marked), tie("value"), { maxKeys: 4 }),
    ),
  }))

  test("comes back as it was, bigints as bigints, also where a key looks like our mark", () => {
    fc.assert(
      fc.property(value, (stored) => {
        const text = encodeJson(stored)
        expect(encodeJson(decodeJson(text))).toBe(text)
        expect(decodeJson(text)).toEqual(stored)
      }),
      { numRuns: 500 },
    )
  })

  test("and damaged is refused with a code", () => {
    const damaged = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom('{"version":1,"state":"quoting"}', '{"version":1,"state":"quoting","data":null}'),
      fc.constantFrom('{"$bigint":"x"}', '{"$bigint":{}}', '{"$bigint":"1","a":2}', "[".repeat(100_000)),
      fc.tuple(value, fc.nat()).map(([whole, at]) => encodeJson(whole).slice(0, at % 50)),
    )
    fc.assert(
      fc.property(damaged, (text) => {
        onlyCoded(() => decodeJson(text), /^journal\.damaged$/)
        onlyCoded(() => decodeOrder(text), /^(journal\.damaged|journal\.snapshot)$/)
      }),
      { numRuns: 300 },
    )
  })
})

describe("whatever a price source answers", () => {
  test("is refused in one phrase, or is a price above zero", () => {
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      numberish.map((price) => JSON.stringify({ data: [{ price }], at: price })),
      numberish.map((price) => `{"data":[{"price":${price}}],"at":${price}}`),
      fc.constantFrom(
        "[".repeat(100_000),
        `{"data":[{"price":1e99999}]}`,
        `{"data":[{"price":"${"9".repeat(99_999)}"}]}`,
      ),
    )
    const timePath = fc.constantFrom(null, "at", "data.0.price", "__proto__.x")
    fc.assert(
      fc.property(body, timePath, (text, time) => {
        const source = { path: "data.0.price", timePath: time, maxAgeMs: 60_000 }
        const price = priceOf(() => parsePriceAnswer(text, source, Date.now()))
        if (price !== null) expect(price > 0n).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  /** Its caller gives the code; here every failure is a plain sentence without the foreign text. */
  function priceOf(work: () => bigint): bigint | null {
    try {
      return work()
    } catch (error) {
      expect(error).toHaveProperty("message", expect.stringMatching(/^(the|no|nothing|neither) .{0,120}$/))
      return null
    }
  }
})

/** Without the zeros that mean nothing. */
function strip(decimal: string): string {
  const [whole = "", fraction = ""] = decimal.split(".")
  return `${whole.replace(/^0+(?=\d)/, "")}.${fraction.replace(/0+$/, "")}`
}
