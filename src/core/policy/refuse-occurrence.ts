import type { Reason } from "#domain/reason.ts"
import { reasonsAgainst } from "./planner/find-routes.ts"
import type { ChainGas, PlanLimits, WindowRest } from "./planner/limits.ts"
import { countedFees, limitsAfter, type PlacedBefore } from "./planner/limits-after.ts"
import { findShortGas } from "./planner/order-route.ts"
import { findAsset, liquidUnits, readPrice, showUnits, type TreasuryView } from "./treasury-view.ts"
import { fiatOfValue, valueOfUnits } from "./value.ts"

/**
 * Why admission is known to refuse the order of an occurrence, beside the orders that this tick has
 * placed; empty for none. A scheduled order is placed in full or not at all, so a window must leave
 * the whole amount. A value that is not known here is left to admission. Pure.
 */
export function refuseOccurrence(
  order: PlacedBefore,
  placed: readonly PlacedBefore[],
  limits: PlanLimits,
  view: TreasuryView,
): readonly Reason[] {
  const { rules, from } = order
  const refused = rules.flatMap((rule) => reasonsAgainst(limits.blocked ?? [], order, rule))
  if (refused.length > 0) return refused
  const before = limitsAfter(limits, placed, view)
  const after = limitsAfter(before, [order], view)
  const count = after.counts?.find(
    ({ left }, index) => left < 0 && left !== before.counts?.[index]?.left,
  )
  if (count !== undefined) return [count.reason]
  const window = findShortWindow(order, before.windows ?? [], view)
  if (window !== null) return [window]
  const gas = findShortGas(from, before.gas ?? []) ?? findShortCoin(order, before.gas ?? [], view)
  return gas === null ? [] : [gas]
}

/**
 * A sale of the chain's coin must leave the fees of the orders from this chain that the tick has
 * placed; the fees of one order are in its floor.
 */
function findShortCoin(
  { from, units }: PlacedBefore,
  gas: readonly ChainGas[],
  view: TreasuryView,
): Reason | null {
  const own = gas.find(({ coin, placed = 0 }) => coin === from && placed > 0)
  const asset = findAsset(view, from)
  if (own === undefined || !asset?.balance.readable) return null
  const keepUnits = BigInt(own.placed ?? 0) * own.perOrderUnits
  const haveUnits = liquidUnits(asset.balance) - keepUnits
  if (haveUnits >= units) return null
  const [have, need, keep] = [haveUnits > 0n ? haveUnits : 0n, units, keepUnits].map((one) =>
    showUnits(asset, one),
  )
  const message =
    `Beside the ${keep} of ${from} for the fees of other orders of this tick ${have} is ` +
    `liquid, and the occurrence sells ${need}`
  return { code: "policy.gas", message, asset: from, have: have ?? "", need: need ?? "" }
}

function findShortWindow(
  order: PlacedBefore,
  windows: readonly WindowRest[],
  view: TreasuryView,
): Reason | null {
  const { from, to, units } = order
  const feesFiat = countedFees(order, view)
  const asset = findAsset(view, from)
  if (asset === null) return null
  const price = readPrice(asset)
  const fiat = price.ok ? fiatOfValue(valueOfUnits(asset, price.priceFiat, units), "down") : null
  const isAbove = (used: bigint | null, left: bigint | null | undefined): boolean =>
    used !== null && left != null && used > left
  const window = windows.find(
    ({ leftFiat, leftUnits, leftFeesFiat }) =>
      isAbove(units, leftUnits[from]) || isAbove(fiat, leftFiat) || isAbove(feesFiat, leftFeesFiat),
  )
  if (window === undefined) return null
  const amount = showUnits(asset, units)
  const message =
    `guards.windows leaves less than the ${amount} of ${from} that the occurrence sells within ` +
    `${window.per}`
  return { code: "policy.window", message, from, to, units: amount, per: window.per }
}
