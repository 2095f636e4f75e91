import { z } from "zod"
import type { DepositRequest } from "#domain/deposit.ts"
import { wireQuantity } from "#lib/wire-integer.ts"
import type { CreateAnswer, DepositReader } from "#ports/deposit-reader.ts"

/** Send this transaction, or sign this typed data. */
export type EvmDepositRequest = {
  readonly family: "evm"
  readonly transaction: EvmCallRequest
  /** Newer services add one. It is never signed: approvals are ours, and exact. */
  readonly approval: EvmCallRequest | null
  /** Unread: `decodeEvmDeposit` judges it. */
  readonly typedData: unknown
}

export type EvmCallRequest = {
  readonly to: string
  readonly valueUnits: bigint
  readonly data: string
  readonly gasLimit: bigint
  readonly chainId: bigint
}

const hexData = z
  .string()
  .regex(/^(0x)?([0-9a-fA-F]{2})*$/, { error: "not hex data" })
  .transform((data) => (data.startsWith("0x") ? data : `0x${data}`))

const callSchema = z
  .object({
    to: z.string(),
    value: wireQuantity,
    data: hexData,
    // The gas limit that is signed is ours; without theirs there is nothing to compare.
    gas_limit: wireQuantity.nullish(),
    chain_id: wireQuantity,
  })
  .transform(
    (call): EvmCallRequest => ({
      to: call.to,
      valueUnits: call.value,
      data: call.data,
      gasLimit: call.gas_limit ?? 0n,
      chainId: call.chain_id,
    }),
  )

const answerSchema = z
  .object({ transaction: callSchema, approval: callSchema.nullable(), typedData: z.unknown() })
  .transform(({ transaction, approval, typedData }): EvmDepositRequest => {
    return { family: "evm", transaction, approval, typedData }
  })

export const evmDepositReader: DepositReader = {
  what: "the EVM transaction",
  select: selectEvm,
  schema: answerSchema,
}

export function isEvmRequest(request: DepositRequest): request is EvmDepositRequest {
  return request.family === "evm"
}

/** Any transaction without Starknet's list of calldata. */
function selectEvm(answer: CreateAnswer): unknown {
  const transaction = answer["initiate_transaction"] ?? answer["transaction"] ?? null
  if (transaction === null) return undefined
  if (
    typeof transaction === "object" &&
    "calldata" in transaction &&
    Array.isArray(transaction.calldata)
  ) {
    return undefined
  }
  const approval = answer["approval_transaction"] ?? null
  return { transaction, approval, typedData: answer["typed_data"] ?? null }
}
