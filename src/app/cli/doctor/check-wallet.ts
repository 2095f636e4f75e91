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
  const { doctor, readAccount } = familyOf(chain)
  if (doctor.findWalletFault === undefined) return []
  const account = await readAccount(chain, assets).catch(() => null)
  if (account === null) return []
  const faults = await readWalletFaults(chain, account, ask)
  return faults.flatMap(({ host, fault }) =>
    fault === null ? [] : [doubtful(`${chain.chain} ${host} wallet`, fault.found, fault.todo)],
  )
}
