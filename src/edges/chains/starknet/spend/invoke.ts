import { EDAMode, ETransactionVersion3, hash } from "starknet"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { encodeShortString, formatFelt } from "../felt.ts"

/**
 * The transaction to sign: an INVOKE v3 without a paymaster, with both data availability modes on
 * L1. Felts in hex.
 */
export type UnsignedInvoke = z.infer<typeof unsignedSchema>

export type Bounds = UnsignedInvoke["bounds"]

const hexFelt = z.string().regex(/^0x[0-9a-f]{1,64}$/)
const boundSchema = z.object({ amount: hexFelt, price: hexFelt })
const unsignedSchema = z.strictObject({
  chainId: z.string().min(1).max(31),
  sender: hexFelt,
  nonce: hexFelt,
  calldata: z.array(hexFelt),
  bounds: z.strictObject({
    l1Gas: boundSchema,
    l2Gas: boundSchema,
    l1DataGas: boundSchema,
    /** For each unit of L2 gas. Plans of older versions have none. */
    tip: z
      .string()
      .regex(/^0x[0-9a-f]{1,16}$/)
      .default("0x0"),
  }),
})

export function formatInvoke(invoke: UnsignedInvoke): string {
  return JSON.stringify(invoke)
}

/** Throws `signer.unsigned_malformed` (refused). */
export function parseInvoke(text: string): UnsignedInvoke {
  const parsed = unsignedSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new AppError({
    code: "signer.unsigned_malformed",
    disposition: "refused",
    message:
      "The stored transaction is not one of ours, so Ballast does not sign it; inspect the journal",
    details: { found: z.prettifyError(parsed.error).slice(0, 300) },
  })
}

/**
 * The transaction hash (docs.starknet.io, invoke v3): the signature covers it, and it is the
 * transaction's id on chain.
 */
export function hashInvoke({ chainId, sender, nonce, calldata, bounds }: UnsignedInvoke): string {
  return hash.calculateInvokeTransactionHash({
    senderAddress: sender,
    version: ETransactionVersion3.V3,
    compiledCalldata: calldata,
    // CAST: the library's type lists two networks; the hash takes the chain id as any felt.
    chainId: formatFelt(encodeShortString(chainId)) as "0x534e5f5345504f4c4941",
    nonce,
    accountDeploymentData: [],
    nonceDataAvailabilityMode: EDAMode.L1,
    feeDataAvailabilityMode: EDAMode.L1,
    resourceBounds: {
      l1_gas: toBigints(bounds.l1Gas),
      l2_gas: toBigints(bounds.l2Gas),
      l1_data_gas: toBigints(bounds.l1DataGas),
    },
    tip: BigInt(bounds.tip),
    paymasterData: [],
  })
}

/** `BROADCASTED_INVOKE_TXN` of the JSON-RPC specification. An empty signature is for estimates. */
export function toWire(
  { sender, nonce, calldata, bounds }: UnsignedInvoke,
  signature: readonly string[],
) {
  const wireBound = ({ amount, price }: Bounds["l2Gas"]) => ({
    max_amount: amount,
    max_price_per_unit: price,
  })
  return {
    type: "INVOKE",
    version: "0x3",
    sender_address: sender,
    calldata,
    signature,
    nonce,
    resource_bounds: {
      l1_gas: wireBound(bounds.l1Gas),
      l2_gas: wireBound(bounds.l2Gas),
      l1_data_gas: wireBound(bounds.l1DataGas),
    },
    tip: bounds.tip,
    paymaster_data: [],
    account_deployment_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  }
}

/**
 * The highest fee that the network may charge for these bounds, in fri: amounts times prices, and
 * the tip for the L2 gas.
 */
export function maxFeeOf({ tip, ...gas }: Bounds): bigint {
  return Object.values(gas).reduce(
    (sum, { amount, price }) => sum + BigInt(amount) * BigInt(price),
    BigInt(gas.l2Gas.amount) * BigInt(tip),
  )
}

/** Returns the same bounds with every price and the tip scaled to `percent`, rounded up. */
export function scalePrices(bounds: Bounds, percent: bigint): Bounds {
  return mapPrices(bounds, (price) => (price * percent + 99n) / 100n)
}

/**
 * Returns the same bounds with a highest fee of about `feeUnits`, and never above it. One half of
 * the addition is a tip and the other one raises every price evenly: the price only lets a
 * transaction into a block, and the tip alone decides which of them come first (sequencer,
 * `fee_transaction_queue.rs`).
 */
export function raiseTo(bounds: Bounds, feeUnits: bigint): Bounds {
  const least = maxFeeOf(bounds)
  if (least === 0n || feeUnits <= least) return bounds
  const half = (feeUnits - least) / 2n
  const raised = mapPrices(bounds, (price) => (price * (least + half)) / least)
  const l2Units = BigInt(bounds.l2Gas.amount)
  const tip = BigInt(raised.tip) + (l2Units === 0n ? 0n : half / l2Units)
  return { ...raised, tip: formatFelt(tip < MOST_TIP ? tip : MOST_TIP) }
}

/** The field of a transaction has 64 bits. */
const MOST_TIP = 2n ** 64n - 1n

function mapPrices({ tip, ...gas }: Bounds, change: (price: bigint) => bigint): Bounds {
  const map = ({ amount, price }: Bounds["l2Gas"]) => ({
    amount,
    price: formatFelt(change(BigInt(price))),
  })
  const { l1Gas, l2Gas, l1DataGas } = gas
  return {
    l1Gas: map(l1Gas),
    l2Gas: map(l2Gas),
    l1DataGas: map(l1DataGas),
    tip: formatFelt(change(BigInt(tip))),
  }
}

/**
 * Bounds without an estimate: `gas` as amounts, and prices that make `feeUnits` the highest fee.
 * Half of it is for each kind of gas, since the network charges the used amounts at its own prices.
 */
export function boundsFor(
  gas: { readonly l2: bigint; readonly l1Data: bigint },
  feeUnits: bigint,
): Bounds {
  const half = feeUnits / 2n
  const bound = (amount: bigint) => ({
    amount: formatFelt(amount),
    price: formatFelt(half / amount),
  })
  return {
    l1Gas: { amount: "0x0", price: bound(gas.l1Data).price },
    l2Gas: bound(gas.l2),
    l1DataGas: bound(gas.l1Data),
    tip: "0x0",
  }
}

function toBigints({ amount, price }: Bounds["l2Gas"]) {
  return { max_amount: BigInt(amount), max_price_per_unit: BigInt(price) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
