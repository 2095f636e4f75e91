import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { hash } from "starknet"
import { mustExist } from "#lib/assert.ts"
import type { Logger } from "#lib/log.ts"
import type {
  ContractsVersion,
  LocalAsset,
  LocalChain,
  LocalSwap,
  SwapRequest,
} from "../local-chain.ts"
import { splitU256 } from "./contract.ts"
import { describeDepositRequest, describeSwap, encodeInitiate } from "./describe-swap.ts"
import { callDevnet, createDevnet, type Devnet, dumpDevnet, heightOf, waitMined } from "./devnet.ts"
import { defineErc20 } from "./erc20.ts"
import { encodeShortString, formatAddress, formatFelt, parseFelt, selectorOf } from "./felt.ts"
import { defineHtlc } from "./htlc.ts"
import { HTLC_VARIANTS, type HtlcVariant, toWords } from "./htlc-variant.ts"
import { createLocalAccount, deployAccount, type LocalAccount, sendCalls } from "./local-account.ts"
import { observeSwap } from "./observe-swap.ts"
import { startRpcServer } from "./rpc-server.ts"
import { slotOf } from "./storage.ts"
import { mineBlock } from "./submit-invoke.ts"

/**
 * On Starknet an account is a contract, so a test must deploy a user's account before the user can
 * send transactions.
 */
export type LocalStarknetChain = LocalChain & {
  readonly chainId: string
  /**
   * Deploys an account for a Stark public key (x coordinate, hex) and returns its address. A second
   * call changes nothing.
   */
  deployAccount(publicKey: string): string
  /** The devnet behind the JSON-RPC, for tests that read its state or mine blocks themselves. */
  readonly devnet: Devnet
}

type StarknetChainOptions = {
  readonly name: string
  readonly port: number
  /** Time between blocks; default 1000. */
  readonly blockMs?: number
  readonly timelocks?: LocalChain["timelocks"]
  /** The generation of the HTLC contracts; default `v3`, the live one. */
  readonly contracts?: ContractsVersion
  readonly requiredConfirmations?: number
  /** Public keys of user accounts that the start deploys. */
  readonly accounts?: readonly string[]
  /** Default: `strk` (also the fee token), `wbtc` and `eth`. */
  readonly assets?: readonly AssetOption[]
  /** The file that `save` writes. If it exists at the start, the chain continues from it. */
  readonly stateFile?: string
  readonly log: Logger
}

type AssetOption = { readonly name: string; readonly decimals: number; readonly token: string }

/**
 * Starts a local Starknet chain: a devnet in this process with tokens, one HTLC per token, a
 * faucet, a funded solver, and JSON-RPC on loopback. `devnet.ts` says which parts of Starknet it
 * simulates.
 */
export async function startStarknetChain(
  options: StarknetChainOptions,
): Promise<LocalStarknetChain> {
  const { stateFile } = options
  const dump =
    stateFile !== undefined && existsSync(stateFile)
      ? { dump: readFileSync(stateFile, "utf8") }
      : {}
  const devnet = createDevnet({
    chainId: CHAIN_ID,
    feeToken: parseFelt(STRK_TOKEN),
    now: Date.now,
    ...dump,
  })
  const faucet = createLocalAccount(devnet, FAUCET_KEY)
  const solver = createLocalAccount(devnet, SOLVER_KEY)
  const variant = HTLC_VARIANTS[options.contracts ?? "v3"]
  const deployed = { chain: options.name, faucet, variant }
  const assets = (options.assets ?? DEFAULT_ASSETS).map((asset) =>
    deployAsset(devnet, asset, deployed),
  )
  for (const key of options.accounts ?? []) deployAccount(devnet, key)
  if (!("dump" in dump)) seed(devnet, assets, faucet, solver)
  const server = await startRpcServer(() => devnet, options.port)
  const ticking = setInterval(() => mineBlock(devnet), options.blockMs ?? 1_000)
  options.log.info({ chain: options.name, url: server.url }, "local starknet is up")
  return {
    name: options.name,
    family: "starknet",
    assets,
    url: server.url,
    timelocks: options.timelocks ?? { source: 43_200, destination: 3_600 },
    requiredConfirmations: options.requiredConfirmations ?? 1,
    chainId: CHAIN_NAME,
    contracts: variant.version,
    devnet,
    deployAccount: (publicKey) => formatAddress(deployAccount(devnet, publicKey)),
    isAddress,
    height: async () => BigInt(heightOf(devnet)),
    balance: async (address, assetId) =>
      readBalance(devnet, tokenOf(assets, assetId), parseFelt(address)),
    fund: async (address, assetId, units) =>
      mint(devnet, faucet, tokenOf(assets, assetId), parseFelt(address), units),
    ...createSwaps(devnet, { chain: options.name, assets, variant }, solver),
    advance: async (blocks) => {
      for (let count = 0; count < blocks; count++) mineBlock(devnet)
    },
    ...(stateFile === undefined ? {} : { save: async () => save(devnet, ticking, stateFile) }),
    freeze: (frozen) => server.freeze(frozen),
    stop: async () => {
      clearInterval(ticking)
      await server.stop()
    },
  }
}

