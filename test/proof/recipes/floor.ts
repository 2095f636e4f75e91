import { z } from "zod"
import { parseUnits } from "#domain/amount.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import { declined, type RuleAnswer } from "#policy/need.ts"
import { buildRuleKeys, everyKey, ruleKeys } from "#policy/rules/rule-keys.ts"
import type { Rule, StandingKind } from "#policy/rules/rule-kind.ts"
import { findBalance, positionUnits, showUnits, type TreasuryView } from "#policy/treasury-view.ts"
import { assetId, ownAmount } from "#schema/leaves.ts"
import type { Path } from "#schema/problem.ts"
import { readPath } from "#schema/read-path.ts"
import {
  checkAssetKnown,
  checkDigits,
  decimalsAt,
  type ReferenceWorld,
} from "#schema/reference-world.ts"
import { required, section } from "#schema/section.ts"

/** Keeps at least `keepUnits` of `asset`. */
export type FloorRule = Rule & {
  readonly kind: "floor"
  readonly asset: AssetId
  readonly from: AssetId
  readonly keepUnits: bigint
}

const floorSchema = section({
  ...ruleKeys,
  kind: required(z.literal("floor"), "Keeps at least a minimum balance."),
  asset: required(assetId, "The asset with the balance to keep."),
  from: required(assetId, "The asset to sell when the balance is too low."),
  keep: required(ownAmount, "The minimum balance, in the asset's own unit."),
  every: everyKey("1m"),
})

export const floor = {
  kind: "floor",
  wake: "every",
  schema: floorSchema,
  checkReferences: checkFloor,
  build: (file: z.output<typeof floorSchema>, decimalsOf: (asset: string) => number) => ({
    ...buildRuleKeys(file),
    kind: file.kind,
    asset: parseAssetId(file.asset),
    from: parseAssetId(file.from),
    keepUnits: parseUnits(file.keep, decimalsOf(file.asset)),
    everyMs: file.every,
  }),
  decideNeeds: decideFloor,
  watchedAssets: ({ asset }) => [asset],
  pricedAssets: () => [],
  soldAsset: ({ from }) => from,
  balanceBounds: ({ asset, keepUnits }) => [
    { asset, minUnits: keepUnits, targetUnits: keepUnits, maxUnits: null },
  ],
  backtest: { measures: "sides" },
  reasons: { "policy.floor_kept": { means: "satisfied", hint: "{asset} goes below {keep}" } },
} satisfies StandingKind<FloorRule>

function checkFloor(world: ReferenceWorld, path: Path): void {
  const asset = checkAssetKnown(world, [...path, "asset"])
  checkAssetKnown(world, [...path, "from"])
  checkDigits(world, [...path, "keep"], decimalsAt(world, [...path, "asset"]))
  if (asset !== null && asset === readPath(world.root, [...path, "from"])) {
    world.report([...path, "from"], `expected another asset than the rule's own, found ${asset}`)
  }
}

function decideFloor(rule: FloorRule, view: TreasuryView): RuleAnswer {
  const read = findBalance(view, rule.asset)
  if (!read.ok) return declined(read.reason)
  const haveUnits = positionUnits(read.balance)
  const have = showUnits(read.asset, haveUnits)
  const keep = showUnits(read.asset, rule.keepUnits)
  const numbers = { asset: rule.asset, have, keep }
  if (haveUnits >= rule.keepUnits) {
    return declined({
      code: "policy.floor_kept",
      message: `${rule.asset} holds ${have}, at least ${keep}`,
      ...numbers,
    })
  }
  const wantUnits = rule.keepUnits - haveUnits
  const why = {
    code: "policy.refill",
    message: `${rule.asset} holds ${have}, less than ${keep}`,
    ...numbers,
  }
  const partners = [{ asset: rule.from, destination: null, mostUnits: null }]
  const shared = {
    rule: rule.id,
    asset: rule.asset,
    to: "target" as const,
    maxCost: rule.maxCost ?? null,
  }
  return {
    ok: true,
    needs: [
      { ...shared, kind: "gain", wantUnits, mostUnits: wantUnits, leastUnits: 1n, partners, why },
    ],
  }
}
