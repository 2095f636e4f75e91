import type { SQLInputValue, SQLOutputValue } from "node:sqlite"
import { chainOf } from "#domain/asset.ts"
import { assert } from "#lib/assert.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import { type Counted, type OpenOrders, RESTING } from "./open-orders.ts"
import { listEndedRefs, type Memory } from "./read-open-orders.ts"
import { textOrNull, toText } from "./row.ts"

type Row = Record<string, SQLOutputValue>
type One = (sql: string, ...values: SQLInputValue[]) => Row | undefined
type All = (sql: string, ...values: SQLInputValue[]) => Row[]

/** Orders without their content. */
export function openRefs(
  all: All,
  open: () => OpenOrders,
): Pick<OrderStore, "listOpenRefs" | "listEndedRefs"> {
  return {
    listOpenRefs: () => open().list(),
    listEndedRefs: (sinceMs) => listEndedRefs(all, sinceMs),
  }
}

/**
 * The usage that limits are judged by. Nothing is counted up: the sums of the orders under way
 * follow from the columns of their rows (`open-orders.ts`), and ended orders are summed from the
 * table.
 */
export function openCounts(
  one: One,
  all: All,
  memory: () => Pick<Memory, "orders" | "endings">,
): OrderSums & Pick<OrderStore, "countOrders"> {
  const open = (): OpenOrders => memory().orders
  const find = (id: string | null): Counted | null => (id === null ? null : open().find(id))
  return {
    sumWindow: (sinceMs, unitsOf, exceptOrder) =>
      sumWindow(
        open().sumUnderWay(unitsOf),
        all(ENDED_SINCE, sinceMs, exceptOrder ?? ""),
        unitsOf,
        find(exceptOrder),
      ),
    sumRule: (rule, sinceMs) => sumRule([...all(OPEN_OF, rule), ...all(ENDED_OF, rule, sinceMs)]),
    countInFlight: (of) => open().countInFlight(of),
    sumFiatWith: (service, exceptOrder) => {
      const own = find(exceptOrder)
      return open().sumFiatWith(service) - (own?.service === service ? (own.sourceFiat ?? 0n) : 0n)
    },
    countPaidOn: (chain) => open().countPaidOn(chain),
    countRedeemedOn: (chain) => open().countRedeemedOn(chain),
    countOrders: () => [
      ...open().countStates(),
      ...all(ENDED_BY_STATE).map((row) => ({
        state: toText(row["outcome"]),
        outcome: toText(row["outcome"]),
        service: textOrNull(row["service"]),
        count: Number(row["count"]),
      })),
    ],
    sumReservedFees: (chain, exceptOrder) => {
      const own = find(exceptOrder)
      return (
        open().sumFees(chain) - (own !== null && chainOf(own.from) === chain ? own.feeUnits : 0n)
      )
    },
    sumCommitted: (asset, exceptOrder) => {
      const own = find(exceptOrder)
      return (
        open().sumCommitted(asset) - (own?.from === asset && !own.deposited ? own.sourceUnits : 0n)
      )
    },
    countEndings: (pair, latestCount) => memory().endings.count(pair, latestCount),
    sumCorrections: (of) => sumCorrections(all, of),
    readFailures: (of) => readFailures({ one, all }, of, open().hasRested()),
  }
}

function sumRule(rows: readonly Row[]): ReturnType<OrderSums["sumRule"]> {
  const sold = rows.filter(({ outcome }) => outcome !== "rejected" && outcome !== "abandoned")
  return {
    fiat: sum(sold, "source_fiat"),
    unknown: sold.filter((row) => row["source_fiat"] === null).length,
    count: rows.length,
    inFlight: rows.filter(({ outcome }) => outcome === null).length,
  }
}

const OPEN_OF = "select source_fiat, outcome from orders where outcome is null and rule = ?"
const ENDED_OF = `select source_fiat, outcome from orders
  where rule = ? and outcome is not null and updated_at > ?`

/** The orders under way and the ended ones of the window, without the order `own`. */
function sumWindow(
  underWay: ReturnType<OpenOrders["sumUnderWay"]>,
  ended: readonly Row[],
  unitsOf: Parameters<OrderSums["sumWindow"]>[1],
  own: Counted | null,
): ReturnType<OrderSums["sumWindow"]> {
  const sold = ended.filter(({ outcome }) => outcome !== "rejected" && outcome !== "abandoned")
  const ofAsset = sold.filter((row) => row["from_asset"] === unitsOf)
  return {
    fiat: underWay.fiat + sum(sold, "source_fiat") - (own?.sourceFiat ?? 0n),
    feesFiat: underWay.feesFiat + sum(ended, "fee_fiat") - (own?.feeFiat ?? 0n),
    count: underWay.count + sold.length - (own === null ? 0 : 1),
    units:
      underWay.units +
      sum(ofAsset, "source_units") -
      (own?.from === unitsOf ? own.sourceUnits : 0n),
  }
}

