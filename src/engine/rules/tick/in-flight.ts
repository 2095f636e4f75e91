import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { OrderRef, OrderStore } from "#ports/journal/orders.ts"
import type { Clocked, Configured, HasChains, HasJournal, Remembering } from "../../context.ts"
import type { OpenFigures, OrderFigures } from "../../memory.ts"
import { sourceQuery } from "../../orders/leg-queries.ts"
import { observeAttempts } from "../../orders/observe/observe-transaction.ts"
import { RECENT_MS, readFigures } from "../../orders/order-figures.ts"
import type { Flight } from "./flight.ts"

/** How far an open order has changed the wallet of one asset. */
export type Progress = {
  /** The deposit has left the wallet. */
  readonly left: boolean
  /** The refund has arrived. */
  readonly back: boolean
  /** The payout has arrived. */
  readonly arrived: boolean
  /**
   * The highest block in which this observation found one of these; 0 when the journal already
   * knew.
   */
  readonly height: bigint
}

/**
 * The amounts that open orders will still pay to an asset and take from it, or the reason why they
 * are unknown.
 */
type InFlight =
  | { readonly ok: true; readonly inUnits: bigint; readonly outUnits: bigint }
  | { readonly ok: false; readonly cause: Reason }

/** The open orders that buy or sell the asset. Throws the error of an order that cannot be read. */
export function listFlights(
  context: HasJournal<OrderStore> & Remembering,
  { refs, figures }: OpenFigures,
  asset: AssetId,
): readonly Flight[] {
  const flights: Flight[] = []
  for (let index = 0; index < refs.length; index++) {
    const ref = mustExist(refs[index], "a ref of the list")
    if (ref.from !== asset && ref.to !== asset) continue
    const flight = figures[index]?.flight ?? null
    // A damaged order throws here.
    if (flight === null) readWhole(context, ref)
    flights.push(mustExist(flight, "a readable order"))
  }
  return flights
}

function readWhole(
  { journal, memory }: HasJournal<OrderStore> & Remembering,
  { id }: Pick<OrderRef, "id">,
): OrderData {
  return memory.orders.read(mustExist(journal.findOrder(id), "the listed order")).data
}

/**
 * Takes final transactions from the journal and observes the rest on the asset's chain: a
 * transaction that the journal does not know may have happened a moment ago, and then the balance
 * already contains it. Throws the errors of the chain port, and of an order that cannot be read.
 */
export async function observeProgress(
  context: HasJournal<OrderStore> & Remembering,
  chain: ChainPort,
  asset: AssetId,
  flight: Flight,
): Promise<Progress> {
  const { from, to, known, mayHaveLeft, refund, payout } = flight
  const isSource = from === asset
  const isDestination = to === asset
  const left = isSource && mayHaveLeft ? await findDeposit(chain, readWhole(context, flight)) : null
  const back =
    isSource && refund !== null ? ((await chain.observeLeg(refund)).refunded?.height ?? null) : null
  const arrived =
    isDestination && payout !== null
      ? ((await chain.observeLeg(payout)).redeemed?.height ?? null)
      : null
  return {
    left: known.left || left !== null,
    back: known.back || back !== null,
    arrived: known.arrived || arrived !== null,
    height: higher(higher(higher(0n, left), back), arrived),
  }
}

/**
 * So many orders are observed at once: enough for the batches of every chain. All at once would
 * keep the memory of a hundred thousand answers.
 */
const LANES = 1_024

/**
 * Observes every order. Begins no further observation after a failure, which it throws, or once
 * `isOver` says that the answer comes too late.
 */
export async function observeAll(
  flights: readonly Flight[],
  observe: (flight: Flight) => Promise<Progress>,
  { add }: Pick<InFlightSum, "add">,
  isOver: () => boolean,
): Promise<void> {
  let next = 0
  const followLane = async (): Promise<void> => {
    for (let index = next++; index < flights.length && !isOver(); index = next++) {
      const flight = mustExist(flights[index], "an order of the list")
      try {
        add(flight, await observe(flight))
      } catch (error) {
        next = flights.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(LANES, flights.length) }, followLane))
}

