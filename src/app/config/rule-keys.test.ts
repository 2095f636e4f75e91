import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "./load.ts"

const ESPLORA = 'esplora: ["http://127.0.0.1:4401"]'
const BASE = `service: { url: "http://127.0.0.1:4400" }
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, ${ESPLORA}, key: "env:BITCOIN_WIF" }
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:4402"], key: "env:EVM_KEY" }
assets:
  bitcoin_testnet:btc: { decimals: 8 }
  base_sepolia:wbtc: { decimals: 8, token: "0x1111111111111111111111111111111111111111", htlc: [] }
`

const parse = (text: string) =>
  parseConfig(text, { file: "b.yaml", secrets: (reference) => new Secret("k", reference) })

function withRule(rule: string): string {
  return `${BASE}rules:\n  - ${rule}\n`
}

function problemsOf(text: string): string {
  try {
    parse(text)
    return ""
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

test("reads what a rule may say beside its purpose", () => {
  const address = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"
  const config = parse(`${BASE}
rules:
- { id: a, kind: recurring, schedule: "0 9 * * MON", from: base_sepolia:wbtc,
    to: bitcoin_testnet:btc, amount: "0.01", jitter: 10m, window: 2h, max_cost: "40bps" }
- { id: b, kind: band, asset: base_sepolia:wbtc, min: "1", target: "1", max: "2",
    sinks: [bitcoin_testnet:btc], move: edge, least: "0.05", max_cost: "0.40 usd" }
- { id: c, kind: weights, weights: { "bitcoin_testnet:btc": "60%", "base_sepolia:wbtc": "40%" },
    move: edge, least: "50 usd" }
- { id: d, kind: sweep, from: base_sepolia:wbtc, to: bitcoin_testnet:btc, destination: ${address},
    least: "0.1", patience: 24h }
guards: { destinations: [own, ${address}], payees: { cold storage: ${address} } }
`)
  expect(config.rules).toMatchObject([
    { jitterMs: 600_000, windowMs: 7_200_000, maxCost: { kind: "share", bps: 40n } },
    { move: "edge", leastUnits: 5_000_000n, maxCost: { kind: "fiat", fiat: 400_000n } },
    { move: "edge", leastFiat: 50_000_000n, maxCost: null },
    { destination: address, leastUnits: 10_000_000n, patienceMs: 86_400_000 },
  ])
  expect(config.guards.destinations).toEqual(["own", address])
  expect(config.guards.payees).toEqual({ "cold storage": address })
})

test.each([
  [
    "a kind named like a part of every object",
    withRule('{ id: a, kind: "__proto__" }'),
    "b.yaml:9:20: rules[0].kind: expected recurring or band or weights or sweep",
  ],
  [
    "a destination that nobody allowed",
    withRule(
      "{ id: a, kind: sweep, from: base_sepolia:wbtc, to: bitcoin_testnet:btc, destination: " +
        "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx }",
    ),
    "b.yaml:9:90: rules[0].destination: expected an address that guards.destinations lists, " +
      "found a text of 42 characters",
  ],
  [
    "a destination of another chain's form",
    `${withRule(
      "{ id: a, kind: sweep, from: base_sepolia:wbtc, to: bitcoin_testnet:btc, destination: " +
        '"0x1111111111111111111111111111111111111111" }',
    )}guards: { destinations: ["0x1111111111111111111111111111111111111111"] }\n`,
    "b.yaml:9:90: rules[0].destination: expected a Bitcoin address, because " +
      "bitcoin_testnet:btc is there, found",
  ],
  [
    "a smallest order finer than its asset",
    withRule(
      "{ id: a, kind: sweep, from: base_sepolia:wbtc, to: bitcoin_testnet:btc, least: " +
        '"0.000000001" }',
    ),
    "rules[0].least: expected at most 8 digits after the point",
  ],
  [
    "patience longer than the window of an occurrence",
    withRule(
      '{ id: a, kind: recurring, schedule: "0 9 * * MON", from: base_sepolia:wbtc, to: ' +
        'bitcoin_testnet:btc, amount: "0.01", window: 12h, patience: 24h }',
    ),
    'rules[0].patience: expected a window of at least 24h beside it, found "12h"',
  ],
])("%s is refused with its place", (_name, text, expected) => {
  expect(problemsOf(text)).toContain(expected)
})
