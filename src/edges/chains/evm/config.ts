import { z } from "zod"
import type { ChainConfig, SharedChainConfig } from "#chains/chain-config.ts"
import {
  chainKeys,
  confirmationCount,
  depositWay,
  keyReference,
  rpcUrls,
} from "#chains/chain-keys.ts"
import { parseUnits } from "#domain/amount.ts"
import type { DepositWay } from "#domain/order.ts"
import type { Address } from "#nodes/address.ts"
import { choice, integer, text } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { type Depth, everyDepth, type FinalityProfile, finalityOf } from "./finality.ts"
import { evmPresets, tipCapOf } from "./presets.ts"

export type EvmChainConfig = ChainConfig & {
  readonly chainId: number
  readonly rpc: readonly Address[]
  readonly finality: FinalityProfile
  readonly deposit: DepositWay
  readonly maxFeePerGasWei: bigint
  readonly maxTipPerGasWei: bigint
  readonly gasLimitCap: bigint
}

const gasPrice = text(
  /^\d{1,12}(\.\d{1,9})? gwei$|^\d{1,30} wei$/,
  'a gas price such as "500 gwei" or "1000000 wei"',
)

/** A cap of zero would be above no transaction. */
const gasCap = text(
  /^(?!0+(\.0+)? )(\d{1,12}(\.\d{1,9})? gwei|\d{1,30} wei)$/,
  'a gas price above zero such as "500 gwei" or "1000000 wei"',
)

const depth = z.union([confirmationCount, choice(["safe", "finalized"])], {
  error: "expected a whole number from 1 to 10000, safe or finalized",
})

export const evmKeys = {
  ...chainKeys("evm", "1m", evmPresets),
  chain_id: required(
    integer(1, Number.MAX_SAFE_INTEGER),
    "The EIP-155 chain id; a preset sets it.",
  ),
  rpc: rpcUrls,
  key: keyReference("32 bytes hex", { token: true, kms: true }),
  confirmations: orNone(
    confirmationCount,
    "One number of confirmations for every use, in place of finality. Without it finality " +
      "applies. On a main network at least the chain's own depths, or 13 minutes of blocks in " +
      "place of safe and finalized.",
  ),
  finality: orNone(
    section({
      seen: orNone(
        depth,
        "From here Ballast goes on with the order: a number of confirmations, safe or finalized.",
      ),
      reveal: orNone(
        depth,
        "From here a secret may be told: a number of confirmations, safe or finalized.",
      ),
      ending: orNone(
        depth,
        "From here an order may end and money is released: a number of confirmations, safe " +
          "or finalized.",
      ),
    }),
    "How deep a block must be. Without it the chain's own depths apply, by chain_id.",
  ),
  deposit: depositWay,
  max_fee_per_gas: withDefault(
    gasCap,
    "500 gwei",
    "The highest price of one unit of gas, in gwei or wei. It also sets the least coin that is " +
      "kept for each redemption of a payout.",
  ),
  max_priority_fee_per_gas: orNone(
    gasPrice,
    "The highest tip for one unit of gas, in gwei or wei. Without it the chain's own cap " +
      "applies, by chain_id, else 10 gwei.",
  ),
  gas_limit_cap: withDefault(
    integer(21_000, 2_000_000),
    2_000_000,
    "The highest gas limit that Ballast signs, in gas.",
  ),
}

export function buildEvmConfig(
  shared: SharedChainConfig,
  file: z.output<z.ZodObject<typeof evmKeys>>,
): EvmChainConfig {
  const { family, rpc, deposit, chain_id: chainId } = file
  const maxFeePerGasWei = parseGasPrice(file.max_fee_per_gas)
  const tip = file.max_priority_fee_per_gas ?? tipCapOf(chainId)
  const caps = {
    maxFeePerGasWei,
    maxTipPerGasWei: parseGasPrice(tip),
    gasLimitCap: BigInt(file.gas_limit_cap),
  }
  return { ...shared, family, chainId, rpc, finality: buildFinality(file), deposit, ...caps }
}

type FinalityKeys = {
  readonly chain_id: number
  readonly confirmations: number | null
  readonly finality: { readonly [use in keyof FinalityProfile]: Depth | null } | null
}

function buildFinality({
  chain_id: chainId,
  confirmations,
  finality,
}: FinalityKeys): FinalityProfile {
  if (confirmations !== null) return everyDepth(confirmations)
  const usual = finalityOf(chainId)
  return {
    seen: finality?.seen ?? usual.seen,
    reveal: finality?.reveal ?? usual.reveal,
    ending: finality?.ending ?? usual.ending,
  }
}

/** `"500 gwei"` or `"1000000 wei"`; a gwei is 10^9 wei. */
function parseGasPrice(price: string): bigint {
  const [amount = "", unit] = price.split(" ")
  return parseUnits(amount, unit === "gwei" ? 9 : 0)
}
