import { z } from "zod"
import {
  type AskHttp,
  type DoctorProbe,
  staleAfterMs,
  type Tip,
} from "#chains/family-definition.ts"
import { findFault } from "#chains/find-fee-fault.ts"
import { parsePeerJson } from "#lib/peer-json.ts"
import type { NetworkName } from "./address.ts"
import type { BitcoinChainConfig } from "./config.ts"
import { GENESIS } from "./nodes/genesis.ts"
import { feesSchema, pickRate } from "./spend/pick-rate.ts"

const MINUTE_MS = 60_000

export const bitcoinDoctor: DoctorProbe<BitcoinChainConfig> = {
  endpointsOf: ({ esplora }) => esplora,
  readTip: ({ network }, url, ask, known = null) =>
    readBitcoinTip(network, url.replace(/\/$/, ""), ask, known),
  readBlockMs: (_chain, url, ask, height) =>
    readBitcoinBlockMs(url.replace(/\/$/, ""), ask, height),
  findFeeFault: (_chain, url, ask) => findFeeFault(url.replace(/\/$/, ""), ask),
  quotesNeedFees: true,
  // Blocks of a local chain come only on request.
  staleMsOf: ({ network, blockTime }) =>
    network === "regtest" ? null : staleAfterMs(blockTime.ms),
  // Consensus allows miners two hours.
  aheadMs: 120 * MINUTE_MS,
}

async function readBitcoinTip(
  network: NetworkName,
  url: string,
  ask: AskHttp,
  known: string | null,
): Promise<Tip> {
  const genesis = known ?? (await ask(`${url}/block-height/0`)).trim()
  const hash = (await ask(`${url}/blocks/tip/hash`)).trim()
  const block = z
    .object({ height: z.int(), timestamp: z.int() })
    .parse(parsePeerJson(await ask(`${url}/block/${hash}`)))
  return {
    network: genesis,
    expected: GENESIS[network],
    height: BigInt(block.height),
    blockMs: block.timestamp * 1_000,
  }
}

async function readBitcoinBlockMs(url: string, ask: AskHttp, height: bigint): Promise<number> {
  const hash = (await ask(`${url}/block-height/${height}`)).trim()
  return (
    z.object({ timestamp: z.int() }).parse(parsePeerJson(await ask(`${url}/block/${hash}`)))
      .timestamp * 1_000
  )
}

/** A status of 400 or more is an endpoint without estimates, as it is for the daemon. */
function findFeeFault(url: string, ask: AskHttp): Promise<string | null> {
  return findFault(async () => {
    const estimates = feesSchema.parse(parsePeerJson(await ask(`${url}/fee-estimates`)))
    if (pickRate(estimates) === null) throw new Error("its list is empty")
  })
}
