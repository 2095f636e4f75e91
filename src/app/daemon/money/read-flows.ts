import { ACCOUNTS } from "#books/accounts.ts"
import type { Swap } from "#books/read-swap.ts"
import { groupSwaps, NO_SWAPS, type SwapSums } from "#books/sum-swaps.ts"
import type { Config } from "#config/config.ts"
import { formatUnits } from "#domain/amount.ts"
import { type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { Steps } from "#engine/rules/decide/steps.ts"
import type { PostingRow } from "#ports/journal/ledger.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { decimalsForBooks, readSwaps } from "../views/read-swaps.ts"
import { createPauses, inParts, type Turn } from "./journal-parts.ts"
import { listConfigChanges } from "./past-bands.ts"
import { valueAt, viewFiat } from "./read-summary.ts"

type Flows = AnswerOf<"Flows">
type Mark = Flows["marks"][number]

type FlowSources = {
  readonly journal: Journal
  readonly config: Config
  readonly nowMs: number
  readonly turn?: Turn
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
const LONGEST_MS = 31 * DAY_MS
const MOST_POSTINGS = 5_000
const MOST_ALARMS = 200
/** More than a plot can show apart. */
const MOST_MARKS = 600
/** No id of an asset, rule or service has a space. */
const BETWEEN = " "

/** The swaps requested since a time, summed in each way that the desk shows. Reads the journal. */
export function* readFlows(sources: FlowSources, since: string | null): Steps<Flows> {
  const { journal, config, nowMs } = sources
  const asked = since === null ? nowMs - WEEK_MS : Date.parse(since)
  const fromMs = Math.min(nowMs, Math.max(asked, nowMs - LONGEST_MS))
  const { maxCost } = config.guards
  const stepMs = nowMs - fromMs <= 2 * DAY_MS ? HOUR_MS : DAY_MS
  const stepOf = (ms: number): number => Math.floor(ms / stepMs)
  const decimalsOf = decimalsForBooks(config)
  const total = groupSwaps()
  const steps = groupSwaps()
  const rules = groupSwaps()
  const services = groupSwaps()
  const pairs = groupSwaps()
  const chains = groupSwaps()
  const marks: Mark[] = []
  const pause = createPauses(sources.turn)
  for (const part of inParts({ fromMs, untilMs: nowMs + 1 }, HOUR_MS)) {
    let swaps = 0
    for (const swap of readSwaps(journal, config, part)) {
      const from = swap.sent.asset
      const to = swap.received.asset
      total.add("", swap)
      steps.add(String(stepOf(swap.askedAtMs)), swap)
      rules.add(swap.rule, swap)
      services.add(swap.service ?? "none yet", swap)
      pairs.add(`${from}${BETWEEN}${to}`, swap)
      chains.add(`${chainOf(from)}${BETWEEN}${chainOf(to)}`, swap)
      marks.push(...marksOf(swap, decimalsOf))
      if (marks.length > 2 * MOST_MARKS) marks.splice(0, marks.length - MOST_MARKS)
      swaps++
    }
    yield* pause(swaps)
  }
  const outside = listOutside(journal, fromMs)
  marks.push(...outside.map((row) => markOutside(row, decimalsOf)))
  marks.push(...listAlarmMarks(journal, fromMs), ...listConfigMarks(journal, fromMs))
  return {
    at: timeOf(nowMs),
    from: timeOf(fromMs),
    total: viewLine(total.sums().get("") ?? NO_SWAPS),
    maxCostBps: maxCost.kind === "share" ? Number(maxCost.bps) : null,
    steps: viewSteps(steps.sums(), { fromMs, nowMs, stepMs }),
    rules: viewNamed(rules.sums()),
    services: viewNamed(services.sums()),
    pairs: viewBetween(pairs.sums()).map((line) => ({
      ...line,
      from: parseAssetId(line.from),
      to: parseAssetId(line.to),
    })),
    chains: viewBetween(chains.sums()),
    outside: viewOutside(sources, outside, fromMs),
    marks: marks.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-MOST_MARKS),
  }
}

function viewLine(sums: SwapSums): Flows["total"] {
  const { volumeFiat, swapCostFiat, networkFeeFiat, ...counts } = sums
  return {
    ...counts,
    volumeFiat: viewFiat(volumeFiat),
    costFiat: viewFiat(swapCostFiat + networkFeeFiat),
    feesFiat: viewFiat(networkFeeFiat),
  }
}

/** The most volume first. */
function sortSums(sums: ReadonlyMap<string, SwapSums>): readonly (readonly [string, SwapSums])[] {
  return [...sums].toSorted(([, a], [, b]) => Number(b.volumeFiat - a.volumeFiat))
}

function viewNamed(sums: ReadonlyMap<string, SwapSums>): Flows["rules"] {
  return sortSums(sums).map(([name, one]) => ({ name, ...viewLine(one) }))
}

function viewBetween(sums: ReadonlyMap<string, SwapSums>): Flows["chains"] {
  return sortSums(sums).map(([name, one]) => {
    const [from = "", to = ""] = name.split(BETWEEN)
    return { from, to, ...viewLine(one) }
  })
}

/** Also the steps without a swap, so that a plot has no hole where nothing happened. */
function viewSteps(
  sums: ReadonlyMap<string, SwapSums>,
  { fromMs, nowMs, stepMs }: Readonly<Record<"fromMs" | "nowMs" | "stepMs", number>>,
): Flows["steps"] {
  const first = Math.floor(fromMs / stepMs)
  const count = Math.floor(nowMs / stepMs) - first + 1
  return Array.from({ length: count }, (_, index) => ({
    from: timeOf((first + index) * stepMs),
    to: timeOf((first + index + 1) * stepMs),
    ...viewLine(sums.get(String(first + index)) ?? NO_SWAPS),
  }))
}

function marksOf(swap: Swap, decimalsOf: (asset: AssetId) => number): readonly Mark[] {
  const mark = (kind: "in" | "out", atMs: number, { asset, units }: Swap["sent"]): Mark => ({
    at: timeOf(atMs),
    kind,
    asset,
    amount: formatUnits(units, decimalsOf(asset)),
    order: swap.id,
  })
  const { sent, received, depositedAtMs, paidAtMs } = swap
  return [
    ...(depositedAtMs === null ? [] : [mark("out", depositedAtMs, sent)]),
    ...(paidAtMs === null ? [] : [mark("in", paidAtMs, received)]),
  ]
}

/** Money in is a negative posting of the account `equity:outside`. */
function listOutside(journal: Journal, fromMs: number): readonly PostingRow[] {
  const query = { prefix: ACCOUNTS.outside, fromMs, limit: MOST_POSTINGS, ofOrders: false }
  return journal.listLastPostings(query)
}

function markOutside(
  { atMs, asset, units }: PostingRow,
  decimalsOf: (asset: AssetId) => number,
): Mark {
  const amount = formatUnits(-units, decimalsOf(asset))
  return { at: timeOf(atMs), kind: "outside", asset, amount, order: null }
}

function listAlarmMarks(journal: Journal, fromMs: number): readonly Mark[] {
  return journal
    .listAlerts(MOST_ALARMS)
    .filter(({ atMs }) => atMs >= fromMs)
    .map(({ atMs, orderId }) => ({
      at: timeOf(atMs),
      kind: "alarm",
      asset: orderId === null ? null : (journal.findOrder(orderId)?.from ?? null),
      amount: null,
      order: orderId,
    }))
}

function listConfigMarks(journal: Journal, fromMs: number): readonly Mark[] {
  return listConfigChanges(journal)
    .filter((atMs) => atMs >= fromMs)
    .map((atMs) => ({
      at: timeOf(atMs),
      kind: "configuration",
      asset: null,
      amount: null,
      order: null,
    }))
}

function viewOutside(
  { journal, config }: FlowSources,
  rows: readonly PostingRow[],
  fromMs: number,
): Flows["outside"] {
  return config.assets.flatMap(({ id, decimals }) => {
    const own = rows.filter(({ asset }) => asset === id)
    if (own.length === 0) return []
    const prices = journal.listSamples(`price/${id}`, fromMs)
    const side = (sign: 1n | -1n) => {
      const some = own.filter(({ units }) => units * sign > 0n)
      const values = some.map(({ units, atMs }) => {
        const price = valueAt(prices, atMs)
        return price === null ? null : (units * sign * price) / 10n ** BigInt(decimals)
      })
      const sum = some.reduce((total, { units }) => total + units * sign, 0n)
      const fiat = values.reduce<bigint | null>(
        (total, value) => (total === null || value === null ? null : total + value),
        0n,
      )
      return { amount: formatUnits(sum, decimals), fiat: fiat === null ? null : viewFiat(fiat) }
    }
    const paidIn = side(-1n)
    const paidOut = side(1n)
    return [
      {
        asset: id,
        in: paidIn.amount,
        out: paidOut.amount,
        inFiat: paidIn.fiat,
        outFiat: paidOut.fiat,
      },
    ]
  })
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
