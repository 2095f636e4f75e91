import type { SQLInputValue, SQLOutputValue } from "node:sqlite"
import type { AssetId } from "#domain/asset.ts"
import {
  assertBalanced,
  type BookedEntry,
  type Booking,
  feeKey,
  type LedgerEntry,
  type Posting,
  reverseOf,
} from "#domain/ledger.ts"
import { mustExist } from "#lib/assert.ts"
import type {
  AccountRow,
  EntryQuery,
  PostingRow,
  ReconciliationRow,
  Summarize,
} from "#ports/journal/ledger.ts"
import type { Journal } from "#ports/journal.ts"
import { insertRow } from "./row.ts"
import { writeSample } from "./samples.ts"

type Row = Record<string, SQLOutputValue>
type Sql = {
  readonly run: (sql: string, ...values: SQLInputValue[]) => number
  readonly all: (sql: string, ...values: SQLInputValue[]) => Row[]
}

/**
 * Writes a booking within the caller's transaction. A reversal copies the stored entry line by
 * line. An entry that is already booked and not reversed stays as it is: the order and the
 * reconciler may read the same return of rent side by side.
 */
export function writeBooking(
  sql: Sql,
  booking: Booking,
  at: { readonly orderId: string | null; readonly atMs: number },
): void {
  for (const key of booking.reversedKeys) reverse(sql, key, at)
  for (const entry of booking.add) {
    if (findLive(sql, at.orderId, entry.key) !== null) continue
    // A fee that was booked before its order knew the transaction gives way to the order's own
    // entry.
    if (at.orderId !== null && entry.key === feeKey(entry.tx ?? ""))
      reverse(sql, entry.key, { ...at, orderId: null }, WITH_ORDER)
    insertEntry(sql, entry, { ...at, reverses: null })
  }
}

const WITH_ORDER = "now booked with its order"

function reverse(
  sql: Sql,
  key: string,
  at: { orderId: string | null; atMs: number },
  note?: string,
): void {
  const live = findLive(sql, at.orderId, key)
  if (live !== null) insertEntry(sql, reverseOf(live, note), { ...at, reverses: live.id })
}

/** Oldest first. */
export function listEntries(
  sql: Sql,
  query: EntryQuery & { readonly lastId?: number },
): readonly BookedEntry[] {
  const { where, values } = conditionsOf(query)
  const { limit } = query
  if (limit !== undefined) {
    const ids = sql.all(`select id from entries e ${where} order by id limit ?`, ...values, limit)
    const lastId = Number(ids.at(-1)?.["id"] ?? 0)
    const { limit: _, ...rest } = query
    return ids.length < limit ? listEntries(sql, rest) : listEntries(sql, { ...rest, lastId })
  }
  const postings = new Map<number, Posting[]>()
  for (const row of sql.all(
    `select p.* from entries e cross join postings p on p.entry_id = e.id ${where} order by ` +
      "e.id, p.line",
    ...values,
  )) {
    const id = Number(row["entry_id"])
    const lines = postings.get(id)
    if (lines === undefined) postings.set(id, [toPosting(row)])
    else lines.push(toPosting(row))
  }
  return sql
    .all(`select * from entries e ${where} order by id`, ...values)
    .map((row) => toEntry(row, postings.get(Number(row["id"])) ?? []))
}

/**
 * Only the conditions that the query has: with the others in the text too, SQLite takes no index
 * and reads the whole ledger.
 */
function conditionsOf({
  orderId,
  key,
  fromMs,
  untilMs,
  afterId,
  lastId,
}: EntryQuery & { readonly lastId?: number }): {
  where: string
  values: SQLInputValue[]
} {
  const given: [text: string, ...values: SQLInputValue[]][] = []
  if (orderId !== undefined) given.push(["order_id = ?", orderId])
  if (key !== undefined) given.push(["key = ?", key])
  // Both ends, because SQLite takes the index of the times only for a span.
  if (fromMs !== undefined || untilMs !== undefined)
    given.push(["at >= ? and at < ?", fromMs ?? 0, untilMs ?? Number.MAX_SAFE_INTEGER])
  if (afterId !== undefined) given.push(["e.id > ?", afterId])
  if (lastId !== undefined) given.push(["e.id <= ?", lastId])
  const texts = given.map(([text]) => text)
  return {
    where: texts.length === 0 ? "" : `where ${texts.join(" and ")}`,
    values: given.flatMap(([, ...values]) => values),
  }
}

/** Writes the summary of an order from its entries as they are now, or removes it. */
export function writeSummary(sql: Sql, orderId: string, summarize: Summarize | undefined): void {
  const summary = summarize === undefined ? null : summarize(listEntries(sql, { orderId }))
  sql.run("update orders set summary = ?1 where id = ?2 and summary is not ?1", summary, orderId)
}

/** Newest first. */
export function listLastPostings(
  sql: Sql,
  { prefix, fromMs, limit, ofOrders = true }: Parameters<Journal["listLastPostings"]>[0],
): readonly PostingRow[] {
  const rows = sql.all(
    // Both ends of the times, so that SQLite takes their index.
    `select e.at, p.asset, p.units
      from entries e cross join postings p on p.entry_id = e.id
      where e.at >= ?2 and e.at < ?4
        and p.account >= ?1 and p.account < ?1 || char(1114111)
        and (?5 or e.order_id is null)
      order by e.at desc, e.id desc
      limit ?3`,
    ...[prefix, fromMs, limit, Number.MAX_SAFE_INTEGER, ofOrders ? 1 : 0],
  )
  return rows.map((row) => ({
    atMs: Number(row["at"]),
    asset: assetOf(row),
    units: BigInt(textOf(row["units"])),
  }))
}

