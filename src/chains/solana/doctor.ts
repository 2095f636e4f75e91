import { z } from "zod"
import { createRpcCall } from "#chains/ask-rpc.ts"
import type { AskHttp, DoctorProbe, Tip } from "#chains/family-definition.ts"
import type { SolanaChainConfig } from "./config.ts"

export const solanaDoctor: DoctorProbe<SolanaChainConfig> = {
  endpointsOf: ({ rpc }) => rpc,
  readTip: readSolanaTip,
  staleMsOf: () => 60_000,
  aheadMs: 30_000,
}

async function readSolanaTip(_chain: SolanaChainConfig, url: string, ask: AskHttp): Promise<Tip> {
  const call = createRpcCall(url, ask)
  const network = z.string().parse(await call("getGenesisHash", []))
  const slot = z.int().parse(await call("getSlot", [{ commitment: "confirmed" }]))
  const seconds = z.int().parse(await call("getBlockTime", [slot]))
  return { network, expected: null, height: BigInt(slot), blockMs: seconds * 1_000 }
}
