import { isFinal } from "#order/states.ts"
import { HTLC } from "../../support/fake-ledger.ts"
import { type Checker, violation } from "../checker.ts"
import { type GroundTruth, isResting } from "../ground-truth.ts"

/** In the end no allowance is left, except for orders that wait for an operator. */
export function checkAllowances({ world, recorder }: GroundTruth): Checker {
  return {
    atEnd: () =>
      [...world.ledgers.values()].flatMap((ledger) =>
        [...ledger.state().allowances].flatMap(([name, units]) => {
          const asset = name.slice(0, -HTLC.length - 1)
          const waits = [...recorder.rows.values()].some(
            ({ from, state }) => from === asset && (isResting(state) || !isFinal(state)),
          )
          return units === 0n || waits ? [] : [violation("no allowance left", `${units} of ${name} are still allowed`)]
        }),
      ),
  }
}
