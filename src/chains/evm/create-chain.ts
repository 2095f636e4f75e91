import { zeroAddress } from "viem"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import type { NativeCoin } from "#domain/native-coin.ts"
import type { Clock } from "#lib/clock.ts"
import type { Secret } from "#lib/secret.ts"
import type { ChainPort } from "../port.ts"
import { broadcastEvmTransaction } from "./broadcast.ts"
import { bumpEvmTransaction, planEvmTransaction, readTokenBalance } from "./build.ts"
import { decodeEvmDeposit } from "./decode.ts"
import { readMarket, suggestFees } from "./fees.ts"
import { readAddress, sameAddress, tokenAbi } from "./htlc.ts"
import { evmContractReader } from "./identify-contract.ts"
import { readL1Fee } from "./l1-fee.ts"
import { observeEvmLeg } from "./observe-leg.ts"
import { observeEvmTransaction } from "./observe-transaction.ts"
import { createRpc } from "./rpc.ts"
import { createEvmSigner } from "./signer.ts"
import { evmTraits } from "./traits.ts"
import { requireAddress, requireAsset, tokenOf, type Wallet } from "./wallet.ts"

/**
 * One EVM chain by JSON-RPC endpoints and one key. No IO here.
 *
 * Throws `config.key` (fatal) for a text that is not a private key, `evm.address` (fatal) for a text that is not an address.
 */
export function createEvmChain(options: EvmChainOptions): ChainPort {
  const signer = createEvmSigner(options.key)
  const wallet = createWallet(options, signer.account)
  const { chain, account, rpc } = wallet
  return {
    chain,
    family: "evm",
    traits: { ...evmTraits, nativeCoin: options.nativeCoin ?? evmTraits.nativeCoin },
    account,
    sourceExtras: {},
    isAddress: (text) => readAddress(text) !== null && !sameAddress(text, zeroAddress),
    sameAddress,
    fetchHeight: () => rpc.read((client) => client.getBlockNumber()),
    fetchBalance: async (asset) => {
      const units = await fetchUnits(wallet, asset)
      // Reservations are nonces here: they hold no funds.
      return { units, spendableUnits: units }
    },
    fetchNativeBalance: () => wallet.rpc.read((client) => client.getBalance({ address: wallet.account })),
    estimateFees: () => estimateFees(wallet),
    decodeDeposit: (request, _order, asset) => decodeEvmDeposit(wallet, request, asset),
    fetchContractIdentity: (htlc) => fetchContractIdentity(wallet, htlc),
    findMissingApproval: (asset, spender, units) => findMissingApproval(wallet, asset, spender, units),
    planTransaction: (intent, reserved) => planEvmTransaction(wallet, intent, reserved),
    planBump: (plan) => bumpEvmTransaction(wallet, plan),
    signTransaction: (plan) => signer.signTransaction(wallet, plan),
    broadcastTransaction: (transaction) => broadcastEvmTransaction(wallet, transaction),
    observeTransaction: (ours) => observeEvmTransaction(wallet, ours),
    proveUnfunded: async () => ({ status: "unsure", reasons: [] }),
    fetchAgreement: async () => ({ endpoints: options.rpc.length, needed: 1, agreeing: 1, reasons: [] }),
    signTypedData: (deposit) => signer.signTypedData(wallet, deposit),
    observeLeg: (query) => observeEvmLeg(wallet, query),
  }
}

export type EvmChainOptions = {
  readonly chain: ChainId
  /** EIP-155. */
  readonly chainId: number
  /** Reads use the endpoint that is furthest ahead, broadcasts go to all. */
  readonly rpc: readonly string[]
  /** 32 bytes in hex. */
  readonly key: Secret
  /** The number of confirmations from which a transaction counts as final. */
  readonly confirmations: number
  /** No transaction of ours offers more per gas, in wei. */
  readonly maxFeePerGasUnits: bigint
  /** No transaction of ours may use more gas. Default 2 000 000. */
  readonly maxGasLimit?: bigint
  /** Default ether. */
  readonly nativeCoin?: NativeCoin
  readonly timeoutMs: number
  readonly assets: readonly Asset[]
  readonly clock: Clock
}

const DEFAULT_GAS_LIMIT = 2_000_000n
/** Cautious: an approval with an initiation, and a refund; each about half as much again as measured. */
const DEPOSIT_GAS = 250_000n
const REFUND_GAS = 120_000n
/** An approval of about 180 bytes and an initiation of about 250, and a refund of about 150. */
const DEPOSIT_BYTES = 430
const REFUND_BYTES = 150

function createWallet(options: EvmChainOptions, account: Wallet["account"]): Wallet {
  const { chain, chainId, confirmations, maxFeePerGasUnits, timeoutMs, clock } = options
  const assets = options.assets.filter((asset) => asset.chain === chain)
  for (const { token, htlc } of assets) for (const text of [token, ...htlc]) if (text !== null) requireAddress(text)
  const maxGasLimit = options.maxGasLimit ?? DEFAULT_GAS_LIMIT
  const rpc = createRpc({ urls: options.rpc, chainId, timeoutMs, clock })
  return { chain, chainId, account, confirmations, maxFeePerGasUnits, maxGasLimit, assets, rpc }
}

async function fetchUnits(wallet: Wallet, id: AssetId): Promise<bigint> {
  const token = tokenOf(requireAsset(wallet, id))
  const { account, rpc } = wallet
  return rpc.read((client) =>
    token === null ? client.getBalance({ address: account }) : readTokenBalance(client, token, account),
  )
}

/** Gas costs at most the cap, because we never offer more. The L1 data fee has no cap of ours, so it counts twice its present value. */
async function estimateFees(wallet: Wallet) {
  const { rpc, maxFeePerGasUnits: cap } = wallet
  const fees = suggestFees(await rpc.read(readMarket), cap)
  const feePerGas = fees?.maxFeePerGas ?? cap
  const l1FeeOf = (bytes: number): Promise<bigint> => rpc.read((client) => readL1Fee(wallet, client, bytes))
  const [deposit, refund] = await Promise.all([l1FeeOf(DEPOSIT_BYTES), l1FeeOf(REFUND_BYTES)])
  return { depositUnits: DEPOSIT_GAS * feePerGas + 2n * deposit, refundUnits: REFUND_GAS * feePerGas + 2n * refund }
}

/** All reads come from one endpoint, so that they fit together. */
async function fetchContractIdentity({ rpc }: Wallet, htlc: string) {
  return rpc.read((client) => {
    // CAST: the type lists viem's own methods with their parameters; the reader checks each answer.
    const request = client.request as (call: { method: string; params: unknown }) => Promise<unknown>
    return evmContractReader.readIdentity((method, params) => request({ method, params }), htlc)
  })
}

/** Exact: a larger allowance is reduced too. */
async function findMissingApproval(wallet: Wallet, asset: AssetId, spender: string, units: bigint) {
  const token = tokenOf(requireAsset(wallet, asset))
  if (token === null) return null
  const args = [wallet.account, requireAddress(spender)] as const
  const allowed = await wallet.rpc.read((client) =>
    client.readContract({ address: token, abi: tokenAbi, functionName: "allowance", args }),
  )
  return allowed === units ? null : { setUnits: units }
}
