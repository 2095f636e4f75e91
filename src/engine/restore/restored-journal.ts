import type { KeyUse, RecordedUse } from "#domain/key-use.ts"
import type { Reason } from "#domain/reason.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { wasDepositSigned } from "#order/guards.ts"
import { isFinal } from "#order/states.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import type {
  Clocked,
  Configured,
  HasChains,
  HasJournal,
  HasKeyRecord,
  HasServices,
  KeyRecord,
  Logged,
  Remembering,
} from "../context.ts"
import { gaslessDigest } from "../orders/pay/gasless-digest.ts"
import { applyEvent, noteLostDeposit } from "../orders/stepper.ts"
import { settledFlag } from "../rules/tick/due-occurrences.ts"

/*
 * The journal claims each signature before the key is used. So a signature that the signer's record
 * has and the journal has not proves that the journal is an older one: restored from a backup,
 * begun anew, or with its last writes lost.
 */

/** The alarm about it, which pauses everything whatever `guards.on_alarm` says. */
export const JOURNAL_RESTORED = "journal.restored"

/**
 * Up to which use the signer's record was compared: the name of the record and the use's number.
 */
const COMPARED_FLAG = "signer/compared"
/** An account is opened without a claim, and a second opening costs a fee at most. */
const UNCLAIMED: readonly KeyUse["action"][] = ["openTokenAccount"]
/**
 * They pay only us, or nothing. Without its log a leader signs them too, and the journal of the
 * next leader lacks them (ADR 37).
 */
const SAFE_ALONE: readonly KeyUse["action"][] = ["refund", "redeem", "void"]
const DEPOSITS: readonly KeyUse["action"][] = ["initiate", "gasless"]
/** Claims in one message to the signer. */
const PART = 200

/**
 * Compares the signer's record with the journal, before anything is signed. If the record is ahead:
 * pauses everything, writes the lost facts into the journal, and lets the orders that they belong
 * to rest. Then completes the signer's record with the claims of the journal, because another
 * machine's signer, or a record that is lost, may have made those.
 *
 * Returns whether the journal is an older one. Throws `signer.unavailable` (transient).
 */
export async function compareKeyRecord(
  context: HasJournal &
    HasServices &
    HasChains &
    Configured &
    Clocked &
    Logged &
    HasKeyRecord &
    Remembering,
): Promise<boolean> {
  const { keyRecord } = context
  if (keyRecord === undefined) return false
  const { lost, mark } = await findLost(context, keyRecord)
  const isOlder = lost.some(({ action }) => !SAFE_ALONE.includes(action))
  if (lost.length > 0) restoreLost(context, lost, isOlder)
  if (mark !== null) context.journal.noteFlag(COMPARED_FLAG, mark)
  await context.journal.durable()
  await completeKeyRecord(context, keyRecord)
  return isOlder
}

async function findLost(
  { journal }: HasJournal<FlagStore & SigningRecord>,
  { listUses }: KeyRecord,
): Promise<{ readonly lost: readonly KeyUse[]; readonly mark: string | null }> {
  const lost: KeyUse[] = []
  let mark: string | null = null
  let before: number | null = null
  for (;;) {
    const page = await listUses(before)
    const knownSeq = readMark(journal, page.first)
    mark ??= page.uses[0] === undefined ? null : `${page.first}:${page.uses[0].seq}`
    const fresh = page.uses.filter(({ seq }) => seq > knownSeq)
    const unknown = fresh.filter((use) => !isKnown(journal, use))
    lost.push(...unknown)
    // Claims come in the order of the signatures, so a page without a lost one has none before it.
    const last = page.uses.at(-1)
    if (unknown.length === 0 || fresh.length < page.uses.length || last === undefined)
      return { lost, mark }
    before = last.seq
  }
}

function readMark(journal: FlagStore, first: string | null): number {
  const [name, seq] = journal.readFlag(COMPARED_FLAG)?.split(":") ?? []
  return name === first && seq !== undefined ? Number(seq) : 0
}

function isKnown(journal: SigningRecord, { action, chain, digest, order }: KeyUse): boolean {
  if (UNCLAIMED.includes(action) || journal.isDigestKnown(chain, digest)) return true
  // The journal names typed data by its deposit.
  return action === "gasless" && journal.listOf(order).some(({ purpose }) => purpose === "gasless")
}

