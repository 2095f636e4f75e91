import { assert, mustExist } from "#lib/assert.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import { payoutEndMs } from "#order/payout-deadline.ts"
import { purposeOf } from "#order/states.ts"
import type { Order } from "#order/step.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { Reservations } from "#ports/journal/reservations.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import type { Clocked, Configured, HasJournal, Logged, Remembering } from "../../context.ts"
import { fullNames } from "../deposit/bind-plan.ts"
import { destinationQuery, sourceQuery } from "../leg-queries.ts"
import { UNSENT_PATIENCE_MS } from "../observe/job.ts"
import { bumpWaitMs } from "../observe/observe-transaction.ts"
import { readInTime } from "../observe/read-in-time.ts"
import { FILL } from "./follow-fills.ts"
import {
  isLeftUnsent,
  isOwed,
  type Nonce,
  nonceOf,
  planOf,
  type Signature,
  toSigned,
} from "./nonce-rows.ts"
import { payoutWorth } from "./payout-worth.ts"

/**
 * Puts the redemption of a told secret, or a refund, in the place of the transaction that stands
 * before it. A transaction of another order keeps its own fee, and a pause stops its higher fees,
 * but the lock of a payout does not wait. So the redemption, with its own fee, also takes the
 * lowest nonce that no block has. The order that had the nonce sees its transaction excluded, and
 * goes on. A deposit that is owed keeps its nonce unless a lock would end, and is sent again.
 *
 * A nonce whose bytes rest with an order that does something else is taken at once: its gap closes
 * by nothing else in time.
 *
 * The signer permits it as any other redemption or refund: only our account is paid. The
 * transaction at the first nonce then finds nothing to do, and costs a fee at most.
 */
export async function putRescueFirst(
  context: RescueContext,
  port: ChainPort,
  nonces: readonly Nonce[],
): Promise<void> {
  const listed = listRescues(nonces, context.clock.now())
  const rescues = listed.filter((rescue) => !wasPaid(context, rescue))
  const isAhead = (rescue: Rescue): boolean =>
    nonces.some((one) => one.nonce < rescue.nonce && isAbandoned(one))
  const isDue = rescues.some((rescue) => rescue.isPatient || isAhead(rescue))
  const lowest = isDue ? await findLowest(port, nonces) : undefined
  if (lowest === undefined) return
  const { nonce, rows } = lowest
  const due = isAbandoned(lowest) ? rescues : rescues.filter(({ isPatient }) => isPatient)
  for (const rescue of unplacedFirst(context, due, nonce)) {
    if (!(await isWaiting(port, [rescue.row]))) continue
    if (await isPaid(context, port, rescue)) {
      notePaid(context, rescue)
      continue
    }
    if (nonce >= rescue.nonce) return
    const owed = rows.findLast(isOwed)
    if (owed !== undefined && !hasLock(rescue)) return resend(port, owed)
    return await takeNonce(context, port, rescue, lowest)
  }
}

/** Nothing sends the bytes signed for it, so a rescue behind it waits for no higher fee of it. */
function isAbandoned({ rows }: Nonce): boolean {
  return rows.every(isLeftUnsent)
}

/** The lowest nonce that no block has. A block may have one already, and is only not final yet. */
async function findLowest(port: ChainPort, nonces: readonly Nonce[]): Promise<Nonce | undefined> {
  for (let first = 0; first < nonces.length; first += ASKED_AT_ONCE) {
    const asked = nonces.slice(first, first + ASKED_AT_ONCE)
    const waits = await Promise.all(asked.map(({ rows }) => isWaiting(port, rows)))
    const at = waits.indexOf(true)
    if (at >= 0) return asked[at]
  }
  return undefined
}

/** At a node with a limit of requests, each answer that another one waits for takes seconds. */
const ASKED_AT_ONCE = 4

/**
 * One with a signature at a nonce that a block has is probably paid, also where its leg cannot be
 * read now. It comes after the others, whose locks end meanwhile; those without a lock are last.
 */
