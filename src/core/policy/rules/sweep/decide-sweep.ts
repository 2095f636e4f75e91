import { declined, type RuleAnswer } from "../../need.ts"
import { findBalance, positionUnits, showUnits, type TreasuryView } from "../../treasury-view.ts"
import type { SweepRule } from "./sweep-rule.ts"

/**
 * A sweep needs to lose everything above `keep`. Incoming orders count toward the balance, but only
 * the liquid part can be sold now.
 */
export function decideSweep(rule: SweepRule, view: TreasuryView): RuleAnswer {
  const read = findBalance(view, rule.from)
  if (!read.ok) return declined(read.reason)
  const haveUnits = positionUnits(read.balance)
  const have = showUnits(read.asset, haveUnits)
  const keep = showUnits(read.asset, rule.keepUnits)
  const numbers = { asset: rule.from, have, keep }
  if (haveUnits <= rule.keepUnits) {
    const message = `${rule.from} holds ${have}, no more than the ${keep} that it keeps`
    return declined({ code: "policy.below_keep", message, ...numbers })
  }
  const wantUnits = haveUnits - rule.keepUnits
  const destination = rule.destination ?? null
  const target = destination ?? rule.to
  const message = `${rule.from} holds ${have}; everything above ${keep} goes to ${target}`
  return {
    ok: true,
    needs: [
      {
        rule: rule.id,
        kind: "lose",
        asset: rule.from,
        to: "target",
        wantUnits,
        mostUnits: wantUnits,
        leastUnits: rule.leastUnits ?? 1n,
        partners: [{ asset: rule.to, destination, mostUnits: null }],
        maxCost: rule.maxCost ?? null,
        why: {
          code: "policy.sweep",
          message,
          ...numbers,
          to: rule.to,
          ...(destination ? { destination } : {}),
        },
      },
    ],
  }
}
