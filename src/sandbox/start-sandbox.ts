import { join } from "node:path"
import { toAppError } from "#lib/app-error.ts"
import type { Logger } from "#lib/log.ts"
import type { HostileName } from "./hostile/hostile-modes.ts"
import type { LocalChain } from "./local-chain.ts"
import { PLAY_WALLETS, STARKNET_PLAY_KEY } from "./play-wallets.ts"
import { type LocalService, startService } from "./service/start-service.ts"

/** Fixed prices in dollars: a sandbox has no market. */
export const PRICES = {
  btc: "100000",
  wbtc: "100000",
  eth: "4000",
  sol: "200",
  strk: "0.50",
  usdc: "1",
  cbbtc: "100000",
}

export const CHAIN_NAMES = [
  "bitcoin_testnet",
  "base_sepolia",
  "ethereum_sepolia",
  "solana_testnet",
  "starknet_sepolia",
] as const
export type ChainName = (typeof CHAIN_NAMES)[number]

export type Sandbox = {
  readonly service: LocalService
  readonly chains: readonly LocalChain[]
  /** Chains that could not be started, with the reason; the others go on without them. */
  readonly missing: readonly { readonly chain: ChainName; readonly reason: string }[]
  readonly stop: () => Promise<void>
}

export type SandboxOptions = {
  /** The service's port; Esplora and the nodes take the next ones, in the order of CHAIN_NAMES. 0 takes any free ports. */
  readonly port: number
  readonly chains: readonly ChainName[]
  /** Where bitcoind keeps its data. */
  readonly dir: string
  readonly dialect: "contract" | "2026"
  readonly deadlineSeconds?: number
  /** A way in which the service lies from the start. */
  readonly hostile?: HostileName
  /** Whether the well-known play wallets get coins. */
  readonly fund: boolean
  readonly log: Logger
}

/** Local chains, swap service, solver and faucet, all on loopback. Resolves when everything answers and the play wallets are funded. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const missing: { chain: ChainName; reason: string }[] = []
  const started = await Promise.all(
    options.chains.map(async (name) => {
      try {
        return await startAtPort(name, options)
      } catch (error) {
        const { message } = toAppError(error, { code: "sandbox.chain", disposition: "fatal" })
        options.log.error({ chain: name, err: error }, "A local chain could not be started; going on without it")
        missing.push({ chain: name, reason: message })
        return null
      }
    }),
  )
  const chains = started.filter((chain) => chain !== null)
  const stopChains = async (): Promise<void> => {
    await Promise.allSettled(chains.map((chain) => chain.stop()))
  }
  try {
    if (options.fund) await Promise.all(chains.map(fundPlayWallet))
    const service = await startService({
      chains,
      port: options.port,
      prices: PRICES,
      dialect: options.dialect,
      ...(options.deadlineSeconds === undefined ? {} : { deadlineSeconds: options.deadlineSeconds }),
      log: options.log,
    })
    if (options.hostile) service.setFaults({ hostile: options.hostile })
    const stop = async (): Promise<void> => {
      await service.stop()
      await stopChains()
    }
    return { service, chains, missing, stop }
  } catch (error) {
    await stopChains()
    throw error
  }
}

async function startAtPort(name: ChainName, { port: base, dir, log }: SandboxOptions): Promise<LocalChain> {
  return startChain(name, { port: base === 0 ? 0 : base + 1 + CHAIN_NAMES.indexOf(name), dir, log })
}

/** One of the sandbox's chains. With `stateFile` it goes on from what `save` wrote there; Bitcoin's state is in `dir`. */
export async function startChain(
  name: ChainName,
  options: { port: number; dir: string; timelocks?: LocalChain["timelocks"]; stateFile?: string; log: Logger },
): Promise<LocalChain> {
  const { dir, ...rest } = options
  switch (name) {
    case "bitcoin_testnet": {
      const { startBitcoinChain } = await import("./bitcoin/bitcoin-chain.ts")
      return startBitcoinChain({ name, ...rest, dir: join(dir, "bitcoin") })
    }
    case "base_sepolia":
    case "ethereum_sepolia": {
      const { startEvmChain } = await import("./evm/evm-chain.ts")
      const chainId = name === "base_sepolia" ? 84_532 : 11_155_111
      const assets = [
        { symbol: "eth", native: true } as const,
        { symbol: "wbtc", decimals: 8 },
        { symbol: "usdc", decimals: 6 },
        { symbol: "cbbtc", decimals: 8 },
      ]
      return startEvmChain({ name, chainId, assets, ...rest })
    }
    case "solana_testnet": {
      const { startSolanaChain } = await import("./solana/solana-chain.ts")
      return startSolanaChain({ name, ...rest })
    }
    case "starknet_sepolia": {
      const { startStarknetChain } = await import("./starknet/starknet-chain.ts")
      return startStarknetChain({ name, ...rest, accounts: [STARKNET_PLAY_KEY] })
    }
  }
}

/** Ten whole coins of everything cheap, one of everything dear. */
export async function fundPlayWallet(chain: LocalChain): Promise<void> {
  for (const { id, decimals } of chain.assets) {
    const coins = id.endsWith("btc") ? 1n : id.endsWith("usdc") ? 100_000n : 100n
    await chain.fund(PLAY_WALLETS[chain.family], id, coins * 10n ** BigInt(decimals))
  }
}
