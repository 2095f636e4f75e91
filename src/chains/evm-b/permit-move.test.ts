import { encodeFunctionData, getAddress, type Hex, isHex, keccak256, serializeTransaction } from "viem"
import { expect, test } from "vitest"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { MovePlan } from "#domain/move.ts"
import { encodeInitiate, htlcAbi, tokenAbi } from "./htlc.ts"
import { permitMove } from "./permit-move.ts"
import { toPlan, type Unsigned } from "./unsigned.ts"
import type { Wallet } from "./wallet.ts"

const CHAIN = toChainId("base_sepolia")
const [HTLC, NATIVE_HTLC, TOKEN, STRANGER, ACCOUNT] = [
  address("a1"),
  address("a2"),
  address("b1"),
  address("d1"),
  address("e1"),
]
const WBTC: Asset = { id: parseAssetId("base_sepolia:wbtc"), chain: CHAIN, decimals: 8, token: TOKEN, htlc: [HTLC] }
const ETH: Asset = {
  id: parseAssetId("base_sepolia:eth"),
  chain: CHAIN,
  decimals: 18,
  token: null,
  htlc: [NATIVE_HTLC],
}
const wallet: Wallet = {
  chain: CHAIN,
  chainId: 84532,
  account: ACCOUNT,
  assets: [WBTC, ETH],
  confirmations: 1,
  maxFeePerGasUnits: 100n,
  maxGasLimit: 2_000_000n,
}
const BASE = { chainId: 84532, nonce: 0, gas: 2_000_000n, maxFeePerGas: 100n, maxPriorityFeePerGas: 1n }
const TERMS = { redeemer: STRANGER, timelock: 10n, units: 7n, secretHash: `0x${"5e".repeat(32)}` } as const
const SPENDS = { [WBTC.id]: [{ asset: WBTC.id, units: 7n }], [ETH.id]: [{ asset: ETH.id, units: 7n }] }
const refundData = encodeFunctionData({ abi: htlcAbi, functionName: "refund", args: [TERMS.secretHash] })

const approve = { to: TOKEN, value: 0n, data: approveData(HTLC) }
const initiate = { to: HTLC, value: 0n, data: encodeInitiate(TERMS) }
const initiateNative = { to: NATIVE_HTLC, value: 7n, data: encodeInitiate(TERMS) }
const refund = { to: HTLC, value: 0n, data: refundData }
const nothing = { to: ACCOUNT, value: 0n, data: "0x" } as const

test.each<[MovePlan["purpose"], Call, Asset?]>([
  ["approve", approve],
  ["initiate", initiate, WBTC],
  ["initiate", initiateNative, ETH],
  ["refund", refund],
  ["refund", { ...refund, to: NATIVE_HTLC }],
  ["void", nothing],
])("lets a plain %s through: %o", (purpose, call, spent) => {
  const permitted = permitMove(planOf(purpose, call, spent), wallet)
  expect({ ...permitted, to: getAddress(permitted.to) }).toEqual({ ...BASE, ...call })
})

