import { parseUnits } from "#domain/amount.ts"
import { type Asset, parseAssetId } from "#domain/asset.ts"
import { present } from "#lib/assert.ts"
import type { RuleAmount, RuleConfig } from "./config.ts"
import { parseLimitAmount } from "./limit-amount.ts"
import type { RuleFile } from "./schema-rules.ts"

/** One rule that passed all checks, with its amounts in the smallest units of its assets. */
export function buildRule(rule: RuleFile, assets: readonly Asset[]): RuleConfig {
  const base = { id: rule.id, enabled: rule.enabled }
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
        everyMs: rule.every,
      }
    }
    case "weights":
      return {
        ...base,
        kind: rule.kind,
        weights: Object.entries(rule.weights).map(([id, text]) => ({ asset: parseAssetId(id), bps: bpsOf(text) })),
        toleranceBps: bpsOf(rule.tolerance),
        everyMs: rule.every,
      }
    case "sweep": {
      const keepUnits = parseUnits(rule.keep, decimalsOf(rule.from, assets))
      const pair = { from: parseAssetId(rule.from), to: parseAssetId(rule.to) }
      return { ...base, kind: rule.kind, ...pair, keepUnits, everyMs: rule.every }
    }
  }
}

function buildAmount(text: string, asset: string, assets: readonly Asset[]): RuleAmount {
  const amount = present(parseLimitAmount(text), `the amount ${text}`)
  return amount.kind === "own" ? { kind: "units", units: parseUnits(text, decimalsOf(asset, assets)) } : amount
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
