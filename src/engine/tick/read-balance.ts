import type { ChainPort } from "#chains/port.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import { isNativeAsset } from "#domain/native-coin.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Order } from "#order/step.ts"
import type { AssetView } from "#policy/treasury-view.ts"
import type { EngineContext } from "../context.ts"
import { reasonOf } from "../perform/job.ts"
import { knownHeight, listOpenOrders, mayHavePayout, observeMoved, sumInFlight } from "./in-flight.ts"
import { withinTime } from "./within-time.ts"

type Balance = AssetView["balance"]

const READ_MS = 20_000
const ROUNDS = 4

/**
 * One asset's balance with what is under way, both as of one moment; or why it cannot be said. Never throws for what the world does.
 *
 * Where orders are open, the balance is read before and after a look at each of them, and once more where it moved meanwhile: counting a deposit
 * both in the wallet and on its way, or neither, would make a rule ask for the same swap twice.
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
    const orders = listOpenOrders(context, asset)
    const knownUpTo = knownHeight(context, asset)
    const height = await chain.fetchHeight()
    if (height < knownUpTo) return unreadable(behind(asset, height, knownUpTo))
    const { units, spendableUnits } = await chain.fetchBalance(asset, new Set())
    const looks = await Promise.all(
      orders.map(async (order) => ({ order, moved: await observeMoved(chain, asset, order) })),
    )
    const again = orders.length === 0 ? null : await chain.fetchBalance(asset, new Set())
    const moved = again !== null && (again.units !== units || again.spendableUnits !== spendableUnits)
    // What was found above the height that the balances are of may or may not be in them.
    const isNewer = looks.some((look) => look.moved.height > height)
    if (moved || isNewer || !isUntouched(orders, listOpenOrders(context, asset))) continue
    // In the mempool our own change counts before its block, and so does a payout that `observeLeg` does not yet show.
    const countsMempool = chain.traits.balanceChangesIn === "mempool"
    const waiting = countsMempool && units !== spendableUnits
    if (waiting && looks.some((look) => !look.moved.arrived && mayHavePayout(look.order, asset)))
      return unreadable(unclear(asset, "a payment waits for its block, and may be the payout of an open order"))
    const inFlight = sumInFlight(chain, asset, looks)
    if (!inFlight.ok) return unreadable(inFlight.cause)
    const spendable = countsMempool ? units : spendableUnits
    const { inUnits: inFlightInUnits, outUnits: inFlightOutUnits } = inFlight
    return { readable: true, spendableUnits: spendable, inFlightInUnits, inFlightOutUnits, floorUnits }
  }
  return unreadable(unclear(asset, "money moved while it was read"))
}

/** What a deposit and its refund may cost, what orders under way may still need, and the configured rest; nothing where fees are paid in another coin. */
async function readFloor({ journal, settings }: EngineContext, chain: ChainPort, asset: AssetId): Promise<bigint> {
  const configured = settings.assets.get(asset)
  if (configured === undefined || !isNativeAsset(configured, chain.traits.nativeCoin)) return 0n
  const { depositUnits, refundUnits } = await chain.estimateFees(asset)
  return (
    depositUnits +
    refundUnits +
    journal.sumReservedFees(chain.chain, null) +
    (settings.minNative.get(chain.chain) ?? 0n)
  )
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
