import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import { readWalletFaults } from "#daemon/watch/wallet-watch.ts"
import type { Asset } from "#domain/asset.ts"
import type { AskHttp } from "#nodes/ask-node.ts"
import { type Diagnosis, doubtful } from "./diagnosis.ts"

/**
 * Names what each endpoint shows of the chain's wallet that an operator must know. A key that
 * cannot be read, and a silent endpoint, are the subjects of other checks.
 */
export async function checkWallet(
  chain: ChainConfig,
  assets: readonly Asset[],
  ask: AskHttp,
): Promise<readonly Diagnosis[]> {
  if (familyOf(chain).doctor.findWalletFault === undefined) return []
  const account = await readWallet(chain, assets)
  if (account === null) return []
  const faults = await readWalletFaults(chain, account, ask)
  return faults.flatMap(({ host, fault }) =>
    fault === null ? [] : [doubtful(`${chain.chain} ${host} wallet`, fault.found, fault.todo)],
  )
}

/** The account of the chain's wallet; `null` where its key cannot be read. */
export function readWallet(chain: ChainConfig, assets: readonly Asset[]): Promise<string | null> {
  return familyOf(chain)
    .readAccount(chain, assets)
    .catch(() => null)
}
