import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { Secret } from "#lib/secret.ts"
import { parseScenario } from "./read-scenario.ts"

const ROOT = join(import.meta.dirname, "..", "..", "..", "..")
const FILE = join(ROOT, "config", "example.yaml")
const CONFIG = parseConfig(readFileSync(FILE, "utf8"), {
  file: FILE,
  secrets: (reference) => new Secret("", reference),
})

describe("a scenario file", () => {
  test("is read with its amounts in smallest units", () => {
    const choices = parseScenario(
      `{ start: 2026-03-01, step: 30m,
         assets: { "base_sepolia:wbtc": { balance: "1.2", drift: "-0.08", volatility: "0.05" } },
         prices: { btc: { start: "90000 usd", drift: "-3%", volatility: "40.5%" } },
         quotes: { fixed: "0.50 usd", bps: 25,
             pairs: [{ from: "bitcoin_testnet:btc", to: "base_sepolia:wbtc", bps: 15 }] },
         chains: { base_sepolia: { gas: "0.05", deposit_fee: "0.00001" } },
         orders: { declined: "1%", refunded: "50bps", refund_after: 12h } }`,
      "scenario.yaml",
      [CONFIG],
    )
    expect(choices).toMatchObject({
      startMs: Date.UTC(2026, 2, 1),
      stepMs: 1_800_000,
      pair: { fixedFiat: 500_000n, bps: 25n },
      orders: { declinedPpm: 10_000n, refundedPpm: 5_000n, refundAfterMs: 43_200_000 },
    })
    expect([...choices.assets.values()]).toEqual([
      { startUnits: 120_000_000n, driftUnits: -8_000_000n, volatilityUnits: 5_000_000n },
    ])
    expect(choices.prices.get("btc")).toEqual({
      startFiat: 90_000_000_000n,
      driftPpm: -30_000n,
      volatilityPpm: 405_000n,
    })
    expect(choices.pairs.get("bitcoin_testnet:btc>base_sepolia:wbtc")).toEqual({ bps: 15n })
    expect([...choices.chains.values()]).toEqual([
      { gasUnits: 5n * 10n ** 16n, depositFeeUnits: 10n ** 13n },
    ])
  })

  test("is refused with every problem at once, each with its line", () => {
    const text = `assets:
  base_sepolia:wbtc: { balance: 1.2 }
  nowhere:btc: { balance: "1" }
chains:
  base_sepolia: { gass: "1" }
orders:
  approval: { least: 2h, typical: 1h, most: 3h }
`
    const read = () => parseScenario(text, "scenario.yaml", [CONFIG])
    expect(read).toThrow(
      expect.objectContaining({ code: "simulate.scenario", disposition: "fatal" }),
    )
    expect(read).toThrow(/scenario\.yaml:2:.*expected a decimal/)
    expect(read).toThrow(/scenario\.yaml:5:.*gass; did you mean gas\?/)
    expect(read).toThrow(/scenario\.yaml:7:.*ascending order/)
    expect(() =>
      parseScenario('assets: { "nowhere:btc": { balance: "1" } }', "s.yaml", [CONFIG]),
    ).toThrow(/s\.yaml:1:.*is not a configured asset/)
    expect(() =>
      parseScenario('assets: { "base_sepolia:wbtc": { drift: "-0.000000001" } }', "s.yaml", [
        CONFIG,
      ]),
    ).toThrow("at most 8 digits")
    const routes = (kind: string) =>
      parseScenario(`quotes: { routes: { ${kind}: { bps: 1 } } }`, "s.yaml", [CONFIG]).routes
    expect(() => routes("toy")).toThrow("is not a configured route")
    expect(routes("cctp")?.get("cctp")).toEqual({ bps: 1n })
  })

  test("of nothing leaves everything to what is derived", () => {
    expect(parseScenario("", "s.yaml", [CONFIG])).toMatchObject({ pair: {}, orders: {} })
  })

  test("in the manual is one that works", () => {
    const manual = readFileSync(join(ROOT, "docs", "RUN.md"), "utf8")
    const text = /```yaml\n# scenario\.yaml\n([\s\S]*?)```/.exec(manual)?.[1] ?? ""
    expect(text).toContain("approval")
    expect(parseScenario(text, "manual.yaml", [CONFIG]).assets.size).toBeGreaterThan(1)
  })
})
