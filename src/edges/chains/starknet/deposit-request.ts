import { z } from "zod"
import type { DepositRequest } from "#domain/deposit.ts"
import { textOrNumber } from "#lib/wire-integer.ts"
import type { CreateAnswer, DepositReader } from "#ports/deposit-reader.ts"

/** Send this call, or sign this typed data. */
export type StarknetDepositRequest = {
  readonly family: "starknet"
  readonly transaction: {
    readonly to: string
    readonly selector: string
    readonly calldata: readonly string[]
  }
  /** Unread: `decodeStarknetDeposit` judges it. */
  readonly typedData: unknown
}

const wireFelt = textOrNumber.refine((text) => /^(0x[0-9a-fA-F]+|\d+)$/.test(text), {
  error: "not a felt",
})

const answerSchema = z
  .object({
    transaction: z.object({ to: z.string(), selector: wireFelt, calldata: z.array(wireFelt) }),
    typedData: z.unknown(),
  })
  .transform(
    ({ transaction, typedData }): StarknetDepositRequest => ({
      family: "starknet",
      transaction,
      typedData,
    }),
  )

export const starknetDepositReader: DepositReader = {
  what: "the Starknet call",
  select: selectStarknet,
  schema: answerSchema,
}

export function isStarknetRequest(request: DepositRequest): request is StarknetDepositRequest {
  return request.family === "starknet"
}

/** A transaction with a list of calldata. */
function selectStarknet(answer: CreateAnswer): unknown {
  const transaction = answer["initiate_transaction"] ?? answer["transaction"] ?? null
  if (typeof transaction !== "object" || transaction === null) return undefined
  if (!("calldata" in transaction) || !Array.isArray(transaction.calldata)) return undefined
  return { transaction, typedData: answer["typed_data"] ?? null }
}
