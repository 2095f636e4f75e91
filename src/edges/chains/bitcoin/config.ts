import type { z } from "zod"
import type { ChainConfig, SharedChainConfig } from "#chains/chain-config.ts"
import { chainKeys, confirmationCount, endpointList, keyReference } from "#chains/chain-keys.ts"
import type { Address } from "#nodes/address.ts"
import { choice, integer } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import { bitcoinPresets } from "./presets.ts"

export type BitcoinChainConfig = ChainConfig & {
  readonly network: "mainnet" | "testnet" | "testnet4" | "signet" | "regtest"
  readonly esplora: readonly Address[]
  readonly address: "p2wpkh" | "p2tr"
  /** Overrides every part of `finality`. */
  readonly confirmations: number | null
  readonly finality: {
    readonly seen: number | null
    readonly reveal: number | null
    readonly ending: number | null
  } | null
  /** sat/vB. */
  readonly maxFeeRate: number
}

export const bitcoinKeys = {
  ...chainKeys("bitcoin", "20m", bitcoinPresets),
  network: required(
    choice(["mainnet", "testnet", "testnet4", "signet", "regtest"]),
    "The Bitcoin network; it determines the form of addresses. A preset sets it.",
  ),
  esplora: required(
    endpointList,
    "Base URLs of Esplora APIs, each a URL, a reference to one, or a map of url, headers and " +
      "max_requests_per_second; several protect against one that fails or lies (`agree`).",
  ),
  key: keyReference("WIF, of the chain's network", {
    token:
      "a PKCS#11 token cannot sign the refund of a Bitcoin deposit, which needs a Schnorr " +
      "signature",
    kms: "no KMS signs the refund of a Bitcoin deposit, which needs a Schnorr signature",
  }),
  address: withDefault(choice(["p2wpkh", "p2tr"]), "p2wpkh", "The wallet's kind of address."),
  confirmations: orNone(
    confirmationCount,
    "Confirmations after which a transaction counts as seen and as final, for any value. " +
      "Without it, `finality` or the network's own depths apply. On the main network at least " +
      "2.",
  ),
  finality: orNone(
    section({
      seen: orNone(
        confirmationCount,
        "Confirmations after which an order goes on. Without it: by network and value.",
      ),
      reveal: orNone(
        confirmationCount,
        "Confirmations after which a secret may be told. Without it: by network and value.",
      ),
      ending: orNone(
        confirmationCount,
        "Confirmations after which an order may end. Without it: by network and value.",
      ),
    }),
    "Three depths instead of one. By default on the main network: 2 confirmations end an " +
      "order of up to 0.01 BTC, 3 one of up to 0.1 BTC, 6 a larger one; elsewhere 2 or 3.",
  ),
  max_fee_rate: withDefault(integer(1, 100_000), 200, "The highest fee rate, in sat/vB."),
}

export function buildBitcoinConfig(
  shared: SharedChainConfig,
  file: z.output<z.ZodObject<typeof bitcoinKeys>>,
): BitcoinChainConfig {
  const {
    family,
    network,
    esplora,
    address,
    confirmations,
    finality,
    max_fee_rate: maxFeeRate,
  } = file
  return { ...shared, family, network, esplora, address, confirmations, finality, maxFeeRate }
}
