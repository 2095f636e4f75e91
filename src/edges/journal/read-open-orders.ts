import type { AssetId } from "#domain/asset.ts"
import type { OrderRef, OrderRow } from "#ports/journal/orders.ts"
import { createKeptRows, type KeptRows } from "./kept-rows.ts"
import { createLatestEndings, type LatestEndings } from "./latest-endings.ts"
import { type Counted, createOpenOrders, type OpenOrders } from "./open-orders.ts"
import { createOutbox, type Outbox, type StoredWork } from "./outbox.ts"
import { type All, type One, type Row, textOrNull, toText } from "./row.ts"

/** The orders under way and their work in memory, and the rows that were written last. */
export type Memory = {
  readonly share: Share
  readonly orders: OpenOrders
  readonly outbox: Outbox
  readonly rows: KeptRows
  readonly endings: LatestEndings
  /** The highest number of an event when the tables were read. */
  readonly lastEvent: number
}

export type OpenOrdersReader = {
  /** The orders under way and the outbox, as the tables have them now. */
  readonly read: () => Memory
  /** As `read`; `null` when nothing is in memory: one order is read faster than all. */
  readonly current: () => Memory | null
  /**
   * Runs a write of one order, and `put` once it is written. A write that throws leaves the order
   * as the tables have it.
   */
  readonly write: (orderId: string, body: () => void, put: (memory: Memory) => void) => void
  /** The tables were changed back: read everything again. */
  readonly forget: () => void
}

type Queries = {
  readonly one: One
  readonly all: All
  /** Row by row. */
  readonly each: (sql: string) => Iterable<Row>
}

/**
 * Reads the open orders once and keeps them in memory. It reads them again after steps were undone,
 * and after another connection wrote to the database: a command of an operator, or a repair by
 * hand. `group`: the number of the open transaction, `null` outside one.
 */
export function createOpenOrdersReader(
  { one, all, each }: Queries,
  group: () => number | null,
): OpenOrdersReader {
  let known: { readonly memory: Memory; readonly version: unknown } | null = null
  let checkedIn: number | null = null

  function current(): Memory | null {
    // Within a transaction of ours no other connection writes.
    if (known !== null && checkedIn !== null && checkedIn === group()) return known.memory
    const version = one("pragma data_version")?.["data_version"]
    if (known?.version !== version) known = null
    checkedIn = group()
    return known?.memory ?? null
  }

  function read(): Memory {
    const memory = current()
    if (memory !== null) return memory
    const version = one("pragma data_version")?.["data_version"]
    known = { memory: readAll({ one, all, each }), version }
    return known.memory
  }

  return {
    read,
    current,
    write: (orderId, body, put) => {
      read()
      try {
        body()
      } catch (error) {
        if (known !== null) readOne(one, known.memory, orderId)
        throw error
      }
      if (known !== null) put(known.memory)
    },
    forget: () => {
      known = null
    },
  }
}

/** The columns that are kept, without the snapshot. */
export function toCounted(order: OrderRow): Counted {
  const {
    id,
    state,
    outcome,
    rule,
    secondRule,
    from,
    to,
    sourceUnits,
    sourceFiat,
    feeFiat,
    feeUnits,
  } = order
  const { deposited, service, countedAtMs, updatedAtMs, secretHash, payoutTx } = order
  return {
    id,
    state,
    outcome,
    rule,
    secondRule: secondRule ?? null,
    from,
    to,
    sourceUnits,
    sourceFiat,
    feeFiat,
    feeUnits,
    deposited,
    service: service ?? null,
    countedAtMs,
    updatedAtMs,
    secretHash,
    payoutTx: payoutTx ?? null,
  }
}

function readAll({ one, all, each }: Queries): Memory {
  const lastEvent = Number(one("select max(seq) as last from events")?.["last"] ?? 0)
  const share = shareTexts()
  const memory = {
    share,
    orders: createOpenOrders(),
    outbox: createOutbox(),
    rows: createKeptRows(),
    endings: createLatestEndings(all),
    lastEvent,
  }
  for (const row of each(OPEN_ORDERS)) {
    try {
      memory.orders.put(readCounted(row, share))
    } catch (error) {
      // One damaged amount stops new orders, and leaves the orders under way to go on.
      memory.orders.refuseSums(error)
    }
    memory.outbox.put(toText(row["id"]), readWork(row, share))
  }
  return memory
}

