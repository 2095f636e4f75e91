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
import { ownAmount, text } from "#schema/leaves.ts"
import { fractionDigits } from "#schema/limit-amount.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import type { StarknetDepth, StarknetDepths } from "./finality.ts"
import { starknetPresets } from "./presets.ts"
import { starknetTraits } from "./traits.ts"

export type StarknetChainConfig = ChainConfig & {
  readonly rpc: readonly Address[]
  readonly account: string
  readonly chainId: string
  readonly confirmations: number | null
  readonly finality: { readonly [Name in keyof StarknetDepths]: StarknetDepth | null } | null
  readonly deposit: DepositWay
  /** Smallest unit of STRK. */
  readonly maxFeeUnits: bigint
}

const { decimals } = starknetTraits.nativeCoin
const strkAmount = ownAmount.refine((amount) => fractionDigits(amount) <= decimals, {
  error: `expected at most ${decimals} digits after the point`,
})

const depth = z.union([confirmationCount, z.literal("l1")], {
  error: "expected a number of blocks from 1 to 10000, or l1",
})

export const starknetKeys = {
  ...chainKeys("starknet", "1m", starknetPresets),
  rpc: rpcUrls,
  account: required(
    text(/^0x[0-9a-fA-F]{1,64}$/, 'a Starknet address in quotes, such as "0x04a0…"'),
    "The account contract.",
  ),
  key: keyReference("the account's Stark private key, hex", {
    token: "a PKCS#11 token cannot sign for Starknet, because the standard lacks its curve",
    kms: "no KMS signs on Starknet's curve",
  }),
  chain_id: withDefault(
    text(/^[\x21-\x7e]{1,31}$|^0x[0-9a-fA-F]{1,62}$/, "a Starknet chain id such as SN_SEPOLIA"),
    "SN_SEPOLIA",
    "The Starknet chain id.",
  ),
  confirmations: orNone(
    confirmationCount,
    "Blocks after which a transaction counts as final. Overrides all three depths of " +
      "`finality`. On the main network at least 600.",
  ),
  finality: orNone(
    section({
      seen: orNone(depth, "The depth at which Ballast goes on with an order."),
      reveal: orNone(depth, "The depth at which a secret may be told."),
      ending: orNone(depth, "The depth at which an order ends."),
    }),
    "How deep a block must be: a number of blocks, or `l1` for blocks that Ethereum has " +
      "accepted. Without it the depths of the network.",
  ),
  deposit: depositWay,
  max_fee: withDefault(
    strkAmount.refine((amount) => /[1-9]/.test(amount), { error: "expected more than zero" }),
    "5",
    "The highest cost of one transaction, in STRK, and the least that is kept for each redemption.",
  ),
}

export function buildStarknetConfig(
  shared: SharedChainConfig,
  file: z.output<z.ZodObject<typeof starknetKeys>>,
): StarknetChainConfig {
  const { family, rpc, account, confirmations, finality, deposit, chain_id: chainId } = file
  const maxFeeUnits = parseUnits(file.max_fee, decimals)
  return { ...shared, family, rpc, account, chainId, confirmations, finality, deposit, maxFeeUnits }
}
