import { type ChainId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { TransactionPurpose } from "#order/data.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import type { HasJournal } from "../../context.ts"
import type { Job } from "./job.ts"

/**
 * The alarm for a transaction that used a nonce or input of ours and that Ballast did not sign;
 * `null` for our own rival. Only our key can use them, so another program has the key, or an
 * endpoint lies: neither releases anything.
 *
 * To abandon the order after this alarm is to accept the rival. The HTLC must still be proven
 * empty.
 */
export function findForeignRival(
  { context, data }: Job,
  subject: TransactionPurpose | "deposit",
  by: string,
): Reason | null {
  if (by === EXPIRED || isOwnTransaction(context, chainOf(data.request.from), by)) return null
  if (data.ending === "abandoned" && data.alerted.includes(FOREIGN_RIVAL)) return null
  const message =
    `Transaction ${by} used the nonce or input of the ${subject}, and Ballast did not sign it: ` +
    `find out who has the key, or which endpoint lies, then \`ballast retry\` or \`ballast ` +
    `abandon\` the order`
  return { code: FOREIGN_RIVAL, message, by, purpose: subject }
}

/** The answer of a chain without nonces and inputs: the time of the transaction is over. */
const EXPIRED = "expired"
const FOREIGN_RIVAL = "transaction.foreign_rival"

/**
 * Notes a void that another machine of the treasury signed while its log was silent (ADR 37). Its
 * own bytes show our signature, and that they move nothing but a fee, so it is an alert and no
 * alarm. Only a member of a cluster has such machines.
 */
export function noteVoidOfMember(
  { context, data }: Job,
  purpose: TransactionPurpose,
  by: string,
): void {
  const { journal, clock, log, proveLease } = context
  const chain = chainOf(data.request.from)
  if (proveLease === undefined || isOwnTransaction(context, chain, by)) return
  const message =
    `Another machine closed the nonce of the ${purpose} on ${chain} with ${by}, which does ` +
    "nothing, while PostgreSQL was silent"
  journal.writeFlag(voidFlag(chain, by), data.id)
  journal.raiseAlert(clock.now(), { code: "nonce.gap_filled", message, order: data.id, txid: by })
  log.warn({ order: data.id, tx: by }, "A void of another machine used up the nonce")
}

function voidFlag(chain: ChainId, txid: string): string {
  return `void-of-member/${chain}/${txid}`
}

/**
 * Did Ballast sign the transaction with this id? Every signature is in the journal before its bytes
 * are sent, except for the voids of another machine.
 */
function isOwnTransaction(
  { journal }: HasJournal<FlagStore & SigningRecord>,
  chain: ChainId,
  txid: string,
): boolean {
  return journal.isOurs(chain, txid) || journal.readFlag(voidFlag(chain, txid)) !== null
}
