import { z } from "zod"
import {
  type DoctorProbe,
  staleAfterMs,
  type Tip,
  type WalletFault,
} from "#chains/family-definition.ts"
import type { Address } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { createRpcCall, hexQuantity } from "#nodes/ask-node.ts"
import { type FeeFigure, figureIn } from "#nodes/quorum/fee-figures.ts"
import type { EvmChainConfig } from "./config.ts"
import { baseFeeFigure, noBaseFee, tipFigure } from "./fees.ts"
import type { EvmClient } from "./nodes/endpoint.ts"
import { type Block, readBlock } from "./nodes/read-block.ts"
import { readTips } from "./spend/tips.ts"

export const evmDoctor: DoctorProbe<EvmChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readEvmTip,
  readBlockMs: readEvmBlockMs,
  readFees,
  findWalletFault,
  staleMsOf: ({ blockTime }) => staleAfterMs(blockTime.ms),
  aheadMs: 30_000,
}

async function readEvmTip(
  { chainId }: EvmChainConfig,
  at: Address,
  ask: AskHttp,
  known: string | null = null,
): Promise<Tip> {
  const call = createRpcCall(at, ask)
  const network = known ?? BigInt(hexQuantity.parse(await call("eth_chainId", []))).toString()
  const { height, timeMs } = await readNewest(at, ask)
  if (timeMs === null) throw new Error("its newest block has no time")
  return { network, expected: String(chainId), height, blockMs: timeMs }
}

/** As the daemon reads them for a transaction: the base fee of its block, and the tip. */
async function readFees(
  { maxFeePerGasWei, maxTipPerGasWei }: EvmChainConfig,
  at: Address,
  ask: AskHttp,
): Promise<readonly FeeFigure[]> {
  const [tips, block] = await Promise.all([readTips(createRpcCall(at, ask)), readNewest(at, ask)])
  if (block.baseFeePerGas === null) throw noBaseFee()
  return [
    figureIn(tips, tipFigure(maxTipPerGasWei)),
    figureIn(block, baseFeeFigure(maxFeePerGasWei)),
  ]
}

async function readNewest(at: Address, ask: AskHttp): Promise<Block> {
  const block = await readBlock(clientOf(at, ask), "latest")
  if (block === null) throw new Error("it has no newest block")
  return block
}

function clientOf(at: Address, ask: AskHttp): Pick<EvmClient, "request"> {
  const call = createRpcCall(at, ask)
  const request = (asked: { readonly method: string; readonly params?: unknown }) =>
    call(asked.method, asked.params ?? [])
  // CAST: viem's type lists the methods; the reader parses the answer.
  return { request: request as EvmClient["request"] }
}

async function readEvmBlockMs(
  _chain: EvmChainConfig,
  at: Address,
  ask: AskHttp,
  height: bigint,
): Promise<number | null> {
  return (await readBlock(clientOf(at, ask), height))?.timeMs ?? null
}

/** A delegation of which the operator knows nothing is the usual sign of a stolen key. */
async function findWalletFault(
  account: string,
  at: Address,
  ask: AskHttp,
): Promise<WalletFault | null> {
  const call = createRpcCall(at, ask)
  const code = z.string().parse(await call("eth_getCode", [account, "latest"]))
  if (code === "0x") return null
  const delegate = /^0xef0100([0-9a-f]{40})$/i.exec(code)?.[1]
  return {
    code: "wallet.has_code",
    found: delegate === undefined ? "it has code" : `it delegates to 0x${delegate} (EIP-7702)`,
    todo: "Swaps go on. If this is not your work, the key is stolen: pay out, and change the key.",
  }
}
