import { WALLET_PREFIX } from "#books/accounts.ts"
import type { Config } from "#config/config.ts"
import { basisPoints, FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { Asset } from "#domain/asset.ts"
import type { Steps } from "#engine/rules/decide/steps.ts"
import type { BooksSum, Ledger } from "#ports/journal/ledger.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { sumInSteps, type Turn } from "../money/journal-parts.ts"

type BooksView = AnswerOf<"Books">
export type BooksLine = BooksView["total"]

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** 1970-01-05, a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS
const WEEKS = 52
const BALANCE_SPAN_MS = 14 * DAY_MS
const BALANCE_STEPS = 48
const MOST_POSTINGS = 20_000

type Sources = {
  readonly journal: Ledger
  readonly config: Config
  readonly nowMs: number
  readonly turn?: Turn
}

/** Reads the last weeks of the books. Asks no node. */
export function* readBooks({ journal, config, nowMs, turn }: Sources): Steps<BooksView> {
  const firstMs = mondayOf(nowMs) - (WEEKS - 1) * WEEK_MS
  const span = { fromMs: firstMs, untilMs: nowMs + 1, spanMs: WEEK_MS }
  const sums = yield* sumInSteps(journal, span, turn)
  const rules = [...new Set(sums.map(({ rule }) => rule))].sort()
  return {
    at: new Date(nowMs).toISOString(),
    weeks: Array.from({ length: WEEKS }, (_, index) =>
      addUp(
        dayOf(firstMs + index * WEEK_MS),
        sums.filter(({ span }) => span === index),
      ),
    ),
    rules: rules.map((name) =>
      addUp(
        name,
        sums.filter(({ rule }) => rule === name),
      ),
    ),
    total: addUp("total", sums),
    balances: readBalances(journal, config.assets, nowMs),
  }
}

/**
 * Walks back from the balance of now over the last postings, so that the whole ledger need not be
 * read. A busy treasury's plot begins later.
 */
function readBalances(
  journal: Ledger,
  assets: readonly Asset[],
  nowMs: number,
): BooksView["balances"] {
  const query = { prefix: WALLET_PREFIX, fromMs: nowMs - BALANCE_SPAN_MS, limit: MOST_POSTINGS }
  const postings = journal.listLastPostings(query).toReversed()
  const fromMs = Math.min(postings[0]?.atMs ?? nowMs, nowMs - BALANCE_STEPS * 1_000)
  const stepMs = (nowMs - fromMs) / BALANCE_STEPS
  const ends = Array.from({ length: BALANCE_STEPS }, (_, index) => fromMs + (index + 1) * stepMs)
  const sums = journal.listAccounts(WALLET_PREFIX)
  return assets.map(({ id, decimals }) => {
    const changes = postings.filter(({ asset }) => asset === id)
    let units = sums.filter(({ asset }) => asset === id).reduce((sum, one) => sum + one.units, 0n)
    const points: { at: string; amount: string }[] = []
    for (const endMs of ends.toReversed()) {
      while ((changes.at(-1)?.atMs ?? 0) > endMs) units -= changes.pop()?.units ?? 0n
      points.unshift({ at: new Date(endMs).toISOString(), amount: formatUnits(units, decimals) })
    }
    return { asset: id, points }
  })
}

export function addUp(group: string, sums: readonly BooksSum[]): BooksLine {
  const sum = (part: "volumeFiat" | "swapCostFiat" | "networkFeeFiat"): bigint =>
    sums.reduce((total, line) => total + line[part], 0n)
  const volume = sum("volumeFiat")
  const swapCost = sum("swapCostFiat")
  const networkFees = sum("networkFeeFiat")
  const counts: { [outcome: string]: number } = {}
  for (const { ended, orders } of sums) counts[ended] = (counts[ended] ?? 0) + orders
  return {
    group,
    orders: sums.reduce((total, { orders }) => total + orders, 0),
    counts,
    volume: formatUnits(volume, FIAT_DECIMALS),
    swapCost: formatUnits(swapCost, FIAT_DECIMALS),
    networkFees: formatUnits(networkFees, FIAT_DECIMALS),
    costBps: volume === 0n ? null : Number(basisPoints(swapCost + networkFees, volume)),
    unpriced: sums.reduce((total, { unpriced }) => total + unpriced, 0),
  }
}

function mondayOf(ms: number): number {
  return FIRST_MONDAY_MS + Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
