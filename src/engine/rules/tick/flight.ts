import type { AssetId } from "#domain/asset.ts"
import type { ChainTraits } from "#domain/chain-traits.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import { wasDepositSigned } from "#order/guards.ts"
import type { Order } from "#order/step.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { destinationQuery, sourceQuery } from "../../orders/leg-queries.ts"
import { shareText } from "../../orders/pay/share-text.ts"

/** An open order as far as the balances of its two assets depend on it, by the journal. */
export type Flight = {
  readonly id: string
  readonly from: AssetId
  readonly to: AssetId
  readonly sourceUnits: bigint
  readonly destinationOwner: string
  /** `null` before the first quote. */
  readonly payoutUnits: bigint | null
  /**
   * The order waits for its refund, or for the finality of a refund that a block shows: no payout
   * follows.
   */
  readonly isReturning: boolean
  /**
   * The source was taken without a payout, and the order waits for a person. If the payout appears
   * after all, the balance shows it.
   */
  readonly isPayoutLost: boolean
  /** Our own nodes have shown these. */
  readonly known: { readonly left: boolean; readonly back: boolean; readonly arrived: boolean }
  /** A deposit is signed, so it may have left the wallet although no node has shown it yet. */
  readonly mayHaveLeft: boolean
  /**
   * How to look for a refund and a payout that no node has shown yet; `null` when there can be
   * none.
   */
  readonly refund: LegQuery | null
  readonly payout: LegQuery | null
}

/** `traits`: those of the destination's chain; `null` when it is not configured. */
export function toFlight({ state, data }: Order, traits: ChainTraits | null): Flight {
  const { request, seen, transactions, gasless, terms, quote, alerted } = data
  const known = knownOf(seen)
  return {
    id: data.id,
    from: shareText(request.from),
    to: shareText(request.to),
    sourceUnits: request.sourceUnits,
    destinationOwner: shareText(request.destinationOwner),
    payoutUnits: terms?.destinationUnits ?? quote?.destinationUnits ?? null,
    isReturning: state.startsWith("refund-") || (state === "settling" && known.back),
    isPayoutLost: state === "held" && alerted.includes("alarm.source_redeemed"),
    known,
    mayHaveLeft: !known.left && (transactions.deposit.signed.length > 0 || gasless !== null),
    refund: !known.back && known.left && data.deposit !== null ? sourceQuery(data) : null,
    payout:
      !known.arrived && mayArrive(data) && traits !== null ? destinationQuery(data, traits) : null,
  }
}

/** One object for all orders with the same three answers. */
const KNOWN: readonly Flight["known"][] = Array.from({ length: 8 }, (_, bits) => ({
  left: (bits & 1) > 0,
  back: (bits & 2) > 0,
  arrived: (bits & 4) > 0,
}))

function knownOf(seen: OrderData["seen"]): Flight["known"] {
  const left = Number(seen.sourceInitiated !== null)
  const back = Number(seen.sourceRefunded !== null)
  const arrived = Number(seen.destinationRedeemed !== null)
  return mustExist(KNOWN[left + 2 * back + 4 * arrived], "one of the eight")
}

/** A payout can only follow a deposit, which a reorganisation may have removed again. */
function mayArrive(data: OrderData): boolean {
  return (
    data.deposit !== null &&
    data.terms !== null &&
    data.serviceOrder !== null &&
    wasDepositSigned(data)
  )
}

/** Whether both count in the same way for this asset, and are looked for in the same places. */
export function countsAlike(a: Flight, b: Flight, asset: AssetId): boolean {
  return (
    a === b ||
    (a.mayHaveLeft === b.mayHaveLeft &&
      (a.refund === null) === (b.refund === null) &&
      (a.payout === null) === (b.payout === null) &&
      a.isReturning === b.isReturning &&
      a.isPayoutLost === b.isPayoutLost &&
      a.known.left === b.known.left &&
      a.known.back === b.known.back &&
      a.known.arrived === b.known.arrived &&
      (a.to !== asset || a.payoutUnits === b.payoutUnits))
  )
}