function unplacedFirst(
  { journal }: RescueContext,
  rescues: readonly Rescue[],
  lowest: bigint,
): readonly Rescue[] {
  const isPlaced = ({ order }: Rescue): boolean =>
    journal.listOf(order.data.id).some((row) => {
      const nonce = row.purpose.startsWith(FILL) && row.raw !== null ? nonceOf(row.resources) : null
      return nonce !== null && nonce < lowest
    })
  const locked = Map.groupBy(rescues.filter(hasLock), isPlaced)
  const others = rescues.filter((rescue) => !hasLock(rescue))
  return [...(locked.get(false) ?? []), ...(locked.get(true) ?? []), ...others]
}

type RescueContext = HasJournal<NoticeStore & Reservations & SigningRecord> &
  Configured &
  Clocked &
  Logged &
  Remembering

/** `isPatient`: it has waited for some higher fees of the transaction before it. */
type Rescue = {
  readonly nonce: bigint
  readonly row: Signature
  readonly order: Order
  readonly isPatient: boolean
}

/** The nearest end of a lock first, and those without a lock last. */
function listRescues(nonces: readonly Nonce[], nowMs: number): readonly Rescue[] {
  const waiting = nonces.flatMap(({ nonce, rows }) => {
    const sent = rows.filter(isSentRescue)
    const first = sent[0]
    const row = sent.at(-1)
    if (first === undefined || row === undefined || row.order === null) return []
    const { order } = row
    const kind = row.purpose === "redeem" ? "redeem" : "refund"
    const waitMs = PATIENT_BUMPS * bumpWaitMs(order.data, kind, 1)
    const patienceMs = hasLock({ row, order }) ? waitMs : Math.max(waitMs, UNSENT_PATIENCE_MS)
    return { nonce, row, order, isPatient: Math.abs(nowMs - first.atMs) >= patienceMs }
  })
  const endMs = (rescue: Rescue): number =>
    hasLock(rescue) ? (payoutEndMs(rescue.order.data) ?? 0) : Number.MAX_SAFE_INTEGER
  return waiting.toSorted((a, b) => endMs(a) - endMs(b))
}

/** The solver takes its payout back after the lock. No lock ends for a refund or a mint. */
function hasLock(rescue: Pick<Rescue, "row" | "order">): boolean {
  return rescue.row.purpose === "redeem" && !isMint(rescue)
}

function isMint({ row, order }: Pick<Rescue, "row" | "order">): boolean {
  return row.purpose === "redeem" && abilitiesOf(order.data).redeem === "voucher"
}

/**
 * The transaction before it may get higher fees of its own for so long: at most an eighth of a
 * payout's lock. Without a lock it also waits for `UNSENT_PATIENCE_MS`.
 */
const PATIENT_BUMPS = 3

/** A redemption that was sent has told its secret already. */
function isSentRescue({ order, purpose, raw }: Signature): boolean {
  if (order === null || raw === null || (purpose !== "redeem" && purpose !== "refund")) return false
  return purposeOf(order.state) === purpose && order.data.transactions[purpose].sentAt !== null
}

/**
 * Its leg was read a moment ago. A rescue that brings nothing still waits with a nonce of its own,
 * and at a node with a limit of requests the looks at it would starve those that it waits for.
 */
function wasPaid({ memory, clock }: RescueContext, { order }: Rescue): boolean {
  const readMs = memory.paidRescues.get(order.data.id)
  return readMs !== undefined && isRecent(readMs, clock.now())
}

function notePaid({ memory, clock }: RescueContext, { order }: Rescue): void {
  const nowMs = clock.now()
  for (const [id, readMs] of memory.paidRescues)
    if (!isRecent(readMs, nowMs)) memory.paidRescues.delete(id)
  memory.paidRescues.set(order.data.id, nowMs)
}

function isRecent(readMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - readMs) < PAID_SERVES_MS
}

/** A reorganisation may drop the block that paid. */
const PAID_SERVES_MS = 60_000

