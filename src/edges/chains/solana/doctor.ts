import { z } from "zod"
import { type DoctorProbe, staleAfterMs, type Tip } from "#chains/family-definition.ts"
import type { Address } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { createQuestion } from "#nodes/ask-node.ts"
import { figureIn } from "#nodes/quorum/fee-figures.ts"
import type { SolanaChainConfig } from "./config.ts"
import { readBlockMs, readRecentFees, readSlot } from "./read-slot.ts"
import { priceFigure, priceOf } from "./spend/fetch-prices.ts"

export const solanaDoctor: DoctorProbe<SolanaChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readSolanaTip,
  readBlockMs: readSolanaBlockMs,
  // An idle cluster names no fees, and then the usual price counts: only an endpoint that cannot
  // tell is at fault.
  readFees: async ({ maxPriorityFee }, at, ask, account = null) => {
    const fees = await readRecentFees(createQuestion(at, ask), account === null ? [] : [account])
    return [figureIn(priceOf(fees), priceFigure(maxPriorityFee))]
  },
  staleMsOf: ({ blockTime }) => staleAfterMs(blockTime.ms),
  aheadMs: 30_000,
}

async function readSolanaTip(
  { genesisHash }: SolanaChainConfig,
  at: Address,
  ask: AskHttp,
  known: string | null = null,
): Promise<Tip> {
  const read = createQuestion(at, ask)
  const network = known ?? (await read("getGenesisHash", [], z.string()))
  const height = await readSlot(read, "confirmed")
  const blockMs = await readBlockMs(read, height)
  if (blockMs === null) throw new Error("its newest slot has no time")
  return { network, expected: genesisHash, height, blockMs }
}

/** Slots without a block have no time; the node answers them with an error or with null. */
async function readSolanaBlockMs(
  _chain: SolanaChainConfig,
  at: Address,
  ask: AskHttp,
  height: bigint,
): Promise<number | null> {
  const read = createQuestion(at, ask)
  for (let slot = height; slot < height + SLOT_TRIES; slot += 1n) {
    const blockMs = await readBlockMs(read, slot).catch(() => null)
    if (blockMs !== null) return blockMs
  }
  return null
}

const SLOT_TRIES = 5n
