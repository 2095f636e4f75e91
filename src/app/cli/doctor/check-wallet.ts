import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Asset } from "#domain/asset.ts"
import { hostOf } from "#nodes/address.ts"
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
  const { findWalletFault } = doctor
  if (findWalletFault === undefined) return []
  const account = await readAccount(chain, assets).catch(() => null)
  if (account === null) return []
  const faults = await Promise.allSettled(
    doctor.endpointsOf(chain).map(async (at) => {
      const fault = await findWalletFault(account, at, ask)
      const check = `${chain.chain} ${hostOf(at)} wallet`
      return fault === null ? [] : [doubtful(check, fault.found, fault.todo)]
    }),
  )
  return faults.flatMap((each) => (each.status === "fulfilled" ? each.value : []))
}
