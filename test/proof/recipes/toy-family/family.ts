import { z } from "zod"
import { knownBlockTime } from "#chains/block-time.ts"
import { chainKeys, keyReference } from "#chains/chain-keys.ts"
import { ANYBODY_REDEEMS, ANYBODY_REFUNDS, defineFamily } from "#chains/family-definition.ts"
import { timelockBounds } from "#chains/timelock-bounds.ts"
import { integer } from "#schema/leaves.ts"
import { withDefault } from "#schema/section.ts"
import { toyTraits } from "./traits.ts"

const MINUTE_MS = 60_000
const TOY_ADDRESS = {
  pattern: /^toy[0-9a-z]{4,40}$/,
  expected: "toy and 4 to 40 letters or digits",
}

/** The smallest chain family: it lives in memory and makes no payments. */
export const toyFamily = defineFamily({
  name: "toy",
  traits: toyTraits,

  presets: [],
  blockTime: knownBlockTime(1_000, "family"),
  keys: {
    ...chainKeys("toy", "1m"),
    key: keyReference("any text"),
    confirmations: withDefault(
      integer(1, 100),
      1,
      "Confirmations after which a transaction counts as final.",
    ),
  },
  endpointKey: null,
  buildConfig: (shared, { family, confirmations }) => ({ ...shared, family, confirmations }),
  chainName: /^toy(_|$)/,
  addressForm: TOY_ADDRESS,
  htlcForm: TOY_ADDRESS,
  hasPayoutAssets: false,
  identityOf: ({ family }) => ({ family }),
  sandboxKeys: () => ({}),

  depositWayOf: () => "onchain",
  timelocksOf: (chain) => timelockBounds(chain, { min: 10n }),
  depositWindowMs: 60 * MINUTE_MS,
  reportPatienceMs: 15 * MINUTE_MS,
  describeTrust: () => ({
    endpoints: 1,
    agree: 1,
    finality: { seen: "1", reveal: "1", ending: "1" },
    worst: "all",
  }),
  typicalFeesOf: () => ({ depositFeeUnits: 1n, refundFeeUnits: 1n }),

  depositReader: {
    what: "the toy deposit",
    select: ({ toy }) => toy,
    schema: z.string().transform((to) => ({ family: "toy", to })),
  },
  loadPort: async () => undefined,
  async openPort(chain) {
    const { createToyChain } = await import("./create-chain.ts")
    return createToyChain(chain.chain)
  },
  readAccount: async () => "toywallet",
  listAddresses: async () => [{ what: "toy", path: null, address: "toywallet" }],
  async openKey(chain) {
    const { openToyKey } = await import("./create-chain.ts")
    return openToyKey(chain.chain)
  },

  doctor: {
    endpointsOf: () => [],
    readTip: async () => ({ network: "toy", expected: "toy", height: 1n, blockMs: 0 }),
    readBlockMs: async () => null,
    staleMsOf: () => null,
    aheadMs: MINUTE_MS,
  },
  describeRefund: async (deposit) => ({
    who: ANYBODY_REFUNDS,
    when: `after ${deposit.timelock} blocks`,
    how: [],
  }),
  describeRedeem: async (payout) => ({
    who: ANYBODY_REDEEMS,
    when: `within ${payout.timelock} blocks`,
    how: [],
  }),
})
