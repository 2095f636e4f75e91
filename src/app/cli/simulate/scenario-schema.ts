import { z } from "zod"
import {
  assetId,
  duration,
  fiatAmount,
  flag,
  integer,
  ownAmount,
  share,
  text,
} from "#schema/leaves.ts"
import { section } from "#schema/section.ts"

/**
 * A scenario file. Every key is optional; `derive-scenario.ts` and `assumptions.ts` have the
 * defaults. docs/RUN.md has an example.
 */

const SIGNED = text(
  /^-?\d{1,60}(\.\d{1,60})?$/,
  'a decimal in the asset\'s own unit, in quotes, such as "-0.05"',
)
const SIGNED_SHARE = text(/^-?\d{1,6}(\.\d{1,2})? ?%$/, 'a share such as "45%" or "-3%"')
const NAME = text(/^[a-z][a-z0-9_-]{0,31}$/, "a name in lower case, such as btc")

const spread = section({ least: duration(0), typical: duration(0), most: duration(0) }).refine(
  ({ least, typical, most }) => least <= typical && typical <= most,
  { error: "expected least, typical and most in ascending order" },
)

const pairKeys = {
  available: flag.optional(),
  fixed: fiatAmount.optional(),
  bps: integer(0, 9_999, "basis points").optional(),
  least: fiatAmount.optional(),
  most: fiatAmount.optional(),
  duration: spread.optional(),
}

export const scenarioSchema = section({
  start: z
    .string({ error: "expected a date such as 2026-01-01" })
    .refine((written) => Number.isFinite(Date.parse(written)), {
      error: "expected a date such as 2026-01-01",
    })
    .optional(),
  step: duration(60_000).optional(),
  assets: z
    .record(
      assetId,
      section({
        balance: ownAmount.optional(),
        drift: SIGNED.optional(),
        volatility: ownAmount.optional(),
        price: NAME.optional(),
      }),
      { error: "expected a map of asset ids" },
    )
    .optional(),
  prices: z
    .record(
      NAME,
      section({
        start: fiatAmount.optional(),
        drift: SIGNED_SHARE.optional(),
        volatility: SIGNED_SHARE.optional(),
      }),
      { error: "expected a map of names" },
    )
    .optional(),
  quotes: section({
    ...pairKeys,
    pairs: z
      .array(section({ from: assetId, to: assetId, ...pairKeys }), {
        error: "expected a list of pairs",
      })
      .optional(),
    routes: z.record(NAME, section(pairKeys), { error: "expected a map of routes" }).optional(),
  }).optional(),
  chains: z
    .record(
      z.string(),
      section({
        gas: ownAmount.optional(),
        deposit_fee: ownAmount.optional(),
        refund_fee: ownAmount.optional(),
      }),
      { error: "expected a map of chains" },
    )
    .optional(),
  orders: section({
    declined: share.optional(),
    refunded: share.optional(),
    refund_after: duration(0).optional(),
    approval: spread.optional(),
  }).optional(),
})

export type ScenarioFile = z.output<typeof scenarioSchema>
