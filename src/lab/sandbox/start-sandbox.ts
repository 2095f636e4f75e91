import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { toAppError } from "#lib/app-error.ts"
import type { Logger } from "#lib/log.ts"
import { makeFolder } from "#lib/make-folder.ts"
import type { LocalRoutes } from "./cctp/start-routes.ts"
import type { HostileName } from "./hostile/hostile-modes.ts"
import { type KeptChain, keepChain, type RestartedChain } from "./keep-chain.ts"
import type { ContractsVersion, LocalChain } from "./local-chain.ts"
import { createRehearsal, type SandboxControl, type SandboxReport } from "./rehearsal.ts"
import { P2WPKH_WALLET, SANDBOX_WALLETS, STARKNET_PUBLIC_KEY } from "./sandbox-wallets.ts"
import { type LocalService, type ServiceOptions, startService } from "./service/start-service.ts"

/** Fixed prices in dollars. */
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
  /** All services on the chains; the first is `service`. */
  readonly services: readonly LocalService[]
  readonly chains: readonly LocalChain[]
  /** Chains that failed to start, with the reason. The sandbox runs without them. */
  readonly missing: readonly { readonly chain: ChainName; readonly reason: string }[]
  /** The local stand-ins for CCTP; `null` without them. */
  readonly routes: LocalRoutes | null
  /** The parts that a rehearsal has broken, and the chains that were started again. */
  readonly report: () => SandboxReport
  readonly stop: () => Promise<void>
}

type SandboxOptions = {
  /**
   * The port of the service. The chains use the ports after it, in the order of CHAIN_NAMES, and
   * further services the ports after those. 0 means any free ports.
   */
  readonly port: number
  readonly chains: readonly ChainName[]
  /** The folder for the data of bitcoind. */
  readonly dir: string
  readonly dialect: "contract" | "2026"
  /** The generation of the HTLC contracts. Default `v3`, as live. */
  readonly contracts?: ContractsVersion
  readonly deadlineSeconds?: number
  /** As in `ServiceOptions`. */
  readonly gasless?: boolean
  readonly appId?: string
  readonly appIdHeader?: string
  /**
   * How many services run on the same chains, each with its own orders, solver ids, faults, and a
   * fee of 2 bps more. Default 1.
   */
  readonly services?: number
  /** Whether USDC can also be burnt and minted between the EVM chains. Default no. */
  readonly routes?: boolean
  /** The time between blocks of Bitcoin. Default 1000. */
  readonly bitcoinBlockMs?: number
  /** The time of a slot of Solana. Default 400. */
  readonly solanaSlotMs?: number
  /** The hostile mode of the last service from its start. */
  readonly hostile?: HostileName
  /** Whether the faucet funds the sandbox wallets. */
  readonly fund: boolean
  readonly log: Logger
}

/**
 * Starts local chains, swap service, solver and faucet on loopback. Resolves when all of them
 * answer and the sandbox wallets are funded.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const missing: { chain: ChainName; reason: string }[] = []
  makeFolder(options.dir)
  const started = await Promise.all(
    options.chains.map(async (name) => {
      try {
        return keepAtPort(name, await startAtPort(name, options), options)
      } catch (error) {
        const { message } = toAppError(error, { code: "sandbox.chain", disposition: "fatal" })
        options.log.error(
          { chain: name, err: error },
          "A local chain failed to start; the sandbox runs without it",
        )
        missing.push({ chain: name, reason: message })
        return null
      }
    }),
  )
  const kept = started.filter((chain) => chain !== null)
  const chains = kept.map(({ chain }) => chain)
  const stopChains = async (): Promise<void> => {
    await Promise.allSettled(kept.map((chain) => chain.stop()))
  }
  try {
    if (options.fund) await Promise.all(chains.map(fundSandboxWallet))
    const rehearsal = createRehearsal(kept)
    const services = await startServices(chains, options, rehearsal.control)
    const [service] = services
    rehearsal.add(services)
    const routes = options.routes ? await openRoutes(chains, options) : null
    if (options.hostile) services.at(-1)?.setFaults({ hostile: options.hostile })
    const stop = async (): Promise<void> => {
      rehearsal.control.mend(null)
      await Promise.all([...services.map((each) => each.stop()), routes?.attester.stop()])
      await stopChains()
    }
    return { service, services, chains, missing, routes, report: rehearsal.control.report, stop }
  } catch (error) {
    await stopChains()
    throw error
  }
}

async function openRoutes(
  chains: readonly LocalChain[],
  { port, services = 1 }: SandboxOptions,
): Promise<LocalRoutes | null> {
  const { startRoutes } = await import("./cctp/start-routes.ts")
  return startRoutes(chains, port === 0 ? 0 : port + CHAIN_NAMES.length + services)
}

/**
 * The chains send the transactions of all solvers one after another, so several services can share
 * them.
 */
async function startServices(
  chains: readonly LocalChain[],
  options: SandboxOptions,
  control: SandboxControl,
): Promise<[LocalService, ...LocalService[]]> {
  const { port, dialect, log, services: count = 1 } = options
  const startOne = (index: number): Promise<LocalService> =>
    startService({
      chains,
      port: port === 0 || index === 0 ? port : port + CHAIN_NAMES.length + index,
      prices: PRICES,
      dialect,
      control,
      ...definedOf(options),
      ...(index === 0 ? {} : { name: `service ${index + 1} `, feeBps: FEE_BPS + 2 * index }),
      log,
    })
  const services: [LocalService, ...LocalService[]] = [await startOne(0)]
  for (let index = 1; index < count; index++) services.push(await startOne(index))
  return services
}

