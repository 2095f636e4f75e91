import type { AssetId } from "#domain/asset.ts"
import { compareViews, readAgreed } from "../nodes/compare-views.ts"
import { fetchAllowance } from "../nodes/read-chain.ts"
import type { View } from "../nodes/reference-block.ts"
import { requireAddress, requireAsset, tokenOf, type Wallet } from "../wallet.ts"

/**
 * Reads whether the allowance has to be set. Endpoints must agree. A revocation (`units` 0) goes on
 * if one endpoint shows an allowance, and only agreement shows that none is left.
 */
export async function findMissingStarknetApproval(
  wallet: Wallet,
  asset: AssetId,
  spender: string,
  units: bigint,
): Promise<{ setUnits: bigint } | null> {
  const token = tokenOf(requireAsset(wallet, asset))
  const to = requireAddress(spender)
  const ask = (view: View): Promise<bigint> => fetchAllowance(view, token, wallet.accountFelt, to)
  if (units === 0n) {
    const compared = await compareViews(wallet.rpc, ask)
    const values =
      compared.status === "split"
        ? compared.values
        : compared.status === "short"
          ? [compared.value]
          : []
    if (values.some((allowed) => allowed > 0n)) return { setUnits: 0n }
  }
  return (await readAgreed(wallet.rpc, ask)) === units ? null : { setUnits: units }
}
