import type { Reason } from "#domain/reason.ts"
import type { RedeemStake } from "#domain/redeem-fee-cap.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { SignedTransaction, TransactionRequest } from "#domain/transaction.ts"
import { destinationQuery, payoutOf, sourceQuery } from "#engine/orders/leg-queries.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { OrderData } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RoutePort } from "#ports/route.ts"
import { withUrgency } from "#ports/urgency.ts"
import { withBoundedReads } from "./bounded-port.ts"
import { type Blind, decideStep, decideUnread, type TowerStep } from "./decide-step.ts"
import { planPayout, readGiven } from "./guard-payout.ts"
import { type Attempt, type Sending, sendOnce } from "./send-once.ts"
import { sendSigned } from "./send-signed.ts"

/** A chain of the tower. `canSend`: its key may redeem and refund there for the treasury. */
export type TowerChain = {
  readonly port: ChainPort
  readonly canSend: boolean
  readonly stuckAfterMs: number
}

/** One order, from its rescue file. `secret` is `null` unless the daemon had decided to tell it. */
export type GuardedOrder = {
  readonly data: OrderData
  readonly secret: string | null
  /** The payout in its chain's native coin; `null` without a price. */
  readonly worthUnits: bigint | null
  /** The redemption at rising fees, where the tower's own key cannot redeem. */
  readonly redemptions: readonly SignedTransaction[]
  readonly memory: TowerMemory
  /** The route that the order took, where no service but a voucher gives its payout. */
  readonly route?: RoutePort
  readonly source: TowerChain
  readonly destination: TowerChain
}

/**
 * The one thing that outlives the process: a redemption was sent, or may have been. `note` waits
 * for the disk.
 */
export type TowerMemory = { readonly hasSent: () => boolean; readonly noteSent: () => void }

/**
 * What one round found or did, for a person. `txid`: the tower's newest transaction, or the one
 * that ended the order.
 */
export type TowerReport = {
  readonly act: TowerStep["act"]
  readonly reasons: readonly Reason[]
  readonly txid: string | null
}

type TowerWorld = {
  readonly clock: Clock
  readonly everyMs: number
  readonly signal: AbortSignal
  /** The orders of the rescue files that are there now. */
  readonly listOrders: () => Promise<readonly GuardedOrder[]>
  /** End once all of them have ended. */
  readonly endsAlone: boolean
  readonly tell: (order: string, report: TowerReport) => void
}

/**
 * Observes the orders side by side, and acts for each one when it is due. The rounds of one order
 * follow one another, so a silent node delays the orders of its chain alone.
 */
export async function watchOrders(world: TowerWorld): Promise<void> {
  const { clock, everyMs, signal, listOrders, endsAlone } = world
  const watch: Watch = { attempts: new Map(), ended: new Set(), lanes: new Map() }
  const underWay = new Map<string, Promise<void>>()
  const { promise: broken, reject } = Promise.withResolvers<never>()
  while (!signal.aborted) {
    const orders = await listOrders()
    for (const order of orders) {
      const { id } = order.data
      if (watch.ended.has(id) || underWay.has(id)) continue
      const round = runRound(world, watch, order).finally(() => underWay.delete(id))
      underWay.set(id, round)
      round.catch(reject)
    }
    await Promise.race([clock.sleep(everyMs, signal), broken])
    if (endsAlone && orders.every(({ data }) => watch.ended.has(data.id))) return
  }
}

/**
 * What the rounds share. `attempts`: the tower's newest transaction by order. `lanes`: the end of
 * the last act on each chain.
 */
type Watch = {
  readonly attempts: Map<string, Attempt>
  readonly ended: Set<string>
  readonly lanes: Map<string, Promise<unknown>>
}

/**
 * Observes the legs and takes the step that follows. An error of a node is a reason in the report:
 * the next round tries again.
 */
