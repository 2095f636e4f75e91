import { z } from "zod"
import {
  type DoctorProbe,
  staleAfterMs,
  type Tip,
  type WalletFault,
} from "#chains/family-definition.ts"
import type { Address } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { createRpcCall, hexQuantity, NodeRefusal } from "#nodes/ask-node.ts"
import { figureIn } from "#nodes/quorum/fee-figures.ts"
import type { StarknetChainConfig } from "./config.ts"
import { gasPriceFigure, pricesSchema, readPrices } from "./spend/gas-prices.ts"

const MINUTE_MS = 60_000

export const starknetDoctor: DoctorProbe<StarknetChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readStarknetTip,
  readBlockMs: readStarknetBlockMs,
  readFees: async ({ maxFeeUnits }, at, ask) => {
    const block = await createRpcCall(at, ask)("starknet_getBlockWithTxHashes", ["latest"])
    return [figureIn(readPrices(pricesSchema.parse(block), "latest"), gasPriceFigure(maxFeeUnits))]
  },
  findWalletFault,
  staleMsOf: ({ blockTime }) => staleAfterMs(blockTime.ms),
  aheadMs: MINUTE_MS,
}

async function readStarknetTip(
  { chainId }: StarknetChainConfig,
  at: Address,
  ask: AskHttp,
  known: string | null = null,
): Promise<Tip> {
  const call = createRpcCall(at, ask)
  const network = known ?? readChainId(await call("starknet_chainId", []))
  const block = z
    .object({ block_number: z.int().nonnegative(), timestamp: z.int().nonnegative() })
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
  at: Address,
  ask: AskHttp,
  height: bigint,
): Promise<number | null> {
  const found = await createRpcCall(at, ask)("starknet_getBlockWithTxHashes", [
    { block_number: Number(height) },
  ])
  return z.object({ timestamp: z.int() }).parse(found).timestamp * 1_000
}

/** The error of the Starknet JSON-RPC specification; the clients are not loaded here. */
const CONTRACT_NOT_FOUND = 20

/** A wallet application has to deploy the account before it can sign anything. */
async function findWalletFault(
  account: string,
  at: Address,
  ask: AskHttp,
): Promise<WalletFault | null> {
  try {
    await createRpcCall(at, ask)("starknet_getClassHashAt", ["latest", account])
    return null
  } catch (error) {
    if (!(error instanceof NodeRefusal) || error.rpcCode !== CONTRACT_NOT_FOUND) throw error
    return {
      code: "wallet.not_deployed",
      found: `its account ${account} is not deployed`,
      todo:
        "Deploy the account with its wallet application, or correct `account` of the chain, then " +
        "restart.",
    }
  }
}
