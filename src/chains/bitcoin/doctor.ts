import { z } from "zod"
import { type AskHttp, type DoctorProbe, staleAfterMs, type Tip } from "#chains/family-definition.ts"
import type { BitcoinChainConfig } from "./config.ts"

const MINUTE_MS = 60_000

export const bitcoinDoctor: DoctorProbe<BitcoinChainConfig> = {
  endpointsOf: ({ esplora }) => esplora,
  readTip: ({ network }, url, ask) => readBitcoinTip(network, url.replace(/\/$/, ""), ask),
  readBlockMs: (_chain, url, ask, height) => readBitcoinBlockMs(url.replace(/\/$/, ""), ask, height),
  // Blocks of a local chain come only on request.
  staleMsOf: ({ network, blockTime }) => (network === "regtest" ? null : staleAfterMs(blockTime.ms)),
  // Consensus allows miners two hours.
  aheadMs: 120 * MINUTE_MS,
}

/** Block 0 of each network (Bitcoin Core, chainparams.cpp). */
const GENESIS = {
  mainnet: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
  testnet: "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
  testnet4: "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
  signet: "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
  regtest: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
} as const

async function readBitcoinTip(network: keyof typeof GENESIS, url: string, ask: AskHttp): Promise<Tip> {
  const genesis = (await ask(`${url}/block-height/0`)).trim()
  const hash = (await ask(`${url}/blocks/tip/hash`)).trim()
  const block = z.object({ height: z.int(), timestamp: z.int() }).parse(JSON.parse(await ask(`${url}/block/${hash}`)))
  return {
    network: genesis,
    expected: GENESIS[network],
    height: BigInt(block.height),
    blockMs: block.timestamp * 1_000,
  }
}

async function readBitcoinBlockMs(url: string, ask: AskHttp, height: bigint): Promise<number> {
  const hash = (await ask(`${url}/block-height/${height}`)).trim()
  return z.object({ timestamp: z.int() }).parse(JSON.parse(await ask(`${url}/block/${hash}`))).timestamp * 1_000
}
