import { z } from "zod"
import type { Reason } from "#domain/reason.ts"
import { transient } from "#lib/app-error.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import { feltSchema, formatFelt } from "../felt.ts"
import { type Call, encodeMulticall } from "../htlc.ts"
import { readEach } from "../nodes/compare-views.ts"
import { fetchNonce } from "../nodes/read-chain.ts"
import type { View } from "../nodes/reference-block.ts"
import { RPC_CODES, rpcCodeOf, rpcDataOf } from "../rpc.ts"
import type { Wallet } from "../wallet.ts"
import { fetchGasPrices, gasPriceFigure, requirePrice } from "./gas-prices.ts"
import { type Bounds, maxFeeOf, toWire, type UnsignedInvoke } from "./invoke.ts"

/**
 * Amounts and prices may each grow by half between the estimate and the block. The network charges
 * only the used part.
 */
const MARGIN_PERCENT = 150n

/**
 * Estimates the resource bounds for these calls: the endpoints' estimate plus 50 %. It needs no
 * signature, because a node skips validation. If every endpoint's estimate reverts, it returns a
 * refusal (`starknet.would_revert`, or `starknet.order_exists` for an order that the contract
 * already holds) with the contract's reason.
 *
 * The estimate has the account's present nonce, not the nonce of the later transaction: nodes
 * differ in their handling of gaps.
 */
export async function estimateBounds(
  wallet: Wallet,
  calls: readonly Call[],
): Promise<Bounds | { readonly refused: readonly Reason[] }> {
  const estimates = await readEach(wallet.rpc, (view) => estimateAt(wallet, view, calls), {
    figureOf: (found) => ("refused" in found ? null : maxFeeOf(found)),
    unit: "fri for one transaction",
    least: wallet.maxFeeUnits / 100n,
    cap: { most: wallet.maxFeeUnits, key: "max_fee" },
  })
  const [bounds, ...others] = estimates.flatMap((estimate) =>
    "refused" in estimate ? [] : [estimate],
  )
  return bounds === undefined
    ? (estimates[0] ?? { refused: [] })
    : pickBounds(wallet, [bounds, ...others])
}

async function estimateAt(
  wallet: Wallet,
  view: View,
  calls: readonly Call[],
): Promise<Bounds | { readonly refused: readonly Reason[] }> {
  const asked = fetchNonce(view, wallet.accountFelt)
  // They begin together, so they are one request; an estimate for another nonce is not used.
  const { likely } = wallet.nonce
  const early = ignoreUnhandled(estimateFor(wallet, view, calls, likely))
  const nonce = (await asked) ?? 0n
  wallet.nonce.likely = nonce
  return nonce === likely ? early : estimateFor(wallet, view, calls, nonce)
}

async function estimateFor(
  wallet: Wallet,
  view: View,
  calls: readonly Call[],
  nonce: bigint,
): Promise<Bounds | { readonly refused: readonly Reason[] }> {
  const wire = toWire(unsignedOf(wallet, calls, nonce, NO_BOUNDS), [])
  try {
    const params = [[wire], ["SKIP_VALIDATE"], view.at]
    const [estimate] = await view.read("starknet_estimateFee", params, z.tuple([estimateSchema]))
    requirePrice(estimate.l2_gas_price, view.at)
    return withMargin(estimate)
  } catch (error) {
    if (
      rpcCodeOf(error) !== RPC_CODES.executionError &&
      rpcCodeOf(error) !== RPC_CODES.contractError
    )
      throw error
    const reason = rpcDataOf(error)
    if (OLD_NONCE.test(reason)) throw transient("starknet.rpc", reason.slice(0, 300), {}, error)
    return { refused: [wouldRevert(reason)] }
  }
}

/**
 * The account has sent a transaction between the read of its nonce and the estimate: the next
 * estimate has the new nonce, and no contract has refused the call.
 */
const OLD_NONCE = /\binvalid transaction nonce\b/i

/**
 * The highest estimate within the cap, else the lowest one. A low estimate makes the transaction
 * fail, and a high one only locks a part of the balance: the network charges the used gas at the
 * block's price, and an estimate has no tip.
 */
function pickBounds(wallet: Wallet, estimates: readonly [Bounds, ...Bounds[]]): Bounds {
  const [lowest, ...higher] = estimates.toSorted((a, b) => (maxFeeOf(a) < maxFeeOf(b) ? -1 : 1))
  const sane = higher.filter((bounds) => maxFeeOf(bounds) <= wallet.maxFeeUnits)
  return sane.at(-1) ?? lowest ?? estimates[0]
}

export function unsignedOf(
  wallet: Wallet,
  calls: readonly Call[],
  nonce: bigint,
  bounds: Bounds,
): UnsignedInvoke {
  return {
    chainId: wallet.chainId,
    sender: formatFelt(wallet.accountFelt),
    nonce: formatFelt(nonce),
    calldata: encodeMulticall(calls).map(formatFelt),
    bounds,
  }
}

/**
 * Estimates a cautious upper fee, in fri, for an invoke of this much gas, from the gas prices that
 * most endpoints give for the newest block; at most the cap.
 */
export async function priceGas(
  wallet: Wallet,
  gas: { l2: bigint; l1Data: bigint },
): Promise<bigint> {
  const prices = await readEach(wallet.rpc, fetchGasPrices, gasPriceFigure(wallet.maxFeeUnits))
  const fees = prices.map((one) => gas.l2 * one.l2Units + gas.l1Data * one.l1DataUnits)
  const sorted = fees.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const units = sorted[Math.floor(sorted.length / 2)] ?? wallet.maxFeeUnits
  const cautious = (units * MARGIN_PERCENT * MARGIN_PERCENT) / 10_000n
  return cautious < wallet.maxFeeUnits ? cautious : wallet.maxFeeUnits
}

const NONE = { amount: "0x0", price: "0x0" }
const NO_BOUNDS: Bounds = { l1Gas: NONE, l2Gas: NONE, l1DataGas: NONE, tip: "0x0" }

const estimateSchema = z.object({
  l1_gas_consumed: feltSchema,
  l1_gas_price: feltSchema,
  l2_gas_consumed: feltSchema,
  l2_gas_price: feltSchema,
  l1_data_gas_consumed: feltSchema,
  l1_data_gas_price: feltSchema,
})

function withMargin(estimate: z.infer<typeof estimateSchema>): Bounds {
  const grow = (value: bigint): string => formatFelt((value * MARGIN_PERCENT + 99n) / 100n)
  return {
    l1Gas: { amount: grow(estimate.l1_gas_consumed), price: grow(estimate.l1_gas_price) },
    l2Gas: { amount: grow(estimate.l2_gas_consumed), price: grow(estimate.l2_gas_price) },
    l1DataGas: {
      amount: grow(estimate.l1_data_gas_consumed),
      price: grow(estimate.l1_data_gas_price),
    },
    tip: "0x0",
  }
}

function wouldRevert(reason: string): Reason {
  // The refusal of the public contract source.
  if (reason.includes("HTLC: duplicate order")) {
    const message = "the node says that the contract already holds this order; Ballast sent nothing"
    return { code: "starknet.order_exists", message, reason: reason.slice(0, 500) }
  }
  return {
    code: "starknet.would_revert",
    message: "the node says that the contract would reject this call; Ballast sent nothing",
    reason: reason.slice(0, 500),
  }
}
