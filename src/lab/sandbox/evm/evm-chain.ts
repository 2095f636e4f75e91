import { existsSync, writeFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import {
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddress,
  isHex,
  keccak256,
  toHex,
  zeroAddress,
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { assert } from "#lib/assert.ts"
import type { Logger } from "#lib/log.ts"
import { createRefusal } from "../create-refusal.ts"
import { freezeProcess } from "../freeze-process.ts"
import type { ContractsVersion, LocalChain, LocalSwap, SwapRequest } from "../local-chain.ts"
import { callAnvil } from "./call-anvil.ts"
import { type Call, createSender, type Sender } from "./create-sender.ts"
import { deployAssets, type EvmAsset, type EvmAssetOption, listDeployed } from "./deploy-assets.ts"
import {
  describeDepositRequest,
  describeSwap,
  encodeInitiate,
  htlcOf,
  termsOf,
  versionOf,
  withPrefix,
} from "./describe-swap.ts"
import { createEvmClient, type EvmClient } from "./evm-client.ts"
import { htlcAbi } from "./htlc-abi.ts"
import { createMining, type Mining } from "./mining.ts"
import { type EvmSwapObservation, observeSwap } from "./observe-swap.ts"
import { type Anvil, KEPT_STATES, startAnvil } from "./start-anvil.ts"
import { tokenAbi } from "./token-abi.ts"

/**
 * Starts a local EVM chain: anvil, the contracts, and a funded solver. If it throws, no process is
 * left running.
 */
export async function startEvmChain(options: EvmChainOptions): Promise<LocalEvmChain> {
  const blockTimeSeconds = options.blockTimeSeconds ?? 1
  const { stateFile, ...rest } = options
  const saved = [stateFile, options.keepFile].find((file) => file !== undefined && existsSync(file))
  const restored = saved !== undefined
  const anvil = await startAnvil({
    ...rest,
    blockTimeSeconds,
    ...(restored ? { stateFile: saved } : {}),
  })
  try {
    return await openChain(options, anvil, { blockTimeSeconds, restored })
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

type EvmChainOptions = {
  /** The chain part of asset ids, such as `base_sepolia`. */
  readonly name: string
  readonly chainId: number
  /** 0 means any free port. */
  readonly port: number
  /** Default 1; it can be a fraction. */
  readonly blockTimeSeconds?: number
  /**
   * Default: the timelocks of Base, or of Ethereum for names that start with `ethereum` (field
   * notes).
   */
  readonly timelocks?: { source: number; destination: number }
  /** Default 1. */
  readonly requiredConfirmations?: number
  readonly assets: readonly EvmAssetOption[]
  /**
   * Default `v3`, as live. A chain that continues from a saved state needs the version that it was
   * saved with.
   */
  readonly contracts?: ContractsVersion
  /** The file that `save` writes. If it exists at the start, the chain continues from it. */
  readonly stateFile?: string
  /**
   * The node writes its state here every minute. If the file exists at the start, the chain
   * continues from it.
   */
  readonly keepFile?: string
  readonly log: Logger
}

/** A real anvil with the sandbox's contracts and a solver. The additional members are for tests. */
export interface LocalEvmChain extends LocalChain {
  readonly assets: readonly EvmAsset[]
  readonly rpcUrl: string
  readonly pid: number
  readonly solver: Hex
  readonly client: EvmClient
  observeSwap(swap: LocalSwap): Promise<EvmSwapObservation>
  readonly setMining: Mining["set"]
  /**
   * Replaces the last `depth` blocks (at most 31) by empty ones. Their transactions are lost and do
   * not return to the mempool.
   */
  reorg(depth: number): Promise<void>
  setBalance(address: string, units: bigint): Promise<void>
}

/** Fixed keys that are public in this file; they hold only worthless coins. */
const SOLVER = privateKeyToAccount(keccak256(toHex("ballast sandbox solver")))
export const FAUCET = privateKeyToAccount(keccak256(toHex("ballast sandbox faucet")))
const PLENTY_WEI = 10n ** 30n

/**
 * The search for events starts this many blocks before the height of the order, so that a
 * reorganisation does not hide an event.
 */
const REORG_MARGIN = 256n

async function openChain(
  options: EvmChainOptions,
  anvil: Anvil,
  { blockTimeSeconds, restored }: { blockTimeSeconds: number; restored: boolean },
): Promise<LocalEvmChain> {
  const { name, chainId, stateFile, contracts: version = "v3" } = options
  const client = createEvmClient({ name, chainId, url: anvil.url })
  const mining = createMining(client, blockTimeSeconds)
  const solver = createSender(client, SOLVER)
  const faucet = createSender(client, FAUCET)
  for (const address of [SOLVER.address, FAUCET.address])
    await setBalance(client, address, PLENTY_WEI)
  const { assets: wanted } = options
  const deployment = {
    client,
    name,
    assets: wanted,
    version,
    deployer: faucet,
    solver,
    mine: () => mining.mine(1),
  }
  const assets = restored ? listDeployed(deployment) : await deployAssets(deployment)
  options.log.debug({ chain: name, url: anvil.url, pid: anvil.pid }, "local EVM chain is up")
  const find = (assetId: string): EvmAsset => findAsset(assets, assetId)
  return {
    name,
    family: "evm",
    chainId,
    contracts: version,
    assets,
    client,
    url: anvil.url,
    rpcUrl: anvil.url,
    pid: anvil.pid,
    solver: SOLVER.address,
    timelocks: options.timelocks ?? defaultTimelocks(name),
    requiredConfirmations: options.requiredConfirmations ?? 1,
    height: () => client.getBlockNumber(),
    balance: async (address, assetId) => readBalance(client, find(assetId), getAddress(address)),
    fund: async (address, assetId, units) =>
      fund(client, faucet, find(assetId), getAddress(address), units),
    isAddress: (text) => isAddress(text) && text !== zeroAddress,
    ...createSwapDescriptions(client, { chain: name, chainId, version }, find),
    observeSwap: (swap) => observeSwap(client, swap),
    ...createSolverTransactions(client, solver, find),
    setMining: mining.set,
    advance: mining.mine,
    reorg: async (depth) => {
      assert(depth < KEPT_STATES, "the node does not keep the state of such an old block", {
        depth,
        most: KEPT_STATES - 1,
      })
      await callAnvil(client, "anvil_reorg", [depth, []])
    },
    setBalance: async (address, units) => setBalance(client, getAddress(address), units),
    ...(stateFile === undefined ? {} : { save: () => save(client, mining, stateFile) }),
    freeze: (frozen) => freezeProcess(anvil.pid, frozen),
    stop: () => anvil.stop(),
  }
}

/** Describes the legs of an order, with the height from which the search for events starts. */
function createSwapDescriptions(
  client: EvmClient,
  about: { readonly chain: string; readonly chainId: number; readonly version: ContractsVersion },
  find: (assetId: string) => EvmAsset,
): Pick<LocalChain, "describeSource" | "describeDestination"> {
  const describe = async (side: LocalSwap["side"], request: SwapRequest): Promise<LocalSwap> => {
    const height = await client.getBlockNumber()
    return describeSwap({
      ...about,
      side,
      asset: find(request.assetId),
      solver: SOLVER.address,
      fromHeight: height > REORG_MARGIN ? height - REORG_MARGIN : 0n,
      request,
    })
  }
  return {
    describeSource: async (request) => {
      const swap = await describe("source", request)
      const asset = find(request.assetId)
      return { swap, response: describeDepositRequest(about.chainId, asset, swap, request) }
    },
    describeDestination: (request) => describe("destination", request),
  }
}

/** Anvil dumps its state as hex of gzipped JSON, but it loads plain JSON. */
async function save(client: EvmClient, mining: Mining, file: string): Promise<void> {
  await mining.set("off")
  const dump = await callAnvil(client, "anvil_dumpState", [])
  writeFileSync(file, gunzipSync(Buffer.from(String(dump).slice(2), "hex")))
}

type SolverTransactions = Pick<
  LocalChain,
  "initiate" | "initiateWithSignature" | "redeem" | "refund"
>

/**
 * The transactions of the solver. The contract lets any account redeem and refund; the solver only
 * pays the gas.
 */
function createSolverTransactions(
  client: EvmClient,
  solver: Sender,
  find: (assetId: string) => EvmAsset,
): SolverTransactions {
  const sendTo = (swap: LocalSwap, call: Call): Promise<Hex> =>
    solver.send({ ...call, to: htlcOf(swap) })
  return {
    initiate: async (swap) => {
      assert(swap.side === "destination", "the solver funds destination swaps only", {
        swap: swap.swapId,
      })
      const value = find(swap.asset).token === null ? BigInt(swap.units) : 0n
      return sendTo(swap, { data: encodeInitiate(termsOf(swap)), value })
    },
    initiateWithSignature: async (swap, signature) => {
      const { initiator, redeemer, timelock, units, secretHash } = termsOf(swap)
      const args = [redeemer, timelock, units, secretHash, parseSignature(signature)] as const
      const call = { abi: htlcAbi, functionName: "initiateWithSignature" } as const
      const data =
        versionOf(swap) === "v1"
          ? encodeFunctionData({ ...call, args })
          : encodeFunctionData({ ...call, args: [initiator, ...args] })
      return sendTo(swap, { data })
    },
    redeem: async (swap, secret) => {
      const args = [withPrefix(swap.swapId), withPrefix(secret)] as const
      return sendTo(swap, {
        data: encodeFunctionData({ abi: htlcAbi, functionName: "redeem", args }),
      })
    },
    refund: async (swap) => {
      // A deposit with other terms has another order id, and the depositor needs a refund of that
      // order.
      const { deposit } = await observeSwap(client, swap)
      const args = [deposit?.orderId ?? withPrefix(swap.swapId)] as const
      return sendTo(swap, {
        data: encodeFunctionData({ abi: htlcAbi, functionName: "refund", args }),
      })
    },
  }
}

function parseSignature(text: string): Hex {
  const signature = withPrefix(text)
  if (isHex(signature) && signature.length % 2 === 0) return signature
  throw createRefusal(
    "sandbox.evm_signature",
    "the signature is not hex; send the 65 bytes of an EIP-712 signature as 0x…",
  )
}

function findAsset(assets: readonly EvmAsset[], assetId: string): EvmAsset {
  const asset = assets.find(({ id }) => id === assetId)
  if (asset) return asset
  const known = assets.map(({ id }) => id).join(", ")
  throw createRefusal("sandbox.unknown_asset", `this chain has no ${assetId}; it has ${known}`)
}

function readBalance(client: EvmClient, asset: EvmAsset, address: Hex): Promise<bigint> {
  if (asset.token === null) return client.getBalance({ address })
  return client.readContract({
    address: asset.token,
    abi: tokenAbi,
    functionName: "balanceOf",
    args: [address],
  })
}

async function fund(
  client: EvmClient,
  faucet: Sender,
  asset: EvmAsset,
  to: Hex,
  units: bigint,
): Promise<Hex> {
  const mint = encodeFunctionData({ abi: tokenAbi, functionName: "mint", args: [to, units] })
  const hash = await faucet.send(
    asset.token === null ? { to, value: units } : { to: asset.token, data: mint },
  )
  const receipt = await client.waitForTransactionReceipt({ hash })
  if (receipt.status === "success") return hash
  throw createRefusal("sandbox.faucet", `the faucet's transaction ${hash} failed on chain`)
}

function defaultTimelocks(name: string): { source: number; destination: number } {
  return name.startsWith("ethereum")
    ? { source: 7_200, destination: 600 }
    : { source: 43_200, destination: 3_600 }
}

async function setBalance(client: EvmClient, address: Hex, units: bigint): Promise<void> {
  await callAnvil(client, "anvil_setBalance", [address, toHex(units)])
}