/** An order that rests is searched for only while there is one: it may be of any pair. */
function readFailures(
  { one, all }: { readonly one: One; readonly all: All },
  of: Parameters<OrderSums["readFailures"]>[0],
  hasRested: boolean,
): ReturnType<OrderSums["readFailures"]> {
  const scopes: readonly Scope[] =
    "rule" in of
      ? RULE_COLUMNS.map((column) => ({ where: `${column} = ?`, values: [of.rule] }))
      : [{ where: "from_asset = ? and to_asset = ?", values: [of.from, of.to] }]
  const sinceMs = latest(scopes.map((scope) => lastCompletedMs(one, scope))) ?? 0
  const ended = scopes.map((scope) => readEnded(one, scope, sinceMs))
  const rested = hasRested ? scopes.flatMap((scope) => listRested(all, scope, sinceMs)) : []
  return {
    count: ended.reduce((sum, { count }) => sum + count, rested.length),
    lastMs: latest([...ended.map(({ lastMs }) => lastMs), ...rested]),
  }
}

/** One query for each column, because each has its own index. No order names one rule in both. */
const RULE_COLUMNS = ["rule", "second_rule"] as const
type Scope = { readonly where: string; readonly values: readonly string[] }

function sumCorrections(
  all: All,
  { rule, asset, sinceMs }: Parameters<OrderSums["sumCorrections"]>[0],
): ReturnType<OrderSums["sumCorrections"]> {
  const rows = RULE_COLUMNS.flatMap((column) => all(completedSince(column), rule, sinceMs))
  const brought = rows.filter((row) => row["to_asset"] === asset)
  const took = rows.filter((row) => row["from_asset"] === asset)
  return {
    orders: brought.length + took.length,
    inFiat: sum(brought, "source_fiat"),
    outFiat: sum(took, "source_fiat"),
  }
}

function completedSince(column: (typeof RULE_COLUMNS)[number]): string {
  return `select from_asset, to_asset, source_fiat from orders
    where ${column} = ? and outcome = 'completed' and updated_at > ?`
}

function lastCompletedMs(one: One, { where, values }: Scope): number | null {
  const last = one(
    `select max(updated_at) last from orders where ${where} and outcome = 'completed'`,
    ...values,
  )
  return last?.["last"] == null ? null : Number(last["last"])
}

function readEnded(
  one: One,
  { where, values }: Scope,
  sinceMs: number,
): { count: number; lastMs: number | null } {
  const ended = one(
    `select count(*) n, max(updated_at) last from orders where ${where} and outcome in ` +
      "('rejected', 'refunded') and updated_at >= ?",
    ...values,
    sinceMs,
  )
  return {
    count: Number(ended?.["n"]),
    lastMs: ended?.["last"] == null ? null : Number(ended["last"]),
  }
}

/**
 * A held order is observed repeatedly, so `updated_at` moves on: it failed when it was first held.
 */
function listRested(all: All, { where, values }: Scope, sinceMs: number): number[] {
  return all(
    `select (${EVENTS_BACK} select min(at) from steps where steps.state in ${RESTING_TEXTS}) at
       from orders where ${where} and state in ${RESTING_TEXTS}`,
    ...values,
  ).flatMap(({ at }) => (at == null || Number(at) < sinceMs ? [] : [Number(at)]))
}

function latest(times: readonly (number | null)[]): number | null {
  return times.reduce((last, at) => (last === null || (at !== null && at > last) ? at : last), null)
}

/** The events of the order of the row, from its last one back. */
const EVENTS_BACK = `with recursive steps (previous, at, state) AS (
    select previous, at, state from events where seq = orders.last_event
    union all
    select events.previous, events.at, events.state
    from steps cross join events on events.seq = steps.previous
  )`
const RESTING_TEXTS = `('${[...RESTING].join("', '")}')`
/** The state of an ended order is its outcome. An index has both columns, so no order is read. */
const ENDED_BY_STATE =
  "select outcome, service, count(*) count from orders where outcome is not null group by " +
  "outcome, service"
/** The orders that are over, or only watched, and count from a time after the parameter. */
const ENDED_SINCE = `select from_asset, source_units, source_fiat, fee_fiat, outcome
  from orders indexed by orders_counted_ended
  where counted_at > ? and (outcome is not null or state = 'disarmed') and id <> ?`

/**
 * Amounts are text, because they outgrow SQLite's integers. An unknown amount counts as soon as it
 * is known.
 */
function sum(rows: readonly Row[], column: string): bigint {
  return rows.reduce((total, row) => {
    const value = row[column]
    if (value == null) return total
    assert(typeof value === "string", "an amount in the journal is text")
    return total + BigInt(value)
  }, 0n)
}
