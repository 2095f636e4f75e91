import type { Hex } from "viem"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import type { Clock } from "#lib/clock.ts"
import type { Secret } from "#lib/secret.ts"
import type { ChainPort } from "../port.ts"
import { broadcast } from "./broadcast.ts"
import { planBump, planMove } from "./build.ts"
import { decodeDeposit } from "./decode.ts"
import { decideFees, fetchMarket } from "./fees.ts"
import { tokenAbi } from "./htlc.ts"
import { observeLeg } from "./observe-leg.ts"
import { observeMove } from "./observe-move.ts"
import { createRpc, type Rpc } from "./rpc.ts"
import { createSigner } from "./signer.ts"
import { isEvmAddress, requireAddress, requireAsset, sameAddress, tokenOf, type Wallet } from "./wallet.ts"

/**
 * An EVM chain with its hot wallet. Heights are block numbers; fees are wei. One key may serve several chains: nothing is shared
 * between them.
 *
 * Throws `config.key` (fatal). No IO.
 */
export function createEvmChain(options: {
  chain: ChainId
  /** The EIP-155 id; a node that serves another one is refused. */
  chainId: number
  rpc: readonly string[]
  key: Secret
  confirmations: number
  /** The most that we pay per gas, wei. */
  maxFeePerGasUnits: bigint
  maxGasLimit?: bigint
  timeoutMs: number
  assets: readonly Asset[]
  clock: Clock
}): ChainPort {
  const { chain, chainId, timeoutMs, clock, confirmations, maxFeePerGasUnits } = options
  const rpc = createRpc({ chain, chainId, urls: options.rpc, timeoutMs, clock })
  const signer = createSigner(options.key)
  const wallet: Wallet = {
    chain,
    chainId,
    account: signer.account,
    assets: options.assets.filter((asset) => asset.chain === chain),
    confirmations,
    maxFeePerGasUnits,
    maxGasLimit: options.maxGasLimit ?? DEFAULT_MAX_GAS_LIMIT,
  }
  return {
    chain,
    family: "evm",
    account: signer.account,
    sourceExtras: {},
    isAddress: isEvmAddress,
    sameAddress,
    fetchHeight: () => rpc.read((client) => client.getBlockNumber()),
    fetchBalance: async (asset) => {
      const units = await fetchBalance(wallet, rpc, asset)
      return { units, spendableUnits: units }
    },
    estimateFees: () => estimateFees(wallet, rpc),
    decodeDeposit: (claim, _order, asset) => decodeDeposit(claim, wallet, asset),
    findMissingApproval: async (asset, spender, units) => {
      const token = tokenOf(requireAsset(wallet, asset))
      if (token === null) return null
      return (await fetchAllowance(wallet, rpc, token, requireAddress(spender))) === units ? null : { setUnits: units }
    },
    planMove: (intent, reserved) => planMove(wallet, rpc, intent, reserved),
    planBump: (plan) => planBump(wallet, rpc, plan),
    signMove: (plan) => signer.signMove(plan, wallet),
    broadcastMove: (move) => broadcast(move, rpc),
    observeMove: (move) => observeMove(move, wallet, rpc),
    signTypedData: (deposit) => signer.signTypedData(deposit, wallet),
    observeLeg: (query) => observeLeg(wallet, rpc, query),
  }
}

const DEFAULT_MAX_GAS_LIMIT = 2_000_000n

/** An approval costs about 50 000 gas, an initiate 180 000, a refund 80 000 on a token; rounded up. */
const DEPOSIT_GAS = 250_000n
const REFUND_GAS = 120_000n

async function estimateFees(wallet: Wallet, rpc: Rpc): Promise<{ depositUnits: bigint; refundUnits: bigint }> {
  const { maxFeePerGas } = decideFees(await rpc.read(fetchMarket), wallet.maxFeePerGasUnits)
  return { depositUnits: DEPOSIT_GAS * maxFeePerGas, refundUnits: REFUND_GAS * maxFeePerGas }
}

async function fetchBalance(wallet: Wallet, rpc: Rpc, id: AssetId): Promise<bigint> {
  const token = tokenOf(requireAsset(wallet, id))
  if (token === null) return rpc.read((client) => client.getBalance({ address: wallet.account }))
  const call = { address: token, abi: tokenAbi, functionName: "balanceOf", args: [wallet.account] } as const
  return rpc.read((client) => client.readContract(call))
}

function fetchAllowance(wallet: Wallet, rpc: Rpc, token: Hex, spender: Hex): Promise<bigint> {
  const args = [wallet.account, spender] as const
  return rpc.read((client) => client.readContract({ address: token, abi: tokenAbi, functionName: "allowance", args }))
}
