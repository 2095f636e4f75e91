import { describe, expect, test } from "vitest"
import { familyOf } from "#chains/families.ts"
import { parseConfig } from "#config/load.ts"
import { chainOf, parseAssetId } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import type { ChainPort } from "#ports/chain.ts"
import { toSettings } from "./settings.ts"

const ETH = parseAssetId("base_sepolia:eth")
const OUTSIDE = "0x00000000000000000000000000000000DeaDBeef"
const OWN = "0x1111111111111111111111111111111111111111"

function destinationFor(destinations: string, asked: string | null): string | null {
  const text = `service: { url: "http://127.0.0.1:1" }
chains:
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:1"], key: "env:K" }
assets: { "base_sepolia:eth": { decimals: 18 } }
guards: { destinations: ${destinations} }`
  const config = parseConfig(text, {
    file: "b.yaml",
    secrets: (reference) => new Secret("k", reference),
  })
  const port = {
    account: OWN,
    isAddress: (address: string) => address.startsWith("0x"),
    sameAddress: (a: string, b: string) => a.toLowerCase() === b.toLowerCase(),
  }
  // CAST: the code under test uses only this part of a chain.
  const chains = new Map([[chainOf(ETH), port as unknown as ChainPort]])
  return toSettings(config, chains).destinationFor(ETH, asked)
}

describe("the payee of an order", () => {
  test.each([
    ["our own wallet, unless anything is said", "own", null, OWN],
    ["our own wallet by its address", "own", OWN, OWN],
    ["nobody else", "own", OUTSIDE, null],
    [
      "an address in the list, however it is spelt",
      `["${OUTSIDE}"]`,
      OUTSIDE.toLowerCase(),
      OUTSIDE.toLowerCase(),
    ],
    [
      "nothing that is not in the list",
      `["${OUTSIDE}"]`,
      "0x00000000000000000000000000000000DeaDBee0",
      null,
    ],
    ["not even our own wallet when the list leaves it out", `["${OUTSIDE}"]`, null, null],
    ["our own wallet when it is listed", `["${OWN}"]`, null, OWN],
    ["our own wallet and the list, when the list says own", `[own, "${OUTSIDE}"]`, null, OWN],
    [
      "an address of another chain never, even when listed",
      "[bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080]",
      "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
      null,
    ],
  ])("%s", (_name, destinations, asked, expected) => {
    expect(destinationFor(destinations, asked)).toBe(expected)
  })
})

describe("the policy of an order", () => {
  const BTC = parseAssetId("bitcoin_testnet:btc")
  const text = `service: { url: "http://127.0.0.1:1" }
chains:
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:1"], key: "env:K" }
  bitcoin_testnet:
    { family: bitcoin, network: regtest, esplora: ["http://127.0.0.1:1"], key: "env:K" }
assets: { "base_sepolia:eth": { decimals: 18 }, "bitcoin_testnet:btc": { decimals: 8 } }
guards: { approve_above: "0.5", approval_ttl: 2h, min_native: { base_sepolia: "0.1" } }`
  const config = parseConfig(text, {
    file: "b.yaml",
    secrets: (reference) => new Secret("k", reference),
  })
  const settings = toSettings(config, new Map())
  const MINUTE_MS = 60_000

  test("has its windows and locks from its two chains, and no tolerance of the payout", () => {
    const [evm, bitcoin] = config.chains.map(familyOf)
    const [base, testnet] = config.chains
    if (!evm || !bitcoin || !base || !testnet) throw new Error("both chains are configured")
    const policy = settings.policyFor(ETH, BTC)
    expect(policy).toMatchObject({
      patienceMs: 30 * MINUTE_MS,
      approvalTtlMs: 120 * MINUTE_MS,
      depositWindowMs: evm.depositWindowMs,
      reportPatienceMs: bitcoin.reportPatienceMs,
      timelocks: { source: evm.timelocksOf(base), destination: bitcoin.timelocksOf(testnet) },
      approveAbove: { kind: "units", units: 5n * 10n ** 17n },
    })
    expect(settings.policyFor(BTC, ETH)).toMatchObject({
      depositWindowMs: bitcoin.depositWindowMs,
      reportPatienceMs: evm.reportPatienceMs,
    })
    expect(evm.depositWindowMs).not.toBe(bitcoin.depositWindowMs)
    expect(evm.reportPatienceMs).not.toBe(bitcoin.reportPatienceMs)
  })

  test("waits for a redemption as its chain says, and for a transaction's life on Solana", () => {
    const own = text
      .replace("84532", "84532, stuck_after: 3m")
      .replace(
        "chains:",
        `chains:
  solana: { family: solana, rpc: ["http://127.0.0.1:1"], key: "env:K", stuck_after: 1s }`,
      )
      .replace("assets: {", `assets: { "solana:sol": { decimals: 9 },`)
    const secrets = (reference: string): Secret => new Secret("k", reference)
    const three = parseConfig(own, { file: "b.yaml", secrets })
    const { policyFor } = toSettings(three, new Map())
    expect(policyFor(BTC, ETH).redeemStuckAfterMs).toBe(3 * MINUTE_MS)
    expect(policyFor(ETH, BTC)).toMatchObject({
      stuckAfterMs: 3 * MINUTE_MS,
      redeemStuckAfterMs: 10 * MINUTE_MS,
    })
    // 150 slots of 0.8 s at the slowest.
    expect(policyFor(ETH, parseAssetId("solana:sol")).redeemStuckAfterMs).toBe(2 * MINUTE_MS)
  })

  test("keeps the reserve of each chain", () => {
    expect([...settings.minNative]).toEqual([["base_sepolia", 10n ** 17n]])
  })
})
