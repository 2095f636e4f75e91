import { chainOf } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { Reason } from "#domain/reason.ts"
import { decideIntent } from "#guards/intent.ts"
import { verifyDeposit } from "#guards/verify-deposit.ts"
import { toAppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import { beginOrder, type Order } from "#order/step.ts"
import type { LegObservation, OnChain } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Reservations } from "#ports/journal/reservations.ts"
import type { ServicePort, WantedOrders } from "#ports/service.ts"
import type { SecretDecisions } from "#ports/signing-record.ts"
import type {
  Clocked,
  Configured,
  HasChains,
  HasJournal,
  Logged,
  Naming,
  Remembering,
} from "../context.ts"
import { destinationQuery, sourceQuery } from "../orders/leg-queries.ts"
import { readDatedInTime, readInTime } from "../orders/observe/read-in-time.ts"
import { adoptOrder } from "../orders/stepper.ts"
import { draftOrder } from "../rules/admission.ts"
import { recoverDeposits } from "./recover-deposits.ts"
import {
  describeUnsure,
  MOST_OVER,
  type RecoverContext,
  type RecoveredOrder,
  type Recovery,
  RULE,
  RUN_MS,
  replay,
  type UnreadList,
  withDeposit,
  withPayout,
} from "./recovered-order.ts"

/*
 * After the loss of a journal: the service lists the orders, the key gives the secrets, and the
 * chains tell where the money is. What is found is written into the journal as an order that waits
 * for its payout, so that the daemon's own machine, with all its proofs, does the rest.
 */

const AT_ONCE = 16
/** The newest settled orders are listed, of the others those with money or a doubt. */
const MOST_ENDED = 500

/**
 * Finds the orders of our wallets at every service. With `adopt` those with our money in an HTLC
 * become orders of the journal. No word of a service keeps an order from the comparison with the
 * chains: `leftOut` is for the next run, which goes on behind the orders that are over.
 */
export async function recoverOrders(context: RecoverContext, adopt: boolean): Promise<Recovery> {
  const heightOf = rememberHeights(context)
  const untilMs = context.clock.now() + RUN_MS
  const orders: RecoveredOrder[] = []
  const unread: UnreadList[] = []
  let ended = 0
  let leftOut = 0
  const accounts = new Set([...context.chains.values()].map(({ account }) => account))
  for (const [service, port] of context.services)
    for (const account of accounts) {
      const sources = [...context.chains.values()].filter((chain) => chain.account === account)
      const listed = await listOrders(port, account, {
        onSettled: async (page) => {
          for (const one of await recoverAll(context, { service, page, sources, heightOf }, adopt))
            if (!isEnded(one) || ended++ < MOST_ENDED) orders.push(one)
          return context.clock.now() < untilMs
        },
        onLeftOut: (count) => {
          leftOut += count
        },
      })
      if ("reason" in listed)
        for (const { chain } of sources) unread.push({ service, chain, reasons: [listed.reason] })
      else
        orders.push(
          ...(await recoverAll(
            context,
            { service, page: listed.orders, sources, heightOf },
            adopt,
          )),
        )
    }
  const routed = await recoverDeposits(context, { adopt, untilMs })
  await context.journal.durable()
  return {
    orders: [...orders, ...routed.orders],
    unread: [...unread, ...routed.unread],
    leftOut: leftOut + routed.leftOut,
  }
}

function isEnded({ status }: RecoveredOrder): boolean {
  return status === "over" || status === "unfunded"
}

type Page = {
  readonly service: string
  readonly page: readonly ServiceOrder[]
  readonly sources: readonly ChainPort[]
  readonly heightOf: Listed["heightOf"]
}

/**
 * Several are compared at once. Each with our money is adopted as soon as it is compared: one with
 * a silent chain delays no other.
 */
async function recoverAll(
  context: RecoverContext,
  { service, page, sources, heightOf }: Page,
  adopt: boolean,
): Promise<readonly RecoveredOrder[]> {
  const { over } = context.memory
  const waiting = page.flatMap((order) => {
    const source = sources.find(({ chain }) => chain === order.source.chain)
    return source === undefined || over.has(keyOf(service, order))
      ? []
      : [{ service, order, source, heightOf }]
  })
  const found: RecoveredOrder[] = []
  while (waiting.length > 0) {
    const some = waiting.splice(0, AT_ONCE)
    const seen = await Promise.all(some.map((listed) => recoverNew(context, listed, adopt)))
    for (const [index, { order }] of some.entries()) {
      const one = seen[index] ?? null
      if (one === null) continue
      if (one.status === "over" && over.size < MOST_OVER) over.add(keyOf(service, order))
      found.push(one)
    }
  }
  return found
}

