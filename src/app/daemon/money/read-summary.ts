import { ACCOUNTS, IN_TRANSIT_PREFIX } from "#books/accounts.ts"
import { spanWithin } from "#books/span-within.ts"
import {
  type TreasuryValue,
  type ValuedAsset,
  valueAtPrice,
  valueTreasury,
} from "#books/value-treasury.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import { type Steps, wait } from "#engine/rules/decide/steps.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import type { DecisionStore } from "#ports/journal/decisions.ts"
import type { AccountRow, ReconciliationRow, SampleRow } from "#ports/journal/ledger.ts"
import type { OrderRow, OrderStore } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { createHumaniser } from "../views/human-units.ts"
import { readAlarms } from "../views/read-alarms.ts"
import { whyMissed } from "../views/read-missed-runs.ts"
import { addUp } from "../views/view-books.ts"
import { sumInSteps, type Turn } from "./journal-parts.ts"
import { readNewestPrice } from "./newest-price.ts"

type Summary = AnswerOf<"Summary">

type SummarySources = {
  readonly journal: Journal
  readonly config: Config
  readonly nowMs: number
  readonly turn?: Turn
}

const DAY_MS = 24 * 3_600_000
const MOST_TIMED = 300
const MOST_OPEN = 200
const MOST_ALARMS = 20
const MOST_POSTINGS = 5_000
const MOST_RUNS = 500

/** The money at this moment and since a time. Reads the journal only, in turns. */
export function* readSummary(sources: SummarySources, since: string | null): Steps<Summary> {
  const { journal, config, nowMs } = sources
  const sinceMs = since === null ? nowMs - DAY_MS : Math.min(nowMs, Date.parse(since))
  const open = journal.listOrders({ limit: MOST_OPEN, open: true })
  const assets = readAssets(sources, sinceMs)
  const value = valueTreasury(assets)
  const fromMs = Math.max(sinceMs, ...assets.map(({ beforeMs }) => beforeMs ?? sinceMs))
  return {
    at: timeOf(nowMs),
    since: timeOf(sinceMs),
    totalFiat: viewFiat(value.total),
    inFlight: { orders: journal.countInFlight(), fiat: viewFiat(value.transit) },
    unpriced: [...value.unpriced],
    unread: [...value.unread],
    change: viewChange(value.change, fromMs),
    swaps: yield* viewSwaps(sources, sinceMs),
    assets: assets.map((one) => viewAsset(one, open)),
    open: open.map(({ id, sourceFiat, createdAtMs, deposited }) => ({
      order: id,
      fiat: sourceFiat === null ? null : viewFiat(sourceFiat),
      requestedAt: timeOf(createdAtMs),
      deposited,
    })),
    alarms: readAlarms(journal, nowMs, createHumaniser(config))
      .filter(({ atMs }) => atMs >= sinceMs)
      .slice(0, MOST_ALARMS)
      .map(({ atMs, reason, order }) => ({
        at: timeOf(atMs),
        code: reason.code,
        sentence: reason.message,
        order,
      })),
    missed: config.rules.flatMap(({ id }) => {
      const runs = countMissed(journal, id, sinceMs)
      return runs === 0 ? [] : [{ rule: id, runs }]
    }),
  }
}

/** `beforeMs`, `pricedMs`: the times of the old reading and of the last known price. */
type ReadAsset = ValuedAsset & {
  readonly beforeMs: number | null
  readonly pricedMs: number | null
  readonly unbookedUnits: bigint
}

function readAssets(
  { journal, config, nowMs }: SummarySources,
  sinceMs: number,
): readonly ReadAsset[] {
  const transit = sumByAsset(journal.listAccounts(IN_TRANSIT_PREFIX))
  const outside = [ACCOUNTS.outside, ACCOUNTS.unexplained].flatMap((prefix) =>
    journal.listLastPostings({ prefix, fromMs: sinceMs, limit: MOST_POSTINGS }),
  )
  const comparisons = journal.listReconciliations()
  return config.assets.map(({ id, decimals }) => {
    const balances = journal.listSamples(`balance/${id}`, sinceMs)
    const prices = journal.listSamples(`price/${id}`, sinceMs)
    const before = balances.find(({ value }) => value !== null) ?? null
    const beforeMs = before === null ? null : Math.max(before.atMs, sinceMs)
    const newest = readNewestPrice(journal, id, nowMs)
    const comparison = comparisons.find(({ asset }) => asset === id)
    return {
      asset: id,
      decimals,
      now: {
        units: comparison?.chainUnits ?? null,
        transitUnits: transit.get(id) ?? 0n,
        price: newest.price,
      },
      before:
        before === null || beforeMs === null
          ? null
          : {
              units: before.value,
              transitUnits: valueAt(journal.listSamples(`transit/${id}`, sinceMs), beforeMs) ?? 0n,
              price: valueAt(prices, beforeMs),
            },
      outsideUnits: outside
        .filter(({ asset, atMs }) => asset === id && beforeMs !== null && atMs >= beforeMs)
        .reduce((sum, { units }) => sum - units, foundSince(comparison, beforeMs)),
      beforeMs,
      unbookedUnits: unbookedUnits(comparison),
      pricedMs: newest.atMs,
    }
  })
}

