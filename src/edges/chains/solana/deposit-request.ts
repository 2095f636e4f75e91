import { z } from "zod"
import type { DepositRequest } from "#domain/deposit.ts"
import type { DepositReader } from "#ports/deposit-reader.ts"

/**
 * Sign and send this transaction, or sign `gasless` for the relay. Both are base64, whether the
 * service wrote hex or base64. `gasless` is unread: `decodeDeposit` judges it.
 */
type SolanaDepositRequest = {
  readonly family: "solana"
  readonly transaction: string
  readonly gasless?: unknown
}

const serialized = z
  .string()
  .min(1)
  .refine(isHexOrBase64, { error: "neither hex nor base64" })
  .transform((text) => (isHex(text) ? Buffer.from(text, "hex").toString("base64") : text))

export const solanaDepositReader: DepositReader = {
  what: "versioned_tx",
  select: ({ versioned_tx: transaction, versioned_tx_gasless: gasless = null }) =>
    typeof transaction === "string" ? { transaction, gasless } : undefined,
  schema: z.object({ transaction: serialized, gasless: z.unknown() }).transform(
    ({ transaction, gasless }): SolanaDepositRequest => ({
      family: "solana",
      transaction,
      ...(gasless === null ? {} : { gasless }),
    }),
  ),
}

export function isSolanaRequest(request: DepositRequest): request is SolanaDepositRequest {
  return request.family === "solana"
}

function isHexOrBase64(text: string): boolean {
  return (
    isHex(text) ||
    (text.length % 4 === 0 && Buffer.from(text, "base64").toString("base64") === text)
  )
}

function isHex(text: string): boolean {
  return /^([0-9a-fA-F]{2})+$/.test(text)
}
