import type { Reason } from "#domain/reason.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { toAppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import { FINAL_GONE } from "#order/guards.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import { OPEN_PAYOUT } from "#order/update.ts"
import type { LegQuery, UnfundedProof } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import type { HasJournal } from "../../context.ts"
import { listSigned } from "../deposit/list-signed.ts"
import { destinationQuery, sourceQuery, stakeOf } from "../leg-queries.ts"
import { legsFor } from "../route/legs.ts"
import type { WorkResult } from "../stepper.ts"
import { declinesWhenRefused, runsWhilePaused, type WorkEntry } from "../work-entry.ts"
import { findForeignRival } from "./find-foreign-rival.ts"
import { findLeftEndings, OPEN } from "./find-vanished.ts"
import {
  deferWork,
  destinationChain,
  type Job,
  type Performer,
  reasonOf,
  sourceChain,
} from "./job.ts"
import { observeOrder } from "./observe-order.ts"
import { withDoubts } from "./observe-transaction.ts"

/**
 * Ballast alerts an operator about an order that cannot be proven unfunded for longer than this.
 */
const PROOF_PATIENCE_MS = 10 * 60_000

/**
 * Reads the source HTLC itself before an order that signed anything for its deposit ends without
 * one.
 *
 * Only a proof ends the order: neither a missing answer nor time does. A deposit that the proof
 * finds is watched like any other.
 */
export const proveUnfunded: Performer = async (job) => {
  // An order without a verified deposit signed nothing that could fund an HTLC.
  if (job.data.deposit === null)
    return { event: { type: "order.unfunded", height: 0n, rivals: [] } }
  const chain = sourceChain(job)
  const proof = await readProof(job, chain)
  switch (proof.status) {
    case "unfunded": {
      const [foreign] = proof.rivals.flatMap((by) => findForeignRival(job, "deposit", by) ?? [])
      if (foreign !== undefined)
        return { event: { type: "order.held", reasons: [...job.data.reasons, foreign] } }
      const ended = {
        event: { type: "order.unfunded", height: proof.height, rivals: proof.rivals },
      } as const
      return (await rereadTransfers(job, chain)) ?? ended
    }
    case "funded":
      return takeUpDeposit(job, chain)
    case "unsure":
      return awaitProof(job, chain, proof.reasons)
  }
}

export const proveUnfundedWork: WorkEntry<"proveUnfunded"> = {
  perform: proveUnfunded,
  lane: null,
  spends: false,
  whilePaused: runsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "Plain read.",
}

/**
 * A chain that cannot be read proves nothing. Errors that need a person are thrown, so that the
 * order is held.
 */
export async function readProof(
  { data, context, noteUnread }: Job,
  chain: ChainPort,
): Promise<UnfundedProof> {
  try {
    return await chain.proveUnfunded({
      ...sourceQuery(data),
      signed: listSourceSigned(context, data),
      ...(data.gasless?.life === undefined ? {} : { relayed: data.gasless.life }),
    })
  } catch (error) {
    const known = toAppError(error, { code: "engine.unexpected", disposition: "transient" })
    if (
      known.disposition === "hold" ||
      known.disposition === "bug" ||
      known.disposition === "aborted"
    )
      throw error
    noteUnread?.(known)
    context.log.warn(
      { order: data.id, err: known },
      "The source HTLC could not be read; the order waits for its proof",
    )
    return { status: "unsure", reasons: [reasonOf(known)] }
  }
}

/**
 * A reorganisation can take a booked payout or refund away together with the deposit, or the
 * deposit alone after its voucher. The order ends only when its own transactions and both legs
 * agree with its books; `null` when they do.
 */
async function rereadTransfers(job: Job, chain: ChainPort): Promise<WorkResult | null> {
  const { receipt, returned, rentReturned } = job.data
  const left = await findLeftEndings(job)
  if (left !== null) return left === OPEN ? awaitProof(job, chain, [LEFT_OPEN]) : left
  const mayBePaid = receipt !== null || abilitiesOf(job.data).redeem === "voucher"
  const destination = destinationChain(job)
  const payoutQuery = () => destinationQuery(job.data, destination.traits)
  return (
    (!mayBePaid ? null : await rereadLeg(job, chain, destination, payoutQuery())) ??
    (returned === null && rentReturned === null
      ? null
      : await rereadLeg(job, chain, chain, sourceQuery(job.data)))
  )
}

