import type { z } from "zod"
import type { ChainConfig, SharedChainConfig } from "#chains/chain-config.ts"
import { chainKeys, confirmations, depositWay, keyReference, rpcUrls } from "#chains/chain-keys.ts"
import { parseUnits } from "#domain/amount.ts"
import type { DepositWay } from "#domain/order.ts"
import { ownAmount, text } from "#schema/leaves.ts"
import { fractionDigits } from "#schema/limit-amount.ts"
import { required, withDefault } from "#schema/section.ts"
import { starknetPresets } from "./presets.ts"
import { starknetTraits } from "./traits.ts"

export type StarknetChainConfig = ChainConfig & {
  readonly rpc: readonly string[]
  readonly account: string
  readonly chainId: string
  readonly confirmations: number
  readonly deposit: DepositWay
  /** Smallest unit of STRK. */
  readonly maxFeeUnits: bigint
}

const { decimals } = starknetTraits.nativeCoin
const strkAmount = ownAmount.refine((amount) => fractionDigits(amount) <= decimals, {
  error: `expected at most ${decimals} digits after the point`,
})

export const starknetKeys = {
  ...chainKeys("starknet", "1m", starknetPresets),
  rpc: rpcUrls,
  account: required(
    text(/^0x[0-9a-fA-F]{1,64}$/, 'a Starknet address in quotes, such as "0x04a0…"'),
    "The account contract.",
  ),
  key: keyReference("the account's Stark private key, hex"),
  chain_id: withDefault(
    text(/^[\x21-\x7e]{1,31}$|^0x[0-9a-fA-F]{1,62}$/, "a Starknet chain id such as SN_SEPOLIA"),
    "SN_SEPOLIA",
    "The Starknet chain id.",
  ),
  confirmations,
  deposit: depositWay,
  max_fee: withDefault(strkAmount, "5", "The highest cost of one transaction, in STRK."),
}

export function buildStarknetConfig(
  shared: SharedChainConfig,
  file: z.output<z.ZodObject<typeof starknetKeys>>,
): StarknetChainConfig {
  const { family, rpc, account, confirmations: depth, deposit, chain_id: chainId } = file
  const maxFeeUnits = parseUnits(file.max_fee, decimals)
  return { ...shared, family, rpc, account, chainId, confirmations: depth, deposit, maxFeeUnits }
}
