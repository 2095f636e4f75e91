import { knownBlockTime } from "#chains/block-time.ts"
import { defineFamily } from "#chains/family-definition.ts"
import { timelockBounds } from "#chains/timelock-bounds.ts"
import { awaitKeyHolder } from "#ports/key-holder.ts"
import { buildStarknetConfig, starknetKeys } from "./config.ts"
import { starknetDepositReader } from "./deposit-request.ts"
import { starknetDoctor } from "./doctor.ts"
import { findLowDepths } from "./finality.ts"
import { describeStarknetTrust } from "./nodes/describe-trust.ts"
import { starknetPresets } from "./presets.ts"
import { starknetTraits } from "./traits.ts"

const MINUTE_MS = 60_000
/** The account contract that the local sandbox deploys. */
const SANDBOX_ACCOUNT = "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d265"
/** A felt. */
const STARKNET_ADDRESS = {
  pattern: /^0x[0-9a-fA-F]{1,64}$/,
  expected: "0x and up to 64 hex digits",
}

/**
 * Starknet: HTLC contracts over ERC-20 tokens, STRK fees, gasless deposits by SNIP-12 typed data.
 */
export const starknetFamily = defineFamily({
  name: "starknet",
  traits: starknetTraits,

  presets: starknetPresets,
  blockTime: knownBlockTime(2_000, "family"),
  keys: starknetKeys,
  endpointKey: "rpc",
  buildConfig: buildStarknetConfig,
  chainName: /^starknet(_|$)/,
  addressForm: STARKNET_ADDRESS,
  htlcForm: STARKNET_ADDRESS,
  pinKeys: {
    class: { pattern: /^0x[0-9a-f]{64}$/, expected: "0x and 64 hex digits" },
    implementation: {
      pattern: /^0x[0-9a-f]{64}(\+0x[0-9a-f]{64})*$/,
      expected: "0x and 64 hex digits",
    },
  },
  loadContractReader: async () => (await import("./identify-contract.ts")).starknetContractReader,
  hasPayoutAssets: true,
  identityOf: ({ family, account, chainId }) => ({ family, account, chain_id: chainId }),
  sandboxKeys: ({ url, deposit }) => ({
    rpc: [url],
    account: SANDBOX_ACCOUNT,
    deposit,
    // One local node that never rolls back: an ending need not wait.
    confirmations: 1,
  }),

  depositWayOf: ({ deposit }) => deposit,
  timelocksOf: (chain) => timelockBounds(chain, { min: 10n }),
  depositWindowMs: 60 * MINUTE_MS,
  reportPatienceMs: 15 * MINUTE_MS,
  describeTrust: describeStarknetTrust,
  findLowDepths: (chain) => findLowDepths(chain),
  typicalFeesOf: () => ({
    depositFeeUnits: 50_000_000_000_000_000n,
    refundFeeUnits: 40_000_000_000_000_000n,
  }),

  depositReader: starknetDepositReader,
  loadPort: () => import("./create-chain.ts"),
  async openPort(chain, world) {
    const { createStarknetChain } = await import("./create-chain.ts")
    return createStarknetChain({ ...chain, ...(await awaitKeyHolder(world)) })
  },
  async readAccount(chain, assets) {
    const { readStarknetAccount } = await import("./keys/read-account.ts")
    return readStarknetAccount(chain, assets)
  },
  async listAddresses(key, seeded) {
    const { listStarknetKeys } = await import("./keys/list-addresses.ts")
    return listStarknetKeys(key, seeded)
  },
  async openKey(chain, world) {
    const { openStarknetKey } = await import("./keys/open-key.ts")
    return openStarknetKey(chain, world)
  },

  async describePlan(plan) {
    const { describeStarknetPlan } = await import("./spend/describe-plan.ts")
    return describeStarknetPlan(plan)
  },
  doctor: starknetDoctor,
  async describeRefund(deposit, _chain, swapId) {
    const { describeStarknetRefund } = await import("./spend/refund-recipe.ts")
    return describeStarknetRefund(deposit, swapId ?? null)
  },
  async describeRedeem(payout, asset, chain, secret) {
    const { describeStarknetRedeem } = await import("./spend/redeem-recipe.ts")
    return describeStarknetRedeem(payout, asset, chain, secret)
  },
})