test.each<[string, MovePlan["purpose"], Partial<Unsigned> & Call, Asset?]>([
  ["an approval for a stranger", "approve", { ...approve, data: approveData(STRANGER) }],
  ["an approval for the HTLC of another asset", "approve", { ...approve, data: approveData(NATIVE_HTLC) }],
  ["an approval on another contract", "approve", { ...approve, to: STRANGER }],
  ["an approval with value", "approve", { ...approve, value: 1n }],
  ["an approval with bytes after it", "approve", { ...approve, data: `${approve.data}00` }],
  ["an approval called a deposit", "initiate", approve, WBTC],
  ["a deposit called an approval", "approve", initiate],
  ["a deposit called a void", "void", initiate],
  ["a deposit into a stranger's contract", "initiate", { ...initiate, to: STRANGER }, WBTC],
  ["a token deposit with value", "initiate", { ...initiate, value: 7n }, WBTC],
  ["a native deposit without value", "initiate", { ...initiateNative, value: 0n }, ETH],
  ["a deposit that the plan does not count", "initiate", initiate],
  ["a deposit counted on another asset", "initiate", initiate, ETH],
  ["a deposit with bytes after it", "initiate", { ...initiate, data: `${initiate.data}00` }, WBTC],
  ["a refund on a stranger's contract", "refund", { ...refund, to: STRANGER }],
  ["a refund with value", "refund", { ...refund, value: 1n }],
  ["an initiate called a refund", "refund", initiate],
  ["a void to somebody else", "void", { ...nothing, to: STRANGER }],
  ["a void with value", "void", { ...nothing, value: 1n }],
  ["a void with data", "void", { ...nothing, data: "0x00" }],
  ["another chain", "void", { ...nothing, chainId: 1 }],
  ["too much gas", "void", { ...nothing, gas: 2_000_001n }],
  ["too high a fee", "void", { ...nothing, maxFeePerGas: 101n }],
])("refuses %s", (_what, purpose, call, spent) => {
  const refusal = expect.objectContaining({ code: expect.stringMatching(/^signer\./), disposition: "refused" })
  expect(() => permitMove(planOf(purpose, call, spent), wallet)).toThrowError(refusal)
})

test("refuses a transaction of another type or with more in it, even under a digest of its own", () => {
  const plan = planOf("void", nothing)
  const { maxFeePerGas: gasPrice, maxPriorityFeePerGas: _, ...rest } = { ...BASE, ...nothing }
  const accessList = [{ address: TOKEN, storageKeys: [] }]
  const foreign = [
    serializeTransaction({ type: "legacy", ...rest, gasPrice }),
    serializeTransaction({ type: "eip1559", ...BASE, ...nothing, accessList }),
    serializeTransaction({ type: "eip1559", ...BASE, value: 0n, data: "0x" }),
  ]
  const broken = ["0x02", "0x02c0", "nonsense", ""]
  for (const transaction of [...foreign, ...broken]) {
    const unsigned = JSON.stringify({ transaction, purpose: "void" })
    const digest = isHex(transaction) ? keccak256(transaction) : plan.digest
    const refusal = expect.objectContaining({ code: "signer.unsigned" })
    expect(() => permitMove({ ...plan, unsigned, digest }, wallet)).toThrowError(refusal)
  }
})

test.each<[string, string, (plan: MovePlan) => MovePlan]>([
  ["another chain", "foreign_plan", (plan) => ({ ...plan, chain: toChainId("other") })],
  ["another account", "foreign_plan", (plan) => ({ ...plan, account: STRANGER })],
  ["another digest", "unsigned", (plan) => ({ ...plan, digest: TERMS.secretHash })],
  ["another nonce reserved", "unsigned", (plan) => ({ ...plan, claims: ["nonce:9"] })],
  ["another purpose than its bytes were made for", "unsigned", (plan) => ({ ...plan, purpose: "void" })],
  ["less spent than sent", "initiate", (plan) => ({ ...plan, spends: [{ asset: ETH.id, units: 1n }] })],
])("refuses a plan with %s", (_what, code, change) => {
  const good = planOf("initiate", initiateNative, ETH)
  expect(permitMove(good, wallet).value).toBe(7n)
  expect(() => permitMove(change(good), wallet)).toThrowError(expect.objectContaining({ code: `signer.${code}` }))
})

type Call = Pick<Unsigned, "to" | "value" | "data">

function planOf(purpose: MovePlan["purpose"], call: Call & Partial<Unsigned>, spent?: Asset): MovePlan {
  const spends = spent === undefined ? [] : (SPENDS[spent.id] ?? [])
  return toPlan(wallet, { purpose, attempt: 0, spends, fromHeight: 0n }, { ...BASE, ...call })
}

function approveData(spender: Hex): Hex {
  return encodeFunctionData({ abi: tokenAbi, functionName: "approve", args: [spender, 7n] })
}

function address(byte: string): Hex {
  return getAddress(`0x${byte.repeat(20)}`)
}
