import { readFileSync } from "node:fs"
import { join } from "node:path"
import { AnchorProvider, Wallet } from "@coral-xyz/anchor"
import { Connection, Keypair } from "@solana/web3.js"
import { createWalletClient, type Hex, http, type WalletClient } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { baseSepolia, sepolia } from "viem/chains"
import type { SandboxSummary } from "../../../src/app/cli/demo/demo-config.ts"
import { SANDBOX_WALLETS } from "../../../src/lab/sandbox/sandbox-wallets.ts"
import {
  type Auth,
  type BitcoinProvider,
  type BitcoinWallet,
  core,
  type Garden,
  type Htlc,
  StarknetAccount8,
  utils,
} from "./published-client.ts"

/** The client takes application ids of exactly 64 characters. */
export const APP_ID = "b".repeat(64)

/**
 * With a key for secrets the client also starts its executor, which reads the pending orders. Our
 * service holds the secrets.
 */
export const DIGEST_KEY = "1".repeat(64)

/**
 * The client's names of networks. Its Bitcoin wallet knows regtest as `localnet`; all the rest is a
 * test network.
 */
const TESTNET = "testnet"
const REGTEST = "localnet"

/**
 * Opens the published client with the keys of the sandbox wallets: one client for each EVM chain,
 * because it holds one EVM wallet.
 *
 * Only public parameters of the client lead it to the sandbox. The Starknet relay is built by its
 * own constructor, because `Garden.fromWallets` always takes a public node.
 */
export function openClient(sandbox: SandboxSummary): OpenClient {
  const auth = new utils.ApiKey(APP_ID)
  const starknet = openStarknet(sandbox, auth)
  const solana = openSolana(sandbox, auth)
  const { service } = sandbox
  const environment = { network: TESTNET, baseurl: service, auth: service, relayer: service }
  const garden = (wallet: WalletClient): Garden => {
    const evm = new core.EvmRelay(service, wallet, auth)
    return new core.Garden({
      environment,
      apiKey: APP_ID,
      digestKey: DIGEST_KEY,
      htlc: { evm, starknet, solana },
    })
  }
  const evmWallets = {
    base_sepolia: openEvm(sandbox, "base_sepolia"),
    ethereum_sepolia: openEvm(sandbox, "ethereum_sepolia"),
  }
  const onBase = garden(evmWallets.base_sepolia)
  const onEthereum = garden(evmWallets.ethereum_sepolia)
  return {
    auth,
    evmWallets,
    gardenFor: (asset) => (asset.startsWith("ethereum_sepolia:") ? onEthereum : onBase),
    bitcoin: openBitcoin(sandbox),
  }
}

export type World = { readonly sandbox: SandboxSummary; readonly client: OpenClient }

export type OpenClient = {
  readonly auth: Auth
  /** The client whose EVM wallet is on the chain of this source. */
  readonly gardenFor: (sourceAsset: string) => Garden
  readonly evmWallets: Readonly<Record<EvmChain, WalletClient>>
  readonly bitcoin: { readonly provider: BitcoinProvider; readonly wallet: BitcoinWallet }
}

export type EvmChain = "base_sepolia" | "ethereum_sepolia"

/** The chain of an asset such as `base_sepolia:wbtc`, or of this name. */
export function chainOf(sandbox: SandboxSummary, asset: string): SandboxSummary["chains"][number] {
  const name = asset.split(":")[0]
  const found = sandbox.chains.find((chain) => chain.name === name)
  if (found) return found
  throw new Error(`the sandbox has no chain ${name}`)
}

const KEYS = join(import.meta.dirname, "../../../config/sandbox-keys")

function readKey(family: string): string {
  return readFileSync(join(KEYS, family), "utf8").trim()
}

function openEvm(sandbox: SandboxSummary, name: EvmChain): WalletClient {
  const chain = name === "base_sepolia" ? baseSepolia : sepolia
  // CAST: the key file of the sandbox holds 0x and 64 hex digits.
  const account = privateKeyToAccount(readKey("evm") as Hex)
  return createWalletClient({ account, chain, transport: http(chainOf(sandbox, name).url) })
}

export function openBitcoin(sandbox: SandboxSummary): OpenClient["bitcoin"] {
  const provider = new core.BitcoinProvider(REGTEST, chainOf(sandbox, "bitcoin_testnet").url)
  // By default the client lists coins of two seconds ago, and the next deposit would spend a coin
  // that the last one has spent.
  provider.setTimeoutForCache(0)
  return { provider, wallet: core.BitcoinWallet.fromWIF(readKey("bitcoin"), provider) }
}

function openSolana(sandbox: SandboxSummary, auth: Auth): Htlc {
  const { url, assets } = chainOf(sandbox, "solana_testnet")
  const native = assets.find(({ token }) => token === null)?.htlc
  const connection = new Connection(url, {
    commitment: "confirmed",
    wsEndpoint: url.replace("http", "ws"),
  })
  // CAST: the key file of the sandbox is a Solana key file, 64 bytes as JSON numbers.
  const keypair = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readKey("solana")) as number[]))
  const provider = new AnchorProvider(connection, new Wallet(keypair), { commitment: "confirmed" })
  const programAddress = native ? { native } : {}
  return new core.SolanaRelay(provider, new utils.Url(sandbox.service), TESTNET, auth, {
    programAddress,
  })
}

function openStarknet(sandbox: SandboxSummary, auth: Auth): Htlc {
  const nodeUrl = chainOf(sandbox, "starknet_sepolia").url
  const account = new StarknetAccount8({
    provider: { nodeUrl },
    address: SANDBOX_WALLETS.starknet,
    signer: readKey("starknet"),
  })
  return new core.StarknetRelay(sandbox.service, account, TESTNET, auth, nodeUrl)
}
