import type { TransactionPlan } from "#domain/transaction.ts"
import { assert } from "#lib/assert.ts"
import { isFinal, purposeOf } from "#order/states.ts"
import type { Order } from "#order/step.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import type {
  Clocked,
  Configured,
  HasChains,
  HasJournal,
  HasServices,
  Leased,
  Logged,
  OfferContext,
  Remembering,
  Stoppable,
} from "../context.ts"
import { fullNames } from "../orders/deposit/bind-plan.ts"
import { isUnsent } from "../orders/is-unsent.ts"
import { leadsToDeposit } from "../orders/observe/job.ts"
import { FILL, followFills } from "../orders/pay/follow-fills.ts"
import {
  groupByNonce,
  isLeft,
  isOwed,
  type Nonce,
  nonceOf,
  planOf,
  type Signature,
  toPurpose,
  toSigned,
} from "../orders/pay/nonce-rows.ts"
import { sendOwedAgain } from "../orders/pay/send-owed-again.ts"
import { putRescueFirst } from "../orders/pay/take-nonce.ts"
import { applyEvent } from "../orders/stepper.ts"
import { findOrderStops } from "./pause.ts"
import type { Watch } from "./watch.ts"

const CHECK_MS = 10_000
/** A gap that is older than this does not close by itself. */
const PATIENCE_MS = 30_000
/**
 * The oldest transaction of ours waits longer than this: the account's count is read, in case it
 * waits behind a nonce that is not ours.
 */
const LONG_WAIT_MS = 120_000

/**
 * Closes gaps in the nonces of an account. A signature that rests unsent, because its order is
 * paused, held or over, would keep every later transaction of the account from its block. Deposits
 * that are owed are sent again on each chain, also without nonces.
 */
export function createGapFiller(
  context: HasJournal & Stoppable & Leased & Remembering & OfferContext,
): Watch {
  const since = new Map<string, number>()

  async function ask(port: ChainPort): Promise<void> {
    if (port.nonces !== undefined) await closeGaps(port)
    // Redemptions of told secrets come first, and an HTLC's deposit is never owed.
    if (context.routes !== undefined) await sendOwedAgain(context, port)
  }

  async function closeGaps(port: ChainPort): Promise<void> {
    await followFills(context, port)
    await putRescueFirst(context, port, groupByNonce(context, port))
    const nonces = groupByNonce(context, port)
    const [lowest] = nonces
    const waits = `${port.chain}/from ${lowest?.nonce}`
    const isLong = (name: string, ms: number): boolean =>
      context.clock.now() - (since.get(name) ?? context.clock.now()) >= ms
    const gap =
      (await findGap(context, port, nonces)) ??
      (isLong(waits, LONG_WAIT_MS) ? await findForeignGap(context, port, lowest) : null)
    const names = [...(lowest === undefined ? [] : [waits]), ...(gap === null ? [] : [gap.name])]
    const nowMs = context.clock.now()
    for (const known of since.keys())
      if (known.startsWith(`${port.chain}/`) && !names.includes(known)) since.delete(known)
    // A time after now was written before the clock was set back.
    for (const name of names) since.set(name, Math.min(since.get(name) ?? nowMs, nowMs))
    if (gap === null) return
    if (isLong(gap.name, PATIENCE_MS)) await close(context, port, gap)
  }

  return {
    name: "nonce gaps",
    everyMs: CHECK_MS,
    // Redemptions of told secrets wait behind a gap.
    urgency: "effect",
    spends: true,
    ports: () => context.chains.values(),
    ask,
  }
}

/**
 * A nonce that no block and no mempool has, with its signatures. `blocked`: an order that waits
 * behind it. `unclaimed`: a plan with that nonce, where no signature of ours has it.
 */
type Gap = {
  readonly name: string
  readonly rows: readonly Signature[]
  readonly blocked: string
  readonly unclaimed?: TransactionPlan
}

/**
 * The lowest gap before a transaction that waits. Only the signatures of resting orders are read
 * from the chain.
 */
async function findGap(
  context: HasJournal<FlagStore & OrderStore> & Configured & Clocked & Logged & Stoppable & Leased,
  port: ChainPort,
  nonces: readonly Nonce[],
): Promise<Gap | null> {
  for (const [index, { nonce, rows }] of nonces.entries()) {
    if (!rows.every((row) => isOwed(row) || isLeft(row) || isResting(context, row))) continue
    const later = nonces.slice(index + 1).flatMap((one) => one.rows)
    const blocked = await findBlocked(context, port, later)
    if (blocked === undefined || !(await isMissing(port, rows))) continue
    // A block with a later nonce has this one too; the node that misses it is behind.
    if (await isMined(port, blocked)) continue
    return { name: `${port.chain}/${nonce}`, rows, blocked: blocked.orderId }
  }
  return null
}

