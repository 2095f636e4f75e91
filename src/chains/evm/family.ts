import { defineFamily } from "#chains/family-definition.ts"
import { timelockBounds } from "#chains/timelock-bounds.ts"
import { buildEvmConfig, evmKeys } from "./config.ts"
import { evmDepositReader } from "./deposit-request.ts"
import { evmDoctor } from "./doctor.ts"
import { evmTraits } from "./traits.ts"

const MINUTE_MS = 60_000
/** EIP-55 without its checksum. */
const EVM_ADDRESS = { pattern: /^0x[0-9a-fA-F]{40}$/, expected: "0x and 40 hex digits" }

/** EVM chains: one HTLC contract per asset, JSON-RPC, EIP-1559 fees, gasless deposits by EIP-712 typed data. */
export const evmFamily = defineFamily({
  name: "evm",
  traits: evmTraits,

  keys: evmKeys,
  buildConfig: buildEvmConfig,
  chainName: /^(ethereum|base|arbitrum|optimism|polygon|bnb|avalanche|unichain)(_|$)/,
  addressForm: EVM_ADDRESS,
  htlcForm: EVM_ADDRESS,
  pinKeys: {
    code: { pattern: /^0x[0-9a-f]{64}$/, expected: "0x and 64 hex digits" },
    implementation: { pattern: /^0x[0-9a-f]{64}(\+0x[0-9a-f]{64})*$/, expected: "0x and 64 hex digits" },
  },
  loadContractReader: async () => (await import("./identify-contract.ts")).evmContractReader,
  hasPayoutAssets: true,
  identityOf: ({ family, chainId }) => ({ family, chain_id: String(chainId) }),
  sandboxKeys: ({ url, chainId, deposit }) => ({ chain_id: chainId, rpc: [url], deposit }),

  depositWayOf: ({ deposit }) => deposit,
  timelocksOf: (chain) => timelockBounds(chain, { min: 20n, secondsPerUnit: BLOCK_SECONDS[chain.chainId] ?? 2 }),
  depositWindowMs: 60 * MINUTE_MS,
  reportPatienceMs: 15 * MINUTE_MS,
  payoutToleranceUnits: 0n,
  // About 150 000 gas, at 10 gwei on Ethereum and 0.02 gwei on a roll-up.
  typicalFeesOf: ({ chainId }) =>
    chainId === 1 || chainId === 11155111
      ? { depositFeeUnits: 1_500_000_000_000_000n, refundFeeUnits: 1_000_000_000_000_000n }
      : { depositFeeUnits: 3_000_000_000_000n, refundFeeUnits: 2_000_000_000_000n },

  depositReader: evmDepositReader,
  async openPort({ maxFeePerGasWei, gasLimitCap, ...chain }, world) {
    const { createEvmChain } = await import("./create-chain.ts")
    return createEvmChain({ ...chain, maxFeePerGasUnits: maxFeePerGasWei, maxGasLimit: gasLimitCap, ...world })
  },

  doctor: evmDoctor,
  async describeRefund(deposit, chain) {
    const { describeEvmRefund } = await import("./refund-recipe.ts")
    return describeEvmRefund(deposit, chain)
  },
})

/** Ethereum and its test network; Arbitrum counts its own blocks (field notes). Every other chain counts as a two-second roll-up. */
const BLOCK_SECONDS: Readonly<Record<number, number>> = {
  1: 12,
  11155111: 12,
  17000: 12,
  42161: 0.25,
  421614: 0.25,
  56: 3,
}