/** The sums of the accounts that begin with `prefix`, without those that are zero. */
export function listAccounts(sql: Sql, prefix: string): readonly AccountRow[] {
  const rows = sql.all(
    // A range of the key, with the first character that no account contains as its end.
    "select * from accounts where account >= ?1 and account < ?1 || char(1114111) order by " +
      "account, asset",
    prefix,
  )
  return rows.map((row) => ({
    account: textOf(row["account"]),
    asset: assetOf(row),
    units: BigInt(textOf(row["units"])),
  }))
}

export function listReconciliations(sql: Sql): readonly ReconciliationRow[] {
  return sql.all("select * from reconciliations order by asset").map((row) => ({
    asset: assetOf(row),
    atMs: Number(row["at"]),
    // CAST: written by saveReconciliation.
    state: textOf(row["state"]) as ReconciliationRow["state"],
    ledgerUnits: bigOrNull(row["ledger_units"]),
    chainUnits: bigOrNull(row["chain_units"]),
    sinceMs: Number(row["since"]),
    alarmedUnits: bigOrNull(row["alarmed_units"]),
  }))
}

/** The reading is a sample too, so that a plot shows what the chain held, and not the books. */
export function saveReconciliation(sql: Sql, row: ReconciliationRow): void {
  const { asset, atMs, state, chainUnits } = row
  writeSample(sql, {
    series: `balance/${asset}`,
    atMs,
    value: state === "unreadable" ? null : chainUnits,
  })
  const values = {
    asset: row.asset,
    at: row.atMs,
    state: row.state,
    ledger_units: row.ledgerUnits?.toString() ?? null,
    chain_units: row.chainUnits?.toString() ?? null,
    since: row.sinceMs,
    alarmed_units: row.alarmedUnits?.toString() ?? null,
  }
  insertRow(
    sql.run,
    "reconciliations",
    values,
    `on conflict (asset) do update set
      at = excluded.at,
      state = excluded.state,
      ledger_units = excluded.ledger_units,
      chain_units = excluded.chain_units,
      since = excluded.since,
      alarmed_units = excluded.alarmed_units`,
  )
}

function findLive(sql: Sql, orderId: string | null, key: string): BookedEntry | null {
  const [row] = sql.all(
    "select * from entries e indexed by entries_order where order_id is ? and key = ? and " +
      "reverses is null and not exists (select 1 from entries r where r.reverses = e.id) order " +
      "by id desc limit 1",
    orderId,
    key,
  )
  return row === undefined ? null : toEntry(row, listPostings(sql, Number(row["id"])))
}

function insertEntry(
  sql: Sql,
  entry: LedgerEntry,
  { orderId, atMs, reverses }: { orderId: string | null; atMs: number; reverses: number | null },
): void {
  assertBalanced(entry)
  insertRow(sql.run, "entries", {
    at: atMs,
    order_id: orderId,
    key: entry.key,
    kind: entry.kind,
    tx: entry.tx,
    note: entry.note,
    reverses,
  })
  // `returning id` takes four times as long.
  const [row] = sql.all("select last_insert_rowid() as id")
  const id = Number(mustExist(row?.["id"], "the id of the new entry"))
  for (const [line, posting] of entry.postings.entries()) {
    const { account, asset, units, fiat } = posting
    insertRow(sql.run, "postings", {
      entry_id: id,
      line,
      account,
      asset,
      units: units.toString(),
      fiat: fiat?.toString() ?? null,
    })
    addToAccount(sql, posting)
  }
}

function addToAccount(sql: Sql, { account, asset, units }: Posting): void {
  const [row] = sql.all(
    "select units from accounts where account = ? and asset = ?",
    account,
    asset,
  )
  const sum = BigInt(row === undefined ? "0" : textOf(row["units"])) + units
  if (sum === 0n) sql.run("delete from accounts where account = ? and asset = ?", account, asset)
  else {
    insertRow(
      sql.run,
      "accounts",
      { account, asset, units: sum.toString() },
      "on conflict (account, asset) do update set units = excluded.units",
    )
  }
}

function listPostings(sql: Sql, entryId: number): readonly Posting[] {
  return sql.all("select * from postings where entry_id = ? order by line", entryId).map(toPosting)
}

function toPosting(row: Row): Posting {
  return {
    account: textOf(row["account"]),
    asset: assetOf(row),
    units: BigInt(textOf(row["units"])),
    fiat: bigOrNull(row["fiat"]),
  }
}

function toEntry(row: Row, postings: readonly Posting[]): BookedEntry {
  return {
    id: Number(row["id"]),
    atMs: Number(row["at"]),
    orderId: row["order_id"] == null ? null : textOf(row["order_id"]),
    key: textOf(row["key"]),
    // CAST: written by insertEntry.
    kind: textOf(row["kind"]) as BookedEntry["kind"],
    tx: row["tx"] == null ? null : textOf(row["tx"]),
    note: row["note"] == null ? null : textOf(row["note"]),
    reverses: row["reverses"] == null ? null : Number(row["reverses"]),
    postings,
  }
}

function assetOf(row: Row): AssetId {
  // CAST: written from an AssetId.
  return textOf(row["asset"]) as AssetId
}

function bigOrNull(value: SQLOutputValue | undefined): bigint | null {
  return value == null ? null : BigInt(textOf(value))
}

function textOf(value: SQLOutputValue | undefined): string {
  return String(mustExist(value, "a column of the ledger"))
}
