import { URGENT_FEE_FACTOR } from "#domain/redeem-fee-cap.ts"
import { MAX_FEE } from "../../../support/fake-fees.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"
import type { Signature } from "../signature-recorder.ts"
import { ASSETS } from "../simulated-assets.ts"

const USUAL_FEE = 10n
/** A fee that a node named so long ago may still be in a plan. */
const REMEMBERED_MS = 30 * 60_000
/**
 * A void pays a unit more than twice the fee of its target, which may have been raised; a raise
 * doubles the fee, also that unit.
 */
const BUMPS = 16n

/**
 * No signature pays far more than the network asked for. A first attempt pays at most twice that.
 */
export function checkFees(truth: GroundTruth): Checker {
  const { world } = truth
  if (truth.adversary !== null) return checkCaps(truth)
  const asked = new Map<string, { readonly atMs: number; readonly fee: bigint }[]>()

  function highestOn(chain: string): bigint {
    const sinceMs = world.clock.now() - REMEMBERED_MS
    const recent = (asked.get(chain) ?? []).filter(({ atMs }) => atMs >= sinceMs)
    return recent.reduce((most, { fee }) => (fee > most ? fee : most), USUAL_FEE)
  }

  function note(): void {
    for (const [chain, fee] of world.market.fees) {
      const known = asked.get(chain) ?? []
      if (known.at(-1)?.fee !== fee || known.at(-1)?.atMs !== world.clock.now())
        asked.set(chain, [...known.slice(-MAX_NOTES), { atMs: world.clock.now(), fee }])
    }
  }

  return {
    onSignature: ({ orderId, purpose, chain, attempt, feeUnits }) => {
      note()
      const isFirst = attempt === 0 && ["approve", "deposit", "refund"].includes(purpose)
      const most = highestOn(chain) * (isFirst ? 2n : 2n * BUMPS) + 1n
      if (feeUnits <= most) return []
      return [
        violation(
          "no fee is burned",
          `${orderId}: the ${purpose} pays ${feeUnits}, and ${most} would do`,
        ),
      ]
    },
    afterTurn: () => {
      note()
      return []
    },
  }
}

const MAX_NOTES = 2_000

/**
 * An adversary with block space forces fees on us, up to the configured cap, and for a
 * redemption up to the worth of its payout. Without a price of the payout its redemption has
 * `URGENT_FEE_FACTOR` times the cap.
 */
function checkCaps({ orderOf }: GroundTruth): Checker {
  function mostOf({ orderId, call }: Signature): bigint {
    // A void pays a unit more than twice the fee of its target.
    if (call !== "redeem") return call === "void" ? MAX_FEE * 2n + 1n : MAX_FEE
    const order = orderOf(orderId)
    const isNative = ASSETS.some(({ id, token }) => id === order?.to && token === null)
    const worth = order?.destinationUnits ?? 0n
    const raised = MAX_FEE * URGENT_FEE_FACTOR
    return isNative ? (worth > MAX_FEE ? worth : MAX_FEE) : worth > raised ? worth : raised
  }
  return {
    onSignature: (signature): readonly Violation[] => {
      const { orderId, purpose, feeUnits } = signature
      const most = mostOf(signature)
      if (feeUnits <= most) return []
      return [
        violation(
          "no fee above its cap",
          `${orderId}: the ${purpose} pays ${feeUnits}, and ${most} is its cap`,
        ),
      ]
    },
  }
}
