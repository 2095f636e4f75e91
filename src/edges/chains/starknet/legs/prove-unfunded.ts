import type { Reason } from "#domain/reason.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import type { UnfundedProof, UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import { depthsFor } from "../finality.ts"
import { compareViews } from "../nodes/compare-views.ts"
import { fetchAllowance } from "../nodes/read-chain.ts"
import type { View } from "../nodes/reference-block.ts"
import { requireAsset, tokenOf, type Wallet } from "../wallet.ts"
import { requireHash } from "./observe.ts"
import { locateTransaction } from "./observe-transaction.ts"
import { deriveLegIds, listSearched, readStarknetLeg } from "./read-leg.ts"
import { fetchOrder } from "./read-order.ts"

/**
 * Proves that no deposit of the order is in the HTLC, was in it, or can get into it: every signed
 * deposit is excluded by a final, named transaction, and the contract shows no order of ours at a
 * later block that enough endpoints share. No contract deletes an order, so an empty order now was
 * empty always. Where a relay could use a signature of ours, the allowance must be too small as
 * well.
 *
 * Throws `starknet.secret_hash` (hold).
 */
export async function proveStarknetUnfunded(
  wallet: Wallet,
  query: UnfundedQuery,
): Promise<UnfundedProof> {
  requireHash(query)
  const ends: End[] = []
  for (const transaction of query.signed) ends.push(await findEnd(wallet, query, transaction))
  const lastHeight = ends.map(({ height }) => height ?? 0n).reduce((a, b) => (a > b ? a : b), 0n)
  const compared = await compareViews(wallet.rpc, (view) =>
    readContract(wallet, view, query, lastHeight),
  )
  if (compared.status !== "agreed") return { status: "unsure", reasons: compared.doubts }
  const { found, height } = compared.value
  if (found === "funded") return { status: "funded" }
  const open = ends.flatMap(({ open: reason }) => (reason === null ? [] : [reason]))
  const reasons = [...open, ...(found === "empty" ? [] : [REASONS[found]])]
  if (reasons.length > 0) return { status: "unsure", reasons }
  return {
    status: "unfunded",
    height,
    rivals: ends.flatMap(({ rival }) => (rival === null ? [] : [rival])),
  }
}

/**
 * How a signed transaction ended. `open`: it can still change something. `rival`: what excludes a
 * deposit; a reverted deposit is its own.
 */
type End = {
  readonly height: bigint | null
  readonly rival: string | null
  readonly open: Reason | null
}

async function findEnd(
  wallet: Wallet,
  { stakeFiat }: UnfundedQuery,
  transaction: SignedTransaction,
): Promise<End> {
  const { observation, height } = await locateTransaction(wallet, transaction, stakeFiat)
  const { txid, plan } = transaction
  const isDeposit = plan.action === "initiate"
  if (observation.status === "excluded" && observation.final)
    return { height, rival: isDeposit ? observation.by : null, open: null }
  if (observation.status === "mined" && observation.final)
    return {
      height,
      rival: isDeposit ? txid : null,
      open: isDeposit && observation.ok ? landed(txid) : null,
    }
  return { height: null, rival: null, open: isDeposit ? waiting(txid, observation.status) : null }
}

type Contents = {
  readonly found: "funded" | "empty" | keyof typeof REASONS
  /** The final block of the proof. */
  readonly height: bigint
}

async function readContract(
  wallet: Wallet,
  view: View,
  query: UnfundedQuery,
  lastHeight: bigint,
): Promise<Contents> {
  const height = lastHeight > 0n ? lastHeight : findFinalHeight(wallet, view, query)
  if (height > view.block.height) return { found: "behind", height }
  const htlcs = listSearched(wallet, query)
  if (htlcs.length === 0) return { found: "contract", height }
  for (const htlc of htlcs) {
    const ids = deriveLegIds(wallet, query, htlc)
    if (ids.length === 0) return { found: "incomplete", height }
    for (const id of ids) {
      const order = await fetchOrder(view, htlc, id)
      // Without the view, only the events below can show an order.
      if (order !== null && order !== "unreadable") return { found: "funded", height }
    }
  }
  const { initiated } = await readStarknetLeg(wallet, view, query)
  if (initiated !== null) return { found: "funded", height }
  return {
    found: (await isAllowanceOpen(wallet, view, query, height)) ? "allowance" : "empty",
    height,
  }
}

/**
 * With no transaction of ours that is final: the newest block that is deep enough. Where only L1 is
 * deep enough, 600 blocks take its place.
 */
function findFinalHeight(
  { finality }: Wallet,
  { block }: View,
  { stakeFiat }: UnfundedQuery,
): bigint {
  const { ending } = depthsFor(finality, stakeFiat)
  const height = block.height - BigInt(ending === "l1" ? 600 : ending) + 1n
  return height > 0n ? height : 0n
}

/**
 * A typed-data signature stays valid, so a relay can deposit with it while the allowance covers the
 * amount. An order with deposit transactions and without an approval of its own never gave such a
 * signature.
 */
async function isAllowanceOpen(
  wallet: Wallet,
  view: View,
  query: UnfundedQuery,
  height: bigint,
): Promise<boolean> {
  const actions = query.signed.map(({ plan }) => plan.action)
  if (actions.includes("initiate") && !actions.includes("approve")) return false
  const token = tokenOf(requireAsset(wallet, query.asset))
  for (const htlc of listSearched(wallet, query)) {
    for (const at of [view.at, { block_number: Number(height) }]) {
      if ((await fetchAllowance({ ...view, at }, token, wallet.accountFelt, htlc)) >= query.units)
        return true
    }
  }
  return false
}

const REASONS = {
  behind: reason("the endpoints have no later block than the final transactions yet"),
  contract: reason("the HTLC is not configured, so Ballast cannot read it; add it to the asset"),
  incomplete: reason("the order does not have all terms from which its id in the contract follows"),
  allowance: reason("the allowance still covers the deposit, so a relay could make it"),
} as const

function landed(txid: string): Reason {
  return { ...reason("a signed deposit succeeded, and the HTLC does not show it"), txid }
}

function waiting(txid: string, status: string): Reason {
  return { ...reason("a signed deposit has no final rival yet"), txid, observed: status }
}

function reason(message: string): Reason {
  return { code: "starknet.unproven", message }
}