/** A service that gives two orders one secret hash could as well hide one of them. */
function keyOf(service: string, { source }: ServiceOrder): string {
  return `${service} ${source.secretHash}`
}

/** `null` for an order of the journal. */
async function recoverNew(
  context: RecoverContext,
  listed: Listed,
  adopt: boolean,
): Promise<RecoveredOrder | null> {
  return isKnown(context, listed.order) ? null : recoverOne(context, listed, adopt)
}

function isKnown({ journal }: HasJournal<Reservations>, { source }: ServiceOrder): boolean {
  return journal.isSecretHashKnown(source.secretHash, "")
}

/** Zero where it cannot be read: the search of a leg then begins at the first block. */
function rememberHeights(context: Clocked & Logged & Remembering): Listed["heightOf"] {
  const known = new Map<ChainPort, Promise<bigint>>()
  return async (port) => {
    const key = `recover ${port.chain} height`
    const asked = known.get(port) ?? readInTime(context, key, () => port.fetchHeight())
    known.set(port, asked)
    try {
      return await asked
    } catch (error) {
      known.delete(port)
      context.log.warn({ chain: port.chain, err: error }, "The height of a chain is unread")
      return 0n
    }
  }
}

async function listOrders(
  port: Pick<ServicePort, "findOrders">,
  account: string,
  wanted: WantedOrders,
): Promise<{ readonly orders: readonly ServiceOrder[] } | { readonly reason: Reason }> {
  try {
    const orders = await port.findOrders(account, wanted)
    return orders === null ? { reason: NO_LIST } : { orders }
  } catch (error) {
    const { code, message } = toAppError(error, {
      code: "recover.unread",
      disposition: "transient",
    })
    return { reason: { code, message } }
  }
}

const NO_LIST: Reason = {
  code: "recover.no_list",
  message: "The service gave no complete list of our orders",
}

type Listed = {
  readonly service: string
  readonly order: ServiceOrder
  readonly source: ChainPort
  /** A height of this run: the search of a leg begins far below it. */
  readonly heightOf: (chain: ChainPort) => Promise<bigint>
}

async function recoverOne(
  context: RecoverContext,
  listed: Listed,
  adopt: boolean,
): Promise<RecoveredOrder | null> {
  const { service, order } = listed
  const hasOwnSecret = hashOfOurs(context, listed) === order.source.secretHash
  const shared = {
    service,
    orderId: order.orderId,
    from: order.source.asset,
    to: order.destination.asset,
    hasOwnSecret,
  }
  const answer = (
    status: RecoveredOrder["status"],
    reasons: readonly Reason[] = [],
    id: string | null = null,
  ) => {
    return { ...shared, status, id, reasons }
  }
  try {
    const unknown = findUnknown(context, order)
    if (unknown !== null) return answer("unclear", [unknown])
    const drafts = await draftOrders(context, listed)
    const reasons = drafts.flatMap((draft) => ("refused" in draft ? draft.refused : []))
    for (const draft of drafts) {
      if ("refused" in draft) continue
      const leg = await readDeposit(context, listed, draft)
      if ("payout" in leg) {
        if (!adopt) return answer("found")
        if (isKnown(context, listed.order)) return null
        const paid = withPayout(draft, leg.payout, context.clock.now())
        return answer("adopted", [], adoptOrder(context, paid))
      }
      // Without agreement an empty contract proves nothing.
      if (leg.initiated === null && !leg.agreed) return answer("unclear", describeUnsure(leg))
      if (leg.initiated === null) continue
      if (await isOver(context, draft, leg)) return answer("over")
      // The lock of a payout that our secret opens does not wait: the order's own looks prove more.
      const isYoung = !leg.agreed || !leg.initiated.final
      if (isYoung && !hasOwnSecret) return answer("unclear", describeUnsure(leg))
      if (!adopt) return answer("found")
      // Another run may have adopted it while this one read.
      if (isKnown(context, listed.order)) return null
      return answer("adopted", [], adoptDraft(context, draft, leg))
    }
    return reasons.length === drafts.length && reasons.length > 0
      ? answer("unclear", reasons)
      : answer("unfunded")
  } catch (error) {
    const { code, message } = toAppError(error, {
      code: "recover.unread",
      disposition: "transient",
    })
    return answer("unclear", [{ code, message }])
  }
}

/**
 * The deposit, or the payout where the source does not answer: the lock of a payout that our secret
 * opens does not wait for a silent chain. Throws where neither is shown.
 */
