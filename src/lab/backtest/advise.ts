import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import { ruleKindOf, type TimedRule } from "#policy/rules/registry.ts"
import { backtestPolicies } from "./backtest-policies.ts"
import type { SeedResult } from "./results/measure.ts"
import { feesOf, outsideBps } from "./results/summarise.ts"
import type { Subject } from "./subject.ts"
import type { Scenario } from "./world/scenario.ts"

/** A backtest of a configuration, per time. Fiat in millionths. */
export type Figures = {
  readonly feesFiatPerMonth: bigint
  readonly ordersPerWeek: number
  /** The time outside, averaged over the rules that keep bounds. */
  readonly outsideBps: number
  /** Withdrawals that the wallets could not pay. */
  readonly unserved: number
}

/** What one change of the configuration would have done, in a sentence and in numbers. */
export type Advice = { readonly change: string; readonly sentence: string; readonly with: Figures }

type Variant = {
  readonly change: string
  readonly subject: Subject
  readonly tell: (pair: Compared) => string | null
}

type Compared = {
  readonly own: SeedResult
  readonly other: SeedResult
  readonly days: number
  readonly figures: { readonly own: Figures; readonly other: Figures }
}

const HOUR_MS = 3_600_000

/** Longer ones take a minute. */
const MOST_VARIANTS = 24

/**
 * Runs the configuration and its variants in the same market, and tells each difference that is
 * worth a sentence. The same arguments give the same answer.
 */
export function advise(
  subject: Subject,
  scenario: Scenario,
  seed: number,
): { readonly own: Figures; readonly advice: readonly Advice[] } {
  const run = (one: Subject): SeedResult | undefined =>
    backtestPolicies([one], scenario, { first: seed, count: 1 }).subjects[0]?.runs[0]
  const own = run(subject)
  if (own === undefined) throw new RangeError("one run was asked for")
  const figures = figuresOf(own, scenario)
  const advice = listVariants(subject)
    .slice(0, MOST_VARIANTS)
    .flatMap((variant): Advice[] => {
      const other = run(variant.subject)
      if (other === undefined) return []
      const compared = figuresOf(other, scenario)
      const { days } = scenario
      const sentence = variant.tell({
        own,
        other,
        days,
        figures: { own: figures, other: compared },
      })
      return sentence === null ? [] : [{ change: variant.change, sentence, with: compared }]
    })
  return { own: figures, advice }
}

function listVariants(subject: Subject): Variant[] {
  const { rules, limits } = subject.settings
  const enabled = rules.filter(({ enabled: isOn }) => isOn !== false)
  const withRule = (rule: TimedRule): Subject => ({
    ...subject,
    settings: {
      ...subject.settings,
      rules: rules.map((one) => (one.id === rule.id ? rule : one)),
    },
  })
  const ofRules = enabled.flatMap((rule) => [
    ...listOwn(rule, subject, withRule),
    {
      change: `${rule.id} off`,
      subject: withRule({ ...rule, enabled: false }),
      tell: ({ own, other }: Compared) =>
        isSame(own, other) ? `Rule ${rule.id} never placed an order.` : null,
    },
  ])
  const ofWindows = limits.windows.map((window, index): Variant => {
    const name = window.perMs === null ? "lifetime" : `${window.perMs / HOUR_MS} h`
    const others = limits.windows.filter((_, at) => at !== index)
    const settings = { ...subject.settings, limits: { ...limits, windows: others } }
    return {
      change: `guards.windows without ${name}`,
      subject: { ...subject, settings },
      tell: (pair) => tellWindow(name, pair),
    }
  })
  return [...ofRules, ...ofWindows]
}

function listOwn(
  rule: TimedRule,
  { assets }: Subject,
  withRule: (rule: TimedRule) => Subject,
): Variant[] {
  const decimalsOf = (id: string): number => assets.find((asset) => asset.id === id)?.decimals ?? 0
  return (ruleKindOf(rule).variantsOf?.(rule, decimalsOf) ?? []).map(
    ({ change, without, ...one }) => ({
      change: `${rule.id}: ${change}`,
      // CAST: a variant of a rule has the keys of that rule.
      subject: withRule(one.rule as TimedRule),
      tell: (pair) => {
        if (without === undefined) return tellDifference(`${rule.id} with ${change}`, pair)
        return isSame(pair.own, pair.other) ? `Rule ${rule.id} never used ${without}.` : null
      },
    }),
  )
}

/** `null` where the change did nothing. */
function tellDifference(what: string, { own, other, figures }: Compared): string | null {
  if (isSame(own, other)) return null
  const { own: a, other: b } = figures
  const usd = b.feesFiatPerMonth - a.feesFiatPerMonth
  const orders = b.ordersPerWeek - a.ordersPerWeek
  const parts = [
    usd >= 0n ? `costs ${showFiat(usd)} usd a month more` : `saves ${showFiat(-usd)} usd a month`,
    orders <= 0
      ? `avoids ${(-orders).toFixed(1)} orders a week`
      : `needs ${orders.toFixed(1)} orders a week more`,
    `is outside the bounds ${showShare(b.outsideBps)} of the time instead of ` +
      showShare(a.outsideBps),
    ...(a.unserved === b.unserved
      ? []
      : [`leaves ${b.unserved} withdrawals unpaid instead of ${a.unserved}`]),
  ]
  return `${what} ${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}.`
}

function tellWindow(name: string, pair: Compared): string | null {
  const stopped = countStops(pair.own) - countStops(pair.other)
  if (stopped <= 0 && isSame(pair.own, pair.other)) return `The window of ${name} stopped nothing.`
  const share = Math.round((100 * stopped) / Math.max(1, stopped + pair.own.moves))
  const stops =
    stopped > 0 ? `The window of ${name} stopped ${stopped} of the needs (${share} %). ` : ""
  const change = tellDifference(`Without the window of ${name} the configuration`, pair)
  return change === null ? stops : `${stops}${change}`
}

/** Needs and orders that a window stopped, each once for as long as it lasted. */
function countStops({ declined, refused }: SeedResult): number {
  return [...declined, ...refused]
    .filter(({ code }) => code.includes(".window"))
    .reduce((sum, { episodes }) => sum + episodes, 0)
}

function isSame(a: SeedResult, b: SeedResult): boolean {
  return a.moves === b.moves && feesOf(a) === feesOf(b) && a.volumeFiat === b.volumeFiat
}

function figuresOf(run: SeedResult, scenario: Scenario): Figures {
  return {
    feesFiatPerMonth: (feesOf(run) * 30n) / BigInt(scenario.days),
    ordersPerWeek: (run.moves * 7) / scenario.days,
    outsideBps: outsideBps(run, scenario),
    unserved: run.assets.reduce((sum, { unservedTimes }) => sum + unservedTimes, 0),
  }
}

function showFiat(fiat: bigint): string {
  const cents = formatUnits(fiat / 10n ** BigInt(FIAT_DECIMALS - 2), 2)
  const [whole = "", fraction = ""] = cents.split(".")
  return `${whole}.${fraction.padEnd(2, "0")}`
}

function showShare(bps: number): string {
  return `${(bps / 100).toFixed(1)} %`
}
