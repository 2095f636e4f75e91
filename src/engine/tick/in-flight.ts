import type { ChainPort } from "#chains/port.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { OrderRef } from "#journal/port.ts"
import { present } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import type { EngineContext } from "../context.ts"
import { readOrder } from "../known-orders.ts"
import { sourceQuery } from "../leg-queries.ts"
import { listRecentRefs, readFigures } from "../order-figures.ts"
import { observeAttempts } from "../perform/observe-transaction.ts"
import type { Flight } from "./flight.ts"

/** How far an open order has changed the wallet of one asset. */
export type Progress = {
  /** The deposit has left the wallet. */
  readonly left: boolean
  /** The refund has arrived. */
  readonly back: boolean
  /** The payout has arrived. */
  readonly arrived: boolean
  /** The highest block in which this observation found one of these; 0 when the journal already knew. */
  readonly height: bigint
}

/** The amounts that open orders will still pay to an asset and take from it, or the reason why they are unknown. */
export type InFlight =
  | { readonly ok: true; readonly inUnits: bigint; readonly outUnits: bigint }
  | { readonly ok: false; readonly cause: Reason }

/** An open order, with the whole of it where its deposit may have left the wallet unseen. */
export type OpenFlight = { readonly flight: Flight; readonly data: OrderData | null }

/** The open orders that buy or sell the asset. Throws the error of an order that cannot be read. */
export function listFlights(context: EngineContext, asset: AssetId): readonly OpenFlight[] {
  const flights: OpenFlight[] = []
  for (const ref of context.journal.listOpenRefs()) {
    if (ref.from !== asset && ref.to !== asset) continue
    const flight = readFigures(context, ref)?.flight ?? null
    const isWhole = flight === null || (flight.mayHaveLeft && flight.from === asset)
    // A damaged order throws here.
    const data = isWhole ? readWhole(context, ref) : null
    flights.push({ flight: present(flight, "a readable order"), data })
  }
  return flights
}

function readWhole({ journal }: EngineContext, { id }: OrderRef): OrderData {
  return readOrder(journal, present(journal.findOrder(id), "the listed order")).data
}

/**
 * Takes final transactions from the journal and observes the rest on the asset's chain: a transaction that the journal does not know may have
 * happened a moment ago, and then the balance already contains it. Throws the errors of the chain port.
 */
export async function observeProgress(chain: ChainPort, asset: AssetId, open: OpenFlight): Promise<Progress> {
  const { from, to, known, mayHaveLeft, refund, payout } = open.flight
  const [isSource, isDestination] = [from === asset, to === asset]
  const left = isSource && mayHaveLeft ? await findDeposit(chain, present(open.data, "the signed order")) : null
  const back = isSource && refund !== null ? ((await chain.observeLeg(refund)).refunded?.height ?? null) : null
  const arrived = isDestination && payout !== null ? ((await chain.observeLeg(payout)).redeemed?.height ?? null) : null
  return {
    left: known.left || left !== null,
    back: known.back || back !== null,
    arrived: known.arrived || arrived !== null,
    height: higher(higher(higher(0n, left), back), arrived),
  }
}

/**
 * An order in flight counts as completed: the deposit has left and the payout has arrived. An order that waits for its refund counts as refunded, and
 * one whose payout is lost brings nothing.
 */
export function sumInFlight(
  chain: ChainPort,
  asset: AssetId,
  orders: readonly { readonly flight: Flight; readonly progress: Progress }[],
): InFlight {
  let [inUnits, outUnits] = [0n, 0n]
  for (const { flight, progress } of orders) {
    if (flight.from === asset) {
      if (!progress.left) outUnits += flight.sourceUnits
      else if (flight.isReturning && !progress.back) inUnits += flight.sourceUnits
    }
    if (flight.to !== asset || progress.arrived || flight.isReturning || flight.isPayoutLost) continue
    if (!chain.sameAddress(flight.destinationOwner, chain.account)) continue
    if (flight.payoutUnits === null) return { ok: false, cause: unknownAmount(flight) }
    inUnits += flight.payoutUnits
  }
  return { ok: true, inUnits, outUnits }
}

/** The highest block that our node has shown recently. A node below it has balances that are older than our journal. */
export function knownHeight(context: EngineContext, asset: AssetId): bigint {
  const chain = `${chainOf(asset)}:`
  let highest = 0n
  for (const ref of listRecentRefs(context)) {
    const [isSource, isDestination] = [ref.from.startsWith(chain), ref.to.startsWith(chain)]
    const height = isSource || isDestination ? readFigures(context, ref)?.height : undefined
    if (height === undefined) continue
    if (isSource) highest = higher(highest, height.from)
    if (isDestination) highest = higher(highest, height.to)
  }
  return highest
}

function higher(highest: bigint, height: bigint | null): bigint {
  return height !== null && height > highest ? height : highest
}

/** The height of the deposit's block; 0 when the wallet's balance proves the deposit; `null` without one. */
async function findDeposit(chain: ChainPort, data: OrderData): Promise<bigint | null> {
  if (data.transactions.deposit.signed.length > 0) {
    const height =
      chain.traits.balanceChangesIn === "mempool" ? await findSpentInputs(chain, data) : await findMined(chain, data)
    if (height !== null) return height
  }
  if (data.gasless === null) return null
  return (await chain.observeLeg(sourceQuery(data))).initiated?.height ?? null
}

/** An account's balance changes with the block. */
async function findMined(chain: ChainPort, data: OrderData): Promise<bigint | null> {
  const seen = await observeAttempts(chain, data, "deposit")
  return seen.status === "mined" && seen.ok ? seen.height : null
}

/**
 * A node drops outputs from the balance as soon as its mempool spends them. When the spendable balance is the same with and without the inputs of
 * the deposit, the inputs are spent.
 */
async function findSpentInputs(chain: ChainPort, { transactions, request }: OrderData): Promise<bigint | null> {
  const all = await chain.fetchBalance(request.from, new Set())
  for (const { plan } of transactions.deposit.signed) {
    const others = await chain.fetchBalance(request.from, new Set(plan.resources))
    if (others.spendableUnits === all.spendableUnits) return 0n
  }
  return null
}

function unknownAmount({ id, to }: Flight): Reason {
  const message = `Order ${id} buys ${to} and has no quote yet, so its payout is not known`
  return { code: "policy.amount_unknown", message, order: id, asset: to }
}
