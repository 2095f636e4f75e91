import { type Advice, advise, type Figures } from "#backtest/advise.ts"
import { deriveScenario, type ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import type { RecordedFlow } from "#backtest/world/scenario.ts"
import { ACCOUNTS } from "#books/accounts.ts"
import { makeReport } from "#books/report.ts"
import type { Config } from "#config/config.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import { feeSeries } from "#engine/rules/decide/fee-waits.ts"
import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import { dayOf, startOfDay } from "#policy/values/forecast-flow.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { decimalsForBooks, readSwaps } from "../views/read-swaps.ts"
import { toScenarioTraits, toSubject } from "./to-subject.ts"

type Sources = { readonly journal: Journal; readonly config: Config; readonly nowMs: number }

/** A month says what a week does not, and a longer time takes longer to compute. */
const MOST_DAYS = 28
const LEAST_DAYS = 14
const MOST_CHANGES = 10_000
const SEED = 1

/**
 * What changes of the configuration would have done with the flows of the last weeks in the books,
 * at today's prices and the costs that the orders of that time had.
 */
export async function readAdvice(sources: Sources): Promise<AnswerOf<"Advice">> {
  const { config, nowMs } = sources
  const today = dayOf(nowMs)
  const all = readFlows(sources, startOfDay(today - MOST_DAYS), startOfDay(today))
  const first = all.reduce((least, { atMs }) => Math.min(least, dayOf(atMs)), today)
  const days = today - first
  const period = { from: timeOf(first), to: timeOf(today) }
  if (days < LEAST_DAYS) return { period, enough: false, say: tellTooLittle(days), ...NOTHING }
  const subject = toSubject(config.treasury, config, await createDirectSolver())
  const choices = choicesOf(sources, startOfDay(first), all)
  const traits = config.chains.map(toScenarioTraits)
  const scenario = withFees(sources, deriveScenario([subject], traits, days, choices))
  const { own, advice } = advise(subject, scenario, SEED)
  const say =
    `With the ${all.length} flows of ${days} days in the books this configuration costs ` +
    `${viewFigures(own).usdPerMonth} usd a month with ${own.ordersPerWeek.toFixed(1)} orders a ` +
    `week, at today's prices; ${advice.length} changes are worth a sentence.`
  const calculation = { seed: SEED, scenario }
  return {
    period,
    enough: true,
    say,
    own: viewFigures(own),
    advice: advice.map(viewAdvice),
    calculation,
  }
}

const NOTHING = { own: null, advice: [], calculation: null }

function tellTooLittle(days: number): string {
  return (
    `The books have the flows of ${days} whole days. Advice needs ${LEAST_DAYS}: fewer say too ` +
    "little about the next ones."
  )
}

function viewAdvice({ change, sentence, with: figures }: Advice) {
  return { change, sentence, with: viewFigures(figures) }
}

function viewFigures({ feesFiatPerMonth, ...others }: Figures) {
  const usd = feesFiatPerMonth / 10n ** BigInt(FIAT_DECIMALS - 2)
  return { usdPerMonth: formatUnits(usd, 2), ...others }
}

/** What comes to a wallet leaves the other account. */
function readFlows({ journal }: Sources, fromMs: number, untilMs: number): readonly RecordedFlow[] {
  return [ACCOUNTS.outside, ACCOUNTS.unexplained]
    .flatMap((prefix) =>
      journal.listLastPostings({ prefix, fromMs, limit: MOST_CHANGES, ofOrders: false }),
    )
    .filter(({ atMs }) => atMs < untilMs)
    .map(({ atMs, asset, units }) => ({ atMs, asset: parseAssetId(asset), units: -units }))
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** Only how long orders take is random: flows, balances, prices and costs are the own ones. */
function choicesOf(
  sources: Sources,
  startMs: number,
  flows: readonly RecordedFlow[],
): ScenarioChoices {
  const { journal, config } = sources
  const known = config.assets.map(({ id }) => {
    const price = journal
      .listSamples(`price/${id}`, startMs)
      .findLast(({ value }) => value !== null)
    const balances = journal.listSamples(`balance/${id}`, startMs)
    const balance = balances.find(({ value }) => value !== null)
    return { id, price: price?.value ?? null, startUnits: balance?.value ?? null }
  })
  const assets: ScenarioChoices["assets"] = new Map(
    known.map(({ id, price, startUnits }) => [
      id,
      {
        driftUnits: 0n,
        volatilityUnits: 0n,
        ...(price === null ? {} : { price: id }),
        ...(startUnits === null ? {} : { startUnits }),
      },
    ]),
  )
  const prices: ScenarioChoices["prices"] = new Map(
    known.flatMap(({ id, price }) =>
      price === null ? [] : [[id, { startFiat: price, driftPpm: 0n, volatilityPpm: 0n }]],
    ),
  )
  return {
    startMs,
    assets,
    prices,
    pair: {},
    pairs: readCosts(sources, startMs),
    chains: new Map(),
    orders: { declinedPpm: 0n, refundedPpm: 0n },
    flows,
    quotes: [],
  }
}

/** What the orders of each pair have cost since then, as a share. */
function readCosts({ journal, config, nowMs }: Sources, fromMs: number): ScenarioChoices["pairs"] {
  const swaps = readSwaps(journal, config, { fromMs, untilMs: nowMs })
  const pairOf = ({ sent, received }: { sent: { asset: AssetId }; received: { asset: AssetId } }) =>
    `${sent.asset}>${received.asset}`
  const { lines } = makeReport(swaps, pairOf, decimalsForBooks(config))
  return new Map(
    lines.flatMap(({ group, swapCostFiat, volumeFiat }) => {
      if (volumeFiat <= 0n || swapCostFiat < 0n) return []
      const bps = (swapCostFiat * 10_000n + volumeFiat - 1n) / volumeFiat
      return [[group, { bps, fixedFiat: 0n }]]
    }),
  )
}

/** The network fees that were kept for rules with patience. */
function withFees(
  { journal, config }: Sources,
  scenario: ReturnType<typeof deriveScenario>,
): ReturnType<typeof deriveScenario> {
  const chains = scenario.chains.map((chain) => {
    const asset = config.assets.find((one) => one.chain === chain.chain)
    const fees =
      asset === undefined ? [] : journal.listSamples(feeSeries(asset.id), scenario.startMs)
    return fees.length === 0 ? chain : { ...chain, fees }
  })
  return { ...scenario, chains }
}

function timeOf(day: number): string {
  return new Date(startOfDay(day)).toISOString()
}
