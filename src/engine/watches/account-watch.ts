import type { ChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { AccountUses, PastUse } from "#ports/account-uses.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { SigningRecord } from "#ports/signing-record.ts"
import type { Clocked, Configured, HasJournal, Leased, Logged, MarketContext } from "../context.ts"
import { bookFee } from "../orders/book-fee.ts"
import { isOpening } from "../orders/pay/stored-opening.ts"
import { SAFE } from "../orders/safe-alone.ts"
import { listPausing } from "./pause.ts"

/**
 * Compares the nonces and coins that our accounts have used with the signing record. A balance
 * shows a theft only until a deposit from outside makes up for it; a nonce or a coin that a foreign
 * transaction used shows it for ever.
 *
 * The first look at an account only notes what it has used so far. Never throws an AppError: an
 * account that cannot be read is compared the next time, from the same mark.
 */
export async function watchAccounts(
  context: HasJournal<FlagStore & Ledger & NoticeStore & SigningRecord> & Leased & MarketContext,
  isStopped: () => boolean,
): Promise<void> {
  for (const port of context.chains.values()) {
    await compareAccount(context, port, isStopped)
    if (isStopped()) return
  }
}

/** Compares one account. Returns whether it could be read; `onFault` gets the error if not. */
export async function compareAccount(
  context: HasJournal<FlagStore & Ledger & NoticeStore & SigningRecord> & Leased & MarketContext,
  port: ChainPort,
  isStopped: () => boolean,
  onFault?: (error: AppError) => void,
): Promise<boolean> {
  const uses = await readUses(context, port, onFault)
  if (isStopped() || uses === null) return false
  const { foreign } = uses
  // The alarm comes before the mark: a crash in between repeats it, and never loses it.
  if (foreign.length > 0) raiseAlarm(context, port, foreign)
  for (const { txid, action, feeUnits } of uses.ofMembers) {
    const fee = { txid, purpose: action, feeUnits: feeUnits ?? 0n, orderId: null }
    await bookFee(context, port.chain, { ...fee, note: `${action} by another machine` }, isStopped)
    if (isStopped()) return false
  }
  const flag = markFlag(port)
  if (uses.mark !== null && uses.mark !== context.journal.readFlag(flag))
    context.journal.noteFlag(flag, uses.mark)
  return true
}

type Use = AccountUses["used"][number]

/** Signed for an order, or to open a token account. */
function isKnown(
  { journal }: HasJournal<FlagStore & Ledger & SigningRecord>,
  chain: ChainId,
  txid: string,
): boolean {
  return journal.isOurs(chain, txid) || isOpening(journal, chain, txid)
}

type Uses = Pick<AccountUses, "mark"> & Judged

async function readUses(
  context: HasJournal<FlagStore & Ledger & SigningRecord> & Logged & Leased,
  port: ChainPort,
  onFault?: (error: AppError) => void,
): Promise<Uses | null> {
  const mark = context.journal.readFlag(markFlag(port))
  try {
    const uses = await port.uses?.fetchUses(mark, (txid) => isKnown(context, port.chain, txid))
    return uses === undefined
      ? null
      : { mark: uses.mark, ...(await judgeUses(context, port, uses.used)) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    onFault?.(error)
    context.log.warn(
      { chain: port.chain, err: error },
      "An account could not be compared with the signing record; it is tried again",
    )
    return null
  }
}

/**
 * `ofMembers`: other machines of the treasury signed them without its log, so this journal has
 * neither their bytes nor their fees (ADR 37).
 */
type Judged = { readonly foreign: readonly Use[]; readonly ofMembers: readonly MemberUse[] }
type MemberUse = PastUse & { readonly action: "refund" | "redeem" | "void" }

/**
 * Where the family tells the transaction, its name decides; else the nonce is ours if any signature
 * of ours used it. A claim without bytes is ours too: another machine may have closed its nonce, or
 * this one has signed without the log and lost the bytes with its journal.
 */
async function judgeUses(
  context: HasJournal<FlagStore & Ledger & SigningRecord> & Logged & Leased,
  port: ChainPort,
  uses: readonly Use[],
): Promise<Judged> {
  const { journal, proveLease, log } = context
  const { chain, account } = port
  const foreign: Use[] = []
  const ofMembers: MemberUse[] = []
  for (const use of uses) {
    const { resource, txid } = use
    if (
      txid === null
        ? journal.isResourceSigned(chain, account, resource, "bytes")
        : isKnown(context, chain, txid)
    )
      continue
    const read =
      proveLease === undefined ? null : ((await port.uses?.readUse(txid ?? resource)) ?? null)
    if (read !== null && isOfMember(read)) {
      log.warn(
        { chain, use, ...read },
        "Another machine of the treasury signed this while PostgreSQL was silent",
      )
      ofMembers.push(read)
    } else if (txid !== null || !journal.isResourceSigned(chain, account, resource))
      foreign.push(use)
  }
  return { foreign, ofMembers }
}

function isOfMember(read: PastUse): read is MemberUse {
  return SAFE.includes(read.action)
}

function raiseAlarm(
  context: HasJournal<NoticeStore> & Configured & Clocked & Logged,
  { chain, account }: ChainPort,
  foreign: readonly Use[],
): void {
  const { journal, clock, log, settings } = context
  const used = foreign
    .map(({ resource, txid }) => (txid === null ? resource : `${resource} (by ${txid})`))
    .join(", ")
  const message =
    `A transaction of ${account} on ${chain} used ${used}, and this journal has no signature ` +
    "for it: unless you sent it yourself or restored an older journal, another program has the " +
    "key; move the funds to another key"
  const reason: Reason = { code: "books.foreign_transaction", message, chain, account, used }
  // An observing daemon sells nothing, and sees the transactions of a live one with its key.
  const isPausing = settings.mode !== "observe" && listPausing(context, [reason]).length > 0
  journal.raiseAlert(clock.now(), reason, isPausing ? "pause" : "alert")
  log.error({ reason }, "A wallet was used by a transaction that Ballast did not sign")
}

function markFlag({ chain, account }: ChainPort): string {
  return `uses/${chain}/${account}`
}
