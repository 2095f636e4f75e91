import type { Reason } from "#domain/reason.ts"
import type { SignatureLife, SignedTransaction } from "#domain/transaction.ts"
import { agreeOn } from "#nodes/quorum/agree-on.ts"
import { describeContradiction, describeMissing, firstFailure } from "#nodes/quorum/reasons.ts"
import type { UnfundedProof, UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import { type Endpoint, type Endpoints, readHeads } from "../nodes/endpoints.ts"
import type { Wallet } from "../wallet.ts"
import { describePruned, findDeadSlot, readExpiry } from "./read-expiry.ts"
import { findSwapAccounts, readSwap } from "./read-leg.ts"

/**
 * Proves that an order's HTLC never had a deposit and never will: at one agreed finalized slot,
 * enough endpoints show that the swap account does not exist, that its history since the order
 * began holds no initiate, and that each signed deposit has expired (`readExpiry`) or landed and
 * failed. Only our own key can initiate for our account, so any initiate there is a deposit of
 * ours, on any terms. A relay's signature must have died before that history is read.
 */
export function proveUnfunded(
  query: UnfundedQuery,
  { endpoints, wallet }: { readonly endpoints: Endpoints; readonly wallet: Wallet },
): Promise<UnfundedProof> {
  return proveUnfundedBy(query, endpoints, async (endpoint, { fromHeight, slot }) => {
    for (const place of findSwapAccounts(query, wallet)) {
      const { calls, isOpen } = await readSwap(place, { ...query, fromHeight }, endpoint, slot)
      if (isOpen || calls.some(({ call }) => call.kind === "initiate")) return true
    }
    return false
  })
}

/** Does this endpoint show a deposit since `fromHeight`, at `slot`? */
type FindDeposit = (
  endpoint: Endpoint,
  place: { readonly fromHeight: bigint; readonly slot: bigint },
) => Promise<boolean>

/** The same proof for a deposit of another kind, which `isFunded` finds. */
export async function proveUnfundedBy(
  query: UnfundedQuery,
  endpoints: Endpoints,
  isFunded: FindDeposit,
): Promise<UnfundedProof> {
  const heads = await readHeads(endpoints, "finalized")
  if (heads.slot === null)
    return { status: "unsure", reasons: describeMissing(heads.heads, heads.outliers) }
  const slot = heads.slot
  const answers = await endpoints.askAt(heads.heads, (endpoint) =>
    judge(query, isFunded, endpoint, slot),
  )
  if (answers.every(({ ok }) => !ok)) throw firstFailure(answers)
  const agreement = agreeOn(answers, endpoints.needed, ({ status }) => status)
  if (agreement.status === "agreed") {
    if (agreement.value.status === "unfunded")
      return { status: "unfunded", height: slot, rivals: [] }
    if (agreement.value.status === "funded") return { status: "funded" }
  }
  const reasons = answers.flatMap((answer) => (answer.ok ? answer.value.reasons : []))
  const split = agreement.status === "split" ? [describeContradiction("a deposit", answers)] : []
  return {
    status: "unsure",
    reasons: [...split, ...reasons, ...describeMissing(answers, heads.outliers)],
  }
}

type Judgement = {
  readonly status: "unfunded" | "funded" | "unsure"
  readonly reasons: readonly Reason[]
}

async function judge(
  query: UnfundedQuery,
  isFunded: FindDeposit,
  endpoint: Endpoint,
  minSlot: bigint,
): Promise<Judgement> {
  const deposits = query.signed.filter(({ plan }) => plan.action === "initiate")
  const fromHeight = deposits.reduce(
    (low, { plan }) => (plan.fromHeight < low ? plan.fromHeight : low),
    query.fromHeight,
  )
  const { relayed } = query
  const deadSlot = relayed === undefined ? minSlot : await findDeadSlot(relayed, endpoint, minSlot)
  if (await isFunded(endpoint, { fromHeight, slot: deadSlot ?? minSlot }))
    return { status: "funded", reasons: [] }
  const verdicts: Judgement[] = []
  if (relayed !== undefined) verdicts.push(await judgeRelayed(relayed, deadSlot, endpoint))
  for (const deposit of deposits) verdicts.push(await judgeDeposit(deposit, endpoint, minSlot))
  if (verdicts.some(({ status }) => status === "funded")) return { status: "funded", reasons: [] }
  const isProven = verdicts.every(({ status }) => status === "unfunded")
  return {
    status: isProven ? "unfunded" : "unsure",
    reasons: verdicts.flatMap(({ reasons }) => reasons),
  }
}

/** The relay's transaction has an id that only the relay knows, so its blocks must all be there. */
async function judgeRelayed(
  { fromHeight }: SignatureLife,
  deadSlot: bigint | null,
  endpoint: Endpoint,
): Promise<Judgement> {
  if (deadSlot === null)
    return { status: "unsure", reasons: [describeAlive("of the relay", endpoint.host)] }
  const node = endpoint.node({ commitment: "finalized", minSlot: deadSlot })
  const first = await node.fetchFirstSlot()
  return first <= fromHeight
    ? { status: "unfunded", reasons: [] }
    : { status: "unsure", reasons: [describePruned(endpoint.host, first, fromHeight)] }
}

async function judgeDeposit(
  deposit: SignedTransaction,
  endpoint: Endpoint,
  minSlot: bigint,
): Promise<Judgement> {
  const { status } = await endpoint
    .node({ commitment: "finalized", minSlot })
    .fetchStatus(deposit.txid)
  if (status === null) {
    const expiry = await readExpiry(deposit, endpoint, minSlot)
    if (expiry.expired) return { status: "unfunded", reasons: [] }
    return { status: "unsure", reasons: [expiry.why ?? describeAlive(deposit.txid, endpoint.host)] }
  }
  if (status.err === null) return { status: "funded", reasons: [] }
  if (status.confirmationStatus === "finalized") return { status: "unfunded", reasons: [] }
  return { status: "unsure", reasons: [describeAlive(deposit.txid, endpoint.host)] }
}

function describeAlive(txid: string, endpoint: string): Reason {
  return {
    code: "solana.deposit_alive",
    message:
      `The endpoint ${endpoint} cannot exclude yet that the signed deposit ${txid} lands; ` +
      "Ballast asks again",
    endpoint,
    txid,
  }
}
