import { z } from "zod"
import { htlcTerms } from "./htlc.ts"

/**
 * The terms that a refund needs to derive the HTLC again; `null` where the order's keys make none.
 */
export const bitcoinExtras = z.object({ htlc: htlcTerms.nullable() })

export type BitcoinExtras = z.output<typeof bitcoinExtras>