async function readDeposit(
  context: HasChains & Clocked & Logged & Remembering,
  { source, order }: Listed,
  { data }: Order,
): Promise<LegObservation | { readonly payout: OnChain }> {
  const key = `recover ${order.source.secretHash}`
  const query = { ...sourceQuery(data), provesAbsence: true } as const
  const read = () => source.observeLeg(query)
  if (data.ownSecret == null) return readPatiently(context, key, read)
  try {
    return await readInTime(context, key, read)
  } catch (error) {
    const payout = await readOpenPayout(context, data)
    if (payout !== null) return { payout }
    context.log.warn({ err: error }, "A deposit could not be read at once; the search waits")
    return readPatiently(context, key, read)
  }
}

/** A solver pays for a deposit alone. `null`: no node shows exactly the verified payout, open. */
async function readOpenPayout(
  context: HasChains & Clocked & Logged & Remembering,
  data: OrderData,
): Promise<OnChain | null> {
  const destination = mustExist(
    context.chains.get(chainOf(data.request.to)),
    "the destination chain",
  )
  const query = { ...destinationQuery(data, destination.traits), isExact: true } as const
  try {
    const { agreed, initiated, redeemed, refunded } = await readInTime(
      context,
      `recover ${query.secretHash} open payout`,
      () => destination.observeLeg(query),
    )
    const isWhole = initiated?.units === data.terms?.destinationUnits
    return agreed && isWhole && redeemed === null && refunded === null ? initiated : null
  } catch (error) {
    context.log.warn({ err: error }, "A payout could not be read beside its deposit")
    return null
  }
}

/**
 * The deposit is back, or taken for a payout that reached us. A payout that cannot be read is open
 * where our own secret is told.
 */
async function isOver(
  context: HasChains & Clocked & Logged & Remembering,
  { data }: Order,
  { refunded, redeemed }: LegObservation,
): Promise<boolean> {
  if (refunded?.final === true) return true
  if (redeemed?.final !== true) return false
  const destination = mustExist(
    context.chains.get(chainOf(data.request.to)),
    "the destination chain",
  )
  try {
    const query = destinationQuery(data, destination.traits)
    const key = `recover ${query.secretHash} payout`
    const read = () => destination.observeLeg(query)
    const payout = await (data.ownSecret == null
      ? readPatiently(context, key, read)
      : readInTime(context, key, read))
    return payout.redeemed?.final === true
  } catch (error) {
    if (data.ownSecret == null) throw error
    context.log.warn({ err: error }, "A payout could not be read; its redemption does not wait")
    return false
  }
}

/** A silent chain delays no other order for longer. */
const READ_MS = 60_000

async function readPatiently<T>(
  context: Clocked & Remembering,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  return (await readDatedInTime(context, key, read, READ_MS)).value
}

function findUnknown(
  { settings, chains }: HasChains & Configured,
  { source, destination }: ServiceOrder,
): Reason | null {
  const unknown = [source, destination].find(
    ({ asset }) => !settings.assets.has(asset) || !chains.has(chainOf(asset)),
  )
  if (unknown === undefined) return null
  const message = `${unknown.asset} is not configured; add it, then recover again`
  return { code: "recover.unknown_asset", message, asset: unknown.asset }
}

type Draft = Order | { readonly refused: readonly Reason[] }

/**
 * The order as it would stand after its verification, for each contract that may hold its deposit.
 * Nothing of it is believed unverified.
 */
