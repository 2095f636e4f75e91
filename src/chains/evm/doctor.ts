import { z } from "zod"
import { createRpcCall, hexQuantity } from "#chains/ask-rpc.ts"
import type { AskHttp, DoctorProbe, Tip } from "#chains/family-definition.ts"
import type { EvmChainConfig } from "./config.ts"

export const evmDoctor: DoctorProbe<EvmChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readEvmTip,
  staleMsOf: () => 2 * 60_000,
  aheadMs: 30_000,
}

async function readEvmTip({ chainId }: EvmChainConfig, url: string, ask: AskHttp): Promise<Tip> {
  const call = createRpcCall(url, ask)
  const network = hexQuantity.parse(await call("eth_chainId", []))
  const block = z
    .object({ number: hexQuantity, timestamp: hexQuantity })
    .parse(await call("eth_getBlockByNumber", ["latest", false]))
  return {
    network: BigInt(network).toString(),
    expected: String(chainId),
    height: BigInt(block.number),
    blockMs: Number(BigInt(block.timestamp)) * 1_000,
  }
}
