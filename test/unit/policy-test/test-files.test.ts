import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { readYamlSource } from "#config/yaml-source.ts"
import { formatTestSchema } from "#policy-test/file-schema.ts"
import { formatJunit, formatResult } from "#policy-test/format-results.ts"
import { readTestFile } from "#policy-test/read-test-file.ts"
import { runTests, type TestResult } from "#policy-test/run-tests.ts"
import { refreshPropertyTable } from "../../../scripts/property-docs.ts"
import { sourceOf, TREASURY } from "./sample-treasury.ts"

const source = sourceOf(TREASURY)
const names = { assets: source.subject.assets, rules: source.subject.settings.rules }
const STABLE = `"base:usdc": "5000", "arbitrum:usdc": "20000"`
const BALANCES = `{ "bitcoin:btc": "5", "base:wbtc": "0.5", ${STABLE} }`
const _LOW = BALANCES.replace(`"base:wbtc": "0.5"`, `"base:wbtc": "0.1"`)
const MORNING = "at: 2026-03-03T08:00:00Z"

function run(text: string, worlds = 20): TestResult[] {
  const tests = readTestFile(readYamlSource(text, "policy.test.yaml"), "policy.test.yaml", names)
  return [...runTests(source, tests, { seed: 1, worlds })]
}

/** The failures of one scenario. */
function _failures(given: string, then: string, length = "run: 1m"): readonly string[] {
  const [result] = run(
    `scenarios:\n  - name: x\n    given: { ${MORNING}, ${given} }\n    ${length}\n    then: ` +
      `{ ${then} }\n`,
  )
  return result?.failures ?? ["no result"]
}

function problems(text: string): string[] {
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

describe("a test file", () => {
  test("reports every mistake with its line", () => {
    const text = `scenarios:
  - name: x
    given: { balances: { "base:wtbc": "1", "base:wbtc": "0.123456789" } }
    runs: 1h
    then: {}
properties:
  - never below 0.2 wbtc on bas
  - colour must be blue
  - { property: hots refilled within 2h, worlds: 0 }
`
    expect(problems(text)).toEqual([
      expect.stringMatching(
        /^policy\.test\.yaml:4:\d+: scenarios\[0\]\.runs: unknown key runs; did you mean run\?/,
      ),
      expect.stringMatching(
        /^policy\.test\.yaml:5:\d+: scenarios\[0\]\.then: expected at least one key/,
      ),
      expect.stringMatching(/^policy\.test\.yaml:9:\d+: properties\[2\]/),
    ])
    const formed = text
      .replace("runs: 1h", "run: 1h")
      .replace("then: {}", "then: { orders: [] }")
      .replace(", worlds: 0", "")
    expect(problems(formed)).toEqual([
      expect.stringMatching(/^policy\.test\.yaml:3:\d+: .*base:wtbc: expected a configured asset/),
      expect.stringMatching(
        /^policy\.test\.yaml:3:\d+: .*expected at most 8 digits after the point, found 9/,
      ),
      expect.stringMatching(
        new RegExp(
          /^policy\.test\.yaml:7:\d+: properties\[0\]: wbtc on bas is not a configured asset; /
            .source + /did you mean base:wbtc\?/.source,
        ),
      ),
      expect.stringMatching(
        /^policy\.test\.yaml:8:\d+: properties\[1\]: this is not a property that the test knows/,
      ),
      expect.stringMatching(
        new RegExp(
          /^policy\.test\.yaml:9:\d+: properties\[2\]\.property: hots is not a rule; /.source +
            /there are hot, float/.source,
        ),
      ),
    ])
  })

  test.each([
    [
      "orders: [{ rule: hotter, from: bitcoin:btc, to: base:wbtc }]",
      "expected the id of a rule, found hotter",
    ],
    [
      "orders: [{ from: bitcoin:btc, to: base:eth }]",
      "expected a configured asset, found base:eth",
    ],
    ["refused: [{ code: NoSuch Code }]", "expected a reason code"],
  ])("refuses %s", (then, message) => {
    const quoted = then.replaceAll(/(\w+:\w+)(?=[ ,}])/g, '"$1"')
    const text = `scenarios:\n  - { name: x, then: { ${quoted} } }\n`
    expect(problems(text).join()).toContain(message)
  })

  test("refuses a pause of an unknown rule, which would do nothing", () => {
    const text =
      "scenarios:\n  - { name: x, given: { faults: [{ fault: pause, scope: hotter }] }, then: " +
      "{ orders: [] } }\n"
    expect(problems(text).join()).toContain(
      "expected all, a chain or the id of a rule, found hotter",
    )
  })

  test("gives the same answer under the same seed, and tells the simplest run", () => {
    const text = "properties:\n  - { property: no order larger than 1000 usd, days: 1 }\n"
    const [first] = run(text)
    expect(run(text)).toEqual([first])
    expect(first).toMatchObject({ ok: false, line: 2, kind: "property" })
    expect(first?.failures).toEqual([
      expect.stringMatching(/^expected at most 1000 usd, got .* usd, for \w+ at \w{3} 2026/),
    ])
    const told = formatResult(first as TestResult)
    expect(told).toContain("policy.test.yaml:2")
    expect(told).toMatch(/the wallets hold .*\n.*prices: /)
    expect(told).toMatch(/ sells \d.* for \d/)
  })

  test("takes usual balances and its own number of worlds and days", () => {
    const text =
      `usual: { "base:usdc": "0" }\nproperties:\n  - { property: never sells usdc on base, ` +
      "worlds: 3, days: 1 }\n"
    expect(run(text)).toMatchObject([{ ok: true, worlds: 3 }])
  })

  test("is written as JUnit XML, with special characters escaped", () => {
    const text =
      `scenarios:\n  - name: 'a < b & "c"'\n    then: { refused: [{ code: paused }] }\n  - { ` +
      "name: second, then: { orders: [] } }\n"
    const xml = formatJunit(run(text))
    expect(xml).toContain(`<testsuites name="ballast test" tests="2" failures="1">`)
    expect(xml).toContain(
      `<testcase name="a &lt; b &amp; &quot;c&quot;" classname="scenario" ` +
        `file="policy.test.yaml" line="2">`,
    )
    expect(xml).toContain("<failure message=")
    expect(xml).toMatch(/<testcase name="second"[^>]*\/>/)
  })
})

const fileOf = (name: string): string =>
  readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8")

test("config/policy-test.schema.json is up to date (npm run generate)", () => {
  expect(fileOf("config/policy-test.schema.json")).toBe(formatTestSchema())
})

test("docs/POLICY-TESTS.md has every form of a property (npm run generate)", () => {
  const page = fileOf("docs/POLICY-TESTS.md")
  expect(page).toBe(refreshPropertyTable(page))
})
