import { z } from "zod"
import { createRpcCall } from "#chains/ask-rpc.ts"
import { type AskHttp, type DoctorProbe, staleAfterMs, type Tip } from "#chains/family-definition.ts"
import type { SolanaChainConfig } from "./config.ts"

export const solanaDoctor: DoctorProbe<SolanaChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readSolanaTip,
  readBlockMs: readSolanaBlockMs,
  staleMsOf: ({ blockTime }) => staleAfterMs(blockTime.ms),
  aheadMs: 30_000,
}

async function readSolanaTip({ genesisHash }: SolanaChainConfig, url: string, ask: AskHttp): Promise<Tip> {
  const call = createRpcCall(url, ask)
  const network = z.string().parse(await call("getGenesisHash", []))
  const slot = z.int().parse(await call("getSlot", [{ commitment: "confirmed" }]))
  const seconds = z.int().parse(await call("getBlockTime", [slot]))
  return { network, expected: genesisHash, height: BigInt(slot), blockMs: seconds * 1_000 }
}

/** Slots without a block have no time; the node answers them with an error or with null. */
async function readSolanaBlockMs(
  _chain: SolanaChainConfig,
  url: string,
  ask: AskHttp,
  height: bigint,
): Promise<number | null> {
  const call = createRpcCall(url, ask)
  for (let slot = Number(height); slot < Number(height) + SLOT_TRIES; slot += 1) {
    const seconds = await call("getBlockTime", [slot]).catch(() => null)
    if (typeof seconds === "number") return seconds * 1_000
  }
  return null
}

const SLOT_TRIES = 5
