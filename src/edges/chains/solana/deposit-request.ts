import { z } from "zod"
import type { DepositRequest } from "#domain/deposit.ts"
import type { DepositReader } from "#ports/deposit-reader.ts"

/**
 * Sign and send this transaction. `transaction` is base64, whether the service wrote hex or base64.
 */
type SolanaDepositRequest = { readonly family: "solana"; readonly transaction: string }

export const solanaDepositReader: DepositReader = {
  what: "versioned_tx",
  select: ({ versioned_tx: transaction }) =>
    typeof transaction === "string" ? transaction : undefined,
  schema: z
    .string()
    .min(1)
    .refine(isHexOrBase64, { error: "neither hex nor base64" })
    .transform((text): SolanaDepositRequest => {
      const transaction = isHex(text) ? Buffer.from(text, "hex").toString("base64") : text
      return { family: "solana", transaction }
    }),
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
