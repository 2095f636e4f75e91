import type { z } from "zod"
import { parseFiat } from "#domain/amount.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import type { CreatedOrder } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import type { Quote } from "#domain/quote.ts"
import type { AffiliateRecord } from "#domain/route/affiliate-fee.ts"
import { AppError } from "#lib/app-error.ts"
import type { DepositReader } from "#ports/deposit-reader.ts"
import { wireAffiliateRecord, wireOrder, wireOrderId, wireQuote, type wireSwap } from "./wire.ts"

/** A value of the domain, or one sentence about the fault in the wire's text. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string }

/** One element of a quote response. */
export function parseQuote(value: unknown): Read<Quote> {
  return reading(() => {
    const quote = expectShape(wireQuote, value, "the quote")
    return {
      from: parseAssetId(quote.source.asset),
      to: parseAssetId(quote.destination.asset),
      sourceUnits: quote.source.amount,
      destinationUnits: quote.destination.amount,
      sourceFiat: fiatOrNull(quote.source.value),
      destinationFiat: fiatOrNull(quote.destination.value),
      solverId: quote.solver_id,
      estimatedSeconds: secondsOrNull(quote.estimated_time),
    }
  })
}

/** The `result` of get-order, or one element of a listing. */
export function parseOrder(value: unknown): Read<ServiceOrder> {
  return reading(() => {
    const order = expectShape(wireOrder, value, "the order")
    return {
      orderId: order.order_id,
      nonce: order.nonce,
      version: order.version === null || order.version === undefined ? null : String(order.version),
      source: toLeg(order.source_swap),
      destination: toLeg(order.destination_swap),
      deadlineMs: deadlineOrNull(order.deadline ?? null),
      affiliateFees: (order.affiliate_fees ?? []).flatMap(readAffiliateRecord),
    }
  })
}

/**
 * The `result` of create-order. The answer has no family name: each reader knows its family's
 * request by the shape. An answer with two requests is refused.
 */
export function parseCreatedOrder(
  value: unknown,
  readers: readonly DepositReader[],
): Read<CreatedOrder> {
  return reading(() => {
    const fields = expectFields(value, "the created order")
    const orderId = expectShape(wireOrderId, fields["order_id"], "order_id")
    const requests = readers.flatMap(({ what, select, schema }) => {
      const part = select(fields)
      return part === undefined ? [] : [expectShape(schema, part, what)]
    })
    const [depositRequest] = requests
    if (depositRequest === undefined || requests.length > 1)
      throw mismatch(`it has ${requests.length} ways to deposit, not one`)
    return { orderId, depositRequest }
  })
}

function toLeg(swap: z.output<typeof wireSwap>): ReportedLeg {
  const asset: AssetId = parseAssetId(swap.asset)
  return {
    swapId: swap.swap_id,
    chain: swap.chain ?? asset.slice(0, asset.indexOf(":")),
    asset,
    initiator: swap.initiator,
    redeemer: swap.redeemer,
    delegate: swap.delegate,
    timelock: swap.timelock,
    units: swap.amount,
    filledUnits: swap.filled_amount ?? 0n,
    secretHash: swap.secret_hash,
    secret: swap.secret,
    initiateTx: swap.initiate_tx_hash,
    redeemTx: swap.redeem_tx_hash,
    refundTx: swap.refund_tx_hash,
    instantRefundTx: swap.instant_refund_tx,
    requiredConfirmations: swap.required_confirmations,
    currentConfirmations: swap.current_confirmations,
  }
}

/**
 * Reads the names of the request and the other known names of the fee. An entry of another form is
 * left out.
 */
function readAffiliateRecord(entry: unknown): AffiliateRecord[] {
  const record = wireAffiliateRecord.safeParse(entry).data
  const feeBps = record?.fee ?? record?.fee_bps ?? record?.bps
  if (record === undefined || feeBps === undefined) return []
  return [
    {
      asset: parseAssetId(record.asset),
      address: record.address,
      feeBps,
      units: record.amount ?? null,
    },
  ]
}

function fiatOrNull(text: string | null): bigint | null {
  // A value that is not a plain decimal is a missing price, which the guards report as a reason. It
  // is never zero.
  return text !== null && /^\d{1,30}(\.\d{1,60})?$/.test(text) ? parseFiat(text) : null
}

function secondsOrNull(text: string | null): number | null {
  return text !== null && /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Math.ceil(Number(text)) : null
}

/**
 * Reads Unix seconds (field notes); milliseconds and ISO 8601 are recognised by size and form. Zero
 * means no deadline.
 */
function deadlineOrNull(text: string | null): number | null {
  if (text === null || text === "" || text === "0") return null
  const digits = /^\d{1,14}$/.test(text) ? Number(text) : null
  const ms = digits === null ? Date.parse(text) : digits < 100_000_000_000 ? digits * 1_000 : digits
  if (!Number.isFinite(ms)) throw mismatch("deadline is not a time")
  return ms
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Thrown and caught in this file; the client decides whether a malformed answer leaves a write
 * uncertain.
 */
function mismatch(why: string): AppError {
  return new AppError({ code: "service.malformed", disposition: "transient", message: why })
}

function expectFields(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw mismatch(`${what} is not an object`)
  // CAST: a JSON object that is not a list has text keys and unknown values.
  return value as Fields
}

/**
 * Parses, or throws `service.malformed` with the path of the first problem; `reading` turns it into
 * a sentence.
 */
export function expectShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = issue && issue.path.length > 0 ? ` at ${issue.path.join(".").slice(0, 80)}` : ""
  throw mismatch(`${what} is malformed${path}: ${issue?.message ?? "unknown form"}`)
}

/** The value, or the sentence of a malformed text. Other errors pass through. */
export function reading<T>(read: () => T): Read<T> {
  try {
    return { ok: true, value: read() }
  } catch (error) {
    const known =
      error instanceof AppError && ["service.malformed", "domain.asset_id"].includes(error.code)
    if (!known) throw error
    return { ok: false, why: error.message.slice(0, 200) }
  }
}
