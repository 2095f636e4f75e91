import { declined, type RuleAnswer } from "../../need.ts"
import { findBalance, positionUnits, showUnits, type TreasuryView } from "../../treasury-view.ts"
import { feesOfDays } from "../../values/fee-use.ts"
import type { GasRule } from "./gas-rule.ts"

/** An order may bring so many times the stock, where a smaller one is too dear. */
const MOST_STOCKS = 3n

/**
 * Below half of the days, or the fees of `orders`, a refill goes at once. Between that and the
 * whole stock a patient rule already buys half way down, when the fee of a source's chain is low.
 */
export function decideGas(rule: GasRule, view: TreasuryView): RuleAnswer {
  const read = findBalance(view, rule.asset)
  if (!read.ok) return declined(read.reason)
  const { asset, balance } = read
  const use = asset.feeUse
  if (use === undefined) {
    const message = `${rule.asset} pays no network fees, or they cannot be read now`
    return declined({ code: "policy.gas_unknown", message, asset: rule.asset })
  }
  const haveUnits = positionUnits(balance)
  // What stays for other reasons: the fees of accepted orders, and guards.min_native.
  const keptUnits = balance.floorUnits - use.perOrderUnits
  const ordersUnits = use.perOrderUnits * rule.orders
  const leastUnits = keptUnits + larger(ordersUnits, feesOfDays(use, (rule.days + 1n) / 2n))
  const fullUnits = keptUnits + larger(2n * ordersUnits, feesOfDays(use, rule.days))
  const isPatient = rule.patienceMs != null && haveUnits >= leastUnits
  const startUnits = isPatient ? (leastUnits + fullUnits) / 2n : leastUnits
  const show = (units: bigint): string => showUnits(asset, units)
  const numbers = { asset: rule.asset, have: show(haveUnits), least: show(startUnits) }
  if (haveUnits >= startUnits) {
    const message = `${rule.asset} holds ${numbers.have} for fees, at least ${numbers.least}`
    return declined({ code: "policy.gas_kept", message, ...numbers })
  }
  const full = show(fullUnits)
  const basis =
    feesOfDays(use, rule.days) === null
      ? `with ${use.days} days of fees in the books, the highest of ${rule.orders} orders count`
      : `${show(use.meanUnits)} a day was used in the last ${use.days} days`
  const wantUnits = fullUnits - haveUnits
  const need = {
    rule: rule.id,
    kind: "gain" as const,
    asset: rule.asset,
    to: "target" as const,
    wantUnits,
    mostUnits: MOST_STOCKS * fullUnits - haveUnits,
    mayGrow: true,
    ...(isPatient ? { mayWait: true } : {}),
    leastUnits: 1n,
    partners: rule.sources.map((source) => ({ asset: source, destination: null, mostUnits: null })),
    maxCost: rule.maxCost ?? null,
    why: {
      code: "policy.gas_refill",
      message:
        `${rule.asset} holds ${numbers.have} for fees, less than ${numbers.least}; it is ` +
        `refilled to ${full}: ${basis}`,
      ...numbers,
      full,
    },
  }
  return { ok: true, needs: [need] }
}

function larger(a: bigint, b: bigint | null): bigint {
  return b !== null && b > a ? b : a
}