/** Sums orders one by one, as soon as each is observed. */
type InFlightSum = {
  readonly add: (flight: Flight, progress: Progress) => void
  readonly total: () => InFlight
  /** The highest block of an observation. */
  readonly height: () => bigint
  /** A payout to the asset may be under way without a node that has shown it. */
  readonly awaitsPayout: () => boolean
}

/**
 * An order in flight counts as completed: the deposit has left and the payout has arrived. An order
 * that waits for its refund counts as refunded, and one whose payout is lost brings nothing.
 */
export function sumInFlight(
  chain: Pick<ChainPort, "account" | "sameAddress">,
  asset: AssetId,
): InFlightSum {
  let inUnits = 0n
  let outUnits = 0n
  let height = 0n
  let cause: Reason | null = null
  let awaitsPayout = false
  const { account } = chain
  /** Nearly all orders pay to one address. */
  const ours = new Map<string, boolean>()

  function isOurs(owner: string): boolean {
    const known = ours.get(owner) ?? chain.sameAddress(owner, account)
    ours.set(owner, known)
    return known
  }

  function addBack(flight: Flight, progress: Progress): void {
    if (!progress.left) outUnits += flight.sourceUnits
    else if (flight.isReturning && !progress.back) inUnits += flight.sourceUnits
  }

  return {
    add: (flight, progress) => {
      height = higher(height, progress.height)
      if (flight.from === asset) addBack(flight, progress)
      if (flight.to !== asset) return
      awaitsPayout ||= !progress.arrived && flight.payout !== null
      if (
        progress.arrived ||
        flight.isReturning ||
        flight.isPayoutLost ||
        !isOurs(flight.destinationOwner)
      )
        return
      if (flight.payoutUnits === null) cause ??= unknownAmount(flight)
      else inUnits += flight.payoutUnits
    },
    total: () => (cause === null ? { ok: true, inUnits, outUnits } : { ok: false, cause }),
    height: () => height,
    awaitsPayout: () => awaitsPayout,
  }
}

/**
 * The highest block that our node has shown recently. A node below it has balances that are older
 * than our journal.
 */
export function knownHeight(
  context: HasJournal<OrderStore> & HasChains & Configured & Clocked & Remembering,
  { refs, figures }: OpenFigures,
  asset: AssetId,
): bigint {
  const chain = `${chainOf(asset)}:`
  const sinceMs = context.clock.now() - RECENT_MS
  let highest = 0n
  for (let index = 0; index < refs.length; index++) {
    const ref = mustExist(refs[index], "a ref of the list")
    if (ref.updatedAtMs >= sinceMs)
      highest = higher(highest, heightOn(chain, ref, figures[index] ?? null))
  }
  for (const ref of context.journal.listEndedRefs(sinceMs))
    highest = higher(highest, heightOn(chain, ref, readFigures(context, ref)))
  return highest
}

function heightOn(
  chain: string,
  { from, to }: OrderRef,
  figures: OrderFigures | null,
): bigint | null {
  if (figures === null) return null
  const source = from.startsWith(chain) ? figures.height.from : null
  return to.startsWith(chain) ? higher(figures.height.to, source) : source
}

function higher(highest: bigint, height: bigint | null): bigint {
  return height !== null && height > highest ? height : highest
}

/**
 * The height of the deposit's block; 0 when the wallet's balance proves the deposit; `null` without
 * one.
 */
async function findDeposit(chain: ChainPort, data: OrderData): Promise<bigint | null> {
  if (data.transactions.deposit.signed.length > 0) {
    const height =
      chain.traits.balanceChangesIn === "mempool"
        ? await findSpentInputs(chain, data)
        : await findMined(chain, data)
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
 * A node drops outputs from the balance as soon as its mempool spends them. When the spendable
 * balance is the same with and without the inputs of the deposit, the inputs are spent.
 */
async function findSpentInputs(
  chain: ChainPort,
  { transactions, request }: OrderData,
): Promise<bigint | null> {
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