function save(devnet: Devnet, ticking: NodeJS.Timeout, file: string): void {
  clearInterval(ticking)
  writeFileSync(file, dumpDevnet(devnet))
}

const CHAIN_NAME = "SN_SEPOLIA"
const CHAIN_ID = encodeShortString(CHAIN_NAME)

/**
 * STRK has this address on mainnet and Sepolia (docs.starknet.io, "Token contracts"); fees are paid
 * in it.
 */
const STRK_TOKEN = "0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d"

const DEFAULT_ASSETS: readonly AssetOption[] = [
  { name: "strk", decimals: 18, token: STRK_TOKEN },
  {
    name: "wbtc",
    decimals: 8,
    token: "0x03fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac",
  },
  {
    name: "eth",
    decimals: 18,
    token: "0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7",
  },
]

/** Fixed keys for accounts with worthless coins. */
const FAUCET_KEY = "0xfa0ce7"
const SOLVER_KEY = "0x501fe2"

type Deployed = {
  readonly chain: string
  readonly faucet: LocalAccount
  readonly variant: HtlcVariant
}

function deployAsset(
  devnet: Devnet,
  asset: AssetOption,
  { chain, faucet, variant }: Deployed,
): LocalAsset {
  const token = parseFelt(asset.token)
  devnet.contracts.set(token, defineErc20(asset.decimals, faucet.address))
  const contract = defineHtlc(token, variant)
  const address = parseFelt(
    hash.calculateContractAddressFromHash(0, formatFelt(contract.classHash), [token], 0),
  )
  devnet.contracts.set(address, contract)
  return {
    id: `${chain}:${asset.name}`,
    decimals: asset.decimals,
    token: formatAddress(token),
    htlc: formatAddress(address),
  }
}

/**
 * Writes the faucet's fee tokens into the genesis state, and mints all other tokens by a
 * transaction.
 */
function seed(
  devnet: Devnet,
  assets: readonly LocalAsset[],
  faucet: LocalAccount,
  solver: LocalAccount,
): void {
  const { feeToken } = devnet.environment
  devnet.storage.write(slotOf(feeToken, "balance", faucet.address), 10n ** 24n)
  const calls = assets.map(({ token, decimals }) =>
    mintCall(parseFelt(mustExist(token, "token")), solver.address, 10n ** BigInt(decimals + 6)),
  )
  const fees = mintCall(feeToken, solver.address, 10n ** 24n)
  if (!devnet.contracts.has(feeToken))
    devnet.contracts.set(feeToken, defineErc20(18, faucet.address))
  sendCalls(devnet, faucet, [...calls, fees])
  mineBlock(devnet)
}

function mintCall(token: bigint, to: bigint, units: bigint) {
  return { to: token, selector: selectorOf("mint"), calldata: [to, ...splitU256(units)] }
}

async function mint(
  devnet: Devnet,
  faucet: LocalAccount,
  token: bigint,
  to: bigint,
  units: bigint,
): Promise<string> {
  const txHash = sendCalls(devnet, faucet, [mintCall(token, to, units)])
  await waitMined(devnet, txHash)
  return txHash
}

