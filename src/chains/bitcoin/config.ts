import type { z } from "zod"
import type { ChainConfig, SharedChainConfig } from "#chains/chain-config.ts"
import { chainKeys, confirmations, endpointList, keyReference } from "#chains/chain-keys.ts"
import { choice, integer } from "#schema/leaves.ts"
import { required, withDefault } from "#schema/section.ts"
import { bitcoinPresets } from "./presets.ts"

export type BitcoinChainConfig = ChainConfig & {
  readonly network: "mainnet" | "testnet" | "testnet4" | "signet" | "regtest"
  readonly esplora: readonly string[]
  readonly address: "p2wpkh" | "p2tr"
  readonly confirmations: number
  /** sat/vB. */
  readonly maxFeeRate: number
}

export const bitcoinKeys = {
  ...chainKeys("bitcoin", "20m", bitcoinPresets),
  network: required(
    choice(["mainnet", "testnet", "testnet4", "signet", "regtest"]),
    "The Bitcoin network; it determines the form of addresses. A preset sets it.",
  ),
  esplora: required(endpointList, "Base URLs of Esplora APIs; Ballast asks the next one when one fails."),
  key: keyReference("WIF, of the chain's network"),
  address: withDefault(choice(["p2wpkh", "p2tr"]), "p2wpkh", "The wallet's kind of address."),
  confirmations,
  max_fee_rate: withDefault(integer(1, 100_000), 200, "The highest fee rate, in sat/vB."),
}

export function buildBitcoinConfig(
  shared: SharedChainConfig,
  file: z.output<z.ZodObject<typeof bitcoinKeys>>,
): BitcoinChainConfig {
  const { family, network, esplora, address, confirmations: depth, max_fee_rate: maxFeeRate } = file
  return { ...shared, family, network, esplora, address, confirmations: depth, maxFeeRate }
}
