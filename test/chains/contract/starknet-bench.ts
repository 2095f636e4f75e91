import { randomBytes } from "node:crypto"
import { ec } from "starknet"
import { createStarknetChain } from "#chains/starknet/create-chain.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { type LocalStarknetChain, startStarknetChain } from "#sandbox/starknet/starknet-chain.ts"
import { type Bench, untilMined, type Variant, type Wallet } from "./bench.ts"

/** The sandbox's Starknet devnet with the live contracts; blocks on demand. */
export const starknetBench = createBench("starknet", "v3")
/** The older contracts, which take the secret hash as eight words. */
export const starknetWordsBench = createBench("starknet words", "v1")

function createBench(variant: Variant, contracts: "v1" | "v3"): Bench {
  return {
    family: "starknet",
    variants: [variant],
    start: async () => {
      const blockMs = 3_600_000
      const local = await startStarknetChain({
        name: "starknet_sepolia",
        port: 0,
        blockMs,
        contracts,
        log: silentLogger,
      })
      return { local, openWallet: () => openWallet(local), stop: () => local.stop() }
    },
  }
}

const STRK = parseAssetId("starknet_sepolia:strk")
const WBTC = parseAssetId("starknet_sepolia:wbtc")

/** A few percent of what the devnet asks for. */
const FRUGAL_UNITS = 10n ** 15n

async function openWallet(local: LocalStarknetChain): Promise<Wallet> {
  // 31 bytes are below the order of the curve.
  const key = new Secret(`0x${randomBytes(31).toString("hex")}`, "env:STARKNET_KEY")
  const account = local.deployAccount(ec.starkCurve.getStarkKey(key.reveal()))
  const chain = toChainId("starknet_sepolia")
  const portAt = (url: string, timeoutMs = 20_000) => open([url], timeoutMs, 10n ** 18n)
  const open = (rpc: readonly string[], timeoutMs: number, maxFeeUnits: bigint) =>
    createStarknetChain({
      chain,
      chainId: "SN_SEPOLIA",
      rpc,
      account,
      key,
      confirmations: 2,
      maxFeeUnits,
      timeoutMs,
      assets: local.assets.map(({ id, decimals, token, htlc }) => {
        return { id: parseAssetId(id), chain, decimals, token, htlc: [htlc ?? ""] }
      }),
      clock: systemClock,
    })
  // Two endpoints that have to agree.
  const port = open([local.url, `${local.url}/second`], 20_000, 10n ** 18n)
  const funds = [
    local.fund(port.account, STRK, 10n ** 20n),
    local.fund(port.account, WBTC, 1_000_000n),
  ]
  await untilMined(local, Promise.all(funds))
  return {
    port,
    secret: key.reveal(),
    asset: WBTC,
    native: STRK,
    units: 50_000n,
    heldUnits: 0n,
    shortTimelock: 5,
    portAt,
    openFrugal: async (times = 10n) =>
      open([local.url, `${local.url}/second`], 20_000, (FRUGAL_UNITS * 10n) / times),
    // Felts are numbers: neither case nor leading zeros matter.
    spellings: [
      `0x${BigInt(account).toString(16)}`,
      `0x${BigInt(account).toString(16).toUpperCase()}`,
    ],
    notAddresses: ["0x0", "0x1", `0x${"f".repeat(64)}`, account.slice(2)],
  }
}
