import { readFileSync } from "node:fs"
import { backtestPolicies } from "#backtest/backtest-policies.ts"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import { parseConfig } from "#config/load.ts"
import { formatJsonSchema } from "#config/schema/json-schema.ts"
import { toScenarioTraits, toSubject } from "#daemon/study/to-subject.ts"
import { whatChanges } from "#daemon/study/what-changes.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import { plainJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import { evaluate } from "#policy/evaluate.ts"
import type { AssetView, TreasuryView } from "#policy/treasury-view.ts"

/**
 * Prints how the sources in the working directory handle the rules of `config.yaml`.
 * `new-rule-kind.test.ts` runs it in a copy of the sources with one more rule kind; the script
 * itself names no kind.
 */
const text = readFileSync("config.yaml", "utf8")
const config = parse(text)
const limits = { maxOrders: 8, maxOrder: null, split: true, maxCost: null }
const short = evaluate(viewWith(30_000_000n), config.rules, limits)
const enough = evaluate(viewWith(60_000_000n), config.rules, limits)
const reasons = enough.declined.flatMap((one) => one.reasons)

console.log(
  plainJson({
    problem: problemOf(text.replace("from: bitcoin_testnet:btc", "from: base_sepolia:wbtc")),
    kinds: config.rules.map(({ kind }) => kind),
    proposals: short.proposals,
    satisfied: reasons.map(({ code }) => code),
    hints: reasons.map(whatChanges),
    measured: backtest(),
    schema: formatJsonSchema(),
  }),
)

function parse(yaml: string) {
  return parseConfig(yaml, {
    file: "config.yaml",
    secrets: (reference) => new Secret("k", reference),
  })
}

function problemOf(yaml: string): string {
  try {
    parse(yaml)
    return "none"
  } catch (error) {
    return String(error)
  }
}

/** 10 btc, and `wbtcUnits` of wbtc, at the same price. */
function viewWith(wbtcUnits: bigint): TreasuryView {
  const btc = parseAssetId("bitcoin_testnet:btc")
  const wbtc = parseAssetId("base_sepolia:wbtc")
  const quote = {
    readable: true,
    available: true,
    fixedFeeFiat: 0n,
    bps: 20n,
    minUnits: 0n,
    maxUnits: null,
  } as const
  return {
    assets: [assetView(btc, 1_000_000_000n), assetView(wbtc, wbtcUnits)],
    pairs: [{ from: btc, to: wbtc, quote }],
  }
}

function assetView(id: AssetId, spendableUnits: bigint): AssetView {
  const balance = {
    readable: true,
    spendableUnits,
    inFlightInUnits: 0n,
    inFlightOutUnits: 0n,
    floorUnits: 0n,
  } as const
  return { id, decimals: 8, balance, priceFiat: 100_000_000_000n }
}

function backtest(): unknown {
  const subject = toSubject("recipe", config)
  const none = {
    assets: new Map(),
    prices: new Map(),
    pairs: new Map(),
    chains: new Map(),
    flows: [],
    quotes: [],
  }
  const scenario = deriveScenario([subject], config.chains.map(toScenarioTraits), 5, {
    ...none,
    pair: {},
    orders: {},
  })
  return backtestPolicies([subject], scenario, { first: 1, count: 1 }).subjects[0]?.summary.rules
}
