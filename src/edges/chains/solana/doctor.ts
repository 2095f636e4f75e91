import { z } from "zod"
import { type DoctorProbe, staleAfterMs, type Tip } from "#chains/family-definition.ts"
import type { Address } from "#nodes/address.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { createRpcCall } from "#nodes/ask-node.ts"
import { figureIn } from "#nodes/quorum/fee-figures.ts"
import type { SolanaChainConfig } from "./config.ts"
import { priceFigure, priceOf } from "./spend/fetch-prices.ts"
import { recentFees } from "./spend/recent-fees.ts"

export const solanaDoctor: DoctorProbe<SolanaChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readSolanaTip,
  readBlockMs: readSolanaBlockMs,
  // An idle cluster names no fees, and then the usual price counts: only an endpoint that cannot
  // tell is at fault.
  readFees: async ({ maxPriorityFee }, at, ask) => {
    const found = await createRpcCall(at, ask)("getRecentPrioritizationFees", [[]])
    return [figureIn(priceOf(recentFees.parse(found)), priceFigure(maxPriorityFee))]
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
  const call = createRpcCall(at, ask)
  const network = known ?? z.string().parse(await call("getGenesisHash", []))
  const slot = z
    .int()
    .nonnegative()
    .parse(await call("getSlot", [{ commitment: "confirmed" }]))
  const seconds = z
    .int()
    .nonnegative()
    .parse(await call("getBlockTime", [slot]))
  return { network, expected: genesisHash, height: BigInt(slot), blockMs: seconds * 1_000 }
}

/** Slots without a block have no time; the node answers them with an error or with null. */
async function readSolanaBlockMs(
  _chain: SolanaChainConfig,
  at: Address,
  ask: AskHttp,
  height: bigint,
): Promise<number | null> {
  const call = createRpcCall(at, ask)
  for (let slot = Number(height); slot < Number(height) + SLOT_TRIES; slot += 1) {
    const seconds = await call("getBlockTime", [slot]).catch(() => null)
    if (typeof seconds === "number") return seconds * 1_000
  }
  return null
}

const SLOT_TRIES = 5
