import { describe, expect, test } from "vitest"
import { readYamlSource } from "#config/yaml-source.ts"
import { readTestFile } from "#policy-test/read-test-file.ts"
import { runTests, type TestResult } from "#policy-test/run-tests.ts"
import { sourceOf, TREASURY } from "./sample-treasury.ts"

const source = sourceOf(TREASURY)
const names = { assets: source.subject.assets, rules: source.subject.settings.rules }
const STABLE = `"base:usdc": "5000", "arbitrum:usdc": "20000"`
const BALANCES = `{ "bitcoin:btc": "5", "base:wbtc": "0.5", ${STABLE} }`
const LOW = BALANCES.replace(`"base:wbtc": "0.5"`, `"base:wbtc": "0.1"`)
const MORNING = "at: 2026-03-03T08:00:00Z"

function run(text: string, worlds = 20): TestResult[] {
  const tests = readTestFile(readYamlSource(text, "policy.test.yaml"), "policy.test.yaml", names)
  return [...runTests(source, tests, { seed: 1, worlds })]
}

/** The failures of one scenario. */
function failures(given: string, then: string, length = "run: 1m"): readonly string[] {
  const [result] = run(
    `scenarios:\n  - name: x\n    given: { ${MORNING}, ${given} }\n    ${length}\n    then: ` +
      `{ ${then} }\n`,
  )
  return result?.failures ?? ["no result"]
}

function _problems(text: string): string[] {
  try {
    run(text)
  } catch (error) {
    expect(error).toMatchObject({ code: "policy_test.invalid", disposition: "fatal" })
    return String((error as Error).message)
      .split("\n")
      .slice(1)
  }
  return []
}

describe("a scenario", () => {
  test("passes when the orders are as expected: two, because of the largest order", () => {
    const amount = `at_least: "0.19", at_most: "0.21"`
    const order = `{ rule: hot, from: "bitcoin:btc", to: "base:wbtc", ${amount} }`
    expect(failures(`balances: ${LOW}`, `orders: [${order}, ${order}]`)).toEqual([])
  })

  test("says which order differs, what was expected and what came", () => {
    const order = `{ from: "bitcoin:btc", to: "base:wbtc", amount: "0.3" }`
    expect(failures(`balances: ${LOW}`, `orders: [${order}]`)).toEqual([
      expect.stringMatching(
        /^order 1: expected a rule to sell 0\.3 bitcoin:btc for base:wbtc, got hot sells 0\.198/,
      ),
      expect.stringMatching(/^order 2: expected none, got hot sells 0\.198/),
    ])
  })

  test("names the reason when an expected order is missing", () => {
    const order = `{ rule: hot, from: "bitcoin:btc", to: "base:wbtc" }`
    const fault = `{ fault: pair, from: "bitcoin:btc", to: "base:wbtc" }`
    const given = `balances: ${LOW}, faults: [${fault}]`
    expect(failures(given, `orders: [${order}]`)).toEqual([
      expect.stringMatching(
        /got none; at Tue 2026-03-03 08:00 hot got no order: policy\.pair_unavailable:/,
      ),
    ])
  })

  test.each([
    ["a pause", "{ fault: pause }", "paused"],
    ["a pause of a rule", "{ fault: pause, scope: hot }", "paused"],
    ["a pause of a chain", "{ fault: pause, scope: bitcoin }", "paused"],
    ["an unreadable balance", `{ fault: balance, asset: "base:wbtc" }`, "policy.view_incomplete"],
    ["a missing price", `{ fault: price, asset: "base:wbtc" }`, "policy.price_missing"],
    ["a service that declines", "{ fault: service }", "service.declined"],
  ])("sees the refusal of %s", (_what, fault, code) => {
    const rule = "rule: hot"
    expect(
      failures(`balances: ${LOW}, faults: [${fault}]`, `refused: [{ ${rule}, code: ${code} }]`),
    ).toEqual([])
    expect(failures(`balances: ${LOW}`, `refused: [{ ${rule}, code: ${code} }]`)).toHaveLength(1)
  })

  test("ends a fault after its time", () => {
    const fault = "faults: [{ fault: pause, for: 30m }]"
    const then = (most: string): readonly string[] =>
      failures(
        `balances: ${LOW}, ${fault}`,
        `balances: { "base:wbtc": { at_least: "${most}" } }`,
        "run: 2h",
      )
    expect(then("0.45")).toEqual([])
    expect(failures(`balances: ${LOW}, ${fault}`, "orders: []", "run: 20m")).toEqual([])
  })

  test("counts an order under way as arrived", () => {
    const order =
      `under_way: [{ rule: hot, from: "bitcoin:btc", to: "base:wbtc", amount: "0.2", arrives: ` +
      "30m }]"
    expect(failures(`balances: ${LOW}, ${order}`, "orders: []", "run: 1h")).toEqual([])
    const end = `balances: { "base:wbtc": { at_least: "0.299", at_most: "0.3" } }`
    expect(failures(`balances: ${LOW}, ${order}`, end, "run: 1h")).toEqual([])
  })

  test("compares the sum sold and its cost with their bounds", () => {
    expect(
      failures(`balances: ${LOW}`, `sold: { at_least: "39500 usd", at_most: "40000 usd" }`),
    ).toEqual([])
    expect(failures(`balances: ${LOW}`, `sold: { at_most: "39000 usd" }`)).toEqual([
      expect.stringMatching(/^the orders sell: expected at most 39000 usd, got 39\d{3}/),
    ])
    expect(failures(`balances: ${LOW}`, `cost: { at_most: "1 usd" }`, "run: 1h")).toEqual([
      expect.stringMatching(/^the orders cost: expected at most 1 usd, got 12/),
    ])
  })

  test("takes prices, costs and flows of its own", () => {
    const prices = `prices: { "bitcoin:btc": "50000 usd", "base:wbtc": "50000 usd" }`
    expect(failures(`balances: ${LOW}, ${prices}`, `sold: { at_most: "21000 usd" }`)).toEqual([])
    expect(
      failures(
        `balances: ${LOW}, costs: { bps: 200 }`,
        `refused: [{ rule: hot, code: policy.too_dear }]`,
      ),
    ).toEqual([])
    const flow = `flows: [{ after: 5m, asset: "base:wbtc", amount: "-0.4" }]`
    expect(failures(`balances: ${BALANCES}, ${flow}`, "orders: []", "run: 9m")).toEqual([])
    expect(failures(`balances: ${BALANCES}, ${flow}`, "orders: []", "run: 11m")).not.toEqual([])
  })
})
