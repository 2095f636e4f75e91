import type { AssetId, ChainId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { quoteFeeFiat } from "#guards/price.ts"
import { present } from "#lib/assert.ts"
import type { Declined, Proposal } from "#policy/evaluate.ts"
import type { BandRule } from "#policy/rules/band/band-rule.ts"
import { decideWeights } from "#policy/rules/weights/decide-weights.ts"
import type { WeightsRule } from "#policy/rules/weights/weights-rule.ts"
import type { TreasuryView } from "#policy/treasury-view.ts"
import { createNos, type No } from "./count-nos.ts"
import type { Desk } from "./judge-proposal.ts"
import type { SimulatedOrder } from "./order-book.ts"

/** What one run came to. Fiat in millionths, amounts in smallest units, times in milliseconds, shares in basis points. */
export type SeedResult = {
  readonly seed: number
  /** Orders that the guards let pass, and what became of them; what is still under way at the end is in none of the others. */
  readonly moves: number
  readonly completed: number
  readonly refunded: number
  readonly rejected: readonly No[]
  /** Sold in completed orders, and what of it did not arrive. */
  readonly volumeFiat: bigint
  readonly swapFeesFiat: bigint
  readonly networkFeesFiat: bigint
  readonly rules: readonly RuleResult[]
  readonly windows: readonly WindowResult[]
  readonly inFlightPeak: number
  /** Proposals that the guards refused, and needs that the policy could not serve. */
  readonly refused: readonly No[]
  readonly declined: readonly No[]
  readonly assets: readonly AssetResult[]
  readonly coins: readonly { readonly chain: ChainId; readonly coin: AssetId; readonly lowestUnits: bigint }[]
  readonly finalFiat: bigint
  readonly bookEntries: number
  readonly samples: Samples
}

/** How long the rule's bounds were left: below and above for a band, together for weights. */
export type RuleResult = {
  readonly rule: string
  readonly kind: "band" | "weights"
  readonly outsideMs: number
  readonly belowMs: number
  readonly aboveMs: number
}

/** The largest share of each limit that was ever used; `null` where the window does not have it. */
export type WindowResult = {
  readonly perMs: number | null
  readonly fiatBps: bigint | null
  readonly unitsBps: bigint | null
  readonly feesBps: bigint | null
  readonly countBps: bigint | null
}

export type AssetResult = {
  readonly asset: AssetId
  readonly lowestUnits: bigint
  readonly finalUnits: bigint
  /** Withdrawals that the wallet could not pay. */
  readonly unservedUnits: bigint
  readonly unservedTimes: number
}

/** For drawing only: whole units and whole fiat, at even distances from the start to the end. */
export type Samples = {
  readonly everyMs: number
  readonly balances: Readonly<Record<AssetId, readonly number[]>>
  readonly feesFiat: readonly number[]
}

export type Measure = {
  /** After everything of an instant. */
  readonly look: (nowMs: number) => void
  /** Nothing changes from the last look until then. */
  readonly pass: (untilMs: number) => void
  readonly declined: (declined: readonly Declined[], nowMs: number) => void
  readonly judged: (proposal: Proposal, reasons: readonly Reason[], nowMs: number) => void
  readonly opened: (order: SimulatedOrder) => void
  readonly rejected: (order: SimulatedOrder, code: string) => void
  /** A refund that is due and cannot be sent. */
  readonly waited: (order: SimulatedOrder, code: string, nowMs: number) => void
  readonly completed: (order: SimulatedOrder) => void
  readonly refunded: () => void
  readonly paidNetwork: (coin: AssetId, units: bigint) => void
  readonly unserved: (asset: AssetId, units: bigint) => void
  readonly conclude: (seed: number, bookEntries: number) => SeedResult
}

export function createMeasure(desk: Omit<Desk, "nowMs">, viewNow: () => TreasuryView): Measure {
  const { subject, scenario, treasury, orders } = desk
  const bounds = createBounds(desk, viewNow)
  const windows = createWindows(desk)
  const sampler = createSampler(desk, () => fiatNumber(sums.swapFeesFiat + sums.networkFeesFiat))
  const [refused, declined, rejected] = [createNos(), createNos(), createNos()]
  const sums = { moves: 0, completed: 0, refunded: 0, volumeFiat: 0n, swapFeesFiat: 0n, networkFeesFiat: 0n }
  const lowest = new Map(scenario.assets.map(({ id, startUnits }) => [id, startUnits]))
  const short = new Map<AssetId, { units: bigint; times: number }>()
  let inFlightPeak = 0
  let version = -1

  return {
    look: () => {
      if (version === treasury.version()) return
      version = treasury.version()
      bounds.look()
      inFlightPeak = Math.max(inFlightPeak, orders.countInFlight())
      for (const [id, least] of lowest) {
        const units = treasury.units(id)
        if (units < least) lowest.set(id, units)
      }
    },
    pass: (untilMs) => {
      bounds.pass(untilMs)
      sampler.pass(untilMs)
    },
    declined: (list, nowMs) => {
      for (const { rule, reasons } of list) {
        const code = reasons[0]?.code ?? "policy.nothing"
        if (!CONTENT.includes(code)) declined.add(rule, code, nowMs)
      }
    },
    judged: ({ rules, from, to }, reasons, nowMs) => {
      for (const { code } of reasons) refused.add(rules[0] ?? "", code, nowMs, `${from}>${to}`)
    },
    opened: (order) => {
      sums.moves += 1
      windows.look(order.data.request.from, order.data.createdAt)
    },
    rejected: ({ data }, code) => rejected.add(data.rule, code, data.createdAt),
    waited: ({ data }, code, nowMs) => refused.add(data.rule, code, nowMs, data.id),
    completed: ({ data }) => {
      const quote = present(data.quote, "the quote of an order")
      sums.completed += 1
      sums.volumeFiat += present(quote.sourceFiat, "a simulated quote's value")
      sums.swapFeesFiat += present(quoteFeeFiat(quote), "a simulated quote's value")
    },
    refunded: () => {
      sums.refunded += 1
    },
    paidNetwork: (coin, units) => {
      sums.networkFeesFiat += worth(desk, coin, units)
    },
    unserved: (asset, units) => {
      const known = short.get(asset) ?? { units: 0n, times: 0 }
      short.set(asset, { units: known.units + units, times: known.times + 1 })
    },
    conclude: (seed, bookEntries) => ({
      seed,
      ...sums,
      rejected: rejected.list(),
      rules: bounds.results(),
      windows: windows.results(),
      inFlightPeak,
      refused: refused.list(),
      declined: declined.list(),
      assets: subject.assets.map(({ id }) => ({
        asset: id,
        lowestUnits: lowest.get(id) ?? 0n,
        finalUnits: treasury.units(id),
        unservedUnits: short.get(id)?.units ?? 0n,
        unservedTimes: short.get(id)?.times ?? 0,
      })),
      coins: scenario.chains.map(({ chain, coin }) => ({ chain, coin, lowestUnits: lowest.get(coin) ?? 0n })),
      finalFiat: scenario.assets.reduce((sum, { id }) => sum + worth(desk, id, treasury.units(id)), 0n),
      bookEntries,
      samples: sampler.results(),
    }),
  }
}

/** "Nothing to do" is no complaint. */
const CONTENT = ["policy.target_satisfied", "policy.within_tolerance", "policy.below_keep"]

function worth({ treasury }: Omit<Desk, "nowMs">, id: AssetId, units: bigint): bigint {
  return (units * treasury.priceFiat(id)) / 10n ** BigInt(treasury.asset(id).decimals)
}

function fiatNumber(fiat: bigint): number {
  return Number(fiat) / 1e6
}

/** A band is judged by what the wallet holds, since that is what a withdrawal can take; weights by what their rule sees. */
function createBounds({ subject, scenario, treasury }: Omit<Desk, "nowMs">, viewNow: () => TreasuryView) {
  const enabled = subject.settings.rules.filter((rule) => rule.enabled !== false)
  const watched = enabled.flatMap((rule): Watched[] =>
    rule.kind === "band" || rule.kind === "weights" ? [{ rule, belowMs: 0, aboveMs: 0, where: "in" }] : [],
  )
  let atMs = scenario.startMs

  const whereIs = (rule: BandRule | WeightsRule): Where => {
    if (rule.kind === "weights") return decideWeights(rule, viewNow()).ok ? "above" : "in"
    const units = treasury.units(rule.asset)
    if (units < rule.minUnits) return "below"
    return units > rule.maxUnits ? "above" : "in"
  }

  return {
    look: (): void => {
      for (const entry of watched) entry.where = whereIs(entry.rule)
    },
    pass: (untilMs: number): void => {
      for (const entry of watched) {
        if (entry.where === "below") entry.belowMs += untilMs - atMs
        if (entry.where === "above") entry.aboveMs += untilMs - atMs
      }
      atMs = untilMs
    },
    results: (): RuleResult[] =>
      watched.map(({ rule, belowMs, aboveMs }) => {
        const outsideMs = belowMs + aboveMs
        const sides = rule.kind === "band" ? { belowMs, aboveMs } : { belowMs: 0, aboveMs: 0 }
        return { rule: rule.id, kind: rule.kind, outsideMs, ...sides }
      }),
  }
}

type Where = "in" | "below" | "above"
type Watched = { readonly rule: BandRule | WeightsRule; belowMs: number; aboveMs: number; where: Where }

function createWindows({ subject, orders }: Omit<Desk, "nowMs">) {
  const { windows } = subject.settings.limits
  const peaks = windows.map(() => ({ fiatBps: 0n, unitsBps: 0n, feesBps: 0n, countBps: 0n }))

  return {
    look: (from: AssetId, nowMs: number): void => {
      for (const [index, { perMs, max, maxFeesFiat, maxCount }] of windows.entries()) {
        const peak = peaks[index]
        if (!peak) continue
        const used = orders.sumWindow(perMs === null ? -1 : nowMs - perMs, from, null)
        if (max?.kind === "fiat") peak.fiatBps = larger(peak.fiatBps, share(used.fiat, max.fiat))
        const maxUnits = max?.kind === "units" ? max.byAsset[from] : undefined
        if (maxUnits !== undefined) peak.unitsBps = larger(peak.unitsBps, share(used.units, maxUnits))
        if (maxFeesFiat !== null) peak.feesBps = larger(peak.feesBps, share(used.feesFiat, maxFeesFiat))
        if (maxCount !== null) peak.countBps = larger(peak.countBps, share(BigInt(used.count), BigInt(maxCount)))
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

function createSampler({ subject, scenario, treasury }: Omit<Desk, "nowMs">, feesNow: () => number) {
  const spanMs = scenario.days * DAY_MS
  const everyMs = Math.max(scenario.stepMs, Math.ceil(spanMs / MOST_SAMPLES))
  const series = subject.assets.map(({ id, decimals }) => ({ id, per: 10 ** decimals, values: [] as number[] }))
  const feesFiat: number[] = []
  let nextMs = scenario.startMs
  return {
    pass: (untilMs: number): void => {
      for (; nextMs < untilMs; nextMs += everyMs) {
        for (const { id, per, values } of series) values.push(Number(treasury.units(id)) / per)
        feesFiat.push(feesNow())
      }
    },
    results: (): Samples => {
      const entries = series.map(({ id, values }): [AssetId, number[]] => [id, values])
      // CAST: Object.fromEntries forgets that its keys are asset ids.
      return { everyMs, balances: Object.fromEntries(entries) as Record<AssetId, number[]>, feesFiat }
    },
  }
}
