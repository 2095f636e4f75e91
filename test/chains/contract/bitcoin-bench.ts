import { randomBytes } from "node:crypto"
import { networks } from "bitcoinjs-lib"
import { ECPairFactory } from "ecpair"
import * as ecc from "tiny-secp256k1"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LocalChain } from "#sandbox/local-chain.ts"
import { openBitcoin } from "../local-chains.ts"
import type { Bench, Variant, Wallet } from "./bench.ts"

/** A real bitcoind on regtest behind the sandbox's Esplora; blocks on demand. */
export const bitcoinBench: Bench = {
  family: "bitcoin",
  variants: ["bitcoin p2wpkh", "bitcoin p2tr"],
  start: async () => {
    const local = await openBitcoin()
    return {
      local,
      openWallet: (variant) => openWallet(local, variant),
      stop: () => local.stop(),
    }
  },
}

const BTC = parseAssetId("bitcoin_testnet:btc")

async function openWallet(local: LocalChain, variant: Variant): Promise<Wallet> {
  const wif = ECPairFactory(ecc)
    .fromPrivateKey(randomBytes(32), { network: networks.regtest })
    .toWIF()
  const chain = toChainId("bitcoin_testnet")
  const portAt = (url: string, timeoutMs = 20_000) => open(url, timeoutMs, 50)
  const open = (url: string, timeoutMs: number, maxFeeRate: number) =>
    createBitcoinChain({
      chain,
      network: "regtest",
      // One of the variants asks two servers that must agree.
      esplora: variant === "bitcoin p2tr" ? [url, url] : [url],
      key: new Secret(wif, "env:BITCOIN_WIF"),
      addressType: variant === "bitcoin p2tr" ? "p2tr" : "p2wpkh",
      confirmations: 2,
      maxFeeRate,
      timeoutMs,
      assets: [{ id: BTC, chain, decimals: 8, token: null, htlc: [] }],
      clock: systemClock,
    })
  const port = portAt(local.url)
  // Two coins, so that a second deposit does not need the first one's reserved coin.
  for (const units of [1_000_000n, 1_500_000n]) await local.fund(port.account, BTC, units)
  return {
    port,
    secret: wif,
    asset: BTC,
    native: BTC,
    units: 700_000n,
    heldUnits: 0n,
    shortTimelock: 5,
    portAt,
    // Without an estimate the family reckons with 2 sat/vB.
    openFrugal: async () => open(local.url, 20_000, 1),
    // BIP 173 allows upper case, and forbids mixed case.
    spellings: [port.account.toUpperCase()],
    notAddresses: [
      `${port.account.slice(0, -1)}${port.account.endsWith("q") ? "p" : "q"}`,
      `${port.account.slice(0, 8).toUpperCase()}${port.account.slice(8)}`,
      "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
      "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
    ],
  }
}
