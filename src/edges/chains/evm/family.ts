import { defineFamily } from "#chains/family-definition.ts"
import { timelockBounds } from "#chains/timelock-bounds.ts"
import { awaitKeyHolder } from "#ports/key-holder.ts"
import { findBurnDomain } from "./cctp/presets.ts"
import { coinFacesOf } from "./coin-faces.ts"
import { buildEvmConfig, evmKeys } from "./config.ts"
import { evmDepositReader } from "./deposit-request.ts"
import { evmDoctor } from "./doctor.ts"
import { findLowDepths } from "./finality.ts"
import { describeEvmTrust } from "./nodes/describe-trust.ts"
import { evmPresets } from "./presets.ts"
import { evmTraits } from "./traits.ts"

const MINUTE_MS = 60_000
/** EIP-55 without its checksum. */
const EVM_ADDRESS = { pattern: /^0x[0-9a-fA-F]{40}$/, expected: "0x and 40 hex digits" }

/** Chains without a preset to which the service may pay. */
const CHAIN_WORDS = ["bnb", "avalanche"]
const PRESET_WORDS = evmPresets.map(({ name }) => name.split("_")[0])

/**
 * EVM chains: one HTLC contract per asset, JSON-RPC, EIP-1559 fees, gasless deposits by EIP-712
 * typed data.
 */
export const evmFamily = defineFamily({
  name: "evm",
  traits: evmTraits,

  presets: evmPresets,
  // The range spans the chains of the presets, from five blocks a second to Ethereum's.
  blockTime: { ms: 2_000, fastestMs: 100, slowestMs: 15_000, from: "guess" },
  keys: evmKeys,
  endpointKey: "rpc",
  buildConfig: buildEvmConfig,
  chainName: new RegExp(`^(${[...new Set([...CHAIN_WORDS, ...PRESET_WORDS])].join("|")})(_|$)`),
  addressForm: EVM_ADDRESS,
  htlcForm: EVM_ADDRESS,
  pinKeys: {
    code: { pattern: /^0x[0-9a-f]{64}$/, expected: "0x and 64 hex digits" },
    implementation: {
      pattern: /^0x[0-9a-f]{64}(\+0x[0-9a-f]{64})*$/,
      expected: "0x and 64 hex digits",
    },
  },
  loadContractReader: async () => (await import("./identify-contract.ts")).evmContractReader,
  hasPayoutAssets: true,
  identityOf: ({ family, chainId }) => ({ family, chain_id: String(chainId) }),
  coinFacesOf: ({ chainId }) => coinFacesOf(chainId),
  // Local blocks do not reorganise by themselves, and a demonstration should not wait.
  sandboxKeys: ({ url, chainId, deposit }) => ({
    chain_id: chainId,
    rpc: [url],
    confirmations: 1,
    deposit,
  }),

  depositWayOf: ({ deposit }) => deposit,
  timelocksOf: (chain) => timelockBounds(chain, { min: 20n }),
  depositWindowMs: 60 * MINUTE_MS,
  reportPatienceMs: 15 * MINUTE_MS,
  describeTrust: (chain) => describeEvmTrust(chain),
  // A written block time is the operator's word, so that of the known chain counts before it.
  findLowDepths: ({ chainId, finality, blockTime }) => {
    const known = evmPresets.find(({ identity }) => identity["chain_id"] === chainId)
    return findLowDepths(chainId, finality, known?.blockTime.ms ?? blockTime.ms)
  },
  // About 150 000 gas, at 10 gwei on Ethereum and 0.02 gwei on a roll-up.
  typicalFeesOf: ({ chainId }) =>
    chainId === 1 || chainId === 11155111
      ? { depositFeeUnits: 1_500_000_000_000_000n, refundFeeUnits: 1_000_000_000_000_000n }
      : { depositFeeUnits: 3_000_000_000_000n, refundFeeUnits: 2_000_000_000_000n },

  depositReader: evmDepositReader,
  loadPort: () => import("./create-chain.ts"),
  async openPort({ maxFeePerGasWei, maxTipPerGasWei, gasLimitCap, ...chain }, world) {
    const { createEvmChain } = await import("./create-chain.ts")
    const limits = {
      maxFeePerGasUnits: maxFeePerGasWei,
      maxTipPerGasUnits: maxTipPerGasWei,
      maxGasLimit: gasLimitCap,
    }
    return createEvmChain({ ...chain, ...limits, ...(await awaitKeyHolder(world)) })
  },
  async readAccount({ key }) {
    const { readEvmAccount } = await import("./keys/read-account.ts")
    return readEvmAccount(key)
  },
  async listAddresses(key, seeded) {
    const { listEvmAddresses } = await import("./keys/list-addresses.ts")
    return listEvmAddresses(key, seeded)
  },
  async keyHosts({ key }) {
    const { readEvmKeyHosts } = await import("./keys/read-account.ts")
    return readEvmKeyHosts(key)
  },

  async openKey(chain, world) {
    const { openEvmKey } = await import("./keys/open-key.ts")
    const keys = openEvmKey(chain, world)
    await keys.unlock()
    return keys
  },

  doctor: evmDoctor,
  routes: {
    accountOf: (publicKey) => publicKey,
    recipes: {
      async cctp(payout, { chain_id: chainId }, given) {
        const { describeMint } = await import("./cctp/mint-recipe.ts")
        return describeMint(payout, Number(chainId), given)
      },
    },
    pins: { cctp: ({ chain_id: chainId }, given) => findBurnDomain(Number(chainId), given) },
    inspections: {
      async cctp(ask, { keys, given }, others) {
        const { inspectContracts } = await import("./cctp/inspect-contracts.ts")
        return inspectContracts(ask, { chainId: Number(keys["chain_id"]), given }, others)
      },
    },
  },
  async describeRefund(deposit, chain) {
    const { describeEvmRefund } = await import("./spend/refund-recipe.ts")
    return describeEvmRefund(deposit, chain)
  },
  async describeRedeem(payout, asset, chain, secret) {
    const { describeEvmRedeem } = await import("./spend/redeem-recipe.ts")
    return describeEvmRedeem(payout, asset, chain, secret)
  },
})
