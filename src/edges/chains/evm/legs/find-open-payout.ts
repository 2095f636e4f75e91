import type { Address, Hex } from "viem"
import { opensPayout } from "#chains/opens-payout.ts"
import type { Payout } from "#domain/payout.ts"
import type { Reason } from "#domain/reason.ts"
import type { TransactionRequest } from "#domain/transaction.ts"
import type { LegQuery } from "#ports/chain.ts"
import { encodeRedeem, sameAddress } from "../htlc.ts"
import { readAnyway } from "../nodes/agree.ts"
import { htlcsOf, requireAsset, type Wallet } from "../wallet.ts"
import type { DerivedId } from "./known-ids.ts"
import { deriveIds, hasTerms, type OrderEntry, readOrder } from "./read-orders.ts"

/**
 * Finds the payout's order in the configured contracts and builds the call that redeems it. Only
 * ids that follow from our own terms are asked, never the service's, and the stored terms must be
 * ours. The contract pays the redeemer: the wallet's payee.
 *
 * A contract with unreadable storage decides by the dry run: only the ids of versions 2 and 3 hash
 * all terms, so only they count there.
 */
export async function findOpenPayout(
  wallet: Wallet,
  { payout, secret }: Extract<TransactionRequest, { action: "redeem" }>,
): Promise<
  { readonly htlc: Address; readonly data: Hex } | { readonly refused: readonly Reason[] }
> {
  if (!sameAddress(payout.redeemer, wallet.payee) || !sameAddress(payout.owner, wallet.payee))
    return refuse(
      "evm.redeem_not_ours",
      "The payout does not go to this wallet, so it is not redeemed",
    )
  if (!opensPayout(secret, payout))
    return refuse("evm.redeem_secret", "The secret does not open the payout")
  const known = htlcsOf(requireAsset(wallet, payout.asset))
  const htlcs = known.filter((htlc) => payout.htlc === null || sameAddress(htlc, payout.htlc))
  const query = queryOf(payout)
  const ids = deriveIds(wallet, htlcs, query)
  const isOpen = await readAnyway(
    wallet.rpc,
    (at) => Promise.all(ids.map((id) => isOpenPayout(at, id, query))),
    {
      newest: true,
    },
  )
  const found = ids.find((_id, index) => isOpen[index])
  if (found !== undefined) return { htlc: found.htlc, data: encodeRedeem(found.orderId, secret) }
  const message = "No open order has the payout's terms: it was redeemed, refunded or never funded"
  return refuse("evm.redeem_nothing", message, { secretHash: payout.secretHash })
}

async function isOpenPayout(
  at: Parameters<typeof readOrder>[0],
  id: DerivedId,
  query: LegQuery,
): Promise<boolean> {
  const entry: OrderEntry = await readOrder(at, id.htlc, id.orderId)
  if (entry === "empty") return false
  return entry === "unreadable" ? id.version !== "v1" : !entry.isFulfilled && hasTerms(entry, query)
}

/** The payout in the form in which the destination leg is read. */
function queryOf({
  asset,
  htlc,
  secretHash,
  units,
  owner,
  initiator,
  redeemer,
  timelock,
}: Payout): LegQuery {
  return {
    side: "destination",
    asset,
    htlc,
    secretHash,
    units,
    owner,
    initiator,
    redeemer,
    timelock,
    hints: { initiateTx: null, redeemTx: null, refundTx: null },
    fromHeight: 0n,
  }
}

function refuse(code: string, message: string, details: Readonly<Record<string, string>> = {}) {
  return { refused: [{ code, message, ...details }] }
}