function readOne(one: One, memory: Memory, orderId: string): void {
  const { share, orders, outbox, rows, endings } = memory
  rows.drop(orderId)
  endings.forget()
  const order = one(`select ${COLUMNS} from orders where id = ?`, orderId)
  if (order === undefined) orders.remove(orderId)
  else orders.put(readCounted(order, share))
  outbox.put(orderId, order === undefined ? null : readWork(order, share))
}

const COLUMNS = `id, state, outcome, rule, from_asset, to_asset, source_units, source_fiat,
  fee_fiat, fee_units, deposited, service, counted_at, updated_at, secret_hash, payout_tx,
  second_rule, last_event, work, work_due, work_begun`
const OPEN_ORDERS = `select ${COLUMNS} from orders where outcome is null`

function readCounted(row: Row, share: Share): Counted {
  const service = textOrNull(row["service"])
  const secondRule = textOrNull(row["second_rule"])
  return {
    id: toText(row["id"]),
    from: toAsset(row["from_asset"], share),
    to: toAsset(row["to_asset"], share),
    state: share(toText(row["state"])),
    outcome: textOrNull(row["outcome"]),
    rule: share(toText(row["rule"])),
    sourceUnits: BigInt(toText(row["source_units"])),
    sourceFiat: row["source_fiat"] == null ? null : BigInt(toText(row["source_fiat"])),
    feeFiat: row["fee_fiat"] == null ? null : BigInt(toText(row["fee_fiat"])),
    feeUnits: BigInt(toText(row["fee_units"])),
    deposited: row["deposited"] === 1,
    service: service === null ? null : share(service),
    countedAtMs: Number(row["counted_at"]),
    updatedAtMs: Number(row["updated_at"]),
    secretHash: textOrNull(row["secret_hash"]),
    payoutTx: textOrNull(row["payout_tx"]),
    secondRule: secondRule === null ? null : share(secondRule),
  }
}

function readWork(row: Row, share: Share): StoredWork | null {
  const body = textOrNull(row["work"])
  if (body === null) return null
  return {
    from: toAsset(row["from_asset"], share),
    to: toAsset(row["to_asset"], share),
    id: Number(row["last_event"]),
    orderId: toText(row["id"]),
    body,
    dueAtMs: Number(row["work_due"]),
    begun: Number(row["work_begun"]),
    isAhead: false,
    service: share(textOrNull(row["service"]) ?? ""),
    updatedAtMs: Number(row["updated_at"]),
  }
}

function toAsset(value: Row[string] | undefined, share: Share = (text) => text): AssetId {
  // CAST: `insertOrder` wrote it from an AssetId.
  return share(toText(value)) as AssetId
}

type Share = (text: string) => string

/** Names that most rows have in common are kept once. */
function shareTexts(): Share {
  const texts = new Map<string, string>()
  return (text) => {
    const known = texts.get(text)
    if (known === undefined) texts.set(text, text)
    return known ?? text
  }
}

/** As the method of the journal. */
export function listEndedRefs(all: All, sinceMs: number): readonly OrderRef[] {
  const ref = "select id, from_asset, to_asset, updated_at from orders"
  // Named, because the index of all changes would lead to every open order with a recent step.
  const rows = all(
    `${ref} indexed by orders_ended_at where outcome is not null and updated_at >= ?1
    union all ${ref} indexed by orders_resting
    where state in ('held', 'disarmed') and state = 'disarmed' and updated_at >= ?1`,
    sinceMs,
  )
  return rows.map((row) => {
    const updatedAtMs = Number(row["updated_at"])
    // Below every revision of an open order. An order that has ended hardly changes.
    return {
      id: toText(row["id"]),
      from: toAsset(row["from_asset"]),
      to: toAsset(row["to_asset"]),
      updatedAtMs,
      revision: -updatedAtMs,
    }
  })
}
