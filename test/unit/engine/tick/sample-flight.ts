import type { Flight } from "#engine/rules/tick/flight.ts"
import { BTC, ETH } from "../../../support/fake-world.ts"

/** An order from ETH to BTC that had no step yet. */
export function flight(id: string, over: Partial<Flight> = {}): Flight {
  return {
    id,
    from: ETH,
    to: BTC,
    sourceUnits: 1n,
    destinationOwner: "us",
    payoutUnits: 2n,
    isReturning: false,
    isPayoutLost: false,
    known: { left: false, back: false, arrived: false },
    mayHaveLeft: false,
    refund: null,
    payout: null,
    ...over,
  }
}
