import { z } from "zod"
import { parseAssetId } from "#domain/asset.ts"
import type { DepositClaim } from "#domain/deposit.ts"
import type { LegClaim, ServiceOrder } from "#domain/leg.ts"

/** For tests: the claim in a create-order response for an EVM source (service interface §2). */
export function toClaim(response: unknown): EvmClaim {
  const { transaction, typed_data } = schema.parse(response)
  const { to, value, data, gas_limit, chain_id } = transaction
  return {
    family: "evm",
    transaction: { to, data, valueUnits: BigInt(value), gasLimit: BigInt(gas_limit), chainId: BigInt(chain_id) },
    approval: null,
    typedData: typed_data,
  }
}

export type EvmClaim = Extract<DepositClaim, { family: "evm" }>

/** For tests: an order read back, of which the EVM family uses nothing. */
export function sampleOrder(): ServiceOrder {
  const leg: LegClaim = {
    swapId: "",
    chain: "base_sepolia",
    asset: parseAssetId("base_sepolia:wbtc"),
    initiator: "",
    redeemer: "",
    delegate: null,
    timelock: 0n,
    units: 0n,
    filledUnits: 0n,
    secretHash: "",
    secret: null,
    initiateTx: null,
    redeemTx: null,
    refundTx: null,
    instantRefundTx: null,
    requiredConfirmations: 1,
    currentConfirmations: 0,
  }
  const order = { orderId: "", nonce: "1", version: null, deadlineMs: null, affiliateFees: [] }
  return { ...order, source: leg, destination: leg }
}

const schema = z.object({
  transaction: z.object({
    to: z.string(),
    value: z.string(),
    data: z.string(),
    gas_limit: z.string(),
    chain_id: z.number(),
  }),
  typed_data: z.unknown(),
})
