import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { z } from "zod"
import { parseConfig } from "#config/load.ts"
import { FIAT_DECIMALS, formatUnits, parseFiat, parseUnits } from "#domain/amount.ts"
import { type Asset, parseAssetId } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { type Evaluation, evaluate } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { PolicyRule } from "#policy/rules/registry.ts"
import type { AssetView, PairView, TreasuryView } from "#policy/treasury-view.ts"
import { arrive } from "../../fixtures/policy/arrive.ts"

/**
 * Each file of test/fixtures/policy except base.yaml is a scenario: configuration, balances (asset,
 * spendable, price, then in= out= floor=; `?` is unreadable, `-` no price), pairs (from, to, fixed
 * fee in fiat, bps, then min= max=), the expected plan (rules, from, to, sold, received, cost in
 * fiat), and the reason codes of declined rules. `extra` holds rule keys that the configuration
 * file does not have yet.
 */
const ROOT = join(import.meta.dirname, "../../fixtures/policy")
const BASE = readFileSync(join(ROOT, "base.yaml"), "utf8")
const FILES = globSync("*.yaml", { cwd: ROOT }).filter((file) => file !== "base.yaml")

const scenarioSchema = z.strictObject({
  about: z.string(),
  config: z.string(),
  extra: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  limits: z.strictObject({ split: z.boolean().default(true) }).default({ split: true }),
  due: z.array(z.string()).optional(),
  balances: z.string(),
  pairs: z.string(),
  proposals: z.string().default(""),
  declined: z.string().default(""),
})
type Scenario = z.output<typeof scenarioSchema>

