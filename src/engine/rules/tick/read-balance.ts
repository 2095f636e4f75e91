import { type AssetId, chainOf } from "#domain/asset.ts"
import { isNativeAsset } from "#domain/native-coin.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { AssetView } from "#policy/treasury-view.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Clocked, Configured, HasChains, HasJournal, Remembering } from "../../context.ts"
import type { OpenFigures } from "../../memory.ts"
import { reasonOf } from "../../orders/observe/job.ts"
import { listFigures, refreshFigures } from "../../orders/order-figures.ts"
import { readRedeemReserve } from "../../orders/pay/redeem-reserve.ts"
import { countsAlike, type Flight } from "./flight.ts"
import { knownHeight, listFlights, observeAll, observeProgress, sumInFlight } from "./in-flight.ts"
import { withinTime } from "./within-time.ts"

type Balance = AssetView["balance"]

const READ_MS = 20_000
const ROUNDS = 4

/**
 * One asset's balance with its orders in flight, both at one moment, or the reason why it is
 * unreadable. Never throws a coded error.
 *
 * With open orders, the balance is read before and after each of them is observed, and all of it is
 * repeated when the balance changed in between. A deposit that counted both in the wallet and in
 * flight, or in neither, would make a rule propose the same swap twice.
 */
export async function readBalance(
  context: HasJournal<OrderStore & OrderSums> & HasChains & Configured & Clocked & Remembering,
  asset: AssetId,
): Promise<Balance> {
  const chain = context.chains.get(chainOf(asset))
  if (!chain)
    return unreadable({
      code: "config.chain_missing",
      message: `The chain of ${asset} is not configured`,
    })
  try {
    return await withinTime(context.clock, READ_MS, `reading ${asset}`, (isOver) =>
      readSteadily(context, chain, asset, isOver),
    )
  } catch (error) {
    if (error instanceof AppError) return unreadable(reasonOf(error))
    throw error
  }
}

async function readSteadily(
  context: HasJournal<OrderStore & OrderSums> & HasChains & Configured & Clocked & Remembering,
  chain: ChainPort,
  asset: AssetId,
  isOver: () => boolean,
): Promise<Balance> {
  const floorUnits = await readFloor(context, chain, asset)
  for (let round = 0; round < ROUNDS && !isOver(); round++) {
    await refreshFigures(context)
    const open = listFigures(context)
    const knownUpTo = knownHeight(context, open, asset)
    // Both lists together would keep everything else waiting. A step meanwhile is found at the end.
    await context.clock.turn?.()
    const orders = listFlights(context, open, asset)
    const height = await chain.fetchHeight()
    if (height < knownUpTo) return unreadable(behind(asset, height, knownUpTo))
    const { units, spendableUnits } = await chain.fetchBalance(asset, new Set())
    const sum = sumInFlight(chain, asset)
    await observeAll(
      orders,
      (flight) => observeProgress(context, chain, asset, flight),
      sum,
      isOver,
    )
    if (isOver()) break
    const again = orders.length === 0 ? null : await chain.fetchBalance(asset, new Set())
    const changed =
      again !== null && (again.units !== units || again.spendableUnits !== spendableUnits)
    // The balances are from `height`. They may or may not contain a transaction that was found
    // above it.
    const isNewer = sum.height() > height
    if (changed || isNewer || !isSteady(context, { open, orders }, asset)) continue
    // A balance that changes in the mempool counts our unconfirmed change. It also counts an
    // unconfirmed payout, which an observation does not accept yet.
    const countsMempool = chain.traits.balanceChangesIn === "mempool"
    if (countsMempool && units !== spendableUnits && sum.awaitsPayout())
      return unreadable(
        unclear(asset, "a payment waits for its block, and may be the payout of an open order"),
      )
    const inFlight = sum.total()
    if (!inFlight.ok) return unreadable(inFlight.cause)
    const spendable = countsMempool ? units : spendableUnits
    const { inUnits: inFlightInUnits, outUnits: inFlightOutUnits } = inFlight
    return {
      readable: true,
      spendableUnits: spendable,
      inFlightInUnits,
      inFlightOutUnits,
      floorUnits,
    }
  }
  return unreadable(unclear(asset, "it changed during the read"))
}

/**
 * The fees of one deposit and refund, the fees reserved by orders in flight, and the configured
 * minimum. Zero for an asset that pays no fees.
 */
async function readFloor(
  { journal, settings }: HasJournal<OrderSums> & Configured,
  chain: ChainPort,
  asset: AssetId,
): Promise<bigint> {
  const configured = settings.assets.get(asset)
  if (configured === undefined || !isNativeAsset(configured, chain.traits.nativeCoin)) return 0n
  const { depositUnits, refundUnits } = await chain.estimateFees(asset)
  return (
    depositUnits +
    refundUnits +
    journal.sumReservedFees(chain.chain, null) +
    (settings.minNative.get(chain.chain) ?? 0n) +
    (await readRedeemReserve({ journal, settings }, chain))
  )
}

/** Whether the orders count now as they did when `open` was listed. */
function isSteady(
  context: HasJournal<OrderStore> & HasChains & Configured & Remembering,
  { open, orders }: { readonly open: OpenFigures; readonly orders: readonly Flight[] },
  asset: AssetId,
): boolean {
  const now = listFigures(context)
  return now === open || isSame(orders, listFlights(context, now, asset), asset)
}

/**
 * Whether the same orders counted in the same way at the end of the read. An order that was signed
 * meanwhile was not looked for on the chain, and the balance may already be without its deposit.
 */
export function isSame(
  before: readonly Flight[],
  after: readonly Flight[],
  asset: AssetId,
): boolean {
  if (before.length !== after.length) return false
  // Mostly each order has had no step, and its place in the list.
  const moved = after.filter((flight, index) => flight !== before[index])
  if (moved.length === 0) return true
  const flights = new Map(before.map((flight) => [flight.id, flight]))
  return moved.every((flight) => {
    const known = flights.get(flight.id)
    return known !== undefined && countsAlike(known, flight, asset)
  })
}

function unreadable(cause: Reason): Balance {
  return { readable: false, cause }
}

function behind(asset: AssetId, height: bigint, known: bigint): Reason {
  const message =
    `Our node of ${asset} is at height ${height}, and has shown ${known} before: its balances ` +
    "are out of date"
  return {
    code: "view.node_behind",
    message,
    asset,
    height: height.toString(),
    known: known.toString(),
  }
}

function unclear(asset: AssetId, why: string): Reason {
  return {
    code: "view.unsteady",
    message: `The balance of ${asset} is not clear now: ${why}`,
    asset,
  }
}
