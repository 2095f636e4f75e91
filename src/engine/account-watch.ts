import type { AccountUses, ChainPort } from "#chains/port.ts"
import type { ChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { EngineContext } from "./context.ts"
import { listPausing } from "./pause.ts"
import { SAFE } from "./safe-alone.ts"
import { isOpening } from "./stored-opening.ts"

/**
 * Compares the nonces and coins that our accounts have used with the signing record. A balance shows a theft only until a deposit from outside makes
 * up for it; a nonce or a coin that a foreign transaction used shows it for ever.
 *
 * The first look at an account only notes what it has used so far. Never throws an AppError: an account that cannot be read is compared the
 * next time, from the same mark.
 */
export async function watchAccounts(context: EngineContext, isStopped: () => boolean): Promise<void> {
  for (const port of context.chains.values()) {
    await compareAccount(context, port, isStopped)
    if (isStopped()) return
  }
}

/** Compares one account. Returns whether it could be read. */
export async function compareAccount(
  context: EngineContext,
  port: ChainPort,
  isStopped: () => boolean,
): Promise<boolean> {
  const uses = await readUses(context, port)
  if (isStopped() || uses === null) return false
  const { foreign } = uses
  // The alarm comes before the mark: a crash in between repeats it, and never loses it.
  if (foreign.length > 0) raiseAlarm(context, port, foreign)
  const flag = markFlag(port)
  if (uses.mark !== null && uses.mark !== context.journal.readFlag(flag))
    context.journal.writeFlag(flag, uses.mark, "note")
  return true
}

type Use = AccountUses["used"][number]

/** Where the family tells the transaction, its name decides; else the nonce is ours if any signature of ours used it. */
function isOurs(context: EngineContext, { chain, account }: ChainPort, { resource, txid }: Use): boolean {
  return txid === null ? context.journal.isResourceSigned(chain, account, resource) : isKnown(context, chain, txid)
}

/** Signed for an order, or to open a token account. */
function isKnown({ journal }: EngineContext, chain: ChainId, txid: string): boolean {
  return journal.isOurs(chain, txid) || isOpening(journal, chain, txid)
}

type Uses = Pick<AccountUses, "mark"> & { readonly foreign: readonly Use[] }

async function readUses(context: EngineContext, port: ChainPort): Promise<Uses | null> {
  const mark = context.journal.readFlag(markFlag(port))
  try {
    const uses = await port.fetchUses?.(mark, (txid) => isKnown(context, port.chain, txid))
    if (uses === undefined) return null
    const unknown = uses.used.filter((use) => !isOurs(context, port, use))
    return { mark: uses.mark, foreign: await findForeign(context, port, unknown) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.log.warn(
      { chain: port.chain, err: error },
      "An account could not be compared with the signing record; it is tried again",
    )
    return null
  }
}

/**
 * The uses that no machine of the treasury explains. Without its log another one signs refunds, redemptions and voids, and this journal lacks them (ADR 37).
 */
async function findForeign(
  { proveLease, log }: EngineContext,
  port: ChainPort,
  uses: readonly Use[],
): Promise<readonly Use[]> {
  if (proveLease === undefined || port.readUse === undefined) return uses
  const foreign: Use[] = []
  for (const use of uses) {
    const read = await port.readUse(use.txid ?? use.resource)
    if (read === null || !SAFE.includes(read.action)) foreign.push(use)
    else
      log.warn(
        { chain: port.chain, use, ...read },
        "Another machine of the treasury signed this while PostgreSQL was silent",
      )
  }
  return foreign
}

function raiseAlarm(context: EngineContext, { chain, account }: ChainPort, foreign: readonly Use[]): void {
  const { journal, clock, log } = context
  const used = foreign.map(({ resource, txid }) => (txid === null ? resource : `${resource} (by ${txid})`)).join(", ")
  const message = `A transaction of ${account} on ${chain} used ${used}, and this journal has no signature for it: unless you sent it yourself or restored an older journal, another program has the key; move the funds to another key`
  const reason: Reason = { code: "books.foreign_transaction", message, chain, account, used }
  journal.raiseAlert(clock.now(), reason, listPausing(context, [reason]).length > 0 ? "pause" : "alert")
  log.error({ reason }, "A wallet was used by a transaction that Ballast did not sign")
}

function markFlag({ chain, account }: ChainPort): string {
  return `uses/${chain}/${account}`
}
