import { z } from "zod"
import { textOrNumber, wireUnits } from "#lib/wire-integer.ts"

/**
 * The wire format of the service interface §2 with the additions of the field notes. The form is
 * read tolerantly, amounts strictly: a value that is not an exact integer makes the whole answer
 * malformed.
 */
const wireText = textOrNumber.nullish().transform((text) => text ?? "")

/**
 * An empty text means absent. Hex hashes become lower case without `0x`; other hashes (Solana,
 * Bitcoin) stay unchanged.
 */
const wireHash = z
  .string()
  .max(10_000)
  .nullish()
  .transform((text) =>
    text === undefined || text === null || text === "" || text === "0x"
      ? null
      : normaliseHash(text),
  )

const wireSecretHash = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{64}$/, { error: "not a hash of 32 bytes" })
  .transform(normaliseHash)

const wireCount = z
  .union([z.string().regex(/^\d{1,9}$/), z.int().min(0)])
  .nullish()
  .transform((count) => Number(count ?? 0))

/** Becomes a path segment and a key in our database, so only plain characters are allowed. */
export const wireOrderId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, { error: "not an order id" })

/** `value`, `estimated_time`: decimals of any precision, never amounts in smallest units. */
const wireDecimal = textOrNumber.nullish().transform((text) => text ?? null)

const quoteSide = z.object({ asset: z.string(), amount: wireUnits, value: wireDecimal })

export const wireQuote = z.object({
  source: quoteSide,
  destination: quoteSide,
  // Orders keep it, and the configuration names solvers by it.
  solver_id: wireText.refine((id) => id.length <= 200, { error: "longer than 200 characters" }),
  estimated_time: wireDecimal,
})

export const wireSwap = z.object({
  created_at: z.string().nullish(),
  swap_id: wireText.transform(normaliseHash),
  chain: z.string().nullish(),
  asset: z.string(),
  initiator: wireText,
  redeemer: wireText,
  delegate: wireHash,
  timelock: wireUnits,
  // For display only: our own node decides whether a leg is funded.
  filled_amount: wireUnits.nullish(),
  amount: wireUnits,
  secret_hash: wireSecretHash,
  secret: wireHash,
  instant_refund_tx: wireHash,
  initiate_tx_hash: wireHash,
  redeem_tx_hash: wireHash,
  refund_tx_hash: wireHash,
  required_confirmations: wireCount,
  current_confirmations: wireCount,
})

const wireBps = z
  .union([
    z.int().min(0),
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number),
  ])
  .optional()

/**
 * An element of an order's `affiliate_fees`. The service interface (§2) does not document its
 * fields.
 */
export const wireAffiliateRecord = z.object({
  asset: z.string().regex(/^[a-z0-9_-]+:[a-z0-9_.-]+$/),
  address: z.string().max(200),
  fee: wireBps,
  fee_bps: wireBps,
  bps: wireBps,
  amount: wireUnits.nullish().catch(null),
})

export const wireOrder = z.object({
  created_at: z.string().nullish(),
  order_id: wireOrderId,
  nonce: wireText,
  version: z.union([z.string(), z.number()]).nullish(),
  source_swap: wireSwap,
  destination_swap: wireSwap,
  deadline: textOrNumber.nullish(),
  affiliate_fees: z.array(z.unknown()).nullish(),
})

export const wireList = z.union([
  z.array(z.unknown()).transform((data) => ({ data, pages: 1, total: null })),
  z
    .object({
      data: z.array(z.unknown()),
      total_pages: wireCount,
      total_items: wireCount.nullish(),
    })
    .transform(({ data, total_pages, total_items }) => ({
      data,
      pages: Math.max(total_pages, 1),
      total: total_items ?? null,
    })),
])

/** The envelope of every answer; errors carry `error`. */
export const wireEnvelope = z.object({ status: z.string(), result: z.unknown().optional() })

export const wireError = z
  .union([
    z.object({ error: z.string() }),
    z.object({ status: z.literal("Error"), message: z.string() }),
  ])
  .transform((body) => ("error" in body ? body.error : body.message))

/** Whether a body is the interface's own error; a proxy's may have an `error` too. */
export function isOwnError(body: unknown): boolean {
  return typeof body === "object" && body !== null && "status" in body && body.status === "Error"
}

function normaliseHash(text: string): string {
  if (/^(0x)?[0-9a-fA-F]+$/.test(text)) return text.replace(/^0x/, "").toLowerCase()
  // Bitcoin: `txid:blockheight`, comma-joined for several deposits.
  return /^[0-9a-fA-F]{64}(:\d+)?(,[0-9a-fA-F]{64}(:\d+)?)*$/.test(text) ? text.toLowerCase() : text
}
