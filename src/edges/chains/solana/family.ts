import { knownBlockTime } from "#chains/block-time.ts"
import { defineFamily } from "#chains/family-definition.ts"
import { timelockBounds } from "#chains/timelock-bounds.ts"
import { mustExist } from "#lib/assert.ts"
import { awaitKeyHolder } from "#ports/key-holder.ts"
import { findBurnDomain } from "./cctp/domains.ts"
import { buildSolanaConfig, solanaKeys } from "./config.ts"
import { solanaDepositReader } from "./deposit-request.ts"
import { solanaDoctor } from "./doctor.ts"
import { findLowDepths } from "./finality.ts"
import { describeSolanaTrust } from "./nodes/describe-trust.ts"
import { presetNameOf, solanaPresets } from "./presets.ts"
import { solanaTraits } from "./traits.ts"

const MINUTE_MS = 60_000
/** Base58 of 32 bytes. */
const SOLANA_ADDRESS = { pattern: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, expected: "a Solana address" }

/** Solana: an HTLC program for native SOL, one for SPL tokens, and blockhashes that expire. */
export const solanaFamily = defineFamily({
  name: "solana",
  traits: solanaTraits,

  presets: solanaPresets,
  blockTime: knownBlockTime(400, "family"),
  keys: solanaKeys,
  endpointKey: "rpc",
  buildConfig: buildSolanaConfig,
  chainName: /^solana(_|$)/,
  addressForm: SOLANA_ADDRESS,
  htlcForm: SOLANA_ADDRESS,
  pinKeys: {
    program: { pattern: /^[0-9a-f]{64}$/, expected: "64 hex digits" },
    authority: {
      pattern: /^([1-9A-HJ-NP-Za-km-z]{32,44}|none)$/,
      expected: "a Solana address, or none",
    },
  },
  loadContractReader: async () => (await import("./identify-contract.ts")).solanaContractReader,
  hasPayoutAssets: true,
  // Only a preset names the cluster.
  identityOf: ({ family, genesisHash }) => ({ family, preset: genesisHash ?? "none" }),
  // A local chain has no forks, and its users do not wait 31 slots for each ending.
  // Blocks of a local validator are empty, so that a usual priority fee would buy nothing.
  sandboxKeys: ({ url, deposit }) => ({
    rpc: [url],
    deposit,
    confirmations: 1,
    usual_priority_fee: 0,
  }),

  depositWayOf: ({ deposit }, token) => (token === null ? "onchain" : deposit),
  timelocksOf: (chain) => timelockBounds(chain, { min: 100n }),
  // A blockhash lives for 150 blocks (`MAX_PROCESSING_AGE` of the validator).
  transactionLifeMs: ({ blockTime }) => 150 * blockTime.slowestMs,
  depositWindowMs: 60 * MINUTE_MS,
  reportPatienceMs: 15 * MINUTE_MS,
  describeTrust: describeSolanaTrust,
  findLowDepths: (chain) => findLowDepths(chain),
  // A relay pays, and nothing but tokens is deposited.
  typicalFeesOf: ({ deposit }) => ({
    depositFeeUnits: deposit === "gasless" ? 0n : 15_000n,
    refundFeeUnits: 10_000n,
  }),

  depositReader: solanaDepositReader,
  loadPort: () => import("./create-chain.ts"),
  async openPort({ maxPriorityFee, usualPriorityFee, ...chain }, world) {
    const { createSolanaChain } = await import("./create-chain.ts")
    return createSolanaChain({
      ...chain,
      maxPriorityFeeMicroLamports: maxPriorityFee,
      usualPriorityFeeMicroLamports: usualPriorityFee,
      ...(await awaitKeyHolder(world)),
    })
  },
  async readAccount({ key }, assets) {
    const { readSolanaAccount } = await import("./keys/read-account.ts")
    return readSolanaAccount(key, assets)
  },
  async listAddresses(key, seeded) {
    const { listSolanaAddresses } = await import("./keys/list-addresses.ts")
    return listSolanaAddresses(key, seeded)
  },
  async openKey(chain, world) {
    const { openSolanaKey } = await import("./keys/open-key.ts")
    return openSolanaKey(chain, world)
  },

  routes: {
    accountOf: (publicKey) => publicKey,
    payees: {
      async cctp(account, { preset }, given) {
        const pin = findBurnDomain(presetNameOf(String(preset)), given)
        const { payeeOf } = await import("./cctp/payee.ts")
        return payeeOf(account, mustExist(pin, "the pin of the chain").written.token)
      },
    },
    recipes: {
      async cctp(payout, { preset }, given) {
        const { describeMint } = await import("./cctp/mint-recipe.ts")
        return describeMint(payout, presetNameOf(String(preset)), given)
      },
    },
    pins: {
      cctp: ({ preset }, given) => findBurnDomain(presetNameOf(String(preset)), given),
    },
    inspections: {
      async cctp(ask, { keys, given }, others) {
        const { inspectPrograms } = await import("./cctp/inspect-programs.ts")
        return inspectPrograms(ask, { preset: presetNameOf(String(keys["preset"])), given }, others)
      },
    },
  },
  async describePlan(plan) {
    const { describeSolanaPlan } = await import("./spend/describe-plan.ts")
    return describeSolanaPlan(plan)
  },
  doctor: solanaDoctor,
  async describeRefund(deposit) {
    const { describeSolanaRefund } = await import("./spend/refund-recipe.ts")
    return describeSolanaRefund(deposit)
  },
  async describeRedeem(payout, asset, _chain, secret) {
    const { describeSolanaRedeem } = await import("./spend/redeem-recipe.ts")
    return describeSolanaRedeem(payout, asset, secret)
  },
})
