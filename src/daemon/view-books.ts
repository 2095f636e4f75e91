import { WALLET_PREFIX } from "#books/accounts.ts"
import type { Swap } from "#books/read-swap.ts"
import { makeReport, type ReportLine, summarize } from "#books/report.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { Asset, AssetId } from "#domain/asset.ts"
import type { BookedEntry } from "#domain/ledger.ts"
import type { Journal } from "#journal/port.ts"
import { decimalsForBooks, readSwaps } from "./read-swaps.ts"

/** The books for plots. Amounts are text in the reference currency, or in the asset's own unit. */
export type BooksView = {
  readonly at: string
  /** The oldest first; a week begins on Monday, 00:00 UTC. Weeks without orders are in it. */
  readonly weeks: readonly BooksLine[]
  readonly rules: readonly BooksLine[]
  readonly total: BooksLine
  /** Older orders are left out, because their number is over the bound of this view. */
  readonly isShortened: boolean
  readonly balances: readonly {
    readonly asset: AssetId
    /** The balance by the books at the end of each step, the last one now. */
    readonly points: readonly { readonly at: string; readonly amount: string }[]
  }[]
}

export type BooksLine = {
  readonly group: string
  readonly orders: number
  readonly counts: { readonly [outcome: string]: number }
  readonly volume: string
  readonly swapCost: string
  readonly networkFees: string
  readonly costBps: number | null
  /** Swaps and fees without a known price, which no sum includes. */
  readonly unpriced: number
}

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** 1970-01-05, a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS
const WEEKS = 12
const MOST_ORDERS = 5_000
const BALANCE_SPAN_MS = 14 * DAY_MS
const BALANCE_STEPS = 48

/** Reads the last weeks of the books. Asks no node. */
export function readBooks(journal: Journal, config: Config, nowMs: number): BooksView {
  const firstMs = mondayOf(nowMs) - (WEEKS - 1) * WEEK_MS
  const swaps = readSwaps(journal, config, { fromMs: firstMs, untilMs: Number.MAX_SAFE_INTEGER }, MOST_ORDERS)
  const decimalsOf = decimalsForBooks(config)
  const weekOf = ({ askedAtMs }: Swap): string => dayOf(mondayOf(askedAtMs))
  const lines = new Map(makeReport(swaps, weekOf, decimalsOf).map((line) => [line.group, viewBooksLine(line)]))
  const empty = viewBooksLine({ group: "", ...summarize([], decimalsOf) })
  const names = Array.from({ length: WEEKS }, (_, index) => dayOf(firstMs + index * WEEK_MS))
  return {
    at: new Date(nowMs).toISOString(),
    weeks: names.map((group) => lines.get(group) ?? { ...empty, group }),
    rules: makeReport(swaps, ({ rule }) => rule, decimalsOf).map(viewBooksLine),
    total: viewBooksLine({ group: "total", ...summarize(swaps, decimalsOf) }),
    isShortened: swaps.length >= MOST_ORDERS,
    balances: readBalances(journal, config.assets, nowMs),
  }
}

/** Walks back from the balance of now over the entries, so that the whole ledger need not be read. */
function readBalances(journal: Journal, assets: readonly Asset[], nowMs: number): BooksView["balances"] {
  const entries = journal.listEntries({ fromMs: nowMs - BALANCE_SPAN_MS })
  const fromMs = Math.min(entries[0]?.atMs ?? nowMs, nowMs - BALANCE_STEPS * 1_000)
  const stepMs = (nowMs - fromMs) / BALANCE_STEPS
  const ends = Array.from({ length: BALANCE_STEPS }, (_, index) => fromMs + (index + 1) * stepMs)
  const sums = journal.listAccounts(WALLET_PREFIX)
  return assets.map(({ id, decimals }) => {
    const changes = entries.flatMap((entry) => walletChanges(entry, id))
    let units = sums.filter(({ asset }) => asset === id).reduce((sum, one) => sum + one.units, 0n)
    const points: { at: string; amount: string }[] = []
    for (const endMs of ends.toReversed()) {
      while ((changes.at(-1)?.atMs ?? 0) > endMs) units -= changes.pop()?.units ?? 0n
      points.unshift({ at: new Date(endMs).toISOString(), amount: formatUnits(units, decimals) })
    }
    return { asset: id, points }
  })
}

function walletChanges(entry: BookedEntry, asset: AssetId): { atMs: number; units: bigint }[] {
  const units = entry.postings
    .filter((posting) => posting.asset === asset && posting.account.startsWith(WALLET_PREFIX))
    .reduce((sum, posting) => sum + posting.units, 0n)
  return units === 0n ? [] : [{ atMs: entry.atMs, units }]
}

function viewBooksLine(line: ReportLine): BooksLine {
  const show = (fiat: bigint): string => formatUnits(fiat, FIAT_DECIMALS)
  return {
    group: line.group,
    orders: Object.values(line.counts).reduce((sum, count) => sum + count, 0),
    counts: line.counts,
    volume: show(line.volumeFiat),
    swapCost: show(line.swapCostFiat + line.affiliateCostFiat + line.payoutCostFiat),
    networkFees: show(line.networkFeeFiat),
    costBps: line.costBps === null ? null : Number(line.costBps),
    unpriced: line.unpriced.swaps + line.unpriced.fees,
  }
}

function mondayOf(ms: number): number {
  return FIRST_MONDAY_MS + Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
