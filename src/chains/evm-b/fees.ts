import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Client } from "./rpc.ts"
import type { Wallet } from "./wallet.ts"

/** Wei per gas (EIP-1559). */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

export type Market = { readonly baseFee: bigint; readonly priorityFee: bigint }

/** What the next block asks. Throws `evm.no_base_fee` (hold). */
export async function fetchMarket(client: Client): Promise<Market> {
  const [block, priorityFee] = await Promise.all([client.getBlock(), client.estimateMaxPriorityFeePerGas()])
  if (block.baseFeePerGas !== null) return { baseFee: block.baseFeePerGas, priorityFee }
  throw new AppError({
    code: "evm.no_base_fee",
    disposition: "hold",
    message: "the node's blocks have no base fee; this chain does not know EIP-1559 and cannot be used",
  })
}

/** Room for the base fee to double, within the cap. Only meaningful where `aboveCap` finds nothing. */
export function decideFees({ baseFee, priorityFee }: Market, cap: bigint): Fees {
  const maxFeePerGas = smaller(2n * baseFee + priorityFee, cap)
  return { maxFeePerGas, maxPriorityFeePerGas: smaller(priorityFee, maxFeePerGas) }
}

/** Nodes replace a transaction when both fees rise by a tenth (geth's `PriceBump`); an eighth is above every node's rule. */
export function outbid(old: Fees, current: Fees): Fees {
  return {
    maxFeePerGas: larger(raise(old.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: larger(raise(old.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  }
}

export function aboveCap({ baseFee, priorityFee }: Market, wallet: Wallet): Reason | null {
  const needed = baseFee + priorityFee
  if (needed <= wallet.maxFeePerGasUnits) return null
  return {
    code: "fees.above_cap",
    message: `${wallet.chain} asks for more per gas than the configured cap; wait for lower fees or raise the cap`,
    needPerGasUnits: needed.toString(),
    capPerGasUnits: wallet.maxFeePerGasUnits.toString(),
  }
}

function raise(fee: bigint): bigint {
  const raised = (fee * 1_125n + 999n) / 1_000n
  return larger(raised, fee + 1n)
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
