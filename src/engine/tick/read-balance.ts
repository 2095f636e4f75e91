import type { ChainPort } from "#chains/port.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Order } from "#order/step.ts"
import type { AssetView } from "#policy/treasury-view.ts"
import type { EngineContext } from "../context.ts"
import { reasonOf } from "../perform/job.ts"
import {
  knownHeight,
  listOpenOrders,
  type Moved,
  mayHavePayout,
  movedByJournal,
  observeMoved,
  sumInFlight,
} from "./in-flight.ts"
import { withinTime } from "./within-time.ts"

type Balance = AssetView["balance"]

const READ_MS = 20_000
const ROUNDS = 4

/**
 * One asset's balance with what is under way, both as of one moment; or why it cannot be said. Never throws for what the world does.
 *
 * The balance is read between two looks at every open order, and again where they differ: counting a deposit both in the wallet and on its way,
 * or neither, would make a rule ask for the same swap twice.
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
  let known = new Map<string, Moved>()
  for (let round = 0; round < ROUNDS; round++) {
    const orders = listOpenOrders(context, asset)
    const seenHeight = knownHeight(context, asset)
    const height = await chain.fetchHeight()
    if (height < seenHeight) return unreadable(behind(asset, height, seenHeight))
    const before = orders.map((order) => ({ order, moved: known.get(order.data.id) ?? movedByJournal(order) }))
    const { units, spendableUnits } = await chain.fetchBalance(asset, new Set())
    const after = await Promise.all(
      orders.map(async (order) => ({ order, moved: await observeMoved(chain, asset, order) })),
    )
    known = new Map(after.map(({ order, moved }) => [order.data.id, moved]))
    if (!isSame(before, after) || !isUntouched(orders, listOpenOrders(context, asset))) continue
    // Bitcoin's own change counts before its block, and so does a payout that no look at the chain believes yet.
    const waiting = chain.family === "bitcoin" && units !== spendableUnits
    if (waiting && after.some(({ order, moved }) => !moved.arrived && mayHavePayout(order, asset)))
      return unreadable(unclear(asset, "a payment waits for its block, and may be the payout of an open order"))
    const inFlight = sumInFlight(chain, asset, after)
    if (!inFlight.ok) return unreadable(inFlight.cause)
    const spendable = chain.family === "bitcoin" ? units : spendableUnits
    const { inUnits: inFlightInUnits, outUnits: inFlightOutUnits } = inFlight
    return { readable: true, spendableUnits: spendable, inFlightInUnits, inFlightOutUnits, floorUnits }
  }
  return unreadable(unclear(asset, "orders changed while it was read"))
}

/** What a deposit and its refund may cost, what orders under way may still need, and the configured rest; nothing where fees are paid in another coin. */
async function readFloor({ journal, settings }: EngineContext, chain: ChainPort, asset: AssetId): Promise<bigint> {
  if (settings.assets.get(asset)?.token !== null) return 0n
  const { depositUnits, refundUnits } = await chain.estimateFees(asset)
  return (
    depositUnits +
    refundUnits +
    journal.sumReservedFees(chain.chain, null) +
    (settings.minNative.get(chain.chain) ?? 0n)
  )
}

type Look = { readonly order: Order; readonly moved: Moved }

function isSame(before: readonly Look[], after: readonly Look[]): boolean {
  return before.every(({ moved }, index) => {
    const now = after[index]?.moved
    return now !== undefined && now.left === moved.left && now.back === moved.back && now.arrived === moved.arrived
  })
}

/** An order that was opened meanwhile would be missing in the count. */
function isUntouched(before: readonly Order[], after: readonly Order[]): boolean {
  return after.every(({ data }) => before.some((order) => order.data.id === data.id))
}

function unreadable(cause: Reason): Balance {
  return { readable: false, cause }
}

function behind(asset: AssetId, height: bigint, known: bigint): Reason {
  const message = `Our node of ${asset} is at height ${height}, and has shown ${known} before: its balances are old`
  return { code: "view.node_behind", message, asset, height: height.toString(), known: known.toString() }
}

function unclear(asset: AssetId, why: string): Reason {
  return { code: "view.unsteady", message: `What ${asset} holds is not clear now: ${why}`, asset }
}
