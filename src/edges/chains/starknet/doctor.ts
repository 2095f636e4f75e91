import { z } from "zod"
import { createRpcCall, hexQuantity } from "#chains/ask-rpc.ts"
import {
  type AskHttp,
  type DoctorProbe,
  staleAfterMs,
  type Tip,
} from "#chains/family-definition.ts"
import { findFault } from "#chains/find-fee-fault.ts"
import type { StarknetChainConfig } from "./config.ts"
import { pricesSchema, readPrices } from "./spend/gas-prices.ts"

const MINUTE_MS = 60_000

export const starknetDoctor: DoctorProbe<StarknetChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readStarknetTip,
  readBlockMs: readStarknetBlockMs,
  findFeeFault: (_chain, url, ask) =>
    findFault(async () => {
      const block = await createRpcCall(url, ask)("starknet_getBlockWithTxHashes", ["latest"])
      return readPrices(pricesSchema.parse(block), "latest")
    }),
  staleMsOf: ({ blockTime }) => staleAfterMs(blockTime.ms),
  aheadMs: MINUTE_MS,
}

async function readStarknetTip(
  { chainId }: StarknetChainConfig,
  url: string,
  ask: AskHttp,
  known: string | null = null,
): Promise<Tip> {
  const call = createRpcCall(url, ask)
  const network = known ?? readChainId(await call("starknet_chainId", []))
  const block = z
    .object({ block_number: z.int(), timestamp: z.int() })
    .parse(await call("starknet_getBlockWithTxHashes", ["latest"]))
  return {
    network,
    expected: chainId,
    height: BigInt(block.block_number),
    blockMs: block.timestamp * 1_000,
  }
}

function readChainId(answer: unknown): string {
  return Buffer.from(hexQuantity.parse(answer).slice(2), "hex").toString("latin1")
}

async function readStarknetBlockMs(
  _chain: StarknetChainConfig,
  url: string,
  ask: AskHttp,
  height: bigint,
): Promise<number | null> {
  const found = await createRpcCall(url, ask)("starknet_getBlockWithTxHashes", [
    { block_number: Number(height) },
  ])
  return z.object({ timestamp: z.int() }).parse(found).timestamp * 1_000
}
