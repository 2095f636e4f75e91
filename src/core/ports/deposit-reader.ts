import type { z } from "zod"
import type { DepositRequest } from "#domain/deposit.ts"

/** The fields of the service's answer to a create. */
export type CreateAnswer = Readonly<Record<string, unknown>>

/** Reads a family's deposit request from the service's answer to a create. */
export type DepositReader = {
  /** Names the part in an error, such as `the Bitcoin deposit`. */
  readonly what: string
  /**
   * The part of the answer that is this family's request by its shape; `undefined` when there is
   * none.
   */
  readonly select: (answer: CreateAnswer) => unknown
  readonly schema: z.ZodType<DepositRequest>
}
