import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { type Endpoints, readAgreed } from "../nodes/endpoints.ts"
import type { Wallet } from "../wallet.ts"
import { findSwapAccounts } from "./read-leg.ts"

/**
 * Whether no swap account of the query is open, at one agreed finalized slot. The program closes
 * the account with its redeem or refund.
 */
export function isClosed(
  query: LegQuery,
  { endpoints, wallet }: { readonly endpoints: Endpoints; readonly wallet: Wallet },
): Promise<boolean> {
  const places = findSwapAccounts(query, wallet)
  return readAgreed(endpoints, "finalized", async (node) => {
    const owners = await Promise.all(
      places.map(
        async ({ swapAccount }) => (await node.fetchAccountAt(swapAccount)).account?.owner,
      ),
    )
    return places.every(({ program }, index) => owners[index] !== program.toBase58())
  })
}
