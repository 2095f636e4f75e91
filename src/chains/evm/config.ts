import type { z } from "zod"
import type { ChainConfig, SharedChainConfig } from "#chains/chain-config.ts"
import { chainKeys, confirmations, depositWay, keyReference, rpcUrls } from "#chains/chain-keys.ts"
import { parseUnits } from "#domain/amount.ts"
import type { DepositWay } from "#domain/order.ts"
import { integer, text } from "#schema/leaves.ts"
import { required, withDefault } from "#schema/section.ts"
import { evmPresets } from "./presets.ts"

export type EvmChainConfig = ChainConfig & {
  readonly chainId: number
  readonly rpc: readonly string[]
  readonly confirmations: number
  readonly deposit: DepositWay
  readonly maxFeePerGasWei: bigint
  readonly gasLimitCap: bigint
}

export const evmKeys = {
  ...chainKeys("evm", "1m", evmPresets),
  chain_id: required(integer(1, Number.MAX_SAFE_INTEGER), "The EIP-155 chain id; a preset sets it."),
  rpc: rpcUrls,
  key: keyReference("32 bytes hex"),
  confirmations,
  deposit: depositWay,
  max_fee_per_gas: withDefault(
    text(/^\d{1,12}(\.\d{1,9})? gwei$|^\d{1,30} wei$/, 'a gas price such as "500 gwei" or "1000000 wei"'),
    "500 gwei",
    "The highest price of one unit of gas, in gwei or wei.",
  ),
  gas_limit_cap: withDefault(
    integer(21_000, 2_000_000),
    2_000_000,
    "The highest gas limit that Ballast signs, in gas.",
  ),
}

export function buildEvmConfig(shared: SharedChainConfig, file: z.output<z.ZodObject<typeof evmKeys>>): EvmChainConfig {
  const { family, rpc, confirmations: depth, deposit, chain_id: chainId } = file
  const caps = { maxFeePerGasWei: parseGasPrice(file.max_fee_per_gas), gasLimitCap: BigInt(file.gas_limit_cap) }
  return { ...shared, family, chainId, rpc, confirmations: depth, deposit, ...caps }
}

/** `"500 gwei"` or `"1000000 wei"`; a gwei is 10^9 wei. */
function parseGasPrice(price: string): bigint {
  const [amount = "", unit] = price.split(" ")
  return parseUnits(amount, unit === "gwei" ? 9 : 0)
}
