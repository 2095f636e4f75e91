import type { SQLInputValue, SQLOutputValue } from "node:sqlite"
import { assert } from "#lib/assert.ts"
import type { InFlightScope, Journal } from "./port.ts"

type Row = Record<string, SQLOutputValue>
type One = (sql: string, ...values: SQLInputValue[]) => Row | undefined
type All = (sql: string, ...values: SQLInputValue[]) => Row[]

/** The usage that limits are judged by. Each call counts the orders themselves, so that no counter can drift from them. */
export function openCounts(
  one: One,
  all: All,
): Pick<Journal, "sumWindow" | "countInFlight" | "sumReservedFees" | "sumCommitted" | "readFailures"> {
  return {
    sumWindow: (sinceMs, unitsOf, exceptOrder) => {
      const rows = all(
        `select from_asset, source_units, source_fiat, fee_fiat, outcome from orders where (${UNDER_WAY} or counted_at > ?) and id <> ?`,
        sinceMs,
        exceptOrder ?? "",
      )
      const sold = rows.filter(({ outcome }) => outcome !== "rejected" && outcome !== "abandoned")
      const ofAsset = sold.filter((row) => row["from_asset"] === unitsOf)
      return {
        fiat: sum(sold, "source_fiat"),
        feesFiat: sum(rows, "fee_fiat"),
        count: sold.length,
        units: sum(ofAsset, "source_units"),
      }
    },
    countInFlight: (of) => {
      const [where, ...values] = of === undefined ? ["true"] : scopeOf(of)
      return Number(one(`select count(*) as n from orders where ${IN_FLIGHT} and ${where}`, ...values)?.["n"])
    },
    sumReservedFees: (chain, exceptOrder) =>
      sum(
        all(
          `select fee_units from orders where ${UNDER_WAY} and ${CHAIN_OF_SOURCE} = ? and id <> ?`,
          chain,
          exceptOrder ?? "",
        ),
        "fee_units",
      ),
    sumCommitted: (asset, exceptOrder) =>
      sum(
        all(
          `select source_units from orders where from_asset = ? and ${UNDER_WAY} and deposited = 0 and id <> ?`,
          asset,
          exceptOrder ?? "",
        ),
        "source_units",
      ),
    readFailures: (of) => {
      const [where, ...values] = scopeOf(of)
      // A held order is observed repeatedly, so `updated_at` moves on: it failed when it was first held.
      const ended = `(select outcome, case when state in ${RESTING} then (select min(at) from events where order_id = orders.id and events.state in ${RESTING})
                                      else updated_at end ended_at
                      from orders where ${where} and (outcome in ('completed', 'rejected', 'refunded') or state in ${RESTING}))`
      const row = one(
        `select count(*) n, max(ended_at) last from ${ended} where outcome is not 'completed'
           and ended_at >= (select coalesce(max(ended_at), 0) from ${ended} where outcome = 'completed')`,
        ...values,
        ...values,
      )
      return { count: Number(row?.["n"]), lastMs: row?.["last"] == null ? null : Number(row["last"]) }
    },
  }
}

/** A disarmed order reserves nothing; it is only watched. */
const UNDER_WAY = "(outcome is null and state <> 'disarmed')"
/** An order that waits only for the proof or the finality of its end makes room for another one. Its amounts still count. */
const IN_FLIGHT = `(${UNDER_WAY} and state not in ('settling', 'proving-unfunded'))`
const RESTING = "('held', 'disarmed')"
const CHAIN_OF_SOURCE = "substr(from_asset, 1, instr(from_asset, ':') - 1)"
const CHAIN_OF_DESTINATION = "substr(to_asset, 1, instr(to_asset, ':') - 1)"

function scopeOf(scope: InFlightScope): readonly [where: string, ...values: string[]] {
  if ("rule" in scope) return ["rule = ?", scope.rule]
  if ("chain" in scope) return [`? in (${CHAIN_OF_SOURCE}, ${CHAIN_OF_DESTINATION})`, scope.chain]
  if ("service" in scope) return ["service in (?, ?)", scope.service, scope.unnamed ? "" : scope.service]
  return ["from_asset = ? and to_asset = ?", scope.from, scope.to]
}

/** Amounts are text, because they outgrow SQLite's integers. An unknown amount counts as soon as it is known. */
function sum(rows: readonly Row[], column: string): bigint {
  return rows.reduce((total, row) => {
    const value = row[column]
    if (value == null) return total
    assert(typeof value === "string", "an amount in the journal is text")
    return total + BigInt(value)
  }, 0n)
}
