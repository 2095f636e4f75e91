import type { AssetId } from "#domain/asset.ts"
import type { Finding } from "#domain/deposit.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import { splitU256 } from "./felt.ts"
import { SELECTORS } from "./htlc.ts"
import { readEach } from "./nodes/compare-views.ts"
import { fetchNonce } from "./nodes/read-chain.ts"
import { estimateBounds } from "./spend/estimate.ts"
import { requireAddress, requireAsset, tokenOf, type Wallet } from "./wallet.ts"

/**
 * The same before the deposit. An account that is not deployed can receive payouts and simulate
 * nothing, so nothing is asked there.
 */
export async function findPayeeFaults(
  wallet: Wallet,
  id: AssetId,
  owner: string,
): Promise<readonly Finding[]> {
  const read = readEach(wallet.rpc, (view) => fetchNonce(view, wallet.accountFelt))
  // They begin together, so they are one request.
  const faults = ignoreUnhandled(findPayoutFaults(wallet, id, owner))
  return (await read).some((nonce) => nonce === null) ? [] : faults
}

/**
 * Simulates a transfer of nothing to the owner by our own account. It finds a blocked owner and a
 * paused token. A node simulates only accounts, so the HTLC cannot be the sender; and the
 * redemption itself would show a node the secret.
 */
export async function findPayoutFaults(
  wallet: Wallet,
  id: AssetId,
  owner: string,
): Promise<readonly Finding[]> {
  const to = tokenOf(requireAsset(wallet, id))
  const calldata = [requireAddress(owner), ...splitU256(0n)]
  const answer = await estimateBounds(wallet, [{ to, selector: SELECTORS.transfer, calldata }])
  if (!("refused" in answer)) return []
  const found = answer.refused
    .map((reason) => String(reason["reason"] ?? reason.message))
    .join("; ")
  const message =
    `a simulated transfer of ${id} to ${owner} fails, so the payout cannot arrive now; ask the ` +
    "token's issuer whether the token is paused or the address is blocked"
  const expected = "a transfer that works"
  return [{ code: "starknet.payout_refused", message, expected, found: found.slice(0, 300) }]
}
