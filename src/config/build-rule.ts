import { parseUnits } from "#domain/amount.ts"
import { type Asset, parseAssetId } from "#domain/asset.ts"
import { present } from "#lib/assert.ts"
import { buildCost, fiatOf } from "#schema/build-cost.ts"
import { parseLimitAmount } from "#schema/limit-amount.ts"
import type { RuleAmount, RuleConfig } from "./config.ts"
import type { RuleFile } from "./schema-rules.ts"

/** One rule that passed all checks, with its amounts in the smallest units of its assets. */
export function buildRule(rule: RuleFile, assets: readonly Asset[]): RuleConfig {
  const maxCost = rule.max_cost === null ? null : buildCost(rule.max_cost)
  const base = { id: rule.id, enabled: rule.enabled, maxCost }
  switch (rule.kind) {
    case "recurring": {
      const { kind, schedule, timezone, catch_up: catchUp } = rule
      const pair = { from: parseAssetId(rule.from), to: parseAssetId(rule.to) }
      return {
        ...base,
        kind,
        schedule,
        timezone,
        ...pair,
        amount: buildAmount(rule.amount, rule.from, assets),
        catchUp,
        jitterMs: rule.jitter,
        windowMs: rule.window,
      }
    }
    case "band": {
      const units = (text: string): bigint => parseUnits(text, decimalsOf(rule.asset, assets))
      return {
        ...base,
        kind: rule.kind,
        asset: parseAssetId(rule.asset),
        minUnits: units(rule.min),
        targetUnits: units(rule.target),
        maxUnits: units(rule.max),
        sources: rule.sources.map(parseAssetId),
        sinks: rule.sinks.map(parseAssetId),
        move: rule.move,
        leastUnits: buildLeast(rule.least, rule.asset, assets),
        everyMs: rule.every,
      }
    }
    case "weights":
      return {
        ...base,
        kind: rule.kind,
        weights: Object.entries(rule.weights).map(([id, text]) => ({ asset: parseAssetId(id), bps: bpsOf(text) })),
        toleranceBps: bpsOf(rule.tolerance),
        move: rule.move,
        leastFiat: rule.least === null ? 0n : fiatOf(rule.least),
        everyMs: rule.every,
      }
    case "sweep": {
      const keepUnits = parseUnits(rule.keep, decimalsOf(rule.from, assets))
      const pair = { from: parseAssetId(rule.from), to: parseAssetId(rule.to) }
      const leastUnits = buildLeast(rule.least, rule.from, assets)
      const { kind, destination, every: everyMs } = rule
      return { ...base, kind, ...pair, keepUnits, destination, leastUnits, everyMs }
    }
  }
}

function buildAmount(text: string, asset: string, assets: readonly Asset[]): RuleAmount {
  const amount = present(parseLimitAmount(text), `the amount ${text}`)
  return amount.kind === "own" ? { kind: "units", units: parseUnits(text, decimalsOf(asset, assets)) } : amount
}

/** No order is smaller than one unit. */
function buildLeast(text: string | null, asset: string, assets: readonly Asset[]): bigint {
  const units = text === null ? 1n : parseUnits(text, decimalsOf(asset, assets))
  return units > 1n ? units : 1n
}

function decimalsOf(id: string, assets: readonly Asset[]): number {
  return present(
    assets.find((asset) => asset.id === id),
    `the asset ${id}`,
  ).decimals
}

function bpsOf(text: string): bigint {
  const amount = parseLimitAmount(text)
  return present(amount?.kind === "share" ? amount.bps : null, `the share ${text}`)
}