describe.each(FILES.map((file) => [basename(file, ".yaml"), file]))("%s", (_name, file) => {
  const scenario = scenarioSchema.parse(parse(readFileSync(join(ROOT, file), "utf8")))
  const { view, rules, limits, due } = read(scenario)
  const evaluation = evaluate(view, rules, limits, due)

  test(scenario.about, () => {
    expect(showProposals(evaluation, view)).toEqual(
      rows(scenario.proposals).map((row) => row.join(" ")),
    )
    expect(showDeclined(evaluation)).toEqual(
      rows(scenario.declined)
        .map((row) => row.join(" "))
        .sort(),
    )
  })

  test("gives the same plan for another order of assets and pairs", () => {
    const turned = { assets: view.assets.toReversed(), pairs: view.pairs.toReversed() }
    expect(showProposals(evaluate(turned, rules, limits, due), view)).toEqual(
      showProposals(evaluation, view),
    )
  })

  test("has reasons with sentences, and with numbers as text", () => {
    const reasons = [
      ...evaluation.proposals.flatMap(({ why }) => why),
      ...evaluation.declined.flatMap((no) => no.reasons),
    ]
    expect(reasons.length).toBeGreaterThan(0)
    for (const reason of reasons) {
      expect(reason.code).toMatch(/^policy\.[a-z_]+$/)
      expect(
        Object.values(reason).every((value) => typeof value === "string" && value !== ""),
      ).toBe(true)
      expect(reason.message).not.toMatch(/undefined|null|\[object/)
    }
  })

  test("is not proposed again while its orders are in flight", () => {
    const standing = due?.filter(({ occurrence }) => occurrence === null)
    const again = evaluate(arrive(view, evaluation.proposals), rules, limits, standing)
    const short = new Set(evaluation.declined.map(({ rule }) => rule))
    const repeated = again.proposals.filter(({ rules: served }) =>
      served.every((rule) => !short.has(rule)),
    )
    expect(repeated).toEqual([])
  })
})

test("finds the scenario files", () => {
  expect(FILES.length).toBeGreaterThan(30)
})

function read(scenario: Scenario): {
  view: TreasuryView
  rules: PolicyRule[]
  limits: PlanLimits
  due: { rule: string; occurrence: string | null }[] | undefined
} {
  const config = parseConfig(`${BASE}${scenario.config}`, {
    file: "scenario.yaml",
    secrets: (reference) =>
      new Secret("0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318", reference),
  })
  // CAST: the extra keys are those of the policy's own rule types.
  const rules = config.rules.map(
    (rule) => ({ ...rule, ...readExtra(scenario.extra[rule.id] ?? {}) }) as PolicyRule,
  )
  const { maxCost, maxOrder, maxInFlight } = config.guards
  const view = {
    assets: readAssets(scenario, config.assets),
    pairs: readPairs(scenario, config.assets),
  }
  const kinds = new Map(rules.map(({ id, kind }) => [id, kind]))
  const due = scenario.due?.map((rule) => ({
    rule,
    occurrence: kinds.get(rule) === "recurring" ? `${rule}@1` : null,
  }))
  return {
    view,
    rules,
    limits: { maxOrders: maxInFlight, maxOrder, maxCost, split: scenario.limits.split },
    due,
  }
}

function readExtra({ maxCost, ...rest }: Readonly<Record<string, string>>): object {
  return maxCost === undefined
    ? rest
    : { ...rest, maxCost: { kind: "share", bps: BigInt(maxCost.replace("bps", "")) } }
}

function readAssets(scenario: Scenario, assets: readonly Asset[]): AssetView[] {
  return rows(scenario.balances).map(([id = "", spendable = "", price = "", ...rest]) => {
    const { decimals } = known(assets, id)
    const units = (key: string): bigint => parseUnits(option(rest, key) ?? "0", decimals)
    const balance: AssetView["balance"] =
      spendable === "?"
        ? {
            readable: false,
            cause: { code: "chain.unavailable", message: "The node does not answer" },
          }
        : {
            readable: true,
            spendableUnits: parseUnits(spendable, decimals),
            inFlightInUnits: units("in"),
            inFlightOutUnits: units("out"),
            floorUnits: units("floor"),
          }
    return {
      id: parseAssetId(id),
      decimals,
      balance,
      priceFiat: price === "-" ? null : parseFiat(price),
    }
  })
}

function readPairs(scenario: Scenario, assets: readonly Asset[]): PairView[] {
  return rows(scenario.pairs).map(([from = "", to = "", fixed = "", bps = "", ...rest]) => {
    const { decimals } = known(assets, from)
    const max = option(rest, "max")
    return {
      from: parseAssetId(from),
      to: parseAssetId(to),
      quote: {
        readable: true,
        available: true,
        fixedFeeFiat: parseFiat(fixed),
        bps: BigInt(bps),
        minUnits: parseUnits(option(rest, "min") ?? "0", decimals),
        maxUnits: max === null ? null : parseUnits(max, decimals),
      },
    }
  })
}

function showProposals({ proposals }: Evaluation, view: TreasuryView): string[] {
  const decimals = new Map(view.assets.map((asset) => [asset.id, asset.decimals]))
  return proposals.map(({ rules, from, to, destination, units, receiveUnits, costFiat }) =>
    [
      rules.join("+"),
      from,
      destination === null ? to : `${to}@${destination}`,
      formatUnits(units, decimals.get(from) ?? 0),
      receiveUnits === null ? "?" : formatUnits(receiveUnits, decimals.get(to) ?? 0),
      costFiat === null ? "?" : formatUnits(costFiat, FIAT_DECIMALS),
    ].join(" "),
  )
}

function showDeclined({ declined }: Evaluation): string[] {
  return declined
    .map(({ rule, reasons }) => [rule, ...reasons.map(({ code }) => code)].join(" "))
    .sort()
}

function rows(table: string): string[][] {
  return table
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => line.split(/\s+/))
}

function option(cells: readonly string[], key: string): string | null {
  return cells.find((cell) => cell.startsWith(`${key}=`))?.slice(key.length + 1) ?? null
}

function known(assets: readonly Asset[], id: string): Asset {
  const asset = assets.find((one) => one.id === id)
  if (!asset) throw new Error(`${id} is not in base.yaml`)
  return asset
}