const FEE_BPS = 30

/** The options that the caller set; the service has defaults for the others. */
function definedOf({
  deadlineSeconds,
  gasless,
  appId,
  appIdHeader,
}: SandboxOptions): Partial<ServiceOptions> {
  return {
    ...(deadlineSeconds === undefined ? {} : { deadlineSeconds }),
    ...(gasless === undefined ? {} : { gasless }),
    ...(appId === undefined ? {} : { appId }),
    ...(appIdHeader === undefined ? {} : { appIdHeader }),
  }
}

async function startAtPort(name: ChainName, options: SandboxOptions): Promise<LocalChain> {
  const { port: base, dir, contracts = "v3", log } = options
  const keepFile = keepFileOf(name, dir)
  rmSync(keepFile, { force: true })
  return startChain(name, {
    port: base === 0 ? 0 : base + 1 + CHAIN_NAMES.indexOf(name),
    dir,
    contracts,
    keepFile,
    ...blocksOf(options),
    log,
  })
}

type BlockTimes = { bitcoinBlockMs?: number; solanaSlotMs?: number }

function blocksOf({ bitcoinBlockMs, solanaSlotMs }: SandboxOptions): BlockTimes {
  return {
    ...(bitcoinBlockMs === undefined ? {} : { bitcoinBlockMs }),
    ...(solanaSlotMs === undefined ? {} : { solanaSlotMs }),
  }
}

function keepFileOf(name: ChainName, dir: string): string {
  return join(dir, `${name}.state.json`)
}

function keepAtPort(name: ChainName, first: LocalChain, options: SandboxOptions): KeptChain {
  return keepChain({ first, restart: () => restartChain(name, first, options), log: options.log })
}

/**
 * Bitcoin keeps its state in its folder, an EVM chain in a file of the last minute; the others
 * begin anew with funded wallets.
 */
async function restartChain(
  name: ChainName,
  { url, family }: LocalChain,
  options: SandboxOptions,
): Promise<RestartedChain> {
  const { dir, contracts = "v3", fund, log } = options
  const keepFile = keepFileOf(name, dir)
  const start = (): Promise<LocalChain> =>
    startChain(name, {
      port: Number(new URL(url).port),
      dir,
      contracts,
      keepFile,
      ...blocksOf(options),
      log,
    })
  if (family === "bitcoin") return { chain: await start(), lost: null }
  if (existsSync(keepFile)) {
    try {
      return {
        chain: await start(),
        lost: "the blocks since its last saved state, at most a minute",
      }
    } catch (error) {
      // The node may have died while it wrote the file.
      log.warn(
        { chain: name, err: error },
        "The saved state of a local chain cannot be read; it begins anew",
      )
      rmSync(keepFile, { force: true })
    }
  }
  const chain = await start()
  if (fund) await fundSandboxWallet(chain)
  return { chain, lost: "all its blocks and open orders; the wallets are funded again" }
}

/**
 * Starts one chain of the sandbox. With `stateFile` it continues from the state that `save` wrote
 * there; Bitcoin keeps its state in `dir`.
 */
export async function startChain(
  name: ChainName,
  options: {
    port: number
    dir: string
    timelocks?: LocalChain["timelocks"]
    /** Default `v3`. */
    contracts?: ContractsVersion
    stateFile?: string
    /** An EVM chain writes its state here every minute, and continues from it. */
    keepFile?: string
    log: Logger
  } & BlockTimes,
): Promise<LocalChain> {
  const {
    dir,
    contracts = "v3",
    keepFile,
    bitcoinBlockMs: blockMs = 1_000,
    solanaSlotMs,
    ...rest
  } = options
  switch (name) {
    case "bitcoin_testnet": {
      const { startBitcoinChain } = await import("./bitcoin/bitcoin-chain.ts")
      return startBitcoinChain({ name, blockMs, ...rest, dir: join(dir, "bitcoin") })
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
      const kept = keepFile === undefined ? {} : { keepFile }
      return startEvmChain({ name, chainId, assets, contracts, ...kept, ...rest })
    }
    case "solana_testnet": {
      const { startSolanaChain } = await import("./solana/solana-chain.ts")
      return startSolanaChain({
        name,
        ...rest,
        ...(solanaSlotMs === undefined ? {} : { slotTimeMs: solanaSlotMs }),
      })
    }
    case "starknet_sepolia": {
      const { startStarknetChain } = await import("./starknet/starknet-chain.ts")
      return startStarknetChain({ name, contracts, ...rest, accounts: [STARKNET_PUBLIC_KEY] })
    }
  }
}

/**
 * Funds the sandbox wallet with 1 whole coin of each bitcoin asset, 100 000 USDC, and 100 whole
 * coins of every other asset. On Bitcoin both addresses of the key get it.
 */
async function fundSandboxWallet(chain: LocalChain): Promise<void> {
  for (const { id, decimals } of chain.assets) {
    const coins = id.endsWith("btc") ? 1n : id.endsWith("usdc") ? 100_000n : 100n
    const units = coins * 10n ** BigInt(decimals)
    await chain.fund(SANDBOX_WALLETS[chain.family], id, units)
    if (chain.family === "bitcoin") await chain.fund(P2WPKH_WALLET, id, units)
  }
}
