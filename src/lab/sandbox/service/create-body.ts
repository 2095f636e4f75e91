import { z } from "zod"
import { parseWireJson } from "./parse-wire-json.ts"
import { rejectRequest } from "./reject-request.ts"

/**
 * Parses the body of an order creation (service interface §2 and the extra fields of the field
 * notes). Ignores unknown fields. An optional field may be `null`, as the published client of live
 * deployments sends it.
 */
export function parseCreateBody(text: string): CreateBody {
  return parseShape(createBody, parseWireJson(text))
}

/** Parses `value`, or rejects the request with the first problem and its path. */
export function parseShape<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  return rejectRequest(
    400,
    `${issue?.path.join(".") || "body"}: ${issue?.message ?? "not understood"}`,
  )
}

/** An amount on the wire: a positive decimal integer as text, without leading zeros. */
export const amountText = z
  .string()
  .regex(/^[1-9]\d{0,76}$/, "expected a positive integer string in smallest units")

const U64_MAX = 2n ** 64n - 1n
const nonceText = z
  .union([z.string(), z.int().nonnegative()])
  .transform((nonce) => String(nonce))
  .refine((nonce) => /^\d{1,20}$/.test(nonce) && BigInt(nonce) <= U64_MAX, "expected a u64")
  // Normalise the text, so that the duplicate check treats "007" and 7 as equal.
  .transform((nonce) => BigInt(nonce).toString())

const side = z.object({
  asset: z.string(),
  owner: z.string().min(1),
  amount: amountText,
  delegate: orAbsent(z.string()),
})
const affiliateFee = z.object({
  asset: z.string(),
  address: z.string().min(1),
  fee: z.int().min(1).max(9_999),
})

const createBody = z.object({
  source: side,
  destination: side,
  affiliate_fees: z
    .array(affiliateFee)
    .max(20)
    .nullish()
    .transform((fees) => fees ?? []),
  solver_id: orAbsent(z.string()),
  nonce: orAbsent(nonceText),
  secret_hash: orAbsent(z.string()),
  slippage: orAbsent(z.coerce.number().int("expected basis points").min(0).max(9_999)),
})

/** A missing field, `null` and an empty text mean the same. */
function orAbsent<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value) => (value === null || value === "" ? undefined : value),
    schema.optional(),
  )
}

export type CreateBody = z.infer<typeof createBody>