/**
 * A nonce below our lowest that nothing uses. Another program with our key used it, and a
 * reorganisation removed that transaction; ours would wait behind it without end.
 */
async function findForeignGap(
  context: HasJournal<SigningRecord>,
  port: ChainPort,
  lowest: Nonce | undefined,
): Promise<Gap | null> {
  const blocked = lowest?.rows.find((row) => row.raw !== null && planOf(row)?.action !== "void")
  const plan = blocked === undefined ? null : planOf(blocked)
  if (
    lowest === undefined ||
    blocked === undefined ||
    plan === null ||
    (await isMined(port, blocked))
  )
    return null
  const unclaimed = await port.nonces?.bindPlan({ ...plan, attempt: 0 }, new Set())
  const nonce = nonceOf(unclaimed?.resources ?? [])
  if (unclaimed === undefined || nonce === null || nonce >= lowest.nonce) return null
  // A count below a nonce that we have used comes from a node that is behind.
  if (
    unclaimed.resources.some((one) =>
      context.journal.isResourceSigned(port.chain, port.account, one),
    )
  )
    return null
  return { name: `${port.chain}/${nonce}`, rows: [], blocked: blocked.orderId, unclaimed }
}

/**
 * No work of the order sends this signature by itself. A fill belongs to no work: the rounds send
 * it.
 */
function isResting(
  context: HasJournal<FlagStore & OrderStore> & Configured & Clocked & Logged & Stoppable & Leased,
  { order, purpose, raw }: Signature,
): boolean {
  if (order === null || purpose.startsWith(FILL) || isFinal(order.state) || order.state === "held")
    return true
  const kind = toPurpose(order, purpose)
  if (kind === null) return false
  const current = purposeOf(order.state)
  // The key never signed it, and the order does something else now. A later try binds a nonce of
  // its own.
  if (!leadsToDeposit(kind))
    return current !== kind && (raw === null || isKeptRedemption(order, purpose))
  const { sentAt } = order.data.transactions[kind]
  // The order went on to protect its funds. It sends this signature no more, unless it is a deposit
  // that a void is to exclude.
  if ((sentAt === null || kind === "approve") && current !== null && !leadsToDeposit(current))
    return true
  // Without the cluster's log no deposit is signed, and a refund must not wait behind its nonce.
  const isLogSilent = (context.findLogSilence?.() ?? null) !== null
  const isStopped = isLogSilent || findOrderStops(context, order.data).length > 0
  return isStopped && isUnsent(context, order.data, kind)
}

/**
 * A redemption that was signed too late to be the first to tell its secret. Nothing sends it: not
 * its order, which keeps the secret, and no round for another order.
 */
function isKeptRedemption(order: Order | null, purpose: string): boolean {
  const { ownSecret, transactions } = order?.data ?? {}
  return purpose === "redeem" && ownSecret?.isTold === false && transactions?.redeem.sentAt === null
}

async function findBlocked(
  context: HasJournal<FlagStore & OrderStore> & Configured & Clocked & Logged & Stoppable & Leased,
  port: ChainPort,
  later: readonly Signature[],
) {
  const signed = later.filter(({ raw }) => raw !== null)
  for (const row of signed)
    if (!isResting(context, row) || (await isSentByHeld(port, row))) return row
  return undefined
}

/**
 * A held order sends nothing now, but its sent bytes must still land. Where a crash prevented the
 * record of the sending, a mempool shows it.
 */
async function isSentByHeld(port: ChainPort, row: Signature): Promise<boolean> {
  const { order, purpose } = row
  const kind = order === null ? null : toPurpose(order, purpose)
  if (order?.state !== "held" || kind === null) return false
  if (order.data.transactions[kind].sentAt !== null) return true
  const signed = toSigned(row)
  return signed !== null && (await port.observeTransaction(signed)).status === "pending"
}

async function isMissing(port: ChainPort, rows: readonly Signature[]): Promise<boolean> {
  for (const row of rows) {
    const signed = toSigned(row)
    if (signed !== null && (await port.observeTransaction(signed)).status !== "unseen") return false
  }
  return true
}

async function isMined(port: ChainPort, row: Signature): Promise<boolean> {
  const signed = toSigned(row)
  if (signed === null) return false
  const { status } = await port.observeTransaction(signed)
  return status === "mined" || status === "excluded"
}

