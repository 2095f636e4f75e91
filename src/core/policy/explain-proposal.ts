import { formatUnits } from "#domain/amount.ts"
import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import { HTLC } from "#domain/route/route-kind.ts"
import type { Proposal } from "./evaluate.ts"
import type { PlanLimits } from "./planner/limits.ts"
import { costOfOrder, valueIn } from "./planner/route.ts"
import type { Rule } from "./rules/rule-kind.ts"
import { findAsset, liquidUnits, readPrice, showUnits, type TreasuryView } from "./treasury-view.ts"
import { fiatOfValue, VALUE_PER_FIAT } from "./value.ts"

/** What a plan was made from. */
type PlanSource = {
  readonly view: TreasuryView
  readonly limits: PlanLimits
  readonly rules: readonly Rule[]
}

/**
 * Sentences about a proposal for people: its cost beside the next best way, the other kinds of
 * routes of its pair, and the ceiling that it comes nearest to. Empty where its cost is not known.
 * Pure.
 */
export function explainProposal(proposal: Proposal, source: PlanSource): readonly string[] {
  const sold = valueOfSale(source.view, proposal.from, proposal.units)
  if (sold === null || sold === 0n || proposal.costFiat === null) return []
  const share = `${showBps(proposal.costFiat, sold)} of the sold value`
  const cost = `It costs ${showFiat(proposal.costFiat)}, ${share}`
  const ceiling = tellCeiling(proposal, fiatOfValue(sold, "down"), source)
  return [
    `${cost}${tellNext(proposal, sold, source.view)}.`,
    ...tellKinds(proposal, sold, source.view),
    ...ceiling,
  ]
}

/** What the pair would cost over each other kind of route, or why that gives no quote. */
function tellKinds(proposal: Proposal, sold: bigint, view: TreasuryView): readonly string[] {
  const own = view.pairs.filter(({ from, to }) => from === proposal.from && to === proposal.to)
  const priced = own.flatMap(({ kind = HTLC, quote }) => {
    if (kind === (proposal.kind ?? HTLC) || !quote.readable || !quote.available) return []
    return [`Over ${kind} it would cost ${showFiat(fiatOfValue(costOfOrder(quote, sold), "up"))}.`]
  })
  const unquoted = own.flatMap(({ unquoted = [] }) =>
    unquoted.map(({ kind, causes }) => {
      const told = causes.map(({ code, message }) => `${message} [${code}]`).join("; ")
      return `${kind} gives no quote${told === "" ? "" : `: ${told}`}.`
    }),
  )
  return [...priced, ...unquoted]
}

/** The other end of a proposal may be another asset, when the rule needs this one. */
function tellNext(proposal: Proposal, sold: bigint, view: TreasuryView): string {
  const needed = new Set(proposal.why.map(({ asset }) => asset))
  const others = view.pairs.filter(
    ({ from, to }) =>
      (to === proposal.to && from !== proposal.from && needed.has(to)) ||
      (from === proposal.from && to !== proposal.to && needed.has(from)),
  )
  const priced = others.flatMap(({ from, to, quote }) => {
    if (!quote.readable || !quote.available || !canCarry(view, from, sold)) return []
    const other = from === proposal.from ? `to ${to}` : `from ${from}`
    return [{ other, costFiat: fiatOfValue(costOfOrder(quote, sold), "up") }]
  })
  const [first, ...rest] = priced
  if (first === undefined) {
    return others.length === 0
      ? "; no rule lists another way"
      : "; no other way that the rule lists has a quote and enough to sell"
  }
  const best = rest.reduce((a, b) => (b.costFiat < a.costFiat ? b : a), first)
  const saved = best.costFiat - (proposal.costFiat ?? 0n)
  if (saved >= 0n) return `: ${showFiat(saved)} less than ${best.other}, the next best way`
  return (
    `: ${showFiat(-saved)} more than ${best.other} alone, which the plan for all rules together ` +
    "or its limits leave out"
  )
}

function canCarry(view: TreasuryView, from: AssetId, sold: bigint): boolean {
  const asset = findAsset(view, from)
  if (!asset?.balance.readable) return false
  const held = valueOfSale(view, from, liquidUnits(asset.balance))
  return held !== null && held >= sold
}

/** The strictest of the ceilings at this value. */
function tellCeiling(
  proposal: Proposal,
  soldFiat: bigint,
  { limits, rules }: PlanSource,
): readonly string[] {
  // A proposal lists the ceilings of its rules that have one, as they are at this balance.
  const own = rules
    .filter(({ id, maxCost = null }) => proposal.rules.includes(id) && maxCost !== null)
    .toSorted((a, b) => proposal.rules.indexOf(a.id) - proposal.rules.indexOf(b.id))
    .map(({ id, maxCost = null }, index) => ({
      of: `max_cost of ${id}`,
      limit: proposal.maxCosts?.[index] ?? maxCost,
    }))
  const fiatOf = (limit: CostLimit): bigint =>
    limit.kind === "fiat" ? limit.fiat : (soldFiat * limit.bps) / 10_000n
  const ceilings = [{ of: "guards.max_cost", limit: limits.maxCost }, ...own].flatMap(
    ({ of, limit }) => (limit === null ? [] : [{ of, limit, fiat: fiatOf(limit) }]),
  )
  const [first, ...rest] = ceilings
  if (first === undefined) return ["No ceiling limits its cost."]
  const { of, limit, fiat } = rest.reduce((a, b) => (b.fiat < a.fiat ? b : a), first)
  const share = limit.kind === "share" ? `, ${formatUnits(limit.bps, 0)} bps` : ""
  return [`The ceiling is ${showFiat(fiat)}${share}: ${of}.`]
}

/** For each window of `guards.windows`: what it left to the plan. */
export function explainWindows({ limits, view }: Pick<PlanSource, "limits" | "view">): readonly {
  readonly per: string
  readonly left: string
}[] {
  return (limits.windows ?? []).map(({ per, leftFiat, maxFiat, leftUnits, leftFeesFiat }) => {
    const assets = Object.entries(leftUnits).map(([id, units]) => {
      const asset = view.assets.find((one) => one.id === id)
      return `${asset === undefined ? units : showUnits(asset, units)} ${id}`
    })
    const parts = [
      ...(leftFiat === null
        ? []
        : [`${showFiat(leftFiat)}${maxFiat === null ? "" : ` of ${showFiat(maxFiat)}`}`]),
      ...assets,
      ...(leftFeesFiat === null ? [] : [`${showFiat(leftFeesFiat)} of fees`]),
    ]
    return { per, left: parts.join(", ") }
  })
}

function valueOfSale(view: TreasuryView, id: AssetId, units: bigint): bigint | null {
  const asset = findAsset(view, id)
  const price = asset === null ? null : readPrice(asset)
  if (asset === null || !price?.ok) return null
  return valueIn({ asset, priceFiat: price.priceFiat }, units)
}

/** To the cent. The reference currency is the dollar everywhere (`quote-currency.ts`). */
function showFiat(fiat: bigint): string {
  const [whole = "", fraction = ""] = formatUnits((fiat + 5_000n) / 10_000n, 2).split(".")
  return `${whole}.${fraction.padEnd(2, "0")} usd`
}

function showBps(costFiat: bigint, sold: bigint): string {
  return `${formatUnits((costFiat * VALUE_PER_FIAT * 100_000n) / sold, 1)} bps`
}
