import { base58 } from "@scure/base"
import { AppError } from "#lib/app-error.ts"
import { firstFailure } from "#nodes/quorum/reasons.ts"
import type { AccountUses } from "#ports/account-uses.ts"
import { SIGNATURE_PAGE, type SignatureEntry, type SolanaNode } from "../node.ts"
import { type Endpoints, readAgreedSlot } from "../nodes/endpoints.ts"
import { assertGenuine } from "../spend/assert-genuine.ts"

/**
 * The finalized transactions after `mark` that the account's key has signed, without those that
 * `isKnown` names.
 *
 * Solana's accounts have neither nonces nor coins, but each transaction carries its signatures:
 * they prove the use of our key, whichever endpoint shows it. So one endpoint is enough to find a
 * use, and none can invent one. `mark` is the slot up to which the history was read; the first one
 * is the newest slot that is not final yet, because a transaction before the first look may become
 * final after it. Throws `solana.agreement_short` and `solana.history_too_long` (transient).
 */
export async function listSignedTransactions(
  endpoints: Endpoints,
  account: string,
  mark: string | null,
  isKnown: (txid: string) => boolean,
): Promise<AccountUses> {
  const newest = await readAgreedSlot(endpoints, mark === null ? "confirmed" : "finalized")
  if (mark === null || newest <= BigInt(mark)) return { mark: mark ?? newest.toString(), used: [] }
  const span = { since: BigInt(mark), newest }
  const answers = await endpoints.askEach(({ node }) =>
    readSpan(node({ commitment: "finalized", minSlot: newest }), account, span, isKnown),
  )
  const parts = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  if (parts.length < endpoints.needed) throw firstFailure(answers)
  const read = parts.reduce((low, { upTo }) => (upTo < low ? upTo : low), newest)
  const txids = new Set(parts.flatMap((part) => part.txids))
  return { mark: read.toString(), used: [...txids].map((txid) => ({ resource: "the key", txid })) }
}

/** The slots after `since`, up to `newest`. */
type Span = { readonly since: bigint; readonly newest: bigint }

/**
 * Anybody can name our account in a transaction, so a look reads only so many, oldest first, and
 * the next look goes on behind them.
 */
const MOST_TRANSACTIONS = 200
const MOST_PAGES = 50

async function readSpan(
  node: SolanaNode,
  account: string,
  span: Span,
  isKnown: (txid: string) => boolean,
): Promise<{ readonly upTo: bigint; readonly txids: readonly string[] }> {
  const listed = await listSpan(node, account, span)
  const unknown = listed.filter(({ signature }) => !isKnown(signature)).toReversed()
  const later = unknown[MOST_TRANSACTIONS]
  const read = later === undefined ? unknown : unknown.filter(({ slot }) => slot < later.slot)
  const txids: string[] = []
  for (const { signature } of read)
    if (await isForeign(node, account, signature, isKnown)) txids.push(signature)
  return { upTo: later === undefined ? span.newest : later.slot - 1n, txids }
}

/** Newest first. */
async function listSpan(
  node: SolanaNode,
  account: string,
  { since, newest }: Span,
): Promise<readonly SignatureEntry[]> {
  const listed: SignatureEntry[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const entries = await node.findSignatures(account, listed.at(-1)?.signature ?? null)
    listed.push(...entries)
    const oldest = entries.at(-1)
    if (oldest === undefined || oldest.slot <= since || entries.length < SIGNATURE_PAGE)
      return listed.filter(({ slot }) => slot > since && slot <= newest)
  }
  throw new AppError({
    code: "solana.history_too_long",
    disposition: "transient",
    message:
      `more than ${MOST_PAGES * SIGNATURE_PAGE} transactions name ${account} since slot ` +
      `${since}, so foreign ones among them cannot be found`,
    details: { account, since: since.toString() },
  })
}

/**
 * Signed by our key for no order. A relay's transaction has the relay's signature as its id, and is
 * known by ours.
 */
async function isForeign(
  node: SolanaNode,
  account: string,
  txid: string,
  isKnown: (txid: string) => boolean,
): Promise<boolean> {
  const found = await node.fetchTransaction(txid)
  if (found === null) {
    const problem = `the node lists transaction ${txid} and does not show it`
    throw new AppError({
      code: "solana.nonsense",
      disposition: "transient",
      message: `${problem}; a second read may return it`,
      details: { txid },
    })
  }
  const { message, signatures } = assertGenuine(found, txid)
  const own = message.staticAccountKeys.findIndex(
    (key, index) => message.isAccountSigner(index) && key.toBase58() === account,
  )
  const signature = signatures[own]
  return signature !== undefined && !isKnown(base58.encode(signature))
}
