import { formatUnits } from "#domain/amount.ts"
import {
  findBalance,
  liquidUnits,
  readPrice,
  showUnits,
  type TreasuryView,
} from "../../treasury-view.ts"
import { unitsOfValue, VALUE_PER_FIAT } from "../../value.ts"
import type { SizedOrder } from "../rule-kind.ts"
import type { RecurringRule } from "./recurring-rule.ts"

/**
 * The amount that one occurrence sells: units as written, a share of the liquid balance, or fiat at
 * the price of `from` (rounded down). The whole amount must be liquid, because a scheduled order is
 * placed in full or not at all.
 */
export function sizeRecurring({ id, from, amount }: RecurringRule, view: TreasuryView): SizedOrder {
  const read = findBalance(view, from)
  if (!read.ok) return { ok: false, reasons: [read.reason] }
  const liquid = liquidUnits(read.balance)
  let units = 0n
  let asked = ""
  if (amount.kind === "fiat") {
    const price = readPrice(read.asset)
    if (!price.ok) return { ok: false, reasons: [price.reason] }
    units = unitsOfValue(read.asset, price.priceFiat, amount.fiat * VALUE_PER_FIAT, "down")
    asked = `${formatUnits(amount.fiat, 6)} in fiat`
  } else if (amount.kind === "share") {
    units = (liquid * amount.bps) / 10_000n
    asked = `${formatUnits(amount.bps, 2)}% of what is liquid`
  } else {
    units = amount.units
    asked = showUnits(read.asset, amount.units)
  }
  const numbers = {
    asset: from,
    units: showUnits(read.asset, units),
    liquid: showUnits(read.asset, liquid),
  }
  if (units === 0n) {
    return {
      ok: false,
      reasons: [{ code: "policy.nothing", message: `${asked} of ${from} is nothing`, ...numbers }],
    }
  }
  if (units > liquid) {
    const message =
      `${from} has ${numbers.liquid} liquid, less than the ${numbers.units} that ${id} is to ` +
      "sell"
    return { ok: false, reasons: [{ code: "policy.illiquid", message, ...numbers }] }
  }
  // An amount as it is written needs no second one beside it.
  const basis = asked === numbers.units ? "" : ` (${asked})`
  const message = `${id} is due: ${numbers.units} ${from}${basis}`
  return { ok: true, units, why: { code: "policy.recurring", message, ...numbers } }
}