async function rereadLeg(
  job: Job,
  source: ChainPort,
  chain: ChainPort,
  query: LegQuery,
): Promise<WorkResult | null> {
  const leg = await chain.observeLeg(query)
  if (!leg.agreed) return awaitProof(job, source, leg.doubts ?? [])
  const isSource = query.side === "source"
  const transfer = isSource ? (leg.refunded ?? leg.redeemed) : leg.redeemed
  const { receipt, voucher } = job.data
  const isBooked = isSource || receipt !== null
  if ((transfer !== null) !== isBooked) return observeOrder(job)
  if (isSource || voucher === undefined || transfer?.final === true) return null
  return transfer === null && (await isVoucherOver(job, voucher))
    ? null
    : awaitProof(job, source, [PAYOUT_OPEN])
}

/** Without its deposit the route renews no voucher, so one that is over pays nothing any more. */
async function isVoucherOver({ context, data }: Job, voucher: RouteVoucher): Promise<boolean> {
  const deposit = mustExist(data.deposit, "the verified deposit")
  return (await legsFor(context, data).destination.isOver?.(deposit, voucher)) === true
}

const PAYOUT_OPEN: Reason = {
  code: "route.payout_open",
  message: "The route gave a voucher for this deposit, and its payout is not final",
}

const LEFT_OPEN: Reason = {
  code: "ending.unproven",
  message: "A refund or redemption of the order is not final",
}

/**
 * Everything that the order signed on its source chain. A redemption is on the destination chain
 * and funds nothing.
 */
function listSourceSigned(
  { journal }: HasJournal<SigningRecord>,
  data: OrderData,
): readonly SignedTransaction[] {
  return listSigned(journal, data).filter(({ plan }) => plan.action !== "redeem")
}

/**
 * The HTLC has a deposit. One of ours is observed as a transaction, so that its fee is booked; any
 * other by its HTLC.
 */
async function takeUpDeposit(job: Job, chain: ChainPort): Promise<WorkResult> {
  const { context, data } = job
  const own = listSigned(context.journal, data).filter(({ plan }) => plan.action === "initiate")
  const doubts: Reason[] = []
  for (const transaction of own) {
    const seen = await chain.observeTransaction(transaction, stakeOf(data))
    doubts.push(...(seen.doubts ?? []))
    // A reverted deposit of ours funded nothing: another party used the order's place, and the
    // contract refunds us from it.
    const isOver = seen.status === "excluded" || (seen.status === "mined" && seen.final && !seen.ok)
    if (!isOver)
      return withDoubts(
        { event: { type: "deposit.unsettled", reasons: [exclusionGone(data, "funded")] } },
        { doubts },
      )
  }
  const { event } = await observeOrder(job)
  return withDoubts(event.type === "order.observed" ? { event } : deferWork([]), { doubts })
}

async function awaitProof(
  job: Job,
  chain: ChainPort,
  reasons: readonly Reason[],
): Promise<WorkResult> {
  const { data, nowMs } = job
  // A contradiction between endpoints is an alert at once; a silent endpoint only after the
  // patience.
  const doubts = reasons.filter(({ code }) => code === "chain.disagreement")
  if (nowMs - data.stateSince <= PROOF_PATIENCE_MS)
    return withDoubts({ event: { type: "order.unproven", alerts: [] } }, { doubts })
  if (await isExclusionGone(data, chain))
    return { event: { type: "deposit.unsettled", reasons: [exclusionGone(data, "may land")] } }
  const why = reasons.map(({ message }) => message).join("; ") || "the endpoints give no proof"
  const message =
    "The order ends only after enough endpoints prove that its HTLC is empty, and they have " +
    `not for 10 minutes: ${why}`
  const what = reasons.includes(PAYOUT_OPEN) ? { what: OPEN_PAYOUT } : {}
  return withDoubts(
    { event: { type: "order.unproven", alerts: [{ code: "ending.unproven", message, ...what }] } },
    { doubts },
  )
}

/**
 * A final block excluded the deposit once, and now it may land again. An endpoint that cannot be
 * read proves nothing.
 */
async function isExclusionGone(
  { transactions, ...data }: OrderData,
  chain: ChainPort,
): Promise<boolean> {
  const { signed, settled } = transactions.deposit
  if (settled !== true || signed.length === 0) return false
  for (const transaction of signed) {
    try {
      const { status } = await chain.observeTransaction(transaction, stakeOf(data))
      if (status !== "unseen" && status !== "pending") return false
    } catch {
      return false
    }
  }
  return true
}

function exclusionGone({ transactions }: OrderData, found: string): Reason {
  const { txid = "unknown" } = transactions.deposit.signed.at(-1) ?? {}
  const height = transactions.void.mined?.height.toString() ?? "unknown"
  const message =
    `A final block excluded the deposit ${txid}, and now the chain shows the opposite ` +
    `(${found})`
  return { code: FINAL_GONE, message, what: "exclusion", txid, height, found }
}