/** A loss or a payment that no person has booked yet is no cost of our swaps. */
function foundSince(found: ReconciliationRow | undefined, beforeMs: number | null): bigint {
  const isOlder = beforeMs === null || (found?.sinceMs ?? 0) < beforeMs
  return isOlder ? 0n : unbookedUnits(found)
}

function unbookedUnits(found: ReconciliationRow | undefined): bigint {
  const isFound = found?.state === "difference" || found?.state === "surplus"
  return isFound ? (found.chainUnits ?? 0n) - (found.ledgerUnits ?? 0n) : 0n
}

/** The value that held at this time; of a series that began later its first one. */
export function valueAt(rows: readonly SampleRow[], atMs: number): bigint | null {
  const known = rows.filter(({ value }) => value !== null)
  return (known.findLast((row) => row.atMs <= atMs) ?? known[0])?.value ?? null
}

function viewChange(change: TreasuryValue["change"], fromMs: number): Summary["change"] {
  return change === null
    ? null
    : {
        from: timeOf(fromMs),
        totalFiat: viewFiat(change.total),
        pricesFiat: viewFiat(change.prices),
        outsideFiat: viewFiat(change.outside),
        swapsFiat: viewFiat(change.swaps),
      }
}

function* viewSwaps(
  { journal, nowMs, turn }: SummarySources,
  sinceMs: number,
): Steps<Summary["swaps"]> {
  const span = { fromMs: sinceMs, untilMs: nowMs + 1, spanMs: nowMs - sinceMs + 1 }
  yield* wait(turn?.())
  const sums = yield* sumInSteps(journal, span, turn)
  yield* wait(turn?.())
  const { orders, counts, volume, costBps, unpriced } = addUp("", sums)
  const cost = sums.reduce((sum, one) => sum + one.swapCostFiat + one.networkFeeFiat, 0n)
  const spans = journal
    .listOrders({ limit: MOST_TIMED })
    .filter(({ createdAtMs, outcome }) => createdAtMs >= sinceMs && outcome === "completed")
    .map(({ id, createdAtMs, updatedAtMs }) => ({ order: id, ms: updatedAtMs - createdAtMs }))
    .sort((a, b) => a.ms - b.ms)
  const times = spans.map(({ ms }) => ms)
  return {
    orders,
    counts,
    volumeFiat: volume,
    costFiat: viewFiat(cost),
    costBps,
    unpriced,
    medianMs: spanWithin(times, 0.5),
    p90Ms: spanWithin(times, 0.9),
    slowest: spans.at(-1) ?? null,
  }
}

/** A payout is on its way from our deposit until our own node shows it. */
function incomingUnits(asset: AssetId, open: readonly OrderRow[]): bigint {
  return open
    .filter(({ to, deposited }) => to === asset && deposited)
    .reduce((sum, { snapshot }) => {
      const data = decodeOrNull(snapshot)?.data
      const isPaid = data === undefined || data.receipt !== null
      return isPaid ? sum : sum + (data.terms?.destinationUnits ?? 0n)
    }, 0n)
}

function viewAsset(one: ReadAsset, open: readonly OrderRow[]): Summary["assets"][number] {
  const { asset, decimals, now, before, pricedMs } = one
  const fiat = valueAtPrice(now, decimals)
  const unbooked = valueAtPrice({ ...now, units: one.unbookedUnits, transitUnits: 0n }, decimals)
  return {
    asset,
    price: now.price === null ? null : viewFiat(now.price),
    priceAt: pricedMs === null ? null : timeOf(pricedMs),
    fiat: fiat === null ? null : viewFiat(fiat),
    change:
      before?.units == null || now.units === null
        ? null
        : formatUnits(now.units - before.units, decimals),
    incoming: formatUnits(incomingUnits(asset, open), decimals),
    outgoing: formatUnits(now.transitUnits, decimals),
    unbookedFiat: unbooked === null ? null : viewFiat(unbooked),
  }
}

/** The newest runs only: a busy rule has many thousands. */
function countMissed(journal: DecisionStore & OrderStore, rule: string, sinceMs: number): number {
  return journal
    .listOccurrences(rule, MOST_RUNS)
    .filter((run) => run.atMs >= sinceMs && whyMissed(journal, run, (reason) => reason) !== null)
    .length
}

function sumByAsset(accounts: readonly AccountRow[]): ReadonlyMap<AssetId, bigint> {
  const sums = new Map<AssetId, bigint>()
  for (const { asset, units } of accounts) sums.set(asset, (sums.get(asset) ?? 0n) + units)
  return sums
}

export function viewFiat(fiat: bigint): string {
  return formatUnits(fiat, FIAT_DECIMALS)
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
