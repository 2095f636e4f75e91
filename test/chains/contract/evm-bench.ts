import { createTestClient, http, publicActions } from "viem"
import { generatePrivateKey } from "viem/accounts"
// Only this file of the suite names the EVM folder.
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { everyDepth } from "#chains/evm/finality.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { type LocalEvmChain, startEvmChain } from "#sandbox/evm/evm-chain.ts"
import type { ContractsVersion } from "#sandbox/local-chain.ts"
import {
  type Bench,
  type OlderBench,
  untilMined,
  type Variant,
  type Wallet,
  type World,
} from "./bench.ts"

const CHAIN_ID = 84_532

/** A real anvil with the sandbox's contracts of version 3; blocks on demand. */
export const evmBench: Bench = {
  family: "evm",
  variants: ["evm token", "evm native"],
  start: () => startWorld("v3"),
}

/** The same with older contracts. Only the legs differ from version 3. */
export const olderEvmBenches: readonly OlderBench[] = (["v1", "v2"] as const).map((contracts) => {
  return { ...evmBench, contracts, start: () => startWorld(contracts) }
})

async function startWorld(contracts: ContractsVersion): Promise<World> {
  const local = await startEvmChain({
    name: "base_sepolia",
    chainId: CHAIN_ID,
    port: 0,
    contracts,
    blockTimeSeconds: 3_600,
    assets: [
      { symbol: "eth", native: true },
      { symbol: "wbtc", decimals: 8 },
    ],
    log: silentLogger,
  })
  await local.setMining("off")
  return { local, openWallet: (variant) => openWallet(local, variant), stop: () => local.stop() }
}

const ETH = parseAssetId("base_sepolia:eth")
const WBTC = parseAssetId("base_sepolia:wbtc")

async function openWallet(local: LocalEvmChain, variant: Variant): Promise<Wallet> {
  const key = new Secret(generatePrivateKey(), "env:EVM_KEY")
  const chain = toChainId("base_sepolia")
  const portAt = (url: string, timeoutMs = 20_000) => open(url, timeoutMs, 1_000_000_000_000n)
  const open = (url: string, timeoutMs: number, maxFeePerGasUnits: bigint) =>
    createEvmChain({
      chain,
      chainId: CHAIN_ID,
      rpc: [url],
      key,
      finality: everyDepth(2),
      maxFeePerGasUnits,
      maxTipPerGasUnits: 10_000_000_000n,
      maxGasLimit: 2_000_000n,
      timeoutMs,
      assets: local.assets.map(({ id, decimals, token, htlc }) => {
        return { id: parseAssetId(id), chain, decimals, token, htlc: [htlc] }
      }),
      clock: systemClock,
    })
  const port = portAt(local.url)
  await local.setBalance(port.account, 10n ** 18n)
  if (variant === "evm token") await untilMined(local, local.fund(port.account, WBTC, 1_000_000n))
  return {
    port,
    secret: key.reveal(),
    asset: variant === "evm token" ? WBTC : ETH,
    native: ETH,
    units: variant === "evm token" ? 50_000n : 10n ** 16n,
    heldUnits: 0n,
    shortTimelock: 5,
    portAt,
    openFrugal: async (times = 10n) => {
      const client = createTestClient({ mode: "anvil", transport: http(local.url) }).extend(
        publicActions,
      )
      // Empty blocks let it fall to a few wei.
      await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 9n })
      await local.advance(1)
      const { baseFeePerGas } = await client.getBlock()
      return open(local.url, 20_000, mustExist(baseFeePerGas, "the base fee") / times)
    },
    // EIP-55: the case is a checksum and not part of the address.
    spellings: [port.account.toLowerCase()],
    notAddresses: [
      port.account.slice(0, -1),
      `${port.account}0`,
      port.account.slice(2),
      `0x${"0".repeat(40)}`,
    ],
  }
}
