import { describe, expect, test } from "vitest"
import { formatPath } from "#schema/problem.ts"
import { createReferenceWorld } from "#schema/reference-world.ts"
import { gas as gasKind } from "./gas/gas.ts"
import { ruleKindOf } from "./registry.ts"

const ROOT = {
  chains: { a: { family: "x" } },
  assets: { "a:btc": { decimals: 8 }, "a:usd": { decimals: 2 } },
  guards: { destinations: ["own", "x1", 7] },
}

/** The problems of one rule, as `path: message`, without quotation marks. */
function problemsOf(rule: { readonly kind: string; readonly [key: string]: unknown }): string[] {
  const found: string[] = []
  const world = createReferenceWorld(
    { ...ROOT, rules: [rule] },
    (path, message, at) => {
      const part = at === "key" ? " (key)" : ""
      found.push(`${formatPath(path)}: ${message.replaceAll('"', "")}${part}`)
    },
    {
      addressForm: () => ({ pattern: /^x\d$/, expected: "an x" }),
      unsupported: () => null,
      isCoin: (asset) => asset === "a:btc",
    },
  )
  ruleKindOf(rule).checkReferences(world, ["rules", 0])
  return found
}

describe("a stock of gas", () => {
  const gas = { kind: "gas", asset: "a:btc", sources: ["a:usd"] }

  test.each<[object, string[]]>([
    [gas, []],
    [
      { ...gas, asset: "a:usd", sources: ["a:btc"] },
      ["asset: expected the coin in which the chain takes its fees, found a:usd, which pays none"],
    ],
    [
      { ...gas, sources: ["a:usd", "a:btc"] },
      ["sources[1]: expected another asset than the rule's own, found a:btc"],
    ],
  ])("%j", (rule, problems) => {
    expect(problemsOf({ kind: "gas", ...rule })).toEqual(
      problems.map((problem) => `rules[0].${problem}`),
    )
  })

  test.each([{ days: 1 }, { days: 365 }, { orders: 1 }, { orders: 1_000 }])(
    "may have %j",
    (fit) => {
      expect(gasKind.schema.safeParse({ id: "stock", ...gas, ...fit }).success).toBe(true)
    },
  )

  test.each([{ days: 0 }, { days: 366 }, { orders: 0 }, { orders: 1_001 }, { sources: [] }])(
    "is refused with %j",
    (unfit) => {
      expect(gasKind.schema.safeParse({ id: "stock", ...gas }).success).toBe(true)
      expect(gasKind.schema.safeParse({ id: "stock", ...gas, ...unfit }).success).toBe(false)
    },
  )
})

describe("a band", () => {
  const band = { kind: "band", asset: "a:btc", min: "1", target: "2", max: "3" }
  const usd = { ...band, sources: ["a:usd"] }
  const TINY = [
    "asset: expected an asset of assets, found a:eur",
    `target: expected at least min (0.${"0".repeat(59)}2), found 0`,
  ]

  test.each<[object, string[]]>([
    [usd, []],
    [{ ...band, sinks: ["a:usd"] }, []],
    [{ ...usd, min: "2", max: "2" }, []],
    [{ ...usd, min: `0.${"0".repeat(59)}2`, target: "0", asset: "a:eur" }, TINY],
    [{ ...usd, min: "1", target: "0.9" }, ["target: expected at least min (1), found 0.9"]],
    [{ ...usd, max: "1.9" }, ["max: expected at least target (2), found 1.9"]],
    [{ ...usd, target: null, max: "0.5" }, []],
    [{ ...usd, min: "10", target: "9x" }, ["target: expected at least min (10), found 9x"]],
    [band, [": expected at least one asset in sources or sinks, found none"]],
    [
      { ...usd, sinks: ["a:usd", "a:btc"] },
      ["sinks[1]: expected another asset than the rule's own, found a:btc"],
    ],
    [{ ...usd, sources: ["a:eur"] }, ["sources[0]: expected an asset of assets, found a:eur"]],
    [
      { ...usd, least: "0.123456789" },
      ["least: expected at most 8 digits after the point, found 0.123456789"],
    ],
    [{ ...usd, max_cost: "10bps", max_cost_when_empty: "10bps" }, []],
    [{ ...usd, max_cost: "1 usd", max_cost_when_empty: "2 usd" }, []],
    [
      { ...usd, max_cost: "10bps", max_cost_when_empty: "9bps" },
      ["max_cost_when_empty: expected at least max_cost (10bps), found 9bps"],
    ],
    [
      { ...usd, max_cost: "2 usd", max_cost_when_empty: "1 usd" },
      ["max_cost_when_empty: expected at least max_cost (2 usd), found 1 usd"],
    ],
    [
      { ...usd, max_cost: "2 usd", max_cost_when_empty: "1%" },
      ["max_cost_when_empty: expected max_cost in the same kind of amount beside it, found 2 usd"],
    ],
    [{ ...usd, max_cost: "10bps", max_cost_when_empty: "1" }, []],
  ])("%j", (rule, expected) => {
    const problems = problemsOf({ kind: "band", ...rule })
    expect(problems).toEqual(expected.map((one) => `rules[0]${one[0] === ":" ? "" : "."}${one}`))
  })
})

