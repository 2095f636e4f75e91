import { getAddress, type Hex } from "viem"
import { describe, expect, test } from "vitest"
import { type BurnCall, encodeBurn, encodeMint } from "#chains/evm/cctp/calls.ts"
import { findCctpPreset, wordOf } from "#chains/evm/cctp/presets.ts"
import { encodeApprove } from "#chains/evm/htlc.ts"
import { openEvmKey } from "#chains/evm/keys/open-key.ts"
import { formatUnsigned } from "#chains/evm/spend/unsigned.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { parseAssetId } from "#domain/asset.ts"
import type { TransactionAction } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { contextOf } from "#ports/key-holder.ts"
import { parseFeeRate } from "#routes/cctp/fee-rate.ts"
import { encodeBurnMessage } from "#routes/cctp/message.ts"
import { sampleOptions } from "../../../../chains/evm/sample-order.ts"
import { LIVE_ATTESTATION, LIVE_FIELDS } from "../../../routes/cctp/live-mint.ts"

const pinned = mustExist(findCctpPreset(84_532), "the preset of Base Sepolia")
const usdc = parseAssetId("base_sepolia:usdc")
const options = sampleOptions([])
// CAST: the fields that a key holder reads.
const config = {
  ...options,
  gasLimitCap: 2_000_000n,
  maxFeePerGasWei: options.maxFeePerGasUnits,
  maxTipPerGasWei: options.maxTipPerGasUnits,
} as unknown as Parameters<typeof openEvmKey>[0]
const assets = [{ id: usdc, chain: options.chain, decimals: 6, token: pinned.token, htlc: [] }]
const account = requireAddress(openEvmKey(config, { assets, foreignRefundKeys: false }).account)
const rules = {
  assets: [usdc],
  payees: new Map([
    ["0", [account]],
    ["6", [account]],
  ]),
  maxFeeRate: parseFeeRate("2"),
}
const open = (routes = new Map([["cctp", rules]])) =>
  openEvmKey(config, { assets, foreignRefundKeys: false, routes })

const BURN: BurnCall = {
  amountUnits: 100_000_000n,
  destinationDomain: 0,
  mintRecipient: wordOf(account),
  burnToken: pinned.token,
  destinationCaller: `0x${"00".repeat(32)}`,
  maxFeeUnits: 21_000n,
  minFinalityThreshold: 1_000,
}
const STRANGER = getAddress(`0x${"99".repeat(20)}`)

type Sent = { readonly to?: Hex; readonly value?: bigint; readonly data: Hex }

/** The action of a plan that sends these bytes; the code of its refusal. */
function signing(action: TransactionAction, { to = pinned.messenger, value = 0n, data }: Sent) {
  const tx = {
    chainId: 84_532,
    nonce: 7,
    to: getAddress(to),
    value,
    data,
    gas: 300_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000n,
  }
  const plan = {
    chain: options.chain,
    account,
    action,
    attempt: 0,
    ...formatUnsigned(tx),
    resources: ["nonce:7"],
    spends: action === "initiate" ? [{ asset: usdc, units: BURN.amountUnits }] : [],
    maxFeeUnits: tx.gas * tx.maxFeePerGas,
    fromHeight: 0n,
    expiresAtHeight: null,
  }
  return open().readTransaction(plan, contextOf("order"))
}

describe("the key burns", () => {
  test("to an own account, and knows what leaves the wallet", () => {
    const scope = signing("initiate", { data: encodeBurn(BURN) })
    expect(scope.spends).toEqual([{ asset: usdc, units: BURN.amountUnits }])
    expect(scope.deposit).toMatchObject({ timelock: null })
    const other = signing("initiate", { data: encodeBurn({ ...BURN, maxFeeUnits: 20_999n }) })
    // Another burn has other terms, so the record refuses it for the same order.
    expect(other.deposit?.secretHash).not.toBe(scope.deposit?.secretHash)
  })

  test.each<[string, Partial<BurnCall>]>([
    ["a stranger", { mintRecipient: wordOf(STRANGER) }],
    ["a chain without an account of ours", { destinationDomain: 3 }],
    ["its own chain", { destinationDomain: 6 }],
    ["a caller that alone may mint", { destinationCaller: wordOf(account) }],
    ["another token", { burnToken: STRANGER }],
    ["a fee above the cap", { maxFeeUnits: 21_001n }],
    ["another finality", { minFinalityThreshold: 500 }],
  ])("never to %s", (_name, change) => {
    const data = encodeBurn({ ...BURN, ...change })
    expect(() => signing("initiate", { data })).toThrow(/not a call that this wallet makes/)
  })

  test("never with coins, at another contract, with a hook, or without the route", () => {
    const data = encodeBurn(BURN)
    const hooked: Hex = `0x779b432d${data.slice(10)}`
    const no = /not a call that this wallet makes/
    expect(() => signing("initiate", { data, value: 1n })).toThrow(no)
    expect(() => signing("initiate", { data, to: STRANGER })).toThrow(no)
    expect(() => signing("initiate", { data: hooked })).toThrow(no)
    expect(() => signing("redeem", { data })).toThrow(/differs from its action/)
    rules.payees.delete("0")
    expect(() => signing("initiate", { data })).toThrow(no)
    rules.payees.set("0", [account])
  })

  test("after an exact approval of the token alone", () => {
    const data = encodeApprove(pinned.messenger, BURN.amountUnits)
    const scope = signing("approve", { to: pinned.token, data })
    expect(scope.allowance).toEqual({ asset: usdc, units: BURN.amountUnits })
    const stranger = encodeApprove(STRANGER, BURN.amountUnits)
    expect(() => signing("approve", { to: pinned.token, data: stranger })).toThrow()
    const all = encodeApprove(pinned.messenger, 2n ** 256n - 1n)
    expect(() => signing("approve", { to: pinned.token, data: all })).toThrow()
  })
})

describe("the key mints", () => {
  const message = {
    ...LIVE_FIELDS,
    destinationDomain: 6,
    recipient: wordOf(pinned.messenger),
    mintRecipient: wordOf(account),
  }
  const mint = (change: Partial<typeof message> = {}, more: Partial<Sent> = {}) =>
    signing("redeem", {
      to: pinned.transmitter,
      data: encodeMint(encodeBurnMessage({ ...message, ...change }), LIVE_ATTESTATION),
      ...more,
    })

  test("a message that pays this account", () => {
    expect(mint()).toMatchObject({ action: "redeem", spends: [], deposit: null })
  })

  test.each<[string, Partial<typeof message>]>([
    ["a stranger", { mintRecipient: wordOf(STRANGER) }],
    ["another chain", { destinationDomain: 0 }],
    ["another contract", { recipient: wordOf(STRANGER) }],
  ])("nothing for %s", (_name, change) => {
    expect(() => mint(change)).toThrow(/not a call that this wallet makes/)
  })

  test("nothing with coins, or at another contract", () => {
    expect(() => mint({}, { value: 1n })).toThrow(/not a call that this wallet makes/)
    expect(() => mint({}, { to: STRANGER })).toThrow(/not a call that this wallet makes/)
  })
})
