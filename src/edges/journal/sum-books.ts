import type { BooksSum } from "#ports/journal/ledger.ts"
import type { Journal } from "#ports/journal.ts"
import { type Row, toText } from "./row.ts"

type All = (sql: string, ...values: (bigint | number)[]) => Row[]

/**
 * Sums the ledger in SQL, so that a year of orders takes as little memory as a day.
 * `src/core/books/report.ts` computes the same from single swaps.
 */
export function openBookSums(all: All): Pick<Journal, "sumBooks"> {
  return {
    sumBooks: (fromMs, spanMs, within = { fromMs, untilMs: Number.MAX_SAFE_INTEGER }) =>
      all(SUMS, BigInt(fromMs), BigInt(spanMs), within.fromMs, within.untilMs).map(toSum),
  }
}

function toSum(row: Row): BooksSum {
  const fiat = (column: string): bigint => BigInt(toText(row[column]))
  return {
    span: Number(row["span"]),
    rule: toText(row["rule"]),
    ended: toText(row["ended"]),
    orders: Number(row["orders"]),
    volumeFiat: fiat("volume"),
    swapCostFiat: fiat("cost"),
    networkFeeFiat: fiat("network"),
    unpriced: Number(row["unpriced"]),
  }
}

/**
 * One line of an order's live entries: an entry that was reversed, and the entry that reverses it,
 * cancel each other. The indexes are named, because nearly all entries reverse none: the index of
 * the reversals would lead to all of them again for each order.
 */
const LINES = `select o.id, o.created_at, o.rule, o.outcome, o.state, p.units, p.fiat + 0 fiat,
    case
      when e.kind = 'deposit' and p.asset = o.from_asset
        and p.account glob 'assets:in-transit:*' then 'sent'
      when e.kind = 'payout' and p.asset = o.to_asset
        and (p.account glob 'assets:wallet:*' or p.account = 'equity:outside') then 'received'
      when e.kind in ('payout', 'refund') and p.asset = o.from_asset
        and p.account = 'expenses:swap' then 'swap'
      when e.kind = 'payout' and p.asset = o.from_asset
        and p.account = 'expenses:affiliate' then 'affiliate'
      when e.kind = 'payout' and p.asset = o.to_asset
        and p.account = 'expenses:payout' then 'payout'
      when e.kind in ('fee', 'refund')
        and p.account glob 'expenses:network:*' then 'network'
    end part
  from orders o indexed by orders_created
  left join entries e indexed by entries_order on e.order_id = o.id and e.reverses is null
    and not exists (select 1 from entries r where r.reverses = e.id)
  left join postings p on p.entry_id = e.id
  where o.created_at >= ? and o.created_at < ?`

/**
 * The sum of a part, 0 when a line of it has no price. Units are text and outgrow integers, so only
 * their sign is used.
 */
const fiatOf = (part: string): string =>
  `case when count(case when part = '${part}' and fiat is null then 1 end) > 0 then 0
    else coalesce(sum(case when part = '${part}' then fiat end), 0) end ${part}`

/** `limit -1` keeps a line's part as a column: SQLite would compare its texts for each use. */
const SWAPS = `select
    created_at,
    rule,
    coalesce(outcome, case state when 'held' then 'held' else 'open' end) ended,
    ${["sent", "swap", "affiliate", "payout", "network"].map(fiatOf).join(",\n    ")},
    total(case when part = 'received' then units + 0.0 end) > 0 is_paid,
    count(case when part in ('sent', 'swap', 'received') and fiat is null then 1 end) = 0 is_priced,
    count(case when part = 'network' and fiat is null and units <> '0' then 1 end) > 0
      is_fee_unpriced
  from (${LINES} limit -1) group by id`

const SUMS = `select (created_at - ?) / ? span, rule, ended, count(*) orders,
    sum(case when is_paid and is_priced then sent else 0 end) || '' volume,
    sum(case when is_paid and is_priced then swap + affiliate + payout else 0 end) || '' cost,
    sum(network) || '' network,
    sum(is_paid and not is_priced) + sum(is_fee_unpriced) unpriced
  from (${SWAPS}) group by span, rule, ended order by span, rule, ended`
