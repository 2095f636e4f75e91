import { assertBalanced, type Booking, type LedgerEntry } from "#domain/ledger.ts"
import { encodeJson } from "#lib/json.ts"
import type { OrderData } from "#order/data.ts"
import { entriesOf, type Wallets } from "./entries-of.ts"

/**
 * The balanced entries that turn the ledger of the order before a step into the ledger of the order
 * after it. Pure.
 */
export function bookStep(before: OrderData, after: OrderData, wallets: Wallets): Booking {
  if (isSame(before, after)) return NOTHING
  const old = byKey(entriesOf(before, wallets))
  const now = byKey(entriesOf(after, wallets))
  const same = (key: string): boolean => encodeJson(old.get(key)) === encodeJson(now.get(key))
  const reversedKeys = [...old.keys()].filter((key) => !same(key))
  const add = [...now].filter(([key]) => !same(key)).map(([, entry]) => entry)
  for (const entry of add) assertBalanced(entry)
  return { reversedKeys, add }
}

const NOTHING: Booking = { reversedKeys: [], add: [] }

/** Most steps change no part of the order that the ledger depends on. */
function isSame(before: OrderData, after: OrderData): boolean {
  const parts = [
    "mined",
    "receipt",
    "returned",
    "rentReturned",
    "quote",
    "prices",
    "terms",
    "gasless",
    "transactions",
  ] as const
  const sameInitiation = before.seen.sourceInitiated?.txid === after.seen.sourceInitiated?.txid
  return sameInitiation && parts.every((part) => before[part] === after[part])
}

function byKey(entries: readonly LedgerEntry[]): ReadonlyMap<string, LedgerEntry> {
  return new Map(entries.map((entry) => [entry.key, entry]))
}
