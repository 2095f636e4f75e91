import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import { type Endpoints, readAgreed } from "../nodes/endpoints.ts"
import type { Wallet } from "../wallet.ts"
import { findSwapAccounts } from "./read-leg.ts"

/**
 * Whether no swap account of the query is open at one agreed finalized slot, which is not before
 * the one that opened it. The program closes the account with its redeem or refund.
 */
export function isClosed(
  query: LegQuery,
  openedAt: bigint,
  { endpoints, wallet }: { readonly endpoints: Endpoints; readonly wallet: Wallet },
): Promise<boolean> {
  const places = findSwapAccounts(query, wallet)
  return readAgreed(endpoints, "finalized", async (node) => {
    const closed = await Promise.all(
      places.map(async ({ swapAccount, program }) => {
        const { slot, account } = await node.fetchAccountAt(swapAccount)
        return slot >= openedAt && account?.owner !== program.toBase58()
      }),
    )
    return closed.length > 0 && closed.every((is) => is)
  })
}
