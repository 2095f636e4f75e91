import { describe, expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import { parseFeeRate } from "#routes/cctp/fee-rate.ts"
import type { Config } from "./config.ts"
import { parseConfig } from "./load.ts"

const KEY = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
const BASE_USDC = "0x036CbD53842c5426634e7929541eC2318f3dCF7e"
const SEPOLIA_USDC = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238"
const MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"
const MESSENGER = "CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe"
const LOCAL = `0x${"11".repeat(20)}`
const CONTRACTS = `messenger: "0x${"22".repeat(20)}", transmitter: "0x${"33".repeat(20)}"`

function fileWith(routes: string): string {
  return `service: { url: "http://127.0.0.1:4400" }
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, esplora: ["http://x:4401"], key: "env:A" }
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:4402"], key: "env:A" }
  ethereum_sepolia: { family: evm, chain_id: 11155111, rpc: ["http://x:4403"], key: "env:A" }
  local: { family: evm, chain_id: 31337, rpc: ["http://127.0.0.1:4404"], key: "env:A" }
  arbitrum: { family: evm, chain_id: 42161, rpc: ["http://127.0.0.1:4405"], key: "env:A" }
  solana_testnet: { family: solana, rpc: ["http://127.0.0.1:4406"], key: "env:A" }
  devnet: { family: solana, preset: solana_testnet, rpc: ["http://x:4407"], key: "env:A" }
assets:
  solana_testnet:usdc: { decimals: 6, token: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU" }
  devnet:usdc: { decimals: 6, token: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU" }
  devnet:other: { decimals: 6, token: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" }
  bitcoin_testnet:btc: { decimals: 8 }
  base_sepolia:usdc: { decimals: 6, token: "${BASE_USDC}" }
  base_sepolia:other: { decimals: 6, token: "${LOCAL}" }
  ethereum_sepolia:usdc: { decimals: 6, token: "${SEPOLIA_USDC}" }
  ethereum_sepolia:long: { decimals: 18, token: "${SEPOLIA_USDC}" }
  local:usdc: { decimals: 6, token: "${LOCAL}" }
  arbitrum:usdc: { decimals: 6, token: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831" }
routes: { cctp: ${routes} }
`
}

const parse = (routes: string): Config =>
  parseConfig(fileWith(routes), {
    file: "b.yaml",
    secrets: (reference) => new Secret(KEY, reference),
  })

function problemsOf(routes: string): string {
  try {
    parse(routes)
    return ""
  } catch (error) {
    return error instanceof AppError ? error.message : String(error)
  }
}

const keys = (assets: string, more = ""): string =>
  `{ assets: [${assets}], max_in_flight: "50000 usd"${more === "" ? "" : `, ${more}`} }`
const HASH = `0x${"ab".repeat(32)}`
const pinOf = (address: string): string =>
  `{ address: "${address}", code: "${HASH}", implementation: "${HASH}" }`
const PAIR = "base_sepolia:usdc, ethereum_sepolia:usdc"

describe("routes.cctp", () => {
  test("has its defaults, and no configuration without it has a route", () => {
    expect(parse(keys(PAIR)).routes).toEqual([
      {
        kind: "cctp",
        assets: ["base_sepolia:usdc", "ethereum_sepolia:usdc"],
        speeds: ["fast", "standard"],
        maxFeeRate: parseFeeRate("2"),
        maxInFlightFiat: 50_000_000_000n,
        service: null,
        contracts: {},
      },
    ])
    expect(parse("null").routes).toEqual([])
  })

  test("takes the longest wait", () => {
    expect(parse(keys(PAIR, "max_wait: 30m")).routes[0]).toMatchObject({ maxWaitMs: 1_800_000 })
  })

  test("takes local contracts with the token of their asset", () => {
    const contracts = `contracts: { local: { domain: 9, ${CONTRACTS} } }, service: "http://x"`
    const [route] = parse(keys("base_sepolia:usdc, local:usdc", `${contracts}, speed: fast`)).routes
    expect(route).toMatchObject({ speeds: ["fast"], service: "http://x" })
    expect(route?.contracts["local"]).toMatchObject({ domain: "9", token: LOCAL })
  })

  test("takes Solana with its preset's programs and a table of their addresses", () => {
    const table = "CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe"
    const tables = `lookup_tables: { devnet: "${table}" }`
    const [route] = parse(keys(`${PAIR}, devnet:usdc`, tables)).routes
    expect(route).toMatchObject({ lookupTables: { devnet: table } })
  })

  test("takes the reviewed identity of its contracts", () => {
    const [route] = parse(keys(PAIR, `pinned: { base_sepolia: [${pinOf(BASE_USDC)}] }`)).routes
    const pin = { htlc: BASE_USDC, identity: { code: HASH, implementation: HASH } }
    expect(route?.pinned).toEqual({ base_sepolia: [pin] })
  })

  test("takes the reviewed programs of Solana, as those of HTLCs", () => {
    const program = { program: "ab".repeat(32), authority: "none" }
    const pins = JSON.stringify([{ address: MESSENGER, ...program }])
    const [route] = parse(keys(`${PAIR}, devnet:usdc`, `pinned: { devnet: ${pins} }`)).routes
    expect(route?.pinned).toEqual({ devnet: [{ htlc: MESSENGER, identity: program }] })
  })

  test.each([
    [
      "the code of a mint, which is no program",
      keys(`${PAIR}, devnet:usdc`, `pinned: { devnet: [{ address: "${MINT}", authority: none }] }`),
      `expected one of ${MESSENGER}`,
    ],
    [
      "the values of another family",
      keys(`${PAIR}, devnet:usdc`, `pinned: { devnet: [${pinOf(MESSENGER)}] }`),
      "expected one of program, authority",
    ],
    [
      "a hash of another form",
      keys(PAIR, `pinned: { base_sepolia: [{ address: "${BASE_USDC}", code: "0x12" }] }`),
      "expected 0x and 64 hex digits",
    ],
    [
      "a pin without a value",
      keys(PAIR, `pinned: { base_sepolia: [{ address: "${BASE_USDC}" }] }`),
      "expected at least one of code, implementation",
    ],
    [
      "a pin without its contract",
      keys(PAIR, `pinned: { base_sepolia: [{ code: "${HASH}" }] }`),
      "found none",
    ],
    [
      "a pin of a chain without the route",
      keys(PAIR, `pinned: { arbitrum: [${pinOf(BASE_USDC)}] }`),
      "a chain of this route",
    ],
    [
      "a pin of a foreign contract",
      keys(PAIR, `pinned: { base_sepolia: [${pinOf(LOCAL)}] }`),
      "expected one of 0x",
    ],
    ["an unknown asset", keys(`${PAIR}, base_sepolia:usdx`), "did you mean base_sepolia:usdc?"],
    ["one asset", keys("base_sepolia:usdc"), "a list of at least two assets"],
    ["no limit", "{ assets: [base_sepolia:usdc, ethereum_sepolia:usdc] }", "max_in_flight"],
    ["other decimals", keys("base_sepolia:usdc, ethereum_sepolia:long"), "6 decimals"],
    ["another token", keys("ethereum_sepolia:usdc, base_sepolia:other"), BASE_USDC.toLowerCase()],
    ["two assets of a chain", keys(`${PAIR}, base_sepolia:other`), "two of base_sepolia"],
    ["a chain without pins", keys(`${PAIR}, local:usdc`), "or contracts.local"],
    ["a chain without the route", keys(`${PAIR}, bitcoin_testnet:btc`), "an asset on an EVM chain"],
    ["a Solana without a preset", keys(`${PAIR}, solana_testnet:usdc`), "contracts.solana_testnet"],
    [
      "another token of Solana",
      keys(`${PAIR}, devnet:other`),
      "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJ",
    ],
    [
      "a table for another chain",
      keys(PAIR, `lookup_tables: { devnet: "CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe" }`),
      "a chain of this route's assets",
    ],
    ["two networks", keys(`${PAIR}, arbitrum:usdc`), "chains of one network"],
    [
      "contracts of a main network",
      keys(PAIR, `service: "http://x", contracts: { arbitrum: { domain: 3, ${CONTRACTS} } }`),
      "those of a main network are pinned",
    ],
    [
      "contracts without a service",
      keys("base_sepolia:usdc, local:usdc", `contracts: { local: { domain: 9, ${CONTRACTS} } }`),
      "expected service",
    ],
  ])("refuses %s", (_what, routes, expected) => {
    expect(problemsOf(routes)).toContain(expected)
  })
})
