import { z } from "zod"
import { type AskNode, NodeRefusal } from "#chains/contract-reader.ts"
import type { Asset, ChainId } from "#domain/asset.ts"
import type { Clock } from "#lib/clock.ts"
import type { Secret } from "#lib/secret.ts"
import type { ChainPort } from "../port.ts"
import { broadcastStarknetTransaction } from "./broadcast.ts"
import { bumpStarknetTransaction, planStarknetTransaction } from "./build.ts"
import { decodeStarknetDeposit } from "./decode.ts"
import { priceGas } from "./estimate.ts"
import { readAddress } from "./felt.ts"
import { starknetContractReader } from "./identify-contract.ts"
import { observeStarknetLeg } from "./observe.ts"
import { observeStarknetTransaction } from "./observe-transaction.ts"
import { fetchAllowance, fetchBlockNumber, fetchTokenBalance } from "./read-chain.ts"
import { createRpc, rpcCodeOf, type StarknetRpc } from "./rpc.ts"
import { createStarknetSigner } from "./signer.ts"
import { starknetTraits } from "./traits.ts"
import { requireAddress, requireAsset, STRK_TOKEN, tokenOf, type Wallet } from "./wallet.ts"

export type StarknetChainOptions = {
  readonly chain: ChainId
  /** `SN_SEPOLIA` or `SN_MAIN`. */
  readonly chainId: string
  readonly rpc: readonly string[]
  /** The account contract's address; it must be deployed and have the key as its only signer. */
  readonly account: string
  readonly key: Secret
  readonly confirmations: number
  /** The most that one transaction may cost, in fri (STRK's smallest unit). */
  readonly maxFeeUnits: bigint
  readonly timeoutMs: number
  readonly assets: readonly Asset[]
  readonly clock: Clock
}

/** One Starknet chain by JSON-RPC endpoints and one account. Throws `starknet.address` (fatal) for a configured text that is not an address. */
export function createStarknetChain(options: StarknetChainOptions): ChainPort {
  const wallet = createWallet(options)
  const { chain, account, rpc } = wallet
  const signer = createStarknetSigner(wallet, options.key)
  return {
    chain,
    family: "starknet",
    traits: starknetTraits,
    account,
    sourceExtras: {},
    isAddress: (text) => readAddress(text) !== null,
    sameAddress: (a, b) => readAddress(a) !== null && readAddress(a) === readAddress(b),
    fetchHeight: () => fetchBlockNumber(rpc),
    fetchBalance: async (asset) => {
      const units = await fetchTokenBalance(rpc, tokenOf(requireAsset(wallet, asset)), wallet.accountFelt)
      // Reservations are nonces here: they hold no funds.
      return { units, spendableUnits: units }
    },
    fetchNativeBalance: () => fetchTokenBalance(rpc, STRK_TOKEN, wallet.accountFelt),
    estimateFees: async () => ({
      depositUnits: await priceGas(wallet, DEPOSIT_GAS),
      refundUnits: await priceGas(wallet, REFUND_GAS),
    }),
    decodeDeposit: (request) => decodeStarknetDeposit(wallet, request),
    fetchContractIdentity: (htlc) => starknetContractReader.readIdentity(askThrough(rpc), htlc),
    findMissingApproval: async (asset, spender, units) => {
      const token = tokenOf(requireAsset(wallet, asset))
      const allowed = await fetchAllowance(rpc, token, wallet.accountFelt, requireAddress(spender))
      return allowed === units ? null : { setUnits: units }
    },
    planTransaction: (intent, reserved) => planStarknetTransaction(wallet, intent, reserved),
    planBump: async (plan) => bumpStarknetTransaction(wallet, plan),
    signTransaction: async (plan) => signer.signTransaction(plan),
    broadcastTransaction: (transaction) => broadcastStarknetTransaction(rpc, transaction),
    observeTransaction: (ours) => observeStarknetTransaction(wallet, ours),
    proveUnfunded: async () => ({ status: "unsure", reasons: [] }),
    fetchAgreement: async () => ({ endpoints: options.rpc.length, needed: 1, agreeing: 1, reasons: [] }),
    signTypedData: async (deposit) => signer.signTypedData(deposit),
    observeLeg: (query) => observeStarknetLeg(wallet, query),
  }
}

/** Cautious: approve and initiate in one multicall, and a refund; each about twice as much as measured. */
const DEPOSIT_GAS = { l2: 6_000_000n, l1Data: 2_000n }
const REFUND_GAS = { l2: 4_000_000n, l1Data: 1_000n }

/** An error of the specification becomes the node's refusal: the address may have no contract. */
function askThrough(rpc: StarknetRpc): AskNode {
  return async (method, params) => {
    try {
      return await rpc.read(method, params, z.unknown())
    } catch (error) {
      const code = rpcCodeOf(error)
      throw code === null ? error : new NodeRefusal(code, String(error))
    }
  }
}

function createWallet(options: StarknetChainOptions): Wallet {
  const { chain, chainId, account, confirmations, maxFeeUnits, assets, timeoutMs, clock } = options
  const own = assets.filter((asset) => asset.chain === chain)
  for (const { token, htlc } of own) for (const text of [token, ...htlc]) if (text !== null) requireAddress(text)
  const rpc = createRpc({ urls: options.rpc, chainId, timeoutMs, clock })
  return { chain, chainId, account, accountFelt: requireAddress(account), confirmations, maxFeeUnits, assets: own, rpc }
}