describe("weights", () => {
  test.each<[object, string[]]>([
    [{ "a:btc": "60%", "a:usd": "40%" }, []],
    [{ "a:btc": "60%", "a:usd": "39.99%" }, ["expected shares of together 100%, found 99.99%"]],
    [{ "a:btc": "60%", "a:usd": "much" }, []],
    [[], []],
    [{}, ["expected shares of together 100%, found 0%"]],
  ])("%j", (weights, expected) => {
    const problems = problemsOf({ kind: "weights", weights })
    expect(problems).toEqual(expected.map((one) => `rules[0].weights: ${one}`))
  })

  test("of an unknown asset are reported at its key", () => {
    const problems = problemsOf({ kind: "weights", weights: { "b:btc": "100%" } })
    expect(problems).toEqual([expect.stringMatching(/^rules\[0\]\.weights\.b:btc: .*\(key\)$/)])
  })
})

describe("a sweep", () => {
  const sweep = { kind: "sweep", from: "a:btc", to: "a:usd", keep: "1" }

  test.each<[object, string[]]>([
    [sweep, []],
    [{ ...sweep, destination: "x1" }, []],
    [
      { ...sweep, destination: "x2" },
      ["destination: expected an address that guards.destinations lists, found x2"],
    ],
    [
      { ...sweep, destination: "y1" },
      ["destination: expected an x, because a:usd is there, found y1"],
    ],
    [{ ...sweep, to: "a:btc" }, ["to: expected another asset than from, found a:btc"]],
    [
      { ...sweep, keep: "0.123456789" },
      ["keep: expected at most 8 digits after the point, found 0.123456789"],
    ],
    [
      { ...sweep, from: "a:usd", to: "a:btc", least: "0.123" },
      ["least: expected at most 2 digits after the point, found 0.123"],
    ],
  ])("%j", (rule, expected) => {
    const problems = problemsOf({ kind: "sweep", ...rule })
    expect(problems).toEqual(expected.map((one) => `rules[0].${one}`))
  })
})

describe("a recurring rule", () => {
  const rule = {
    kind: "recurring",
    from: "a:usd",
    to: "a:btc",
    timezone: "UTC",
    schedule: "0 9 * * *",
  }

  test.each<[string, string[]]>([
    ["0.01", []],
    ["100%", []],
    ["0.00", ["expected an amount above zero, found 0.00"]],
    ["0 usd", ["expected an amount above zero, found 0 usd"]],
    ["0%", ["expected an amount above zero, found 0%"]],
    ["100.01%", ["expected at most 100%, found 100.01%"]],
    ["0.001", ["expected at most 2 digits after the point, found 0.001"]],
  ])("of %s", (amount, expected) => {
    const problems = problemsOf({ ...rule, amount })
    expect(problems).toEqual(expected.map((one) => `rules[0].amount: ${one}`))
  })

  test.each<[object, string[]]>([
    [{ timezone: "Europe/Zurich" }, []],
    [{ timezone: "Moon/Crater" }, ["timezone"]],
    [{ from: "a:eur" }, ["from"]],
    [{ to: "a:eur" }, ["to"]],
    [{ to: "a:usd" }, ["to"]],
    [{ from: "a:eur", to: "a:eur" }, ["from", "to"]],
    [{ patience: "1d", window: "1d" }, []],
    [{ patience: "1d", window: "86399s" }, ["patience"]],
    [{ patience: "1d" }, ["patience"]],
    [{ window: "1s" }, []],
  ])("with %j is reported at its key", (over, keys) => {
    const found = problemsOf({ ...rule, amount: "1", ...over }).map((one) => one.split(":")[0])
    expect(found).toEqual(keys.map((key) => `rules[0].${key}`))
  })

  test("has a schedule that fires", () => {
    const [problem] = problemsOf({ ...rule, amount: "1", schedule: "0 9 31 2 *" })
    expect(problem).toMatch(/^rules\[0\]\.schedule: expected a cron expression/)
  })
})
