import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { LimitAmount } from "#schema/limit-amount.ts"

/** The text that `parseLimitAmount` reads back into the same amount. */
export function formatLimitAmount(amount: LimitAmount): string {
  switch (amount.kind) {
    case "own":
      return amount.text
    case "fiat":
      return `${formatUnits(amount.fiat, FIAT_DECIMALS)} usd`
    case "share":
      return `${amount.bps}bps`
  }
}