async function runRound(world: TowerWorld, watch: Watch, given: GuardedOrder): Promise<void> {
  const { clock, tell } = world
  const order = withEndingReads(given, clock)
  const { id } = order.data
  let act: TowerStep["act"] = "wait"
  try {
    const { step, unread } = await chooseStep(world, order)
    act = step.act
    if (step.act === "wait") {
      const reasons = [...unread, step.reason]
      return tell(id, { act, reasons, txid: null })
    }
    if (step.act === "end") {
      watch.ended.add(id)
      watch.attempts.delete(id)
      return tell(id, { act, reasons: [], txid: step.txid })
    }
    const next = await actInLane(watch, order, step, clock.now())
    tell(
      id,
      "refused" in next
        ? { act, reasons: next.refused, txid: null }
        : { act, reasons: [], txid: next.transaction.txid },
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message } = error
    tell(id, { act, reasons: [{ code, message }], txid: null })
  }
}

function withEndingReads(order: GuardedOrder, clock: Clock): GuardedOrder {
  const bounded = (chain: TowerChain): TowerChain => ({
    ...chain,
    port: withBoundedReads(chain.port, clock),
  })
  return { ...order, source: bounded(order.source), destination: bounded(order.destination) }
}

/**
 * Two plans on one chain at the same time would take the same nonce, so each one waits for the one
 * before it. Without nonces none waits.
 */
async function actInLane(
  { attempts, lanes }: Watch,
  order: GuardedOrder,
  step: Acting,
  nowMs: number,
): ReturnType<typeof sendOnce> {
  const { id } = order.data
  const { port } = step.act === "redeem" ? order.destination : order.source
  const turn = async () => {
    const earlier = attempts.get(id) ?? null
    const others = [...attempts].flatMap(([other, attempt]) => (other === id ? [] : [attempt]))
    const next = await withUrgency("effect", () => act(order, step, { earlier, others }, nowMs))
    if (!("refused" in next)) attempts.set(id, next)
    return next
  }
  if (port.nonces === undefined) return turn()
  const mine = (lanes.get(port.chain) ?? Promise.resolve()).then(turn)
  // The next act begins also after a failure of this one.
  lanes.set(
    port.chain,
    mine.catch(() => undefined),
  )
  return mine
}

type Acting = Extract<TowerStep, { act: "redeem" | "refund" }>

/** The tower's newest transaction for the order, and those for the other orders. */
type Attempts = { readonly earlier: Attempt | null; readonly others: readonly Attempt[] }

/** How long a leg that was read waits for the other one before it is decided alone. */
const PATIENCE_MS = 10_000

/**
 * Decides by both legs, or by the one that can be read if the other one's nodes fail or stay silent
 * and its own knowledge is enough. `unread`: why a leg could not be read.
 */
async function chooseStep(
  { clock }: TowerWorld,
  order: GuardedOrder,
): Promise<{ readonly step: TowerStep; readonly unread: readonly Reason[] }> {
  const { data, source, destination, secret, worthUnits } = order
  const known = { secret, wasSent: order.memory.hasSent(), worthUnits }
  const query = { ...destinationQuery(data, destination.port.traits), isExact: true } as const
  const seen: { payout: LegObservation | null; deposit: LegObservation | null } = {
    payout: null,
    deposit: null,
  }
  const unread: Reason[] = []
  const readings = [
    noteLeg(destination.port.observeLeg(query), (leg) => (seen.payout = leg), unread),
    noteLeg(source.port.observeLeg(sourceQuery(data)), (leg) => (seen.deposit = leg), unread),
  ]
  const both = Promise.all(readings)
  const enough = new AbortController()
  const patience = Promise.race(readings).then(() => clock.sleep(PATIENCE_MS, enough.signal))
  await Promise.race([both, patience]).finally(() => enough.abort("answered"))
  const decide = async () =>
    decideStep(data, { ...known, payable: await readGiven(order, seen, clock.now()) }, seen)
  const step = await decide()
  if (step.act !== "wait") return { step, unread }
  await both
  const last = await decide()
  if (last.act !== "wait" || isAgreed(seen.payout, seen.deposit)) return { step: last, unread }
  const blind = await readBlind(order, clock.now())
  return { step: decideUnread(data, known, { ...seen, blind }) ?? last, unread }
}

