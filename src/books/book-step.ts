import { assertBalanced, type Booking, type LedgerEntry } from "#domain/ledger.ts"
import { encodeJson } from "#lib/json.ts"
import type { OrderData } from "#order/data.ts"
import { entriesOf, type Wallets } from "./entries-of.ts"

/** From (order before, order after) to balanced entries: the difference of what is to be in the ledger. Pure. */
export function bookStep(before: OrderData, after: OrderData, house: Wallets): Booking {
  if (isSame(before, after)) return NOTHING
  const [old, now] = [byKey(entriesOf(before, house)), byKey(entriesOf(after, house))]
  const same = (key: string): boolean => encodeJson(old.get(key)) === encodeJson(now.get(key))
  const takeBack = [...old.keys()].filter((key) => !same(key))
  const add = [...now].filter(([key]) => !same(key)).map(([, entry]) => entry)
  for (const entry of add) assertBalanced(entry)
  return { takeBack, add }
}

const NOTHING: Booking = { takeBack: [], add: [] }

/** Most steps change nothing that the ledger is told from. */
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
