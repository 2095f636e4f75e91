import { expect, test } from "vitest"
import { backtestPolicies } from "#backtest/backtest-policies.ts"
import { deriveScenario } from "#backtest/world/derive-scenario.ts"
import type { Config } from "#config/config.ts"
import { parseConfig } from "#config/load.ts"
import { toScenarioTraits, toSubject } from "#daemon/study/to-subject.ts"
import { Secret } from "#lib/secret.ts"
import { parseScenario } from "../../simulate/read-scenario.ts"
import { judgeCosts } from "./judge-costs.ts"

function parse(rule: string, guards: string): Config {
  const token = (digit: number): string => `token: "0x${String(digit).repeat(40)}", htlc: []`
  const text = `service: { url: "https://s" }
mode: observe
chains:
  base_sepolia: { preset: base_sepolia, rpc: ["https://x"], key: "env:K" }
  arbitrum_sepolia: { preset: arbitrum_sepolia, rpc: ["https://x"], key: "env:K" }
assets:
  base_sepolia:wbtc: { decimals: 8, ${token(1)} }
  arbitrum_sepolia:usdc: { decimals: 6, ${token(2)} }
rules: [{ id: r, ${rule} }]
guards: ${guards}
`
  const secrets = (reference: string): Secret => new Secret("k", reference)
  return parseConfig(text, { file: "b.yaml", secrets })
}

const BAND = 'kind: band, asset: "base_sepolia:wbtc", sources: ["arbitrum_sepolia:usdc"], every: 5m'
const BUY =
  'kind: recurring, schedule: "0 9 * * *", from: "arbitrum_sepolia:usdc", to: "base_sepolia:wbtc"'

/** The moves of ten days that begin with an empty band. */
function countOrders(config: Config): number {
  const subject = toSubject("r", config)
  const choices = { ...parseScenario("", "none", [config]), flows: [], quotes: [] }
  const own = config.assets.find(({ id }) => id.endsWith("wbtc"))
  const assets = new Map(own ? [[own.id, { startUnits: 0n, volatilityUnits: 0n }]] : [])
  const traits = config.chains.map(toScenarioTraits)
  const scenario = deriveScenario([subject], traits, 10, { ...choices, assets })
  const [tried] = backtestPolicies([subject], scenario, { first: 1, count: 3 }).subjects
  return tried?.summary.moves.p50 ?? 0
}

test.each([
  ["a band that is too small", `${BAND}, min: "0.0004", target: "0.0006", max: "0.001"`, "100bps"],
  ["a daily swap that is too small", `${BUY}, amount: "50"`, "100bps"],
  ["a ceiling of the rule itself", `${BUY}, amount: "140", max_cost: "1%"`, "250bps"],
])("%s is named with the smallest order that could act", async (_name, rule, maxCost) => {
  const config = parse(rule, `{ max_cost: ${maxCost} }`)
  expect(countOrders(config)).toBe(0)
  const [found, ...rest] = await judgeCosts(config)
  expect(rest).toEqual([])
  expect(found).toMatchObject({ code: "config.never_acts", severity: "warn", subjects: ["r"] })
  expect(found?.sentence).toMatch(/^only orders of at least 14[345] usd can act$/)
})

test("max_order counts too, and the drains of a band are judged apart", async () => {
  const rule = `${BAND}, min: "0.1", target: "0.2", max: "0.4", sinks: ["arbitrum_sepolia:usdc"]`
  const sentences = async (maxOrder: string): Promise<readonly string[]> => {
    const guards = `{ max_cost: 100bps, max_order: "${maxOrder}" }`
    return (await judgeCosts(parse(rule, guards))).map(({ sentence }) => sentence)
  }
  expect(await sentences("100 usd")).toEqual([
    expect.stringMatching(/only orders of at least 14\d usd/),
    expect.stringMatching(/only drains of at least 14\d usd/),
  ])
  expect(await sentences("150 usd")).toEqual([])
})

test.each([
  ["below the share of the service", `${BUY}, amount: "5000"`, "30bps"],
  ["below the fixed cost", `${BUY}, amount: "5000"`, '"0.5 usd"'],
  ["too little for this amount", `${BUY}, amount: "5000"`, '"5 usd"'],
])("a ceiling %s lets no amount act", async (_name, rule, maxCost) => {
  const config = parse(rule, `{ max_cost: ${maxCost} }`)
  expect(countOrders(config)).toBe(0)
  const [found] = await judgeCosts(config)
  expect(found).toMatchObject({ sentence: "each of its orders costs more than max_cost" })
})

test.each([
  [
    "a band that is large enough",
    `${BAND}, min: "0.001", target: "0.0015", max: "0.003"`,
    "100bps",
  ],
  ["a swap that is large enough", `${BUY}, amount: "160"`, "100bps"],
  ["a ceiling in fiat", `${BUY}, amount: "500"`, '"5 usd"'],
])("%s moves in the simulator, and is not named", async (_name, rule, maxCost) => {
  const config = parse(rule, `{ max_cost: ${maxCost} }`)
  expect(countOrders(config)).toBeGreaterThan(0)
  expect(await judgeCosts(config)).toEqual([])
})

test("says nothing of a rule that is off, and of assets without a known price", async () => {
  const guards = "{ max_cost: 100bps }"
  expect(await judgeCosts(parse(`${BUY}, amount: "5", enabled: false`, guards))).toEqual([])
  const odd = parse(`${BUY}, amount: "5"`, guards)
  const assets = odd.assets.map((asset) => ({ ...asset, id: asset.id.replace("wbtc", "zzz") }))
  // CAST: only the price of the id counts.
  expect(await judgeCosts({ ...odd, assets: assets as unknown as Config["assets"] })).toEqual([])
})
