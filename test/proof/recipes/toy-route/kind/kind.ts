import { parseAssetId } from "#domain/asset.ts"
import { defineRoute } from "#routes/route-definition.ts"
import { fiatOf } from "#schema/build-cost.ts"
import { assetId, fiatAmount, list } from "#schema/leaves.ts"
import { required, section } from "#schema/section.ts"

const schema = section({
  assets: required(list(assetId, "a list of two assets", 2), "The asset of each chain."),
  max_in_flight: required(fiatAmount, "The most that the issuer may owe."),
})

/** A toy: one contract takes a deposit on one chain and pays on the other. */
export const toyKind = defineRoute({
  kind: "toy",
  schema,
  summary: "A toy route.",
  checkReferences: () => undefined,
  build: ({ assets, max_in_flight: limit }) => ({
    kind: "toy",
    assets: assets.map(parseAssetId),
    maxInFlightFiat: fiatOf(limit),
    contracts: {},
  }),
  contractsOf: ({ vault }) => [vault],
  rulesOf: ({ assets }, places) => ({
    assets,
    payees: new Map(places.map(({ chain, account }) => [chain, [account]])),
    maxFeeRate: 0n,
    contracts: new Map(places.map(({ chain, pin }) => [chain, pin])),
  }),
  open: async () => ({
    kind: "toy",
    fetchQuotes: async () => [],
    open: ({ orderId, dealKey, terms }) => ({
      orderId,
      depositRequest: { family: "evm", dealKey, units: terms.sourceUnits },
    }),
    checkDeposit: async () => [],
    readVoucher: async () => ({ status: "waiting", reasons: [] }),
  }),
})
