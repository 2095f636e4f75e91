import type { AssetId, ChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { quoteFeeFiat } from "#guards/price.ts"
import { mustExist } from "#lib/assert.ts"
import type { Declined, Proposal } from "#policy/evaluate.ts"
import { ruleKindOf, ruleReasons } from "#policy/rules/registry.ts"
import type { Rule, RuleKind } from "#policy/rules/rule-kind.ts"
import type { TreasuryView } from "#policy/treasury-view.ts"
import type { RunContext } from "../run-context.ts"
import type { SimulatedOrder } from "../simulated-journal.ts"
import { valueOfWallets } from "../world/treasury.ts"
import { createRefusals, type RefusalCount } from "./count-refusals.ts"

/**
 * The result of one run. Fiat in millionths, amounts in smallest units, times in milliseconds,
 * shares in basis points.
 */
export type SeedResult = {
  readonly seed: number
  /**
   * Orders that the guards admitted, by outcome. An order in flight at the end counts in `moves`
   * only.
   */
  readonly moves: number
  readonly completed: number
  readonly refunded: number
  readonly rejected: readonly RefusalCount[]
  /** The alarms that the daemon would raise. */
  readonly alarms: readonly Reason[]
  /** The value sold in completed orders, and the part of it that did not arrive. */
  readonly volumeFiat: bigint
  readonly swapFeesFiat: bigint
  readonly networkFeesFiat: bigint
  readonly rules: readonly RuleResult[]
  readonly windows: readonly WindowResult[]
  readonly inFlightPeak: number
  /** Proposals that the guards refused, and needs that the policy could not serve. */
  readonly refused: readonly RefusalCount[]
  readonly declined: readonly RefusalCount[]
  readonly assets: readonly AssetResult[]
  readonly coins: readonly {
    readonly chain: ChainId
    readonly coin: AssetId
    readonly lowestUnits: bigint
  }[]
  readonly finalFiat: bigint
  readonly bookEntries: number
  readonly samples: Samples
}

/**
 * The time outside the rule's goal. `belowMs` and `aboveMs` are zero for a kind that only measures
 * the total.
 */
type RuleResult = {
  readonly rule: string
  readonly kind: string
  readonly outsideMs: number
  readonly belowMs: number
  readonly aboveMs: number
}

/**
 * The largest share of each limit that was in use at one time; `null` for a limit that the window
 * does not have.
 */
export type WindowResult = {
  readonly perMs: number | null
  readonly fiatBps: bigint | null
  readonly unitsBps: bigint | null
  readonly feesBps: bigint | null
  readonly countBps: bigint | null
}

type AssetResult = {
  readonly asset: AssetId
  readonly lowestUnits: bigint
  readonly finalUnits: bigint
  /** The mean value of the wallet. */
  readonly meanFiat: bigint
  /** Withdrawals that the wallet could not pay. */
  readonly unservedUnits: bigint
  readonly unservedTimes: number
}

/** For the plot only: whole units and whole fiat at equal intervals from start to end. */
type Samples = {
  readonly everyMs: number
  readonly balances: Readonly<Record<AssetId, readonly number[]>>
  readonly feesFiat: readonly number[]
  /** The days of the orders, from the start. */
  readonly swapDays: readonly number[]
}

export type Measure = {
  /** Called after all changes of an instant. */
  readonly observe: (nowMs: number) => void
  /** Nothing changes from the last observation until then. */
  readonly pass: (untilMs: number) => void
  readonly declined: (declined: readonly Declined[], nowMs: number) => void
  readonly judged: (proposal: Proposal, reasons: readonly Reason[], nowMs: number) => void
  readonly opened: (order: SimulatedOrder) => void
  /** The deposit has left the wallet. */
  readonly deposited: (order: SimulatedOrder) => void
  readonly rejected: (order: SimulatedOrder, code: string) => void
  /** A refund is due and cannot be sent. */
  readonly waited: (order: SimulatedOrder, code: string, nowMs: number) => void
  readonly completed: (order: SimulatedOrder) => void
  readonly refunded: (order: SimulatedOrder) => void
  readonly alarmed: (reason: Reason) => void
  readonly paidNetwork: (coin: AssetId, units: bigint) => void
  readonly unserved: (asset: AssetId, units: bigint) => void
  readonly conclude: (seed: number, bookEntries: number) => SeedResult
}

/** The ends and delays of a simulated order, in words. */
const WORDS: Readonly<Record<string, string>> = {
  "approval.expired": "the approval did not come in time",
  "service.declined": "the service declined the order",
  "funds.gas": "the wallet has too little of the chain's own coin for the fee",
  "funds.insufficient": "the wallet has too little of the asset",
}

function reasonOf(code: string): Pick<Reason, "code" | "message"> {
  return { code, message: WORDS[code] ?? code }
}

export function createMeasure(context: RunContext, viewNow: () => TreasuryView): Measure {
  const { treasury, orders } = context
  const bounds = createBounds(context, viewNow)
  const windows = createWindows(context)
  const sampler = createSampler(context, () => fiatNumber(totals.feesFiat()))
  const refused = createRefusals()
  const declined = createRefusals()
  const rejected = createRefusals()
  const totals = createTotals(context)
  const balances = createBalances(context)
  const alarms: Reason[] = []
  let inFlightPeak = 0
  let version = -1

  return {
    observe: () => {
      if (version === treasury.version()) return
      version = treasury.version()
      bounds.observe()
      inFlightPeak = Math.max(inFlightPeak, orders.countInFlight())
      balances.observe()
    },
    pass: (untilMs) => {
      bounds.pass(untilMs)
      sampler.pass(untilMs)
    },
    declined: (list, nowMs) => {
      for (const { rule, reasons } of list) {
        const [reason = { code: "policy.nothing", message: "the policy proposed nothing" }] =
          reasons
        const { code } = reason
        // The policy declines a scheduled order that is too large for a guard in the guard's name.
        if (code.startsWith("limit.")) refused.add(rule, reason, nowMs)
        else if (RULE_REASONS.get(code)?.means !== "satisfied") declined.add(rule, reason, nowMs)
      }
    },
    judged: ({ rules, from, to }, reasons, nowMs) => {
      for (const reason of reasons) refused.add(rules[0] ?? "", reason, nowMs, `${from}>${to}`)
    },
    opened: (order) => {
      totals.opened()
      sampler.opened(order.data.createdAt)
      windows.observe(order.data.request.from, order.data.createdAt)
    },
    deposited: () => undefined,
    rejected: ({ data }, code) => rejected.add(data.rule, reasonOf(code), data.createdAt),
    waited: ({ data }, code, nowMs) => refused.add(data.rule, reasonOf(code), nowMs, data.id),
    completed: totals.completed,
    refunded: totals.refunded,
    alarmed: (reason) => void alarms.push(reason),
    paidNetwork: totals.paidNetwork,
    unserved: balances.unserved,
    conclude: (seed, bookEntries) => ({
      seed,
      ...totals.results(),
      rejected: rejected.list(),
      alarms,
      rules: bounds.results(),
      windows: windows.results(),
      inFlightPeak,
      refused: refused.list(),
      declined: declined.list(),
      assets: balances.assets(sampler.meanFiat),
      coins: balances.coins(),
      finalFiat: valueOfWallets(treasury),
      bookEntries,
      samples: sampler.results(),
    }),
  }
}

/** A rule that has reached its goal does not count as declined. */
const RULE_REASONS = ruleReasons()

/** The orders by outcome, and the values that they moved and paid. */
function createTotals(context: RunContext) {
  const sums = {
    moves: 0,
    completed: 0,
    refunded: 0,
    volumeFiat: 0n,
    swapFeesFiat: 0n,
    networkFeesFiat: 0n,
  }
  return {
    opened: (): void => {
      sums.moves += 1
    },
    completed: ({ data }: SimulatedOrder): void => {
      const quote = mustExist(data.quote, "the quote of an order")
      sums.completed += 1
      sums.volumeFiat += mustExist(quote.sourceFiat, "a simulated quote's value")
      sums.swapFeesFiat += mustExist(quoteFeeFiat(quote), "a simulated quote's value")
    },
    refunded: (): void => {
      sums.refunded += 1
    },
    paidNetwork: (coin: AssetId, units: bigint): void => {
      sums.networkFeesFiat += worth(context, coin, units)
    },
    feesFiat: (): bigint => sums.swapFeesFiat + sums.networkFeesFiat,
    results: () => ({ ...sums }),
  }
}

/** The lowest balances, and the withdrawals that the wallets could not pay. */
function createBalances({ subject, scenario, treasury }: RunContext) {
  const lowest = new Map(scenario.assets.map(({ id, startUnits }) => [id, startUnits]))
  const short = new Map<AssetId, { units: bigint; times: number }>()

  return {
    observe: (): void => {
      for (const [id, least] of lowest) {
        const units = treasury.units(id)
        if (units < least) lowest.set(id, units)
      }
    },
    unserved: (asset: AssetId, units: bigint): void => {
      const known = short.get(asset) ?? { units: 0n, times: 0 }
      short.set(asset, { units: known.units + units, times: known.times + 1 })
    },
    assets: (meanFiat: (asset: AssetId) => bigint): AssetResult[] =>
      subject.assets.map(({ id }) => ({
        asset: id,
        lowestUnits: lowest.get(id) ?? 0n,
        finalUnits: treasury.units(id),
        meanFiat: meanFiat(id),
        unservedUnits: short.get(id)?.units ?? 0n,
        unservedTimes: short.get(id)?.times ?? 0,
      })),
    coins: (): SeedResult["coins"] =>
      scenario.chains.map(({ chain, coin }) => ({
        chain,
        coin,
        lowestUnits: lowest.get(coin) ?? 0n,
      })),
  }
}

function worth({ treasury }: RunContext, id: AssetId, units: bigint): bigint {
  return (units * treasury.priceFiat(id)) / 10n ** BigInt(treasury.asset(id).decimals)
}

function fiatNumber(fiat: bigint): number {
  return Number(fiat) / 1e6
}

/**
 * The time that each rule spends outside its goal. Balance bounds are compared with the wallet,
 * because a withdrawal can take only its content. Other goals are judged by the rule itself, with
 * the view that the rule sees.
 */
function createBounds({ subject, scenario, treasury }: RunContext, viewNow: () => TreasuryView) {
  const enabled = subject.settings.rules.filter((rule) => rule.enabled !== false)
  const watched = enabled
    .filter((rule) => ruleKindOf(rule).backtest.measures !== "none")
    .map(
      (rule): Watched => ({
        rule,
        kind: ruleKindOf(rule),
        belowMs: 0,
        aboveMs: 0,
        outsideMs: 0,
        place: "inside",
      }),
    )
  let atMs = scenario.startMs

  const locate = ({ rule, kind }: Watched): Place => {
    const { backtest } = kind
    if (backtest.measures === "total")
      return backtest.isOutside(rule, viewNow()) ? "outside" : "inside"
    for (const { asset, minUnits, maxUnits } of kind.balanceBounds(rule)) {
      const units = treasury.units(asset)
      if (units < minUnits) return "below"
      if (maxUnits !== null && units > maxUnits) return "above"
    }
    return "inside"
  }

  return {
    observe: (): void => {
      for (const entry of watched) entry.place = locate(entry)
    },
    pass: (untilMs: number): void => {
      for (const entry of watched) {
        if (entry.place === "below") entry.belowMs += untilMs - atMs
        if (entry.place === "above") entry.aboveMs += untilMs - atMs
        if (entry.place !== "inside") entry.outsideMs += untilMs - atMs
      }
      atMs = untilMs
    },
    results: (): RuleResult[] =>
      watched.map(({ rule, outsideMs, belowMs, aboveMs }) => ({
        rule: rule.id,
        kind: rule.kind,
        outsideMs,
        belowMs,
        aboveMs,
      })),
  }
}

type Place = "inside" | "below" | "above" | "outside"
type Watched = {
  readonly rule: Rule
  readonly kind: RuleKind
  belowMs: number
  aboveMs: number
  outsideMs: number
  place: Place
}

function createWindows({ subject, orders }: RunContext) {
  const { windows } = subject.settings.limits
  const peaks = windows.map(() => ({ fiatBps: 0n, unitsBps: 0n, feesBps: 0n, countBps: 0n }))

  return {
    observe: (from: AssetId, nowMs: number): void => {
      for (const [index, { perMs, max, maxFeesFiat, maxCount }] of windows.entries()) {
        const peak = peaks[index]
        if (!peak) continue
        const used = orders.sumWindow(perMs === null ? -1 : nowMs - perMs, from, null)
        if (max?.kind === "fiat") peak.fiatBps = larger(peak.fiatBps, share(used.fiat, max.fiat))
        const maxUnits = max?.kind === "units" ? max.byAsset[from] : undefined
        if (maxUnits !== undefined)
          peak.unitsBps = larger(peak.unitsBps, share(used.units, maxUnits))
        if (maxFeesFiat !== null)
          peak.feesBps = larger(peak.feesBps, share(used.feesFiat, maxFeesFiat))
        if (maxCount !== null)
          peak.countBps = larger(peak.countBps, share(BigInt(used.count), BigInt(maxCount)))
      }
    },
    results: (): WindowResult[] =>
      windows.map(({ perMs, max, maxFeesFiat, maxCount }, index) => ({
        perMs,
        fiatBps: max?.kind === "fiat" ? (peaks[index]?.fiatBps ?? null) : null,
        unitsBps: max?.kind === "units" ? (peaks[index]?.unitsBps ?? null) : null,
        feesBps: maxFeesFiat === null ? null : (peaks[index]?.feesBps ?? null),
        countBps: maxCount === null ? null : (peaks[index]?.countBps ?? null),
      })),
  }
}

function share(used: bigint, max: bigint): bigint {
  return max === 0n ? 10_000n : (used * 10_000n) / max
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

const DAY_MS = 86_400_000
const MOST_SAMPLES = 365

function createSampler(context: RunContext, feesNow: () => number) {
  const { subject, scenario, treasury } = context
  const spanMs = scenario.days * DAY_MS
  const everyMs = Math.max(scenario.stepMs, Math.ceil(spanMs / MOST_SAMPLES))
  const series = subject.assets.map(({ id, decimals }) => {
    const values: number[] = []
    return { id, per: 10 ** decimals, values }
  })
  const held = new Map<AssetId, bigint>()
  const feesFiat: number[] = []
  const swapDays: number[] = []
  let nextMs = scenario.startMs
  return {
    opened: (atMs: number): void =>
      void swapDays.push(Math.round(((atMs - scenario.startMs) * 1_000) / DAY_MS) / 1_000),
    pass: (untilMs: number): void => {
      for (; nextMs < untilMs; nextMs += everyMs) {
        for (const { id, per, values } of series) {
          const units = treasury.units(id)
          values.push(Number(units) / per)
          held.set(id, (held.get(id) ?? 0n) + worth(context, id, units))
        }
        feesFiat.push(feesNow())
      }
    },
    meanFiat: (id: AssetId): bigint => (held.get(id) ?? 0n) / BigInt(Math.max(1, feesFiat.length)),
    results: (): Samples => {
      const entries = series.map(({ id, values }): [AssetId, number[]] => [id, values])
      // CAST: Object.fromEntries forgets that its keys are asset ids.
      return {
        everyMs,
        balances: Object.fromEntries(entries) as Record<AssetId, number[]>,
        feesFiat,
        swapDays,
      }
    },
  }
}
