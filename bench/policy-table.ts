import type { TreasuryResult } from "./random-treasury.ts"

/** The results of one checkout. */
export type Baseline = {
  readonly commit: string
  readonly days: number
  readonly treasuries: readonly TreasuryResult[]
}

/** A part of docs/POLICY-BENCH.md: the present planner against the baseline, by treasury. */
export function refreshPolicyTable(baseline: Baseline, now: readonly TreasuryResult[]): string {
  const pairs = now.flatMap((present) => {
    const before = baseline.treasuries.find(({ seed }) => seed === present.seed)
    return before === undefined ? [] : [{ before, present }]
  })
  const groups = ["all", "bands", "bands and others", "others"] as const
  const rows = groups.map((group) =>
    describe(
      group,
      pairs.filter(({ present }) => group === "all" || present.mix === group),
    ),
  )
  const active = pairs.filter(({ present }) => present.isPaused !== true)
  return [
    `Each of ${pairs.length} random treasuries (\`bench/random-treasury.ts\`) runs for ` +
      `${baseline.days} simulated days in the backtest. A treasury and its market`,
    `depend on its number alone. The baseline is commit ${baseline.commit}, stored in ` +
      `\`bench/policies-baseline.json\`.`,
    "",
    "Costs are service fees, spreads and network fees in usd. Time outside is the share of " +
      "time that a rule spends outside its bounds, averaged over",
    'the rules of a treasury and then over treasuries. "Median" is the change of cost of the ' +
      "median treasury that had a cost.",
    "",
    "| rules | treasuries | orders before | orders now | cost before | cost now | change | " +
      "median | time outside before | time outside now |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
    describe("all without a pause", active),
    "",
    "The last row leaves out the treasuries in which `alarm.churn` paused a rule: a paused " +
      "rule costs nothing and does nothing.",
  ].join("\n")
}

type Pair = { readonly before: TreasuryResult; readonly present: TreasuryResult }

function describe(group: string, pairs: readonly Pair[]): string {
  const before = total(pairs.map((pair) => pair.before))
  const present = total(pairs.map((pair) => pair.present))
  const ratios = pairs
    .filter((pair) => BigInt(pair.before.costFiat) > 0n)
    .map((pair) => Number(pair.present.costFiat) / Number(pair.before.costFiat))
    .sort((a, b) => a - b)
  const median = ratios[Math.floor((ratios.length - 1) / 2)]
  const cells = [
    group,
    pairs.length,
    before.moves,
    present.moves,
    before.cost.toFixed(0),
    present.cost.toFixed(0),
    before.cost === 0 ? "–" : changeOf(present.cost / before.cost),
    median === undefined ? "–" : changeOf(median),
    `${(before.outside / 100).toFixed(2)} %`,
    `${(present.outside / 100).toFixed(2)} %`,
  ]
  return `| ${cells.join(" | ")} |`
}

function total(results: readonly TreasuryResult[]): {
  moves: number
  cost: number
  outside: number
} {
  const sum = (read: (result: TreasuryResult) => number): number =>
    results.reduce((so, result) => so + read(result), 0)
  return {
    moves: sum(({ moves }) => moves),
    cost: sum(({ costFiat }) => Number(costFiat) / 1e6),
    outside: results.length === 0 ? 0 : sum(({ outsideBps }) => outsideBps) / results.length,
  }
}

function changeOf(ratio: number): string {
  const change = (ratio - 1) * 100
  return `${change > 0 ? "+" : ""}${change.toFixed(1)} %`
}
