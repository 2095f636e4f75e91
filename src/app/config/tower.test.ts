import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { toChainId } from "#domain/asset.ts"
import { loadTower } from "./tower.ts"

const BASE = { family: "evm", chain_id: 84532, rpc: ["http://127.0.0.1:1"], key: "env:TOWER_KEY" }
const BITCOIN = { family: "bitcoin", network: "regtest", esplora: ["http://127.0.0.1:2"] }
const ENV = { TOWER_KEY: "11".repeat(32) }

function load(file: unknown, env: Record<string, string> = ENV) {
  const path = join(mkdtempSync(join(tmpdir(), "tower-")), "tower.yaml")
  writeFileSync(path, JSON.stringify(file))
  return loadTower(path, env)
}

describe("a watchtower's file", () => {
  test("needs chains alone", () => {
    const { chains, checkEveryMs } = load({
      chains: { base_sepolia: BASE, bitcoin_testnet: BITCOIN },
    })
    expect(chains.map(({ chain, family }) => [chain, family])).toEqual([
      [toChainId("base_sepolia"), "evm"],
      [toChainId("bitcoin_testnet"), "bitcoin"],
    ])
    expect(checkEveryMs).toBe(30_000)
    expect(chains[0]?.key.isSame(chains[0].key)).toBe(true)
    expect(chains[0]?.key.reference).toBe("env:TOWER_KEY")
  })

  test.each([
    [
      "a key on Bitcoin, which may only be a wallet's",
      { bitcoin_testnet: { ...BITCOIN, key: "env:TOWER_KEY" } },
      "key",
    ],
    ["no key for fees", { base_sepolia: { ...BASE, key: undefined } }, "key"],
    ["a key in plain text", { base_sepolia: { ...BASE, key: "22".repeat(32) } }, "not shown"],
    [
      "a key that the environment lacks",
      { base_sepolia: { ...BASE, key: "env:NO_KEY" } },
      "NO_KEY",
    ],
    ["an unknown key", { base_sepolia: { ...BASE, rcp: [] } }, "did you mean rpc"],
    ["more agreeing endpoints than it has", { base_sepolia: { ...BASE, agree: 3 } }, "agree"],
  ])("with %s is refused with its place", (_name, chains, message) => {
    expect(() => load({ chains })).toThrow(message)
    expect(() => load({ chains })).toThrow("tower.yaml")
  })

  test.each([
    ["arbitrum", { ...BASE, chain_id: 42161, confirmations: 1 }, "confirmations"],
    ["bitcoin", { ...BITCOIN, network: "mainnet", finality: { ending: 1 } }, "finality"],
  ])("with a depth below the minimum of %s is refused with its place", (name, chain, key) => {
    const refused = /tower\.yaml:1:\d+: .*config\.confirmations_below_minimum/
    expect(() => load({ chains: { [name]: chain } })).toThrow(refused)
    expect(() => load({ chains: { [name]: { ...chain, [key]: undefined } } })).not.toThrow()
  })

  test("is none of the daemon's", () => {
    expect(() => load({ chains: {}, service: { url: "http://127.0.0.1:3" } })).toThrow("service")
  })
})
