import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { mustExist } from "#lib/assert.ts"
import { ruleKindOf } from "#policy/rules/registry.ts"
import type { ScenarioFile } from "./file-schema.ts"
import { findCounterexample } from "./find-counterexample.ts"
import { parseProperty } from "./property-forms.ts"
import { recordScenario, type Tested } from "./run-scenario.ts"
import { toUsualChoices } from "./to-choices.ts"

/**
 * The text of a test file with two scenarios and one property for this configuration. All three
 * pass: the second scenario states what the rules do now, and the property is the first of a list
 * to which the search finds no counterexample.
 */
export function formatExamples(tested: Tested): string {
  const usual = usualBalances(tested)
  const low = lowBalance(tested)
  const balances = low === null ? usual : { ...usual, [low.id]: low.amount }
  const name =
    low === null
      ? "a day with the usual balances"
      : `${low.rule} while ${low.id} holds half of its minimum`
  const run = low === null ? "24h" : "1h"
  return [
    "# Policy tests. `ballast test` runs them without keys and without a network; " +
      "docs/POLICY-TESTS.md explains every key.",
    "",
    "scenarios:",
    "  # 1. While an operator has paused everything, no rule makes an order.",
    "  - name: a pause stops every rule",
    "    given:",
    ...formatBalances(usual),
    "      faults:",
    "        - { fault: pause }",
    "    run: 1h",
    "    then:",
    "      orders: []",
    "",
    "  # 2. What the rules do with these balances, at the prices and costs of `ballast " +
      "simulate`. Change them to the case that matters to you.",
    `  - name: "${name}"`,
    "    given:",
    ...formatBalances(balances),
    `    run: ${run}`,
    "    then:",
    ...formatOrders(
      tested,
      { name, given: { balances }, run: low === null ? DAY_MS : HOUR_MS },
      low?.rule,
    ),
    "",
    "# 3. A line that must hold in each of a hundred random worlds.",
    "properties:",
    `  - ${chooseProperty(tested)}`,
    "",
  ].join("\n")
}

const MOST_ORDERS = 8
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Balances = Readonly<Record<string, string>>

function usualBalances({ subject, traits }: Tested): Balances {
  const { assets } = deriveScenario(
    [subject],
    traits,
    1,
    toUsualChoices({ usual: {}, prices: {} }, subject),
  )
  const entries = subject.assets.map(({ id, decimals }) => {
    const { startUnits } = mustExist(
      assets.find((asset) => asset.id === id),
      `the asset ${id}`,
    )
    return [id, formatUnits(startUnits, decimals)]
  })
  return Object.fromEntries(entries)
}

/**
 * Half of the minimum of the first balance that a rule keeps within bounds; `null` without such a
 * rule.
 */
function lowBalance({
  subject,
}: Tested): { readonly rule: string; readonly id: string; readonly amount: string } | null {
  for (const rule of subject.settings.rules) {
    if (rule.enabled === false) continue
    for (const { asset: id, minUnits } of ruleKindOf(rule).balanceBounds(rule)) {
      const asset = subject.assets.find((one) => one.id === id)
      if (asset && minUnits > 0n)
        return { rule: rule.id, id, amount: formatUnits(minUnits / 2n, asset.decimals) }
    }
  }
  return null
}

function formatBalances(balances: Balances): string[] {
  const entries = Object.entries(balances)
  if (entries.length === 0) return ["      balances: {}"]
  return ["      balances:", ...entries.map(([id, amount]) => `        ${id}: "${amount}"`)]
}

/**
 * The orders of a run, each with a tolerance of one percent, so that a small change of a price or
 * of the planner breaks no test. Of a run with many orders only the sum is a readable example, and
 * a run without orders has the refusal of the rule that should have made one.
 */
function formatOrders(tested: Tested, file: Omit<ScenarioFile, "then">, rule?: string): string[] {
  const { orders, refusals } = recordScenario(tested, { prices: {} }, file).trace
  if (orders.length === 0) {
    const refusal = refusals.find((one) => one.rule === rule)
    if (refusal === undefined) return ["      orders: []"]
    const { code, message } = refusal
    return [
      "      orders: []",
      `      # ${message}.`,
      `      refused: [{ rule: ${rule}, code: ${code} }]`,
    ]
  }
  if (orders.length > MOST_ORDERS) {
    const fiat = orders.reduce((sum, { sourceFiat }) => sum + sourceFiat, 0n)
    const [least, most] = [(fiat * 99n) / 100n, (fiat * 101n) / 100n].map((sum) =>
      formatUnits(sum, FIAT_DECIMALS),
    )
    return [`      sold: { at_least: "${least} usd", at_most: "${most} usd" }`]
  }
  const lines = orders.map(({ rules, from, to, units }) => {
    const decimals = tested.subject.assets.find(({ id }) => id === from)?.decimals ?? 0
    const least = formatUnits((units * 99n) / 100n, decimals)
    const most = formatUnits((units * 101n) / 100n, decimals)
    return (
      `        - { rule: ${rules[0]}, from: "${from}", to: "${to}", at_least: "${least}", ` +
      `at_most: "${most}" }`
    )
  })
  return ["      orders:", ...lines]
}

function chooseProperty({ subject, traits }: Tested): string {
  const { maxCost, settings } = subject
  const cost =
    maxCost?.kind === "share"
      ? `${maxCost.bps}bps`
      : `${formatUnits(maxCost?.fiat ?? 0n, FIAT_DECIMALS)} usd`
  const inFlight = `never more than ${settings.limits.maxInFlight} orders in flight`
  const lines = [
    ...(maxCost === null ? [] : [`no order costs more than ${cost}`]),
    "pays only our own wallets",
  ]
  const source = { subject, traits, choices: toUsualChoices({ usual: {}, prices: {} }, subject) }
  const holds = (line: string): boolean => {
    const property = parseProperty(line, { assets: subject.assets, rules: settings.rules })
    return (
      !("problem" in property) &&
      findCounterexample(source, property, { seed: 1, worlds: 100 }).counterexample === null
    )
  }
  // The guards keep the limit of orders in flight in every world.
  return lines.find(holds) ?? inFlight
}
