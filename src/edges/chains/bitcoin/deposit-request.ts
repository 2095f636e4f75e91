import { z } from "zod"
import type { DepositRequest } from "#domain/deposit.ts"
import { wireUnits } from "#lib/wire-integer.ts"
import type { DepositReader } from "#ports/deposit-reader.ts"

/** Pay this many satoshi to this address. */
export type BitcoinDepositRequest = {
  readonly family: "bitcoin"
  readonly to: string
  readonly units: bigint
}

export const bitcoinDepositReader: DepositReader = {
  what: "the Bitcoin deposit",
  select: (answer) => (typeof answer["to"] === "string" ? answer : undefined),
  schema: z
    .object({ to: z.string().min(1), amount: wireUnits })
    .transform(
      ({ to, amount }): BitcoinDepositRequest => ({ family: "bitcoin", to, units: amount }),
    ),
}

export function isBitcoinRequest(request: DepositRequest): request is BitcoinDepositRequest {
  return request.family === "bitcoin"
}