/**
 * Whether a further transaction would only pay a fee: a block has what the rescue would bring, or
 * the opposite end is final. A leg that cannot be read keeps only a mint back, for which the next
 * look is early enough.
 */
async function isPaid(context: RescueContext, port: ChainPort, rescue: Rescue): Promise<boolean> {
  const { row } = rescue
  const { data } = rescue.order
  const isPayout = row.purpose === "redeem"
  const read = async (): Promise<LegObservation> =>
    port.observeLeg(
      isPayout ? { ...destinationQuery(data, port.traits), isExact: true } : sourceQuery(data),
    )
  try {
    const leg = await readInTime(context, `${data.id} ${row.purpose} before a rescue`, read)
    const brought = isPayout ? leg.redeemed : leg.refunded
    const lost = isPayout ? leg.refunded : leg.redeemed
    return leg.agreed && (brought !== null || lost?.final === true)
  } catch (error) {
    context.log.warn({ order: data.id, err: error }, "A leg could not be read before a rescue")
    return isMint(rescue)
  }
}

async function isWaiting(port: ChainPort, rows: readonly Signature[]): Promise<boolean> {
  for (const row of rows) {
    const signed = toSigned(row)
    if (signed === null) continue
    const { status } = await port.observeTransaction(signed)
    if (status === "mined" || status === "excluded") return false
  }
  return true
}

async function takeNonce(
  context: RescueContext,
  port: ChainPort,
  { row, order }: Rescue,
  { nonce, rows }: Nonce,
): Promise<void> {
  const { journal, clock, log } = context
  const purpose = `${FILL}nonce:${nonce}`
  const own = rows.filter((one) => one.orderId === order.data.id && one.purpose === purpose)
  const unsigned = own.find(({ raw }) => raw === null) ?? null
  const before = rows.flatMap((one) => planOf(one) ?? []).at(-1)
  const plan = planOf(row)
  if (before === undefined || plan === null) return
  const moved = unsigned?.plan ?? (await port.nonces?.takeNonce(plan, before)) ?? null
  if (moved === null) return resend(port, own.at(-1))
  assert(
    moved.action === row.purpose && moved.resources.join() === `nonce:${nonce}`,
    "it takes that nonce",
  )
  const { chain, account, digest, resources } = moved
  const isFree = (name: string): boolean => [null, order.data.id].includes(journal.findHolder(name))
  journal.claimSignature({
    orderId: order.data.id,
    purpose,
    chain,
    account,
    attempt: own.length,
    digest,
    resources,
    plan: moved,
    reserve: fullNames(port, moved).filter(isFree),
    atMs: clock.now(),
  })
  const { data } = order
  const worthUnits = payoutWorth(
    data,
    context.settings.assets.get(data.request.to),
    port.traits.nativeCoin,
  )
  const worth = worthUnits === null || moved.action !== "redeem" ? {} : { worthUnits }
  const { txid, raw } = await port.signTransaction(moved, {
    order: data.id,
    deposit: data.deposit,
    ...worth,
  })
  const holder = mustExist(rows[0], "a signature of the nonce").orderId
  // Before the signature is stored: a process that dies here tells it twice, and never not at all.
  if (own.every((one) => one.raw === null)) {
    const message =
      `The ${row.purpose} of order ${data.id} waited behind ${resources.join()} of order ` +
      `${holder} on ${chain}, whose fee is too low: ${txid} is the same ${row.purpose} with ` +
      "that nonce"
    journal.raiseAlert(clock.now(), { code: "nonce.taken_first", message, order: data.id, txid })
  }
  journal.storeSignature(data.id, { purpose, attempt: own.length, digest, txid, raw })
  log.warn(
    { order: data.id, holder, nonce, tx: txid },
    "A redemption or refund takes the nonce before it",
  )
  await port.broadcastTransaction({ plan: moved, txid, raw })
}

async function resend(port: ChainPort, row: Signature | undefined): Promise<void> {
  const signed = row === undefined ? null : toSigned(row)
  if (signed !== null && (await port.observeTransaction(signed)).status === "unseen")
    await port.broadcastTransaction(signed)
}
