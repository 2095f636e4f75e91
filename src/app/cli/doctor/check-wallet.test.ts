import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { Secret } from "#lib/secret.ts"
import { urlOf } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { checkWallet } from "./check-wallet.ts"

const { chains } = parseConfig(
  `{ service: { url: "http://127.0.0.1:1" }, rules: [], assets: {},
     chains: { base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://one"], key: "env:EVM" },
       bitcoin_testnet: { family: bitcoin, network: regtest, esplora: ["http://two"],
         key: "env:BITCOIN" } } }`,
  {
    file: "test.yaml",
    secrets: (name) =>
      new Secret(
        name === "env:EVM"
          ? `0x${"11".repeat(32)}`
          : "cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA",
        name,
      ),
  },
)
const DELEGATE = "00000000000000000000000000000000000d31e9"

/** A chain whose account has this code, and whose server gives this list of coins. */
const world =
  (code: string, coins: () => string): AskHttp =>
  async (at, body) => {
    if (body === undefined) return /\/address\/\w+\/utxo$/.test(urlOf(at)) ? coins() : "[]"
    return JSON.stringify({ jsonrpc: "2.0", id: 1, result: code })
  }

function refuse(): string {
  throw new Error("HTTP 400")
}
const COIN = '[{"txid":"ab","vout":0,"value":5,"status":{"confirmed":true}}]'

const WALLETS: readonly (readonly [string, string, () => string, readonly string[][]])[] = [
  ["nothing unusual", "0x", () => COIN, []],
  [
    "a delegation",
    `0xef0100${DELEGATE}`,
    () => "[]",
    [["base_sepolia one wallet", `it delegates to 0x${DELEGATE} (EIP-7702)`]],
  ],
  ["other code", "0x6001", () => "[]", [["base_sepolia one wallet", "it has code"]]],
  [
    "coins that its server does not list",
    "0x",
    refuse,
    [["bitcoin_testnet two wallet", "its coins are not listed: HTTP 400"]],
  ],
]

test.each(WALLETS)("doctor names %s of a wallet", async (_what, code, coins, expected) => {
  const ask = world(code, coins)
  const found = await Promise.all(chains.map((chain) => checkWallet(chain, [], ask)))
  expect(found.flat().map((each) => [each.check, each.found])).toEqual(expected)
  expect(found.flat().every(({ status, todo }) => status === "warn" && todo !== null)).toBe(true)
})
