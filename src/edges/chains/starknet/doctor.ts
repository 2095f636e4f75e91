import {
  type DoctorProbe,
  staleAfterMs,
  type Tip,
  type WalletFault,
} from "#chains/family-definition.ts"
import type { Address } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { createQuestion, createRpcCall, hexQuantity, NodeRefusal } from "#nodes/ask-node.ts"
import type { Question } from "#nodes/node-client.ts"
import { figureIn } from "#nodes/quorum/fee-figures.ts"
import type { StarknetChainConfig } from "./config.ts"
import { type Block, readHead, readNumbered } from "./nodes/read-head.ts"
import { fetchGasPrices, gasPriceFigure } from "./spend/gas-prices.ts"

const MINUTE_MS = 60_000

export const starknetDoctor: DoctorProbe<StarknetChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readStarknetTip,
  readBlockMs: readStarknetBlockMs,
  readFees: async ({ maxFeeUnits }, at, ask) => {
    const read = createQuestion(at, ask)
    const { hash } = await readHead(read)
    const prices = await fetchGasPrices({ read, at: { block_hash: hash } })
    return [figureIn(prices, gasPriceFigure(maxFeeUnits))]
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
  const read = createQuestion(at, ask)
  const network = known ?? nameOf(await read("starknet_chainId", [], hexQuantity))
  const { height } = await readHead(read)
  const { timeMs } = await readAgain(read, height)
  if (timeMs === null) throw new Error("its newest block has no time")
  return { network, expected: chainId, height, blockMs: timeMs }
}

function nameOf(chainId: string): string {
  return Buffer.from(chainId.slice(2), "hex").toString("latin1")
}

/** Behind a load balancer another backend may not have the newest block yet. */
async function readAgain(read: Question, height: bigint, tries = MOST_TRIES): Promise<Block> {
  try {
    return await readNumbered(read, height)
  } catch (error) {
    const isBehind = error instanceof NodeRefusal && error.rpcCode === BLOCK_NOT_FOUND
    if (!isBehind || tries === 1) throw error
    return readAgain(read, height, tries - 1)
  }
}

/** As often as the daemon. */
const MOST_TRIES = 5

async function readStarknetBlockMs(
  _chain: StarknetChainConfig,
  at: Address,
  ask: AskHttp,
  height: bigint,
): Promise<number | null> {
  return (await readNumbered(createQuestion(at, ask), height)).timeMs
}

/** Errors of the Starknet JSON-RPC specification; the clients are not loaded here. */
const CONTRACT_NOT_FOUND = 20
const BLOCK_NOT_FOUND = 24

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
