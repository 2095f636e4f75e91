import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { everyDepth } from "#chains/evm/finality.ts"
import { openEvmKey } from "#chains/evm/keys/open-key.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import { contextOf } from "#ports/key-holder.ts"

/**
 * Runs in the copy with the toy route: plans, signs and sends its deposit and its payout on a real
 * chain. With `DIES` the process ends between the signature and the sending.
 */
const [rpc = "", key = "", address = "", vault = "", file = ""] = process.argv.slice(2)
const chain = toChainId("base_sepolia")
const asset = parseAssetId("base_sepolia:usdc")
const rules = {
  assets: [asset],
  payees: new Map([[chain, [address]]]),
  maxFeeRate: 0n,
  contracts: new Map([[chain, { vault }]]),
}
const routes = new Map([["toy", rules]])
const assets = [{ id: asset, chain, decimals: 6, token: vault, htlc: [] }]
const caps = { maxFeePerGasUnits: 500_000_000_000n, maxTipPerGasUnits: 10_000_000_000n }
const secret = new Secret(key, "env:KEY")
const port = createEvmChain({
  ...caps,
  chain,
  chainId: 84_532,
  rpc: [rpc],
  key: secret,
  finality: everyDepth(1),
  timeoutMs: 5_000,
  assets,
  clock: systemClock,
  routes,
})
const leg = mustExist(port.routeLegs?.get("toy"), "the leg of the toy")
const terms = { family: "evm", units: 5n, dealKey: "ab".repeat(32) } as const
// CAST: the verification of an order mints it.
const deposit = leg.decodeDeposit(terms, asset) as VerifiedDeposit

async function planDeposit(): Promise<TransactionPlan> {
  const plan = await port.planTransaction({ action: "initiate", asset, deposit }, new Set())
  if ("refused" in plan) throw new Error(JSON.stringify(plan))
  return plan
}

// CAST: written below.
const stored = existsSync(file)
  ? (decodeJson(readFileSync(file, "utf8")) as TransactionPlan)
  : await planDeposit()
writeFileSync(file, encodeJson(stored))
const signed = await port.signTransaction(stored)
process.stdout.write(`${signed.raw}\n`)
if (process.env["DIES"] !== undefined) process.kill(process.pid, "SIGKILL")
await port.broadcastTransaction(signed)

const voucher = { kind: "toy", nonce: "5", fields: {} }
const payout = { asset, deposit, owner: address }
const redemption = await leg.planRedemption(payout, voucher, new Set(stored.resources))
if ("refused" in redemption) throw new Error(JSON.stringify(redemption))
await port.broadcastTransaction(await port.signTransaction(redemption))

// CAST: the fields that a key holder reads.
const config = {
  chain,
  chainId: 84_532,
  key: secret,
  gasLimitCap: 2_000_000n,
  maxFeePerGasWei: caps.maxFeePerGasUnits,
  maxTipPerGasWei: caps.maxTipPerGasUnits,
} as unknown as Parameters<typeof openEvmKey>[0]
const holder = openEvmKey(config, { assets, foreignRefundKeys: false, routes })
const { action, spends } = holder.readTransaction(stored, contextOf("order"))
const without = openEvmKey(config, { assets, foreignRefundKeys: false })
let refused = ""
try {
  without.readTransaction(stored, contextOf("order"))
} catch (error) {
  refused = error instanceof Error && "code" in error ? String(error.code) : String(error)
}
const scope = { action, units: String(spends[0]?.units), refused }
process.stdout.write(`${JSON.stringify({ txid: signed.txid, ...scope })}\n`)
