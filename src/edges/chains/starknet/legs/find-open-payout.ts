import { opensPayout } from "#chains/opens-payout.ts"
import type { Payout } from "#domain/payout.ts"
import type { Reason } from "#domain/reason.ts"
import type { TransactionRequest } from "#domain/transaction.ts"
import { encodeShortString, readAddress } from "../felt.ts"
import {
  type Call,
  deriveOrderIds,
  encodeRedeem,
  HASH_LAYOUTS,
  type HashLayout,
  SELECTORS,
} from "../htlc.ts"
import { readEach } from "../nodes/compare-views.ts"
import type { View } from "../nodes/reference-block.ts"
import { htlcsOf, requireAsset, type Wallet } from "../wallet.ts"
import { fetchOrder } from "./read-order.ts"

type Candidate = { readonly htlc: bigint; readonly layout: HashLayout; readonly orderId: bigint }

/**
 * Finds the payout's order in the configured contracts, and gives the calls that may redeem it, the
 * likeliest first. Only ids that commit to our own terms are asked, never the service's. The
 * contract pays the redeemer: the wallet's payee. One endpoint that shows the order is enough,
 * because a call for an order that does not exist only reverts in the estimate.
 *
 * A contract without a readable `get_order` leaves the decision to the estimate.
 */
export async function findOpenPayout(
  wallet: Wallet,
  { payout, secret }: Extract<TransactionRequest, { action: "redeem" }>,
): Promise<readonly Call[] | { readonly refused: readonly Reason[] }> {
  const isOurs = [payout.redeemer, payout.owner].every(
    (text) => readAddress(text) === wallet.payeeFelt,
  )
  if (!isOurs)
    return refuse(
      "starknet.redeem_not_ours",
      "The payout does not go to this account, so it is not redeemed",
    )
  if (!opensPayout(secret, payout))
    return refuse("starknet.redeem_secret", "The secret does not open the payout")
  const candidates = listCandidates(wallet, payout)
  const shown = await readEach(wallet.rpc, (view) =>
    Promise.all(candidates.map((candidate) => isOpenPayout(view, candidate, payout))),
  )
  const open = candidates.filter((_candidate, index) => shown.some((orders) => orders[index]))
  return open.length === 0
    ? nothingOpen(payout)
    : open.flatMap(({ htlc, layout, orderId }) =>
        encodeRedeem(orderId, secret, layout).map((calldata) => ({
          to: htlc,
          selector: SELECTORS.redeem,
          calldata,
        })),
      )
}

export function nothingOpen({ secretHash }: Payout): { readonly refused: readonly Reason[] } {
  const message = "No open order has the payout's terms: it was redeemed, refunded or never funded"
  return refuse("starknet.redeem_nothing", message, { secretHash })
}

function listCandidates(wallet: Wallet, payout: Payout): readonly Candidate[] {
  const initiator = readAddress(payout.initiator)
  const named = payout.htlc === null ? null : readAddress(payout.htlc)
  const htlcs = htlcsOf(requireAsset(wallet, payout.asset)).filter(
    (htlc) => payout.htlc === null || htlc === named,
  )
  if (initiator === null) return []
  const { timelock, units, secretHash } = payout
  const terms = { redeemer: wallet.payeeFelt, timelock, units, secretHash }
  return htlcs.flatMap((htlc) =>
    HASH_LAYOUTS.flatMap((layout) =>
      deriveOrderIds(
        { chainId: encodeShortString(wallet.chainId), initiator, htlc },
        terms,
        layout,
      ).map((orderId) => {
        return { htlc, layout, orderId }
      }),
    ),
  )
}

async function isOpenPayout(
  view: View,
  { htlc, orderId }: Candidate,
  payout: Payout,
): Promise<boolean> {
  const order = await fetchOrder(view, htlc, orderId)
  if (order === null) return false
  if (order === "unreadable") return true
  return (
    !order.isFulfilled &&
    order.initiator === readAddress(payout.initiator) &&
    order.redeemer === readAddress(payout.redeemer) &&
    order.timelock === payout.timelock &&
    order.units === payout.units
  )
}

function refuse(code: string, message: string, details: Readonly<Record<string, string>> = {}) {
  return { refused: [{ code, message, ...details }] }
}
