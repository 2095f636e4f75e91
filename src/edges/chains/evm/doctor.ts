import { z } from "zod"
import { createRpcCall, hexQuantity } from "#chains/ask-rpc.ts"
import {
  type AskHttp,
  type DoctorProbe,
  staleAfterMs,
  type Tip,
} from "#chains/family-definition.ts"
import { findFault } from "#chains/find-fee-fault.ts"
import type { EvmChainConfig } from "./config.ts"
import { readTips } from "./spend/tips.ts"

export const evmDoctor: DoctorProbe<EvmChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readEvmTip,
  readBlockMs: readEvmBlockMs,
  findFeeFault: async (_chain, url, ask) => findFault(() => readTips(createRpcCall(url, ask))),
  staleMsOf: ({ blockTime }) => staleAfterMs(blockTime.ms),
  aheadMs: 30_000,
}

async function readEvmTip(
  { chainId }: EvmChainConfig,
  url: string,
  ask: AskHttp,
  known: string | null = null,
): Promise<Tip> {
  const call = createRpcCall(url, ask)
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
  url: string,
  ask: AskHttp,
  height: bigint,
): Promise<number | null> {
  const found = await createRpcCall(url, ask)("eth_getBlockByNumber", [
    `0x${height.toString(16)}`,
    false,
  ])
  const block = z.object({ timestamp: hexQuantity }).nullable().parse(found)
  return block === null ? null : Number(BigInt(block.timestamp)) * 1_000
}
