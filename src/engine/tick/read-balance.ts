import type { ChainPort } from "#chains/port.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import { isNativeAsset } from "#domain/native-coin.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { AssetView } from "#policy/treasury-view.ts"
import type { EngineContext } from "../context.ts"
import { refreshFigures } from "../order-figures.ts"
import { reasonOf } from "../perform/job.ts"
import { readRedeemReserve } from "../redeem-reserve.ts"
import { countsAlike, type Flight } from "./flight.ts"
import { knownHeight, listFlights, type OpenFlight, observeProgress, sumInFlight } from "./in-flight.ts"
import { withinTime } from "./within-time.ts"

type Balance = AssetView["balance"]

const READ_MS = 20_000
const ROUNDS = 4

/**
 * One asset's balance with its orders in flight, both at one moment, or the reason why it is unreadable. Never throws a coded error.
 *
 * With open orders, the balance is read before and after each of them is observed, and all of it is repeated when the balance changed in between.
 * A deposit that counted both in the wallet and in flight, or in neither, would make a rule propose the same swap twice.
 */
export async function readBalance(context: EngineContext, asset: AssetId): Promise<Balance> {
  const chain = context.chains.get(chainOf(asset))
  if (!chain) return unreadable({ code: "config.chain_missing", message: `The chain of ${asset} is not configured` })
  try {
    return await withinTime(context.clock, READ_MS, `reading ${asset}`, () => readSteadily(context, chain, asset))
  } catch (error) {
    if (error instanceof AppError) return unreadable(reasonOf(error))
    throw error
  }
}

async function readSteadily(context: EngineContext, chain: ChainPort, asset: AssetId): Promise<Balance> {
  const floorUnits = await readFloor(context, chain, asset)
  for (let round = 0; round < ROUNDS; round++) {
    await refreshFigures(context)
    const orders = listFlights(context, asset)
    const knownUpTo = knownHeight(context, asset)
    const height = await chain.fetchHeight()
    if (height < knownUpTo) return unreadable(behind(asset, height, knownUpTo))
    const { units, spendableUnits } = await chain.fetchBalance(asset, new Set())
    const progresses = await Promise.all(orders.map((open) => observeProgress(chain, asset, open)))
    const observed = progresses.map((progress, index) => ({ flight: flightAt(orders, index), progress }))
    const again = orders.length === 0 ? null : await chain.fetchBalance(asset, new Set())
    const changed = again !== null && (again.units !== units || again.spendableUnits !== spendableUnits)
    // The balances are from `height`. They may or may not contain a transaction that was found above it.
    const isNewer = observed.some(({ progress }) => progress.height > height)
    if (changed || isNewer || !isSame(orders, listFlights(context, asset), asset)) continue
    // A balance that changes in the mempool counts our unconfirmed change. It also counts an unconfirmed payout, which an observation does not accept yet.
    const countsMempool = chain.traits.balanceChangesIn === "mempool"
    const waiting = countsMempool && units !== spendableUnits
    if (
      waiting &&
      observed.some(({ flight, progress }) => !progress.arrived && flight.to === asset && flight.payout !== null)
    )
      return unreadable(unclear(asset, "a payment waits for its block, and may be the payout of an open order"))
    const inFlight = sumInFlight(chain, asset, observed)
    if (!inFlight.ok) return unreadable(inFlight.cause)
    const spendable = countsMempool ? units : spendableUnits
    const { inUnits: inFlightInUnits, outUnits: inFlightOutUnits } = inFlight
    return { readable: true, spendableUnits: spendable, inFlightInUnits, inFlightOutUnits, floorUnits }
  }
  return unreadable(unclear(asset, "it changed during the read"))
}

/** The fees of one deposit and refund, the fees reserved by orders in flight, and the configured minimum. Zero for an asset that pays no fees. */
async function readFloor({ journal, settings }: EngineContext, chain: ChainPort, asset: AssetId): Promise<bigint> {
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

/**
 * Whether the same orders counted in the same way at the end of the read. An order that was signed meanwhile was not looked for on the chain, and the
 * balance may already be without its deposit.
 */
export function isSame(before: readonly OpenFlight[], after: readonly OpenFlight[], asset: AssetId): boolean {
  if (before.length !== after.length) return false
  // Mostly each order has had no step, and its place in the list.
  const moved = after.filter(({ flight }, index) => flight !== before[index]?.flight)
  if (moved.length === 0) return true
  const flights = new Map(before.map(({ flight }) => [flight.id, flight]))
  return moved.every(({ flight }) => {
    const known = flights.get(flight.id)
    return known !== undefined && countsAlike(known, flight, asset)
  })
}

function flightAt(orders: readonly OpenFlight[], index: number): Flight {
  return present(orders[index], "the order of an observation").flight
}

function unreadable(cause: Reason): Balance {
  return { readable: false, cause }
}

function behind(asset: AssetId, height: bigint, known: bigint): Reason {
  const message = `Our node of ${asset} is at height ${height}, and has shown ${known} before: its balances are out of date`
  return { code: "view.node_behind", message, asset, height: height.toString(), known: known.toString() }
}

function unclear(asset: AssetId, why: string): Reason {
  return { code: "view.unsteady", message: `The balance of ${asset} is not clear now: ${why}`, asset }
}
