import type { ChainPort } from "#chains/port.ts"
import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { OrderData } from "#order/data.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { wasDepositSigned } from "#order/guards.ts"
import { isFinal } from "#order/states.ts"
import type { Order } from "#order/step.ts"
import type { EngineContext } from "../context.ts"
import { readOrder } from "../known-orders.ts"
import { destinationQuery, sourceQuery } from "../leg-queries.ts"
import { observeAttempts } from "../perform/observe-transaction.ts"

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

export function listOpenOrders({ journal }: EngineContext, asset: AssetId): readonly Order[] {
  return journal
    .listOrders({ open: true })
    .filter(({ from, to }) => from === asset || to === asset)
    .map((row) => readOrder(journal, row))
}

/**
 * Takes final transactions from the journal and observes the rest on the asset's chain: a transaction that the journal does not know may have
 * happened a moment ago, and then the balance already contains it. Throws the errors of the chain port.
 */
export async function observeProgress(chain: ChainPort, asset: AssetId, { data }: Order): Promise<Progress> {
  const { seen, request } = data
  const [isSource, isDestination] = [request.from === asset, request.to === asset]
  const left = isSource && seen.sourceInitiated === null && mayHaveLeft(data) ? await findDeposit(chain, data) : null
  const back = isSource && seen.sourceRefunded === null && mayComeBack(data) ? await findRefund(chain, data) : null
  const arrived =
    isDestination && seen.destinationRedeemed === null && mayArrive(data) ? await findPayout(chain, data) : null
  const heights = [left, back, arrived].filter((height) => height !== null)
  return {
    left: seen.sourceInitiated !== null || left !== null,
    back: seen.sourceRefunded !== null || back !== null,
    arrived: seen.destinationRedeemed !== null || arrived !== null,
    height: heights.reduce((highest, height) => (height > highest ? height : highest), 0n),
  }
}

/**
 * An order in flight counts as completed: the deposit has left and the payout has arrived. An order that waits for its refund counts as refunded, and
 * one whose payout is lost brings nothing.
 */
export function sumInFlight(
  chain: ChainPort,
  asset: AssetId,
  orders: readonly { readonly order: Order; readonly progress: Progress }[],
): InFlight {
  let [inUnits, outUnits] = [0n, 0n]
  for (const { order, progress } of orders) {
    const { request } = order.data
    if (request.from === asset) {
      if (!progress.left) outUnits += request.sourceUnits
      else if (isReturning(order) && !progress.back) inUnits += request.sourceUnits
    }
    if (request.to !== asset || progress.arrived || isReturning(order) || isPayoutLost(order)) continue
    if (!chain.sameAddress(request.destinationOwner, chain.account)) continue
    const units = order.data.terms?.destinationUnits ?? order.data.quote?.destinationUnits
    if (units === undefined) return { ok: false, cause: unknownAmount(order) }
    inUnits += units
  }
  return { ok: true, inUnits, outUnits }
}

/** What the journal says of an order as far as it decides which of its transactions are looked for, and how its amounts count. */
export function wayOfCounting(order: Order, asset: AssetId): string {
  const { data } = order
  const { sourceInitiated, sourceRefunded, destinationRedeemed } = data.seen
  const asked = [mayHaveLeft(data), mayComeBack(data), mayArrive(data), isReturning(order), isPayoutLost(order)]
  const known = [sourceInitiated !== null, sourceRefunded !== null, destinationRedeemed !== null]
  const units =
    data.request.to === asset ? (data.terms?.destinationUnits ?? data.quote?.destinationUnits ?? null) : null
  return [data.id, ...asked, ...known, units].join(" ")
}

/** The highest block that our node has shown recently. A node below it has balances that are older than our journal. */
export function knownHeight({ journal, clock }: EngineContext, asset: AssetId): bigint {
  const chain = chainOf(asset)
  const sinceMs = clock.now() - RECENT_MS
  const heights = journal
    .listChangedSince(sinceMs)
    .filter(({ from, to }) => [from, to].some((id) => chainOf(id) === chain))
    .flatMap(({ snapshot }): bigint[] => {
      const order = decodeOrNull(snapshot)
      if (order === null) return []
      const { request, seen } = order.data
      const source = [seen.sourceInitiated, seen.sourceRedeemed, seen.sourceRefunded]
      const destination = [seen.destinationInitiated, seen.destinationRedeemed]
      const there = [
        ...(chainOf(request.from) === chain ? source : []),
        ...(chainOf(request.to) === chain ? destination : []),
      ]
      return there.flatMap((at) => (at === null ? [] : [at.height]))
    })
  return heights.reduce((highest, height) => (height > highest ? height : highest), 0n)
}

/** After this time the check trusts a chain that was reset. */
const RECENT_MS = 10 * 60_000

/** Whether an unconfirmed payout of the order may be part of the balance, where balances change in the mempool. */
export function mayHavePayout({ data }: Order, asset: AssetId): boolean {
  return data.request.to === asset && mayArrive(data)
}

function mayHaveLeft({ transactions, gasless }: OrderData): boolean {
  return transactions.deposit.signed.length > 0 || gasless !== null
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

function mayComeBack(data: OrderData): boolean {
  return data.seen.sourceInitiated !== null && data.deposit !== null
}

async function findRefund(chain: ChainPort, data: OrderData): Promise<bigint | null> {
  return (await chain.observeLeg(sourceQuery(data))).refunded?.height ?? null
}

/** A payout can only follow a deposit, which a reorganisation may have removed again. */
function mayArrive(data: OrderData): boolean {
  return data.deposit !== null && data.terms !== null && data.serviceOrder !== null && wasDepositSigned(data)
}

async function findPayout(chain: ChainPort, data: OrderData): Promise<bigint | null> {
  return (await chain.observeLeg(destinationQuery(data, chain.traits))).redeemed?.height ?? null
}

/** The order waits for its refund, or for the finality of a refund that a block shows: no payout follows. */
function isReturning({ state, data }: Order): boolean {
  return !isFinal(state) && (state.startsWith("refund-") || (state === "settling" && data.seen.sourceRefunded !== null))
}

/** The source was taken without a payout, and the order waits for a person. If the payout appears after all, the balance shows it. */
function isPayoutLost({ state, data }: Order): boolean {
  return state === "held" && data.alerted.includes("alarm.source_redeemed")
}

function unknownAmount({ data }: Order): Reason {
  const { id, request } = data
  const message = `Order ${id} buys ${request.to} and has no quote yet, so its payout is not known`
  return { code: "policy.amount_unknown", message, order: id, asset: request.to }
}
