import { createHash } from "node:crypto"
import { inspect } from "node:util"
import { type Address, encodeFunctionData, type Hex, serializeTransaction } from "viem"
import { describe, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import {
  encodeApprove,
  encodeInitiate,
  encodeRedeem,
  encodeRefund,
  htlcAbi,
} from "#chains/evm/htlc.ts"
import { openEvmKey } from "#chains/evm/keys/open-key.ts"
import { formatUnsigned, type UnsignedTx } from "#chains/evm/spend/unsigned.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import type { TransactionAction, TransactionPlan } from "#domain/transaction.ts"
import { Secret } from "#lib/secret.ts"
import {
  asVerified,
  eth,
  htlcAddress,
  nativeHtlc,
  noOrder,
  sampleOptions,
  sampleRequest,
  sampleTerms,
  sampleTypedData,
  strangerAddress,
  tokenAddress,
  wbtc,
} from "../../../chains/evm/sample-order.ts"

const chain = createEvmChain(sampleOptions([]))
const account = requireAddress(chain.account)

const BASE = {
  chainId: 84_532,
  nonce: 7,
  to: htlcAddress,
  value: 0n,
  data: encodeInitiate(sampleTerms),
  gas: 100_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1_000_000n,
} as const

function planOf(tx: Partial<UnsignedTx>, change: Partial<TransactionPlan> = {}): TransactionPlan {
  const whole = { ...BASE, ...tx }
  return {
    chain: chain.chain,
    account,
    action: "initiate",
    attempt: 0,
    ...formatUnsigned(whole),
    resources: [`nonce:${whole.nonce}`],
    spends: [{ asset: wbtc, units: sampleTerms.units }],
    maxFeeUnits: whole.gas * whole.maxFeePerGas,
    fromHeight: 0n,
    expiresAtHeight: null,
    ...change,
  }
}

function onBehalf(initiator: Address): Hex {
  const { redeemer, timelock, units, secretHash } = sampleTerms
  const args = [initiator, redeemer, timelock, units, `0x${secretHash}`] as const
  return encodeFunctionData({ abi: htlcAbi, functionName: "initiateOnBehalf", args })
}

const NO_SPEND = { spends: [] } as const
const orderId = `0x${"ab".repeat(32)}` as const
const secret = "5e".repeat(32)

test("the signer process learns which secret a redemption tells", () => {
  const options = sampleOptions([])
  // CAST: the fields that a key holder reads.
  const config = {
    ...options,
    gasLimitCap: 2_000_000n,
    maxFeePerGasWei: options.maxFeePerGasUnits,
    maxTipPerGasWei: options.maxTipPerGasUnits,
  } as unknown as Parameters<typeof openEvmKey>[0]
  const keys = openEvmKey(config, { assets: options.assets, foreignRefundKeys: false })
  const plan = planOf({ data: encodeRedeem(orderId, secret) }, { action: "redeem", ...NO_SPEND })
  const redeemsHash = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
  expect(keys.readTransaction(plan, { order: "a", deposit: null })).toMatchObject({
    action: "redeem",
    redeemsHash,
  })
  expect(keys.readTransaction(planOf({}), { order: "a", deposit: null })).not.toHaveProperty(
    "redeemsHash",
  )
})

test("signs the same bytes for the same plan, without a node", async () => {
  const first = await chain.signTransaction(planOf({}))
  expect(await createEvmChain(sampleOptions([])).signTransaction(planOf({}))).toEqual(first)
  expect(first.txid).toMatch(/^0x[0-9a-f]{64}$/)
  expect((await chain.signTransaction(planOf({ nonce: 8 }))).raw).not.toBe(first.raw)
})

test.each<[string, Partial<UnsignedTx>, Partial<TransactionPlan>]>([
  [
    "an exact approval",
    { to: tokenAddress, data: encodeApprove(htlcAddress, 5n) },
    { action: "approve", ...NO_SPEND },
  ],
  ["a deposit with destination data", { data: encodeInitiate(sampleTerms, "0x1234") }, {}],
  ["a refund", { data: encodeRefund(orderId) }, { action: "refund", ...NO_SPEND }],
  ["a redemption", { data: encodeRedeem(orderId, secret) }, { action: "redeem", ...NO_SPEND }],
  ["an empty call to itself", { to: account, data: "0x" }, { action: "void", ...NO_SPEND }],
  [
    "a native deposit",
    { to: nativeHtlc, value: sampleTerms.units },
    { spends: [{ asset: eth, units: sampleTerms.units }] },
  ],
])("signs %s", async (_name, tx, change) => {
  expect((await chain.signTransaction(planOf(tx, change))).raw).toMatch(/^0x02/)
})

describe("refuses to sign", () => {
  const action = (name: TransactionAction): Partial<TransactionPlan> => ({
    action: name,
    ...NO_SPEND,
  })
  const transfer = `0xa9059cbb${encodeApprove(strangerAddress, 5n).slice(10)}` as const
  test.each<[string, string, Partial<UnsignedTx>, Partial<TransactionPlan>]>([
    [
      "call",
      "an unlimited approval",
      { to: tokenAddress, data: encodeApprove(htlcAddress, 2n ** 256n - 1n) },
      action("approve"),
    ],
    [
      "call",
      "an approval for a stranger",
      { to: tokenAddress, data: encodeApprove(strangerAddress, 5n) },
      action("approve"),
    ],
    [
      "call",
      "an approval on another token",
      { to: strangerAddress, data: encodeApprove(htlcAddress, 5n) },
      action("approve"),
    ],
    [
      "call",
      "an approval for another asset's HTLC",
      { to: tokenAddress, data: encodeApprove(nativeHtlc, 5n) },
      action("approve"),
    ],
    ["call", "a transfer", { to: tokenAddress, data: transfer }, action("approve")],
    ["call", "an initiate on an unknown contract", { to: strangerAddress }, {}],
    ["call", "an initiate with extra bytes", { data: `${BASE.data}00` }, {}],
    [
      "call",
      "long destination data",
      { data: encodeInitiate(sampleTerms, `0x${"00".repeat(513)}`) },
      {},
    ],
    [
      "call",
      "destination data with extra bytes",
      { data: `${encodeInitiate(sampleTerms, "0x1234")}00` },
      {},
    ],
    ["call", "a deposit on our own behalf", { data: onBehalf(account) }, {}],
    ["call", "a deposit on a stranger's behalf", { data: onBehalf(strangerAddress) }, {}],
    ["call", "a token deposit with a value", { value: sampleTerms.units }, {}],
    [
      "call",
      "a native deposit without its value",
      { to: nativeHtlc },
      { spends: [{ asset: eth, units: sampleTerms.units }] },
    ],
    [
      "call",
      "a refund on a stranger's contract",
      { to: strangerAddress, data: encodeRefund(orderId) },
      action("refund"),
    ],
    ["call", "a refund with extra bytes", { data: `${encodeRefund(orderId)}00` }, action("refund")],
    [
      "call",
      "an approval with bytes behind it",
      { to: tokenAddress, data: `${encodeApprove(htlcAddress, 5n)}00` },
      action("approve"),
    ],
    ["call", "a refund with a value", { data: encodeRefund(orderId), value: 1n }, action("refund")],
    [
      "call",
      "a redemption on a stranger's contract",
      { to: strangerAddress, data: encodeRedeem(orderId, secret) },
      action("redeem"),
    ],
    [
      "call",
      "a redemption with a value",
      { data: encodeRedeem(orderId, secret), value: 1n },
      action("redeem"),
    ],
    [
      "call",
      "a redemption with extra bytes",
      { data: `${encodeRedeem(orderId, secret)}00` },
      action("redeem"),
    ],
    [
      "call",
      "a redemption with a long secret",
      { data: encodeRedeem(orderId, `${secret}00`) },
      action("redeem"),
    ],
    [
      "call",
      "a redemption without a secret",
      { data: encodeRedeem(orderId, "") },
      action("redeem"),
    ],
    [
      "purpose",
      "a redemption called a refund",
      { data: encodeRedeem(orderId, secret) },
      action("refund"),
    ],
    [
      "spends",
      "a redemption that reserves an amount",
      { data: encodeRedeem(orderId, secret) },
      { action: "redeem", spends: [{ asset: wbtc, units: 1n }] },
    ],
    [
      "call",
      "an empty call to another account",
      { to: strangerAddress, data: "0x" },
      action("void"),
    ],
    ["call", "an empty call with a value", { to: account, data: "0x", value: 1n }, action("void")],
    ["purpose", "a deposit called a void", {}, action("void")],
    ["spends", "more than was reserved", {}, { spends: [{ asset: wbtc, units: 1n }] }],
    [
      "spends",
      "another asset than was reserved",
      {},
      { spends: [{ asset: eth, units: sampleTerms.units }] },
    ],
    ["chain_id", "for another chain", { chainId: 1 }, {}],
    ["gas_limit", "a gas limit above the cap", { gas: 2_000_001n }, {}],
    ["fee_cap", "a fee above the cap", { maxFeePerGas: 500_000_000_001n }, {}],
    ["account", "for another account", {}, { account: strangerAddress }],
    ["digest", "another digest", {}, { digest: orderId }],
    ["claims", "a nonce that is not reserved", {}, { resources: ["nonce:8"] }],
    ["max_fee", "a fee that is not reserved", {}, { maxFeeUnits: 1n }],
    ["unsigned", "text in another form", {}, { unsigned: '{"serialized":"0x02"}' }],
    ["unsigned", "no JSON", {}, { unsigned: "0x02" }],
  ])("%s: %s", async (code, _name, tx, change) => {
    const error = { code: `signer.${code}`, disposition: "refused" }
    await expect(chain.signTransaction(planOf(tx, change))).rejects.toMatchObject(error)
  })

  test("the refusal's details keep the keys of version 0.1", async () => {
    await expect(chain.signTransaction(planOf({}, action("void")))).rejects.toMatchObject({
      details: { purpose: "void", found: "initiate" },
    })
  })

  test("unsigned: fields that differ from the bytes, and an access list", async () => {
    const { unsigned } = planOf({})
    await expect(
      chain.signTransaction(
        planOf({}, { unsigned: unsigned.replace('"nonce":"7"', '"nonce":"8"') }),
      ),
    ).rejects.toThrow()
    const listed = serializeTransaction({
      type: "eip1559",
      ...BASE,
      accessList: [{ address: strangerAddress, storageKeys: [] }],
    })
    const swapped = JSON.stringify({ ...JSON.parse(unsigned), serialized: listed })
    await expect(chain.signTransaction(planOf({}, { unsigned: swapped }))).rejects.toMatchObject({
      code: "signer.unsigned",
    })
  })
})

describe("typed data", () => {
  const deposit = asVerified(
    chain.decodeDeposit(sampleRequest({}, sampleTypedData()), noOrder, wbtc),
  )

  test("gets the same signature each time", async () => {
    const first = await chain.signTypedData(deposit)
    expect(first.signature).toMatch(/^0x[0-9a-f]{128}(1b|1c)$/)
    expect(await chain.signTypedData(deposit)).toEqual(first)
  })

  test("is not signed if the stored copy differs from the verified deposit", async () => {
    const changed = { ...deposit, units: deposit.units + 1n }
    await expect(chain.signTypedData(changed)).rejects.toMatchObject({
      code: "signer.typed_data",
      details: { findings: "evm.typed_data_amount" },
    })
    const data = sampleTypedData()
    const typedData = { ...data, domain: { ...data.domain, verifyingContract: strangerAddress } }
    const elsewhere = {
      ...deposit,
      htlc: strangerAddress,
      extras: { ...deposit.extras, typedData },
    }
    await expect(chain.signTypedData(elsewhere)).rejects.toMatchObject({
      code: "signer.typed_data",
    })
  })

  test("does not exist for native assets or if the service sent none", async () => {
    const unsupported = { code: "signer.gasless_unsupported", disposition: "refused" }
    await expect(chain.signTypedData({ ...deposit, asset: eth })).rejects.toMatchObject(unsupported)
    const silent = asVerified(chain.decodeDeposit(sampleRequest(), noOrder, wbtc))
    await expect(chain.signTypedData(silent)).rejects.toMatchObject(unsupported)
  })
})

test.each([["0x1234"], ["nonsense"], [`0x${"00".repeat(32)}`], [`0x${"ff".repeat(32)}`]])(
  "refuses the key %s and does not print it",
  (text) => {
    try {
      createEvmChain(sampleOptions([], { key: new Secret(text, "env:EVM_KEY") }))
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: "config.key", disposition: "fatal" })
      expect(inspect(error, { depth: 9 })).not.toContain(text)
    }
  },
)
