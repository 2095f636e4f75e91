import { knownBlockTime } from "#chains/block-time.ts"
import { defineFamily } from "#chains/family-definition.ts"
import { timelockBounds } from "#chains/timelock-bounds.ts"
import { awaitKeyHolder } from "#ports/key-holder.ts"
import { bitcoinKeys, buildBitcoinConfig } from "./config.ts"
import { bitcoinDepositReader } from "./deposit-request.ts"
import { bitcoinDoctor } from "./doctor.ts"
import { findLowDepths } from "./finality.ts"
import { describeBitcoinTrust } from "./nodes/trust.ts"
import { bitcoinPresets } from "./presets.ts"
import { bitcoinTraits } from "./traits.ts"
import { UNKNOWN_KEY } from "./wallet.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Bitcoin: each order has its own Taproot HTLC address, and the wallet is one key over Esplora
 * servers.
 */
export const bitcoinFamily = defineFamily({
  name: "bitcoin",
  traits: bitcoinTraits,

  presets: bitcoinPresets,
  blockTime: knownBlockTime(600_000, "family"),
  keys: bitcoinKeys,
  endpointKey: "esplora",
  firstKeys: { address: "p2tr" },
  buildConfig: buildBitcoinConfig,
  chainName: /^bitcoin(_|$)/,
  addressForm: {
    pattern: /^((bc|tb|bcrt)1[02-9ac-hj-np-z]{11,87}|[13mn2][1-9A-HJ-NP-Za-km-z]{25,34})$/,
    expected: "a Bitcoin address",
  },
  htlcForm: null,
  hasPayoutAssets: false,
  identityOf: ({ family, network, address }) => ({ family, network, address }),
  sandboxKeys: ({ url }) => ({
    network: "regtest",
    esplora: [url],
    address: "p2tr",
    confirmations: 1,
  }),

  depositWayOf: () => "onchain",
  timelocksOf: (chain) => timelockBounds(chain, { min: 3n }),
  depositWindowMs: 6 * HOUR_MS,
  reportPatienceMs: 3 * HOUR_MS,
  describeTrust: describeBitcoinTrust,
  findLowDepths: (chain) => findLowDepths(chain),
  // About 200 bytes at 10 sat/B.
  typicalFeesOf: () => ({ depositFeeUnits: 2_000n, refundFeeUnits: 1_500n }),

  depositReader: bitcoinDepositReader,
  watchKey: UNKNOWN_KEY,
  loadPort: () => import("./create-chain.ts"),
  async openPort({ address, ...chain }, world) {
    const { createBitcoinChain } = await import("./create-chain.ts")
    return createBitcoinChain({ ...chain, addressType: address, ...(await awaitKeyHolder(world)) })
  },
  async readAccount(chain) {
    const { readBitcoinAccount } = await import("./keys/read-account.ts")
    return readBitcoinAccount(chain)
  },
  async listAddresses(key, seeded) {
    const { listBitcoinAddresses } = await import("./keys/list-addresses.ts")
    return listBitcoinAddresses(key, seeded)
  },
  async openKey(chain, world) {
    const { openBitcoinKey } = await import("./keys/open-key.ts")
    return openBitcoinKey(chain, world)
  },

  async describePlan(plan, { network }) {
    const { describeBitcoinPlan } = await import("./spend/describe-plan.ts")
    return describeBitcoinPlan(plan, network)
  },
  doctor: bitcoinDoctor,
  async describeRefund(deposit, chain) {
    const { describeBitcoinRefund } = await import("./spend/refund-recipe.ts")
    return describeBitcoinRefund(deposit, chain)
  },
  async describeRedeem(payout, _asset, chain, secret) {
    const { describeBitcoinRedeem } = await import("./spend/redeem-recipe.ts")
    return describeBitcoinRedeem(payout, chain, secret)
  },
})
