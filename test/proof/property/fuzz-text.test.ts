import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { COMMANDS } from "#cli/command-list.ts"
import { parseArguments } from "#cli/parse-arguments.ts"
import { formatUnits, parseFiat, parseUnits } from "#domain/amount.ts"
import { chainOf, parseAssetId, toChainId } from "#domain/asset.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { decodeOrder } from "#order/step.ts"
import { parsePriceAnswer } from "#prices/parse-price-answer.ts"
import { formatDuration, parseDuration } from "#schema/duration.ts"
import { parseLimitAmount } from "#schema/limit-amount.ts"
import { formatLimitAmount } from "../../support/format-limit-amount.ts"
import { onlyCoded } from "../../support/only-coded.ts"

/** Texts close to valid numbers, which random strings rarely are. */
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
const long = fc.constantFrom(
  "9".repeat(100_000),
  `0.${"0".repeat(100_000)}1`,
  " ".repeat(100_000),
  "1.".repeat(50_000),
)

describe("any text as an amount", () => {
  test("is refused with a code, or parsed exactly", () => {
    fc.assert(
      fc.property(fc.oneof(numberish, long), fc.integer({ min: 0, max: 36 }), (text, decimals) => {
        const read = onlyCoded(() => parseUnits(text, decimals), /^domain\.amount$/)
        if (!read.ok) return
        expect(parseUnits(formatUnits(read.value, decimals), decimals)).toBe(read.value)
        // The text has only digits, and formatting gives the same digits, so parsing rounded
        // nothing.
        expect(text.trim()).toMatch(/^\d+(\.\d+)?$/)
        expect(strip(formatUnits(read.value, decimals))).toBe(strip(text.trim()))
      }),
    )
  })

  test("survives formatting and parsing of smallest units", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 256n }),
        fc.integer({ min: 0, max: 36 }),
        (units, decimals) => {
          expect(parseUnits(formatUnits(units, decimals), decimals)).toBe(units)
        },
      ),
    )
  })

  test("as fiat is refused with a code, or rounded up by less than a millionth", () => {
    fc.assert(
      fc.property(fc.oneof(numberish, long), (text) => {
        const read = onlyCoded(() => parseFiat(text), /^domain\.amount$/)
        if (!read.ok) return
        const [whole = "", fraction = ""] = text.trim().split(".")
        const exact = BigInt(`${whole}${fraction}`)
        const scaled = read.value * 10n ** BigInt(fraction.length)
        expect(
          scaled >= exact * 10n ** 6n &&
            scaled < exact * 10n ** 6n + 10n ** BigInt(fraction.length),
        ).toBe(true)
      }),
    )
  })

  test("every limit comes back from its text", () => {
    const amount = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 30n }).map((fiat) => ({ kind: "fiat" as const, fiat })),
      fc.bigInt({ min: 0n, max: 10n ** 7n }).map((bps) => ({ kind: "share" as const, bps })),
      fc
        .tuple(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.nat({ max: 99 }))
        .map(([whole, part]) => ({ kind: "own" as const, text: `${whole}.${part}` })),
    )
    fc.assert(
      fc.property(amount, (value) => {
        expect(parseLimitAmount(formatLimitAmount(value))).toEqual(value)
      }),
    )
  })

  test("as a limit or a duration is refused, or survives formatting and parsing", () => {
    const units = fc.constantFrom(
      "usd",
      " usd",
      "%",
      " %",
      "bps",
      "ms",
      "s",
      "m",
      "h",
      "d",
      "w",
      "",
    )
    fc.assert(
      fc.property(fc.oneof(numberish, long), units, (number, unit) => {
        const amount = parseLimitAmount(`${number}${unit}`)
        if (amount !== null) expect(parseLimitAmount(formatLimitAmount(amount))).toEqual(amount)
        const ms = parseDuration(`${number}${unit}`)
        if (ms !== null)
          expect([Number.isSafeInteger(ms), parseDuration(formatDuration(ms))]).toEqual([true, ms])
      }),
    )
  })
})

describe("any text as an asset id", () => {
  test("is refused with a code, or has two parts that give the same id", () => {
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

describe("any command line", () => {
  test("is refused with a code, or parsed into words of its own", () => {
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
      "orders",
      "check",
      "--no-json",
      "--json=1",
    ]
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(...words, "--__proto__", "--help", "-h", "--version", "-vvv"),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (argv) => {
        const read = onlyCoded(() => parseArguments(argv, COMMANDS), /^cli\.usage$/)
        if (!read.ok || read.value.kind !== "command") return
        const { command, input, config } = read.value
        const operands = Object.values(input.operands).filter((operand) => operand !== null)
        for (const given of [command.name, ...operands]) expect(argv).toContain(given)
        if (config !== null) expect(argv.some((given) => given.endsWith(config))).toBe(true)
      }),
    )
  })
})

describe("any stored value", () => {
  const marked = fc.constantFrom("$bigint", "$$bigint", "$$$bigint", "__proto__", "toJSON")
  const { value } = fc.letrec((tie) => ({
    leaf: fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.bigInt(),
      fc.constant("12"),
    ),
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie("leaf"),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string(), marked), tie("value"), { maxKeys: 4 }),
    ),
  }))

  test("decodes to the same value, bigints included, also with a key like our bigint mark", () => {
    fc.assert(
      fc.property(value, (stored) => {
        const text = encodeJson(stored)
        expect(encodeJson(decodeJson(text))).toBe(text)
        expect(decodeJson(text)).toEqual(stored)
      }),
      { numRuns: 500 },
    )
  })

  test("is refused with a code if it is damaged", () => {
    const damaged = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(
        '{"version":1,"state":"quoting"}',
        '{"version":1,"state":"quoting","data":null}',
      ),
      fc.constantFrom(
        '{"$bigint":"x"}',
        '{"$bigint":{}}',
        '{"$bigint":"1","a":2}',
        "[".repeat(100_000),
      ),
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

describe("any answer of a price source", () => {
  test("is refused in one phrase, or gives a price above zero", () => {
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

  /**
   * The parser's caller adds the code. Here every failure is a short sentence without foreign text.
   */
  function priceOf(work: () => bigint): bigint | null {
    try {
      return work()
    } catch (error) {
      expect(error).toHaveProperty(
        "message",
        expect.stringMatching(/^(the|no|nothing|neither|".{0,240}" at) .{0,120}$/),
      )
      return null
    }
  }
})

/** Removes leading and trailing zeros. */
function strip(decimal: string): string {
  const [whole = "", fraction = ""] = decimal.split(".")
  return `${whole.replace(/^0+(?=\d)/, "")}.${fraction.replace(/0+$/, "")}`
}
