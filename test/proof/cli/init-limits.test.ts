import { expect, test } from "vitest"
import { FAMILIES, findPreset } from "#chains/families.ts"
import { chooseLimits } from "../../../src/app/cli/init/choose-limits.ts"
import { formatFirstConfig } from "../../../src/app/cli/init/format-first-config.ts"
import { listNativeAssets } from "../../../src/app/cli/init/list-assets.ts"
import { parseChains, parseHold, suggestHold } from "../../../src/app/cli/init/parse-answers.ts"

const NODE = "http://127.0.0.1:9"
const ACCOUNT = { account: "0x1" }

/** The limits with which the file of these answers moves in the simulator; `null` for none. */
function limitsOf(names: readonly string[], hold: string | null) {
  const chains = parseChains(names.map((name) => `${name}=${NODE}`).join(","))
  const assets = listNativeAssets(chains)
  const rule = parseHold(hold ?? suggestHold(assets), assets)
  const settings = new Map(
    names.filter((name) => name.startsWith("starknet")).map((name) => [name, ACCOUNT]),
  )
  const fixed = { treasury: "t", service: NODE, appId: "", key: "env:K", page: null, isNew: true }
  const limits = chooseLimits((tried) =>
    formatFirstConfig({ ...fixed, chains, settings, assets, hold: rule, limits: tried }),
  )
  return { rule, limits }
}

const NETWORKS = ["main", "test"] as const
const CHAIN_SETS = NETWORKS.flatMap((network) => {
  const names = FAMILIES.flatMap(({ presets }) => presets.map(({ name }) => name))
  const own = names.filter((name) => findPreset(name)?.preset.network === network)
  return own.map((name, index) => [name, own[(index + 1) % own.length] ?? name] as const)
})

test.each(CHAIN_SETS)(
  "%s with %s gets a rule and limits that move in the simulator",
  { timeout: 300_000 },
  (...names) => {
    const { rule, limits } = limitsOf(names, null)
    expect(rule).not.toBeNull()
    expect(limits).not.toBeNull()
  },
)

test.each(["0.001", "0.01", "0.1", "1"])(
  "a hold of %s BTC moves too",
  { timeout: 300_000 },
  (amount) => {
    const hold = `${amount} bitcoin_testnet:btc from base_sepolia:eth`
    expect(limitsOf(["bitcoin_testnet", "base_sepolia"], hold).limits).not.toBeNull()
  },
)

test("a hold below the cost of a swap has no limits that let it move", { timeout: 300_000 }, () => {
  const hold = "0.000001 bitcoin_testnet:btc from base_sepolia:eth"
  expect(limitsOf(["bitcoin_testnet", "base_sepolia"], hold).limits).toBeNull()
})
