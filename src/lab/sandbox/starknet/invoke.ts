import type { RPC } from "starknet"
import { z } from "zod"
import { encodeShortString, formatFelt, parseFelt, poseidon } from "./felt.ts"
import { invalidParams } from "./rpc-error.ts"

/** A parsed INVOKE v3 transaction; `wire` is its form on the wire. */
export type Invoke = {
  readonly wire: InvokeWire
  readonly sender: bigint
  readonly calldata: readonly bigint[]
  readonly signature: readonly bigint[]
  readonly nonce: bigint
  readonly tip: bigint
  readonly bounds: { readonly l1Gas: Bound; readonly l2Gas: Bound; readonly l1DataGas: Bound }
}

type Bound = { readonly amount: bigint; readonly price: bigint }

export type InvokeWire = RPC.RPCSPEC09.INVOKE_TXN_V3

/**
 * Parses `BROADCASTED_INVOKE_TXN`. Throws -32602 for a wrong shape. The result has the felts of
 * `wire` in canonical form.
 */
export function parseInvoke(value: unknown): Invoke {
  const parsed = wireSchema.safeParse(value)
  if (!parsed.success) throw invalidParams(z.prettifyError(parsed.error))
  const wire = parsed.data
  return {
    wire,
    sender: parseFelt(wire.sender_address),
    calldata: wire.calldata.map(parseFelt),
    signature: wire.signature.map(parseFelt),
    nonce: parseFelt(wire.nonce),
    tip: BigInt(wire.tip),
    bounds: {
      l1Gas: bound(wire.resource_bounds.l1_gas),
      l2Gas: bound(wire.resource_bounds.l2_gas),
      l1DataGas: bound(wire.resource_bounds.l1_data_gas),
    },
  }
}

/**
 * The transaction hash (docs.starknet.io, "Transactions", invoke v3).
 *
 * Written by hand and not with starknet.js, because Ballast signs with starknet.js: an error there
 * must not pass in the devnet too.
 */
export function hashInvoke(invoke: Invoke, chainId: bigint): bigint {
  const { bounds, wire } = invoke
  const gas = (name: string, { amount, price }: Bound): bigint =>
    (encodeShortString(name) << 192n) | (amount << 128n) | price
  return poseidon([
    encodeShortString("invoke"),
    BigInt(wire.version),
    invoke.sender,
    poseidon([
      invoke.tip,
      gas("L1_GAS", bounds.l1Gas),
      gas("L2_GAS", bounds.l2Gas),
      gas("L1_DATA", bounds.l1DataGas),
    ]),
    poseidon(wire.paymaster_data.map(parseFelt)),
    chainId,
    invoke.nonce,
    (modeBit(wire.nonce_data_availability_mode) << 32n) | modeBit(wire.fee_data_availability_mode),
    poseidon(wire.account_deployment_data.map(parseFelt)),
    poseidon(invoke.calldata),
  ])
}

/** The maximum cost of this transaction in fri. */
export function maxFeeOf({ bounds, tip }: Invoke): bigint {
  const { l1Gas, l2Gas, l1DataGas } = bounds
  return (
    l1Gas.amount * l1Gas.price +
    l2Gas.amount * (l2Gas.price + tip) +
    l1DataGas.amount * l1DataGas.price
  )
}

/**
 * Accepts leading zeros as real nodes do, because starknet.js sends addresses as configured, and
 * removes them.
 */
const feltSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => formatFelt(parseFelt(text)))
/** Version 3 with bit 128 set: the signature is for an estimate only and never valid in a block. */
const QUERY_VERSION = "0x100000000000000000000000000000003"

const boundSchema = z.object({ max_amount: feltSchema, max_price_per_unit: feltSchema })
const modeSchema = z.enum(["L1", "L2"])

const wireSchema = z.object({
  type: z.literal("INVOKE"),
  version: z.enum(["0x3", QUERY_VERSION]),
  sender_address: feltSchema,
  calldata: z.array(feltSchema),
  signature: z.array(feltSchema),
  nonce: feltSchema,
  resource_bounds: z.object({ l1_gas: boundSchema, l2_gas: boundSchema, l1_data_gas: boundSchema }),
  tip: feltSchema,
  paymaster_data: z.array(feltSchema).max(0),
  account_deployment_data: z.array(feltSchema).max(0),
  nonce_data_availability_mode: modeSchema,
  fee_data_availability_mode: modeSchema,
})

function bound(wire: z.infer<typeof boundSchema>): Bound {
  return { amount: BigInt(wire.max_amount), price: BigInt(wire.max_price_per_unit) }
}

function modeBit(mode: "L1" | "L2"): bigint {
  return mode === "L2" ? 1n : 0n
}