async function draftOrders(
  context: HasJournal<OrderSums> & HasChains & Configured & Clocked & Naming,
  listed: Listed,
): Promise<readonly Draft[]> {
  const { service, order, source } = listed
  const destination = mustExist(
    context.chains.get(chainOf(order.destination.asset)),
    "the destination chain",
  )
  const from = order.source.asset
  const to = order.destination.asset
  const sourceUnits = order.source.units
  const request = { from, to, sourceUnits, rule: RULE, occurrence: null }
  const input = { ...draftOrder(context, request, null), nonce: order.nonce }
  const sourceHeight = await listed.heightOf(source)
  const destinationHeight = await listed.heightOf(destination)
  const { sourceOwner, destinationOwner } = input.request
  const destinationUnits = order.destination.units
  const terms = { from, to, sourceUnits, destinationUnits, sourceOwner, destinationOwner }
  const own = hashOfOurs(context, listed)
  const ownSecret = own === order.source.secretHash ? { nonce: order.nonce, hash: own } : null
  return source.rebuildRequests(order).map((depositRequest) => {
    const created = { orderId: order.orderId, depositRequest }
    const verdict = verifyDeposit({
      terms,
      policy: input.policy,
      created,
      order: withoutProgress(order),
      decoded: source.decodeDeposit(depositRequest, order, from),
      context: {
        nowMs: context.clock.now(),
        // The time for the deposit is no question: it is on chain, or none of ours is sent again.
        sendUntilMs: context.clock.now() + 1,
        secretHashKnown: false,
        ...(ownSecret === null
          ? {}
          : {
              ownSecret: {
                hash: ownSecret.hash,
                delegate: destination.destinationExtras["delegate"] ?? null,
              },
            }),
        sameOnSource: (a, b) => source.sameAddress(a, b),
        sameOnDestination: (a, b) => destination.sameAddress(a, b),
        isSourceAddress: (text) => source.isAddress(text),
        destinationFindings: destination.outputs?.checkDestination(order.destination) ?? [],
      },
    })
    if (!verdict.ok) return { refused: verdict.reasons }
    const fromHeights = {
      source: earlier(sourceHeight, order.source.timelock),
      destination: earlier(destinationHeight, order.destination.timelock),
    }
    const accepted = { type: "quote.accepted", quote: quoteOf(order), service } as const
    const opened = {
      type: "order.created",
      created,
      terms,
      ...(ownSecret === null ? {} : { ownSecret }),
    } as const
    const verified = verifiedEvent(verdict.deposit, order, fromHeights, terms)
    return replay(beginOrder(input).order, [accepted, opened, verified], input.createdAt)
  })
}

function verifiedEvent(
  deposit: VerifiedDeposit,
  serviceOrder: ServiceOrder,
  fromHeights: OrderData["fromHeights"],
  terms: NonNullable<OrderData["terms"]>,
) {
  const intent = decideIntent(terms, deposit, serviceOrder, 0n)
  return {
    type: "deposit.verified",
    deposit,
    serviceOrder,
    fromHeights,
    intent,
    sendUntilMs: 0,
    needsApproval: false,
  } as const
}

/**
 * A secret that the chain shows counts as told; its decision comes first, so no refund is signed.
 */
function adoptDraft(
  context: HasJournal<FlagStore & OrderStore & SecretDecisions> & Clocked & Logged & Remembering,
  draft: Order,
  leg: LegObservation,
): string {
  const order = withShownSecret(withDeposit(draft, leg, context.clock.now()), leg)
  const { id: orderId, ownSecret, seen } = order.data
  if (ownSecret?.isShown === true) {
    const { at: atMs } = mustExist(seen.sourceRedeemed, "the redeemed source")
    const secretHash = ownSecret.hash
    context.journal.decideSecret({ orderId, decision: "reveal", secretHash, atMs })
  }
  return adoptOrder(context, order)
}

/** The contract pays the deposit only for the preimage, so others have our secret. */
function withShownSecret(order: Order, { agreed, redeemed }: LegObservation): Order {
  const { ownSecret, seen } = order.data
  if (ownSecret == null || !agreed || redeemed === null) return order
  const revealedAt = seen.sourceRedeemed?.at ?? null
  const told = {
    ...ownSecret,
    status: "revealed",
    revealedAt,
    isTold: true,
    isShown: true,
  } as const
  return { state: "revealed", data: { ...order.data, ownSecret: told } }
}

function hashOfOurs({ settings }: Configured, { service, order }: Listed): string | null {
  const keeper = settings.ownSecrets?.keeper ?? null
  return keeper === null ? null : keeper.hashOf({ service, nonce: order.nonce })
}

/** The verification is made for an order before its deposit; here the chain tells how far it is. */
function withoutProgress(order: ServiceOrder): ServiceOrder {
  const nothing = {
    filledUnits: 0n,
    secret: null,
    initiateTx: null,
    redeemTx: null,
    refundTx: null,
    instantRefundTx: null,
    currentConfirmations: 0,
  }
  const { source, destination } = order
  return {
    ...order,
    source: { ...source, ...nothing },
    destination: { ...destination, ...nothing },
  }
}

function quoteOf({ source, destination }: ServiceOrder): NonNullable<OrderData["quote"]> {
  const amounts = { sourceUnits: source.units, destinationUnits: destination.units }
  const unknown = { sourceFiat: null, destinationFiat: null, estimatedSeconds: null }
  return { from: source.asset, to: destination.asset, ...amounts, ...unknown, solverId: "" }
}

/** Where the search for an HTLC begins: an open one is not older than a few of its own locks. */
function earlier(height: bigint, timelock: bigint): bigint {
  const from = height - 3n * timelock
  return from > 0n ? from : 0n
}