/** One turn: the alarm and the lost signatures share a commit. */
function restoreLost(
  context: HasJournal & HasServices & HasChains & Configured & Clocked & Logged & Remembering,
  lost: readonly KeyUse[],
  isOlder: boolean,
): void {
  const { journal, clock, log, settings } = context
  const reason = describeLoss(context, lost)
  if (isOlder) journal.raiseAlert(clock.now(), reason, "pause")
  log[isOlder ? "error" : "warn"]({ reason, lost }, "The signer's record is ahead of the journal")
  for (const id of new Set(lost.map(({ order }) => order)))
    restoreOrder(
      context,
      id,
      lost.filter(({ order }) => order === id),
      reason,
    )
  if (!isOlder) return
  // An occurrence of that time may have had its order.
  const lastMs = Math.max(...lost.map(({ atMs }) => atMs))
  for (const { id } of settings.rules) {
    const settled = journal.readFlag(settledFlag(id))
    if (settled !== null && Number(settled) < lastMs)
      journal.writeFlag(settledFlag(id), String(lastMs))
  }
}

function describeLoss({ journal }: HasJournal<OrderStore>, lost: readonly KeyUse[]): Reason {
  const times = lost.map(({ atMs }) => atMs)
  const [from, to] = [Math.min(...times), Math.max(...times)].map((ms) =>
    new Date(ms).toISOString(),
  )
  const ids = [...new Set(lost.map(({ order }) => order))]
  const known = ids.filter((id) => journal.findOrder(id) !== null)
  const deposits = lost.filter(({ action }) => DEPOSITS.includes(action)).length
  const counts = {
    signatures: `${lost.length}`,
    deposits: `${deposits}`,
    orders: `${ids.length}`,
    knownOrders: `${known.length}`,
  }
  const message =
    `The signer's record has ${lost.length} signatures (${deposits} of deposits) from ${from} ` +
    `to ${to} that the journal has not: the journal was restored from a backup, or its last ` +
    "writes are lost. Ballast looks for the missing orders at the services and on the chains; " +
    `when \`ballast recover\` finds nothing unclear, resume`
  return {
    code: JOURNAL_RESTORED,
    message,
    ...counts,
    from: mustExist(from, "a time"),
    to: mustExist(to, "a time"),
  }
}

function restoreOrder(
  context: HasJournal & HasServices & HasChains & Configured & Clocked & Logged & Remembering,
  id: string,
  uses: readonly KeyUse[],
  reason: Reason,
): void {
  const { journal } = context
  const stored = journal.findOrder(id)
  if (stored === null) return
  const order = decodeOrNull(stored.snapshot)
  // A damaged order rests by itself.
  if (order === null) return
  const { state, data } = order
  const deposits = uses.filter(({ action }) => DEPOSITS.includes(action))
  for (const use of uses) {
    const isSafe = SAFE_ALONE.includes(use.action)
    if (isSafe || deposits.includes(use))
      journal.restoreSignature(toRow(use, id, data.deposit), isSafe)
  }
  // A redemption tells the chain the secret, so it has left.
  const { ownSecret } = data
  if (
    ownSecret != null &&
    uses.some(({ action }) => action === "redeem") &&
    !journal.listSecretDecisions(id).includes("withhold")
  )
    journal.decideSecret({
      orderId: id,
      decision: "reveal",
      secretHash: ownSecret.hash,
      atMs: context.clock.now(),
    })
  if (deposits.length === 0 || isFinal(state) || wasDepositSigned(data)) return
  if (data.deposit !== null) noteLostDeposit(context, id, reason)
  // Before the service has an order nothing can be held, and the lost deposit belongs to an order
  // that the journal does not know.
  const { changed } = applyEvent(
    context,
    id,
    { event: { type: "order.held", reasons: [reason] } },
    null,
  )
  if (!changed && data.created === null)
    applyEvent(context, id, { event: { type: "order.declined", reasons: [reason] } }, null)
}

function toRow(
  { action, chain, account, digest, resources, atMs }: KeyUse,
  orderId: string,
  deposit: RecordedUse["deposit"],
): Parameters<Journal["restoreSignature"]>[0] {
  const isGasless = action === "gasless"
  return {
    orderId,
    purpose: action === "initiate" ? "deposit" : action,
    chain,
    account,
    attempt: 0,
    resources,
    plan: null,
    atMs,
    digest: isGasless && deposit !== null ? gaslessDigest(deposit) : digest,
  }
}

async function completeKeyRecord(
  { journal }: HasJournal<OrderStore & SigningRecord>,
  { importUses }: KeyRecord,
): Promise<void> {
  let mark = await importUses([])
  // Another journal, or one that was restored, numbers its claims in another way.
  if (mark !== null && journal.listRecorded(mark.seq - 1, 1)[0]?.digest !== mark.digest) mark = null
  for (;;) {
    const rows = journal.listRecorded(mark?.seq ?? 0, PART)
    if (rows.length === 0) return
    const uses = rows.map(({ seq, atMs, orderId, digest, plan, purpose }): RecordedUse => {
      const deposit = decodeOrNull(journal.findOrder(orderId)?.snapshot ?? "")?.data.deposit ?? null
      return {
        seq,
        atMs,
        order: orderId,
        digest,
        plan: purpose === "gasless" ? null : plan,
        deposit,
      }
    })
    mark = await importUses(uses)
  }
}
