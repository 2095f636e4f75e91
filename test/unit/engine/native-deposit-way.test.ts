import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { toSettings } from "#daemon/start/settings.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { DepositWay } from "#domain/order.ts"
import { policyOf } from "#engine/rules/decide/judge.ts"
import { ownFeesOf } from "#engine/rules/read-risk.ts"
import { toNetworkFees } from "#engine/rules/tick/network-fees.ts"
import { Secret } from "#lib/secret.ts"

/*
 * A relay deposits tokens alone. Where a chain prefers it, the plan, the admission and the backtest
 * count the network fee of a native coin's deposit all the same: this wallet pays it.
 */

const ETH = parseAssetId("base_sepolia:eth")
const USDC = parseAssetId("base_sepolia:usdc")
const SOL = parseAssetId("solana_devnet:sol")
const MINT = parseAssetId("solana_devnet:usdc")
const STRK = parseAssetId("starknet_sepolia:strk")
const BTC = parseAssetId("bitcoin_testnet:btc")

function settingsWith(deposit: DepositWay) {
  const token = `0x${"11".repeat(20)}`
  const mint = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"
  const config = parseConfig(
    `{ service: { url: "http://127.0.0.1:1" }, data_dir: ./d, rules: [],
       chains: {
         base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://one"], key: "env:K",
             deposit: ${deposit} },
         solana_devnet: { family: solana, rpc: ["http://one"], key: "env:K", deposit: ${deposit} },
         starknet_sepolia: { family: starknet, rpc: ["http://one"], key: "env:K", account: "0x1",
             deposit: ${deposit} },
         bitcoin_testnet: { family: bitcoin, network: testnet4, esplora: ["http://one"],
             key: "env:K" } },
       assets: {
         "${ETH}": { decimals: 18, htlc: ["${token}"] },
         "${USDC}": { decimals: 6, token: "${token}", htlc: ["${token}"] },
         "${SOL}": { decimals: 9, htlc: ["${mint}"] },
         "${MINT}": { decimals: 6, token: "${mint}", htlc: ["${mint}"] },
         "${STRK}": { decimals: 18, token: "0x3", htlc: ["0x2"] } } }`,
    { file: "test.yaml", secrets: (reference) => new Secret("k", reference) },
  )
  return toSettings(config, new Map())
}

const BUDGET = { depositUnits: 2_000n, refundUnits: 1_000n }
const PRICE = { fiat: 1_000_000n, decimals: 0 }
const PLANNED = { asset: { decimals: 0, priceParts: 1n }, fiat: PRICE.fiat }

/** The fee of the deposit as the plan and as the admission count it. */
function feesOf(deposit: DepositWay, from: AssetId, asked?: DepositWay) {
  const settings = settingsWith(deposit)
  const policy = policyOf(
    // CAST: no deposit of the pair has ended.
    { journal: { countEndings: () => ({ completed: 0, refunded: 0 }) }, settings } as never,
    { rule: "r", from, to: BTC, sourceUnits: 1n, ...(asked === undefined ? {} : { way: asked }) },
  )
  const planned = toNetworkFees(BUDGET, PLANNED, settings.policyFor(from, BTC))
  return [planned.networkFeeFiat > 0n, ownFeesOf(policy, BUDGET, PRICE).depositFiat > 0n]
}

test.each([ETH, SOL])("the deposit of %s has a fee where a relay is only preferred", (from) => {
  expect(feesOf("auto", from)).toEqual([true, true])
  expect(feesOf("onchain", from, "auto")).toEqual([true, true])
})

test("a token has none there, and nor has a coin with a contract", () => {
  for (const from of [USDC, MINT, STRK]) expect(feesOf("auto", from)).toEqual([false, false])
  expect(feesOf("onchain", USDC)).toEqual([true, true])
})

test("SOL goes on-chain whatever way the tokens of its chain go", () => {
  const { policyFor } = settingsWith("gasless")
  expect(policyFor(SOL, BTC).way).toBe("onchain")
  expect(policyFor(MINT, BTC).way).toBe("gasless")
  // The operator allows no transaction, so that the order is refused.
  expect(policyFor(ETH, BTC).way).toBe("gasless")
})