/**
 * Sends bytes again that lead to no new deposit, and a deposit that is owed; voids the deposit or
 * approval of a paused order through its own states; and fills any other gap with a transaction of
 * its own that does nothing.
 */
async function close(
  context: HasJournal & HasServices & HasChains & Configured & Clocked & Logged & Remembering,
  port: ChainPort,
  gap: Gap,
): Promise<void> {
  const repeatable = gap.rows
    .filter(
      (row) =>
        isOwed(row) ||
        !(REACHES_DEPOSIT.includes(row.purpose) || isKeptRedemption(row.order, row.purpose)),
    )
    .map(toSigned)
  const last = repeatable.filter((signed) => signed !== null).at(-1)
  if (last !== undefined) {
    context.log.warn(
      { gap: gap.name, tx: last.txid },
      "A transaction that others wait for is sent again",
    )
    return port.broadcastTransaction(last)
  }
  const newest = gap.rows.at(-1)
  const order = newest?.order ?? null
  const isObserved =
    order !== null && /-(sending|confirming)$/.test(order.state) && order.state !== "held"
  if (order !== null && isObserved && isVoidedWith(order, newest?.purpose)) {
    const { changed } = applyEvent(
      context,
      order.data.id,
      { event: { type: "transaction.late" } },
      null,
    )
    if (changed) return
  }
  await fill(context, port, gap)
}

/**
 * The state that ends too late voids this transaction; that of a deposit also its approval, where
 * both were sent together.
 */
function isVoidedWith({ state, data }: Order, purpose: string | undefined): boolean {
  const current = purposeOf(state)
  return (
    current === purpose ||
    (current === "deposit" && purpose === "approve" && data.transactions.approve.isPaired === true)
  )
}

/** Another send of these could deposit, or let another party do so. */
const REACHES_DEPOSIT: readonly string[] = ["approve", "deposit"]

async function fill(
  context: HasJournal<NoticeStore & SigningRecord> & Clocked & Logged,
  port: ChainPort,
  gap: Gap,
): Promise<void> {
  const { journal, clock, log } = context
  const { name, rows } = gap
  const basis = rows.findLast((row) => planOf(row) !== null && !row.purpose.startsWith(FILL))
  const voids = gap.unclaimed ?? (basis === undefined ? null : planOf(basis))
  // Late in a lock its fee may be above the cap of a void.
  const isUnsent = isKeptRedemption(basis?.order ?? null, basis?.purpose ?? "")
  const open = rows.find(({ purpose, raw }) => purpose.startsWith(FILL) && raw === null)
  const plan =
    open?.plan ??
    (voids === null
      ? null
      : await port.planTransaction(
          { action: "void", voids, ...(isUnsent ? { isUnsent } : {}) },
          new Set(),
        ))
  if (plan === null) return
  if ("refused" in plan) {
    log.warn({ gap: name, reasons: plan.refused }, "A gap in the nonces cannot be filled now")
    return
  }
  const [resource] = plan.resources
  const isSame = resource !== undefined && (voids === null || voids.resources.includes(resource))
  assert(isSame, "a void uses the nonce of the plan that it voids")
  const orderId = open?.orderId ?? ownerOf(gap, basis)
  const { chain, account, attempt, digest, resources } = plan
  const purpose = `${FILL}${resource}`
  journal.claimSignature({
    orderId,
    purpose,
    chain,
    account,
    attempt,
    digest,
    resources,
    plan,
    reserve: fullNames(port, plan),
    atMs: clock.now(),
  })
  const { txid, raw } = await port.signTransaction(plan)
  journal.storeSignature(orderId, { purpose, attempt, digest, txid, raw })
  const cause =
    basis === undefined
      ? `No transaction has ${resource} of ${account} on ${chain}, and Ballast never signed ` +
        "for it: one of another program with the key is gone"
      : `Order ${basis.orderId} rests with a signature for ${resource} on ${chain}`
  const message = `${cause}, and others waited behind it: ${txid} uses up the nonce`
  journal.raiseAlert(clock.now(), {
    code: "nonce.gap_filled",
    message,
    order: basis?.orderId ?? orderId,
    txid,
  })
  log.warn({ gap: name, order: orderId, tx: txid }, "A gap in the nonces is filled")
  await port.broadcastTransaction({ plan, txid, raw })
}

/**
 * The order that holds the nonce of the fill. One that is over has released it, so the order that
 * waits behind it holds it then.
 */
function ownerOf({ blocked }: Gap, basis: Signature | undefined): string {
  if (basis === undefined) return blocked
  return basis.order !== null && isFinal(basis.order.state) ? blocked : basis.orderId
}
