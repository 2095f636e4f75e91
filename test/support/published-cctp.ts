import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Connection, Keypair } from "@solana/web3.js"
import type { Chain, PublicClient, WalletClient } from "viem"
import { keepInCache } from "./into-cache.ts"

const FIXTURE = join(import.meta.dirname, "../fixtures/published-cctp")

/**
 * Circle's published client of CCTP, unmodified: `@circle-fin/provider-cctp-v2` with its adapters
 * for viem and Solana and its records of chains. Its 130 packages are no part of this project: they
 * are installed once into the cache (`$XDG_CACHE_HOME` or `~/.cache`, folder `ballast/`), by the
 * versions and hashes of the fixture's lock file and without their scripts.
 */
export async function loadPublishedCctp(): Promise<PublishedCctp> {
  const cache = process.env["XDG_CACHE_HOME"] || join(process.env["HOME"] || homedir(), ".cache")
  const folder = join(cache, "ballast", "published-cctp-1.14.0-1.7.3")
  if (!existsSync(folder)) install(join(cache, "ballast"), folder)
  const { resolve } = createRequire(join(folder, "package.json"))
  const load = (name: string): Promise<unknown> => import(pathToFileURL(resolve(name)).href)
  const [provider, adapter, adapterOfSolana, web3, chains] = await Promise.all([
    load("@circle-fin/provider-cctp-v2"),
    load("@circle-fin/adapter-viem-v2"),
    load("@circle-fin/adapter-solana"),
    load("@solana/web3.js"),
    load("@circle-fin/bridge-kit/chains"),
  ])
  // CAST: the exports of the versions in the fixture, as far as the test uses them.
  return { provider, adapter, adapterOfSolana, web3, chains } as PublishedCctp
}

function install(parent: string, folder: string): void {
  mkdirSync(parent, { recursive: true })
  const work = mkdtempSync(`${folder}.part.`)
  try {
    cpSync(FIXTURE, work, { recursive: true })
    const options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    execFileSync("npm", options, { cwd: work, stdio: ["ignore", 2, 2], timeout: 300_000 })
    keepInCache(work, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** A record of a chain. `kitContracts` would burn through Circle's own wrapper. */
export type PublishedChain = {
  readonly type: string
  readonly chain: string
  readonly chainId: number
  readonly isTestnet: boolean
  readonly usdcAddress: string
  readonly kitContracts?: unknown
  readonly cctp?: {
    readonly domain: number
    readonly contracts: {
      readonly v2?: { readonly tokenMessenger: string; readonly messageTransmitter: string }
    }
  }
}

type Step = {
  readonly name: string
  readonly state: string
  readonly txHash?: string
  readonly errorMessage?: string
}
type Party = { readonly adapter: object; readonly chain: PublishedChain; readonly address: string }

type PublishedCctp = {
  readonly provider: {
    readonly CCTPV2BridgingProvider: new (
      options: object,
    ) => {
      bridge(asked: {
        readonly source: Party
        readonly destination: Party
        readonly amount: string
        readonly token: "USDC"
        readonly config: { readonly transferSpeed: "FAST" | "SLOW" }
      }): Promise<{ readonly state: string; readonly steps: readonly Step[] }>
    }
  }
  readonly adapter: {
    readonly ViemAdapter: new (
      clients: {
        readonly getPublicClient: (asked: { readonly chain: Chain }) => PublicClient
        readonly getWalletClient: (asked: { readonly chain: Chain }) => WalletClient
      },
      options: object,
    ) => object
  }
  readonly adapterOfSolana: {
    readonly SolanaAdapter: new (
      options: { readonly signer: Keypair; readonly getConnection: () => Connection },
      capabilities: object,
    ) => object
  }
  /** The client's own copy. */
  readonly web3: { readonly Connection: typeof Connection; readonly Keypair: typeof Keypair }
  readonly chains: Readonly<Record<string, PublishedChain>>
}
