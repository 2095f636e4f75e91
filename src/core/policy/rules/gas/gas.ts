import { z } from "zod"
import { parseAssetId } from "#domain/asset.ts"
import { assetId, integer, list } from "#schema/leaves.ts"
import type { Path } from "#schema/problem.ts"
import { itemsAt } from "#schema/read-path.ts"
import { checkAssetKnown, type ReferenceWorld } from "#schema/reference-world.ts"
import { required, section, withDefault } from "#schema/section.ts"
import { buildRuleKeys, everyKey, patienceKey, ruleKeys } from "../rule-keys.ts"
import type { StandingKind } from "../rule-kind.ts"
import { decideGas } from "./decide-gas.ts"
import type { GasRule } from "./gas-rule.ts"

const gasSchema = section({
  ...ruleKeys,
  kind: required(z.literal("gas"), "Keeps a stock of the coin that pays a chain's network fees."),
  asset: required(assetId, "The chain's own coin."),
  sources: required(
    list(assetId, "a list of asset ids", 1),
    "The assets that the rule may sell; it takes the cheapest way.",
  ),
  days: withDefault(
    integer(1, 365),
    14,
    "A refill brings the fees of so many days, by the use in the books; the rule refills when " +
      "half of them is left. It counts once the books have 14 days.",
  ),
  orders: withDefault(
    integer(1, 1_000),
    10,
    "At least the fees of so many orders stay, each at the highest fee that the guards keep back.",
  ),
  patience: patienceKey,
  every: everyKey("10m"),
})

/** `kind: gas`: the coin for network fees as a stock of days. */
export const gas = {
  kind: "gas",
  wake: "every",
  schema: gasSchema,
  checkReferences: checkGas,
  build: (file: z.output<typeof gasSchema>) => ({
    ...buildRuleKeys(file),
    kind: file.kind,
    asset: parseAssetId(file.asset),
    sources: file.sources.map(parseAssetId),
    days: BigInt(file.days),
    orders: BigInt(file.orders),
    patienceMs: file.patience,
    everyMs: file.every,
  }),
  decideNeeds: decideGas,
  pairsOf: ({ asset, sources }) => sources.map((from) => ({ from, to: asset, whenAbove: false })),
  watchedAssets: ({ asset }) => [asset],
  pricedAssets: () => [],
  soldAsset: () => null,
  balanceBounds: () => [],
  feeCoinOf: ({ asset }) => asset,
  patientSales: ({ sources }) => sources,
  backtest: { measures: "none" },
  reasons: {
    "policy.gas_kept": { means: "satisfied", hint: "{asset} goes below {least}" },
    "policy.gas_unknown": { means: "unknown", hint: null },
  },
} satisfies StandingKind<GasRule>

function checkGas(world: ReferenceWorld, path: Path): void {
  const asset = checkAssetKnown(world, [...path, "asset"])
  if (asset !== null && world.isCoin?.(asset) === false)
    world.report(
      [...path, "asset"],
      `expected the coin in which the chain takes its fees, found ${asset}, which pays none`,
    )
  for (const [index] of itemsAt(world.root, [...path, "sources"]).entries()) {
    const at = [...path, "sources", index]
    const source = checkAssetKnown(world, at)
    if (source !== null && source === asset)
      world.report(at, `expected another asset than the rule's own, found ${source}`)
  }
}
