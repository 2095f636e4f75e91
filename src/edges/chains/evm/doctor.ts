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
import { figureIn } from "#nodes/quorum/fee-figures.ts"
import type { EvmChainConfig } from "./config.ts"
import { tipFigure } from "./fees.ts"
import { readTips } from "./spend/tips.ts"

export const evmDoctor: DoctorProbe<EvmChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readEvmTip,
  readBlockMs: readEvmBlockMs,
  readFee: async ({ maxTipPerGasWei }, at, ask) =>
    figureIn(await readTips(createRpcCall(at, ask)), tipFigure(maxTipPerGasWei)),
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
  const block = z
    .object({ number: hexQuantity, timestamp: hexQuantity })
    .parse(await call("eth_getBlockByNumber", ["latest", false]))
  return {
    network,
    expected: String(chainId),
    height: BigInt(block.number),
    blockMs: Number(BigInt(block.timestamp)) * 1_000,
  }
}

async function readEvmBlockMs(
  _chain: EvmChainConfig,
  at: Address,
  ask: AskHttp,
  height: bigint,
): Promise<number | null> {
  const found = await createRpcCall(at, ask)("eth_getBlockByNumber", [
    `0x${height.toString(16)}`,
    false,
  ])
  const block = z.object({ timestamp: hexQuantity }).nullable().parse(found)
  return block === null ? null : Number(BigInt(block.timestamp)) * 1_000
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
