import type { Ceiling } from "#domain/order.ts"
import { type Checker, violation } from "../checker.ts"
import { UNIT_FIAT } from "../configuration.ts"
import type { GroundTruth } from "../ground-truth.ts"
import type { Paid } from "../signature-recorder.ts"

/**
 * An order above the approval threshold of its opening pays only the intent that the operator has
 * seen and approved. Every order pays only the requested amount.
 */
export function checkApprovals({ recorder, operator, configuration }: GroundTruth): Checker {
  const ceilings = new Map<string, Ceiling | null>()

  function needsApproval(orderId: string): boolean {
    const ceiling = ceilings.get(orderId)
    const row = recorder.rows.get(orderId)
    if (!ceiling || !row) return false
    return ceiling.kind === "units"
      ? row.sourceUnits > ceiling.units
      : row.sourceUnits * UNIT_FIAT > ceiling.fiat
  }

  function isShown(orderId: string, { asset, units, secretHash, timelock }: Paid): boolean {
    return operator
      .listApproved(orderId)
      .some(
        ({ fields }) =>
          fields["asset"] === asset &&
          fields["units"] === String(units) &&
          fields["secretHash"] === secretHash &&
          fields["timelock"] === String(timelock ?? 0n),
      )
  }

  return {
    onOpen: ({ id }) => {
      ceilings.set(id, configuration().policy.approveAbove)
      return []
    },
    onDeposit: (orderId, paid) => {
      const row = recorder.rows.get(orderId)
      const asked = row !== undefined && row.from === paid.asset && row.sourceUnits === paid.units
      const { min, max } = configuration().policy.timelocks.source
      const { timelock } = paid
      const wrong = !asked || (timelock !== null && (timelock < min || timelock > max))
      const show = `${paid.units} ${paid.asset}, timelock ${paid.timelock}`
      return [
        ...(wrong
          ? [violation("signed as asked", `${orderId}: ${show} was signed but not requested`)]
          : []),
        ...(needsApproval(orderId) && !isShown(orderId, paid)
          ? [
              violation(
                "approved as signed",
                `${orderId}: ${show} was signed without approval of exactly that`,
              ),
            ]
          : []),
      ]
    },
  }
}
