import { join } from "node:path"
import type { ChainId } from "#domain/asset.ts"
import type { Clock } from "#lib/clock.ts"
import type { Esplora } from "../esplora.ts"
import type { Included, InclusionCheck } from "../legs/observing.ts"
import { MAIN_CHECKPOINT } from "./checkpoint.ts"
import { MAIN_RULES } from "./header-chain.ts"
import { createHeaderFile, createHeaderMemory } from "./header-file.ts"
import { createHeaderSync } from "./header-sync.ts"
import { proveInclusion } from "./inclusion.ts"

/**
 * The check of the main network's blocks by their work (ADR 21). `undefined` on every other
 * network: regtest has no work, testnets allow blocks at the lowest difficulty, and the blocks of
 * signet are signed.
 */
export function createInclusionCheck(
  esplora: Pick<Esplora, "nodes" | "findRaw">,
  options: {
    readonly chain: ChainId
    readonly network: string
    /** The directory for the file of headers; `null` keeps them in memory only. */
    readonly dataDir: string | null
    readonly clock: Clock
  },
): InclusionCheck | undefined {
  const { chain, network, dataDir, clock } = options
  if (network !== "mainnet") return undefined
  const store =
    dataDir === null
      ? createHeaderMemory()
      : createHeaderFile(join(dataDir, `headers-${chain}.bin`))
  const servers = esplora.nodes
  const sync = createHeaderSync({
    rules: MAIN_RULES,
    checkpoint: MAIN_CHECKPOINT,
    store,
    servers,
    clock,
  })
  const check = (included: Included) =>
    proveInclusion({ sync, servers, findRaw: (txid) => esplora.findRaw(txid) }, included)
  return Object.assign(check, {
    follow: async (tip: bigint) => {
      if ((sync.height() ?? -1) < Number(tip)) await sync.advance()
    },
  })
}
