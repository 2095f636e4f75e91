import { AppError } from "#lib/app-error.ts"
import { SIGNATURE_PAGE, type SignatureEntry, type SolanaNode } from "../node.ts"

/**
 * What an endpoint has listed of the histories of swap accounts, below its finalized slots. Anybody
 * can name an account in a transaction for a few thousand lamports, so a look reads only the pages
 * that no earlier look has read, and one that ends early goes on where it stopped. Each endpoint
 * has its own, so an entry here is that endpoint's word as before.
 */
export type SwapHistories = Map<string, History>

/** A part of one history without a gap. */
type History = {
  /** The newest entry of the part, which a later listing meets again. */
  readonly newest: string
  /** The transactions that succeeded and may hold a call, newest first. */
  readonly entries: readonly SignatureEntry[]
  readonly reach: Reach
}

/** How far back a listing goes: behind `oldest`, or to the end of the endpoint's history. */
type Reach = { readonly oldest: SignatureEntry | null; readonly isEnd: boolean }

const START: Reach = { oldest: null, isEnd: false }

/** A hundred thousand transactions in one look. They cost a flooder half a SOL. */
const MOST_PAGES = 100
/** The oldest history leaves first; it is only read again. */
const MOST_HISTORIES = 1_000

/**
 * Lists the transactions that name an account, succeeded, and are in `since` or a later slot;
 * newest first. Throws `solana.history_too_long` (transient): the next look goes on behind the last
 * page.
 */
export async function listHistory(
  account: string,
  { since, finalSlot }: { readonly since: bigint; readonly finalSlot: bigint },
  node: SolanaNode,
  histories: SwapHistories,
): Promise<readonly SignatureEntry[]> {
  const known = histories.get(account)
  const fresh: SignatureEntry[] = []
  let reach = START
  let joined: History | null = null
  try {
    for (
      let page = 0;
      !reach.isEnd && (reach.oldest === null || reach.oldest.slot >= since);
      page++
    ) {
      if (page === MOST_PAGES) throw tooLong(account, fresh.length)
      const found = await node.findSignatures(account, reach.oldest?.signature ?? null)
      const at =
        joined === null ? found.findIndex(({ signature }) => signature === known?.newest) : -1
      fresh.push(...(at < 0 ? found : found.slice(0, at)))
      if (at >= 0 && known !== undefined) joined = known
      const last = found.at(-1) ?? reach.oldest
      reach =
        at >= 0 && known !== undefined
          ? known.reach
          : { oldest: last, isEnd: found.length < SIGNATURE_PAGE }
      if (joined !== null && at >= 0) fresh.push(...joined.entries)
    }
  } finally {
    remember(histories, account, { fresh, reach, joined, finalSlot })
  }
  return fresh.filter(({ err, slot }) => err === null && slot >= since)
}

/**
 * A transaction of a stranger: it succeeded, and calls nothing on the account. It is not read
 * again.
 */
export function dropEntry(histories: SwapHistories, account: string, txid: string): void {
  const known = histories.get(account)
  if (known === undefined) return
  const entries = known.entries.filter(({ signature }) => signature !== txid)
  histories.set(account, { ...known, entries })
}

type Listing = {
  readonly fresh: readonly SignatureEntry[]
  readonly reach: Reach
  readonly joined: History | null
  readonly finalSlot: bigint
}

/** Keeps the final part alone: the rest can still change. */
function remember(
  histories: SwapHistories,
  account: string,
  { fresh, reach, joined, finalSlot }: Listing,
): void {
  const isOpen = ({ confirmationStatus, slot }: SignatureEntry): boolean =>
    confirmationStatus !== "finalized" || slot > finalSlot
  const settled = fresh.slice(fresh.findLastIndex(isOpen) + 1)
  const isKnown = settled[0] === undefined || settled[0] === joined?.entries[0]
  const newest = isKnown && joined !== null ? joined.newest : settled[0]?.signature
  if (newest === undefined) return
  const [oldest] = histories.keys()
  if (!histories.has(account) && histories.size >= MOST_HISTORIES && oldest !== undefined)
    histories.delete(oldest)
  histories.set(account, { newest, entries: settled.filter(({ err }) => err === null), reach })
}

export function tooLong(account: string, entries: number): AppError {
  return new AppError({
    code: "solana.history_too_long",
    disposition: "transient",
    message:
      `${entries} transactions name the swap account ${account}, which suggests a flood; ` +
      "Ballast goes on behind them at the next look",
    details: { swapAccount: account, entries },
  })
}
