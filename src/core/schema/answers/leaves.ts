import { z } from "zod"
import type { AssetId } from "#domain/asset.ts"

/*
 * The small parts of which the answers consist. An object in an answer has exactly the fields that
 * its schema names, unless the schema is loose.
 */

export const text = z.string()
export const textOrNull = text.nullable()
// CAST: Ballast writes only ids that it has parsed; in JSON they are text.
export const assetId = text as unknown as z.ZodType<AssetId>
export const time = z.iso.datetime()
export const timeOrNull = time.nullable()
export const count = z.int().min(0)
export const number = z.number()
/** Without `JSON.stringify`'s rounding: amounts are text. */
export const amount = z.string().regex(/^-?\d+(\.\d+)?$/)
export const amountOrNull = amount.nullable()
export const units = z.string().regex(/^-?\d+$/)
export const unitsOrNull = units.nullable()

/** A code of docs/ERRORS.md, a sentence, and the numbers of the sentence as text. */
export const reason = z.object({ code: text, message: text }).catchall(text)
export const reasons = z.array(reason)

export const scopes = z.array(z.enum(["read", "operate", "approve", "agent"]))
export const mode = z.enum(["live", "observe"])
