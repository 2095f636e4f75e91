import { z } from "zod"
import {
  type DoctorProbe,
  staleAfterMs,
  type Tip,
  type WalletFault,
} from "#chains/family-definition.ts"
import { findFault } from "#chains/find-fault.ts"
import { type Address, under } from "#nodes/address.ts"
import { type AskHttp, createPaths } from "#nodes/ask-node.ts"
import { figureIn } from "#nodes/quorum/fee-figures.ts"
import { parseScanned } from "#nodes/scan-json.ts"
import type { NetworkName } from "./address.ts"
import type { BitcoinChainConfig } from "./config.ts"
import { rateFigure } from "./fees.ts"
import { GENESIS } from "./nodes/genesis.ts"
import { findBlockMs, hashText, readNewest } from "./nodes/read-newest.ts"
import { feesSchema, pickRate } from "./spend/pick-rate.ts"

const MINUTE_MS = 60_000

export const bitcoinDoctor: DoctorProbe<BitcoinChainConfig> = {
  endpointsOf: ({ esplora }) => esplora,
  readTip: ({ network }, at, ask, known = null) => readBitcoinTip(network, { at, ask, known }),
  readBlockMs: (_chain, at, ask, height) => findBlockMs(createPaths(at, ask), height),
  readFees,
  findWalletFault,
  quotesNeedFees: true,
  // Blocks of a local chain come only on request.
  staleMsOf: ({ network, blockTime }) =>
    network === "regtest" ? null : staleAfterMs(blockTime.ms),
  // Consensus allows miners two hours.
  aheadMs: 120 * MINUTE_MS,
}

async function readBitcoinTip(
  network: NetworkName,
  { at, ask, known }: { at: Address; ask: AskHttp; known: string | null },
): Promise<Tip> {
  const paths = createPaths(at, ask)
  const genesis = known ?? (await paths.read("/block-height/0", hashText))
  const { height, blocks } = await readNewest(paths)
  const blockMs = blocks[0]?.timeMs ?? (await findBlockMs(paths, height))
  if (blockMs === null) throw new Error("its newest block has no time")
  return { network: genesis, expected: GENESIS[network], height, blockMs }
}

/** A status of 400 or more is an endpoint without estimates, as it is for the daemon. */
async function readFees({ maxFeeRate }: BitcoinChainConfig, at: Address, ask: AskHttp) {
  const estimates = feesSchema.parse(parseScanned(await ask(under(at, `/fee-estimates`))))
  const rate = pickRate(estimates)
  if (rate === null) throw new Error("its list is empty")
  return [figureIn(rate, rateFigure(maxFeeRate))]
}

/** The daemon's own question for coins. */
async function findWalletFault(
  account: string,
  at: Address,
  ask: AskHttp,
): Promise<WalletFault | null> {
  const coins = z.array(z.object({ value: z.int() }))
  const why = await findFault(async () =>
    coins.parse(parseScanned(await ask(under(at, `/address/${account}/utxo`)))),
  )
  if (why === null) return null
  const todo =
    "If there are more than 500, Ballast reads them from the history, with many requests: pay " +
    "them to a new wallet, or use a server with a higher limit."
  return { found: `its coins are not listed: ${why}`, todo }
}