function isAgreed(...legs: readonly (LegObservation | null)[]): boolean {
  return legs.every((leg) => leg?.agreed === true)
}

/** A deadline that is known needs nothing but the heads of the chains. */
async function readBlind({ source, destination }: GuardedOrder, nowMs: number): Promise<Blind> {
  const [payoutHead, depositHead] = await Promise.all(
    [destination, source].map(({ port }) => readHead(port)),
  )
  return { nowMs, payoutHead: payoutHead ?? null, depositHead: depositHead ?? null }
}

async function readHead(port: ChainPort): Promise<bigint | null> {
  try {
    return await port.fetchHeight()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return null
  }
}

/** Keeps the observation, or the reason why there is none. Throws only a defect. */
async function noteLeg(
  reading: Promise<LegObservation>,
  keep: (leg: LegObservation) => void,
  unread: Reason[],
): Promise<void> {
  try {
    keep(await reading)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    unread.push({ code: error.code, message: error.message })
  }
}

async function act(
  order: GuardedOrder,
  step: Acting,
  { earlier: newest, others }: Attempts,
  nowMs: number,
): ReturnType<typeof sendOnce> {
  const chain = step.act === "redeem" ? order.destination : order.source
  const { redemptions } = order
  if (!chain.canSend && (step.act === "refund" || redemptions.length === 0))
    return { refused: [NO_KEY] }
  const voucher = step.act === "redeem" ? step.voucher : undefined
  if (step.act === "redeem" && voucher === undefined && order.data.ownSecret?.isTold !== true)
    order.memory.noteSent()
  const { request, plan } =
    voucher === undefined ? spendHtlc(order, step) : takePayout(order, voucher)
  // A redemption that came too late is no attempt of the refund.
  const earlier = newest?.transaction.plan.action === request.action ? newest : null
  const plans = others
    .map(({ transaction }) => transaction.plan)
    .filter(({ chain: name }) => name === chain.port.chain)
  const reserved = new Set(plans.flatMap(({ resources }) => resources))
  const { port, stuckAfterMs } = chain
  const sending = { port, request, plan, nowMs, reserved, stuckAfterMs }
  return chain.canSend ? sendOnce(sending, earlier) : sendSigned(sending, redemptions, earlier)
}

type Planning = Pick<Sending, "request" | "plan">

function spendHtlc(order: GuardedOrder, step: Acting): Planning {
  const isRedemption = step.act === "redeem"
  const request = isRedemption ? redeemRequest(order, step.stake) : refundRequest(order)
  const { port } = isRedemption ? order.destination : order.source
  return { request, plan: (reserved) => port.planTransaction(request, reserved) }
}

function takePayout(order: GuardedOrder, voucher: RouteVoucher): Planning {
  const request = { action: "redeem", asset: order.data.request.to } as const
  return { request, plan: (reserved) => planPayout(order, voucher, reserved) }
}

function redeemRequest(
  { data, secret, destination }: GuardedOrder,
  stake: RedeemStake | null,
): Extract<TransactionRequest, { action: "redeem" }> {
  const payout = payoutOf(data, destination.port.traits)
  const urgency = stake === null ? {} : { stake }
  return {
    action: "redeem",
    asset: data.request.to,
    payout,
    secret: mustExist(secret, "the told secret"),
    ...urgency,
  }
}

function refundRequest({ data }: GuardedOrder): Extract<TransactionRequest, { action: "refund" }> {
  const deposit = mustExist(data.deposit, "the verified deposit")
  return {
    action: "refund",
    asset: data.request.from,
    deposit,
    swapId: data.serviceOrder?.source.swapId ?? "",
  }
}

const NO_KEY: Reason = {
  code: "tower.no_key",
  message:
    "Only the wallet's own key can spend this HTLC: start the daemon, or use the output of " +
    "`ballast rescue`",
}