function readBalance(devnet: Devnet, token: bigint, owner: bigint): bigint {
  const [low = 0n, high = 0n] = callDevnet(devnet, {
    to: token,
    selector: selectorOf("balance_of"),
    calldata: [owner],
  })
  return low + (high << 128n)
}

function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{1,64}$/.test(text) && BigInt(text) > 1n && BigInt(text) < 1n << 251n
}

function assetOf(assets: readonly LocalAsset[], assetId: string): LocalAsset {
  return mustExist(
    assets.find((asset) => asset.id === assetId),
    `asset ${assetId}`,
  )
}

function tokenOf(assets: readonly LocalAsset[], assetId: string): bigint {
  return parseFelt(mustExist(assetOf(assets, assetId).token, "token"))
}

type Swaps = Pick<
  LocalChain,
  | "describeSource"
  | "describeDestination"
  | "observeSwap"
  | "initiate"
  | "initiateWithSignature"
  | "redeem"
  | "refund"
>

type Market = {
  readonly chain: string
  readonly assets: readonly LocalAsset[]
  readonly variant: HtlcVariant
}

function createSwaps(
  devnet: Devnet,
  { chain, assets, variant }: Market,
  solver: LocalAccount,
): Swaps {
  const describe = (request: SwapRequest, side: LocalSwap["side"]): LocalSwap => {
    const htlc = mustExist(assetOf(assets, request.assetId).htlc, "htlc")
    return describeSwap({
      side,
      chain,
      chainId: CHAIN_ID,
      htlc,
      variant,
      solver: solver.address,
      request,
    })
  }
  const initiateCalls = (swap: LocalSwap) => {
    const call = htlcCall(swap, "initiate", encodeInitiate(swap, variant))
    const calldata = [call.to, ...splitU256(BigInt(swap.units))]
    return [{ to: tokenOf(assets, swap.asset), selector: selectorOf("approve"), calldata }, call]
  }
  return {
    describeSource: async (request) => {
      const swap = describe(request, "source")
      return {
        swap,
        response: describeDepositRequest(swap, {
          variant,
          chainId: CHAIN_ID,
          chainName: CHAIN_NAME,
        }),
      }
    },
    describeDestination: async (request) => describe(request, "destination"),
    observeSwap: async (swap) => observeSwap(devnet, swap, variant),
    initiate: async (swap) => sendCalls(devnet, solver, initiateCalls(swap)),
    initiateWithSignature: async (swap, signature) =>
      sendCalls(devnet, solver, [relayCall(swap, signature, variant)]),
    redeem: async (swap, secret) => sendCalls(devnet, solver, [redeemCall(swap, secret, variant)]),
    refund: async (swap) =>
      sendCalls(devnet, solver, [htlcCall(swap, "refund", [orderIdOf(swap)])]),
  }
}

function htlcCall(swap: LocalSwap, entryPoint: string, calldata: readonly bigint[]) {
  return {
    to: parseFelt(mustExist(swap.extra["htlc"], "htlc")),
    selector: selectorOf(entryPoint),
    calldata,
  }
}

/** `signature` is `r,s` in decimals or hex, or a JSON array of the two. */
function relayCall(swap: LocalSwap, signature: string, variant: HtlcVariant) {
  const parts = signature
    .replace(/[[\]"\s]/g, "")
    .split(",")
    .map(parseFelt)
  const calldata = [
    parseFelt(swap.initiator),
    ...encodeInitiate(swap, variant),
    BigInt(parts.length),
    ...parts,
  ]
  return htlcCall(swap, "initiate_with_signature", calldata)
}

function redeemCall(swap: LocalSwap, secret: string, { secretAsArray }: HtlcVariant) {
  const words = toWords(secret)
  return htlcCall(swap, "redeem", [
    orderIdOf(swap),
    ...(secretAsArray ? [BigInt(words.length)] : []),
    ...words,
  ])
}

function orderIdOf(swap: LocalSwap): bigint {
  return parseFelt(`0x${swap.swapId}`)
}
