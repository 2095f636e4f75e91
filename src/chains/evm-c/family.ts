import { getAddress, isAddress } from "viem"
import type { ChainPort } from "#chains/port.ts"
import type { Asset, ChainId } from "#domain/asset.ts"
import type { Clock } from "#lib/clock.ts"
import type { Secret } from "#lib/secret.ts"
import { broadcastMove } from "./broadcast.ts"
import { assetOf, type BuildContext, planBump, planMove, readFees } from "./build.ts"
import { decodeDeposit } from "./decode.ts"
import { tokenAbi } from "./htlc.ts"
import { observeLeg } from "./observe-leg.ts"
import { observeMove } from "./observe-move.ts"
import { createRpc } from "./rpc.ts"
import { createSigner } from "./signer.ts"

export type EvmOptions = {
  readonly chain: ChainId
  /** EIP-155. */
  readonly chainId: number
  /** JSON-RPC endpoints; reads take the first that answers, broadcasts go to all. */
  readonly rpc: readonly string[]
  /** A private key, 32 bytes in hex. */
  readonly key: Secret
  /** From how many confirmations on something counts as final. */
  readonly confirmations: number
  /** Cap in wei per gas. */
  readonly maxFeePerGasUnits: bigint
  readonly maxGasLimit: bigint
  readonly timeoutMs: number
  readonly assets: readonly Asset[]
  readonly clock: Clock
}

/** Gas of an approval with an initiation, and of a refund, with room to spare. */
const DEPOSIT_GAS = 250_000n
const REFUND_GAS = 120_000n

/** One EVM chain with its hot wallet. No IO; throws `config.key` (fatal) for what is not a key. */
export function createEvmChain(options: EvmOptions): ChainPort {
  const { chain, chainId, confirmations } = options
  const rpc = createRpc(options)
  const signer = createSigner(options.key, options)
  const account = signer.address
  const build: BuildContext = { ...options, rpc, account }
  const asset = (id: string): Asset => assetOf(build, id)
  return {
    chain,
    family: "evm",
    account,
    sourceExtras: {},
    isAddress: (text) => isAddress(text, { strict: false }),
    sameAddress: (a, b) => isAddress(a, { strict: false }) && a.toLowerCase() === b.toLowerCase(),
    fetchHeight: () => rpc.read((client) => client.getBlockNumber()),
    fetchBalance: async (id) => {
      const { token } = asset(id)
      const units = await rpc.read((client) =>
        token === null
          ? client.getBalance({ address: account })
          : client.readContract({
              address: getAddress(token),
              abi: tokenAbi,
              functionName: "balanceOf",
              args: [account],
            }),
      )
      return { units, spendableUnits: units }
    },
    estimateFees: async () => {
      const fees = await readFees(build)
      const price = "refused" in fees ? options.maxFeePerGasUnits : fees.maxFeePerGas
      return { depositUnits: DEPOSIT_GAS * price, refundUnits: REFUND_GAS * price }
    },
    decodeDeposit: (claim, _order, id) => decodeDeposit(claim, { chain, chainId, account, asset: asset(id) }),
    findMissingApproval: async (id, spender, units) => {
      const { token } = asset(id)
      if (token === null) return null
      const args = [account, getAddress(spender)] as const
      const allowed = await rpc.read((client) =>
        client.readContract({ address: getAddress(token), abi: tokenAbi, functionName: "allowance", args }),
      )
      return allowed === units ? null : { setUnits: units }
    },
    planMove: (intent, reserved) => planMove(build, intent, reserved),
    planBump: (plan) => planBump(build, plan),
    signMove: (plan) => signer.signMove(plan),
    broadcastMove: (move) => broadcastMove(rpc, move),
    observeMove: (move) => observeMove({ rpc, account, confirmations }, move),
    signTypedData: (deposit) => signer.signTypedData(deposit),
    observeLeg: (query) => observeLeg({ rpc, chainId, confirmations }, asset(query.asset), query),
  }
}
