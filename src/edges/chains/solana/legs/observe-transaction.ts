import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
} from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { describeContradiction, describeMissing, firstFailure } from "#nodes/quorum/reasons.ts"
import { type Finality, isDeep, rankOf } from "../finality.ts"
import type { FoundTransaction } from "../node.ts"
import { type Endpoint, type Endpoints, readHeads } from "../nodes/endpoints.ts"
import { readRouteCall } from "../routes/route-key.ts"
import { INITIATE_AT, SETTLE_AT } from "../spl-htlc.ts"
import type { Wallet } from "../wallet.ts"
import { readExpiry } from "./read-expiry.ts"
import { lamportsInto } from "./read-swap-calls.ts"
import { readTransaction } from "./read-transaction.ts"

/**
 * Reports the state of one signed transaction, after asking every endpoint. Heights are slots, fees
 * lamports.
 *
 * - A status of `confirmed` or better is `mined`. It is `seen` and `final` when enough endpoints
 *   show the same slot, result and fee at that depth. A `processed` transaction may still disappear
 *   with its fork, so it is `pending`.
 * - `excluded` needs the proof of `readExpiry` from as many endpoints as an agreement, of all that
 *   are configured.
 * - A claim of fewer endpoints about a finalized slot is outvoted by enough endpoints that do not
 *   know the transaction.
 *
 * Throws the error of an endpoint (transient) if none answers.
 */
export async function observeTransaction(
  transaction: SignedTransaction,
  options: ObserveOptions,
): Promise<TransactionObservation> {
  const { endpoints, finality } = options
  // They begin beside the newest slots: a transaction that still waits takes one request.
  const begun = new Map(endpoints.nodes.map((node) => [node, beginRead(node, transaction.txid)]))
  const [final, live] = await Promise.all([
    readHeads(endpoints, "finalized"),
    readHeads(endpoints, "confirmed"),
  ])
  const minSlot = final.slot ?? final.lowest
  const ask = (endpoint: Endpoint): Promise<Report> => {
    const read = begun.get(endpoint) ?? beginRead(endpoint, transaction.txid)
    return reportOne(transaction, endpoint, { ...read, minSlot, wallet: options.wallet })
  }
  const answers = await endpoints.askAt(final.heads, ask)
  const votes = countVotes(answers, endpoints.needed, minSlot)
  if (votes.given === 0) throw firstFailure(answers)
  const height = live.slot ?? live.lowest
  const state = decideState(votes, { finality, endpoints, height, agreedSlot: final.slot })
  const doubts = [
    ...(votes.isContradicted ? [describeContradiction("a transaction of ours", answers)] : []),
    ...(votes.given < endpoints.needed ? describeMissing(answers, final.outliers) : []),
    ...votes.reasons,
  ]
  return doubts.length === 0 ? state : { ...state, doubts }
}

type ObserveOptions = {
  readonly endpoints: Endpoints
  readonly wallet: Wallet
  readonly finality: Finality
}

/** One endpoint's report. */
type Report =
  | MinedReport
  | { readonly status: "pending" | "expired" }
  | { readonly status: "unseen"; readonly why: Reason | null }

type MinedReport = {
  readonly status: "mined"
  readonly slot: bigint
  readonly ok: boolean
  readonly commitment: string
  readonly costs: Costs
}

async function reportOne(
  transaction: SignedTransaction,
  endpoint: Endpoint,
  { asked, content, minSlot, wallet }: Reading,
): Promise<Report> {
  const node = endpoint.node({ commitment: "confirmed", minSlot })
  const early = await asked
  // Another backend may have answered for a slot before the agreed one.
  const { status } = early.slot >= minSlot ? early : await node.fetchStatus(transaction.txid)
  if (status === null) {
    const expiry = await readExpiry(transaction, endpoint, minSlot)
    return expiry.expired ? { status: "expired" } : { status: "unseen", why: expiry.why }
  }
  const { slot, err, confirmationStatus } = status
  if (rankOf(confirmationStatus) < rankOf("confirmed")) return { status: "pending" }
  const ok = err === null
  const found = (await content) ?? (await node.fetchTransaction(transaction.txid))
  if (found === null) throw missing(transaction.txid)
  const costs = costsOf(found, transaction.plan, ok, wallet)
  return { status: "mined", slot, ok, commitment: confirmationStatus ?? "processed", costs }
}

/** A content that does not come is asked for again. */
function beginRead(endpoint: Endpoint, txid: string) {
  const node = endpoint.node({ commitment: "confirmed" })
  return {
    asked: ignoreUnhandled((async () => node.fetchStatus(txid))()),
    content: (async () => node.fetchTransaction(txid))().catch(() => null),
  }
}

type Reading = ReturnType<typeof beginRead> & {
  readonly minSlot: bigint
  readonly wallet: Wallet
}

type Votes = {
  readonly given: number
  readonly expired: number
  readonly isPending: boolean
  /** Why endpoints that do not know the transaction cannot exclude it. */
  readonly reasons: readonly Reason[]
  /** The largest group of endpoints that show the same slot, result and fee. */
  readonly mined: readonly MinedReport[]
  /** It is an agreement, and no other group is as large. */
  readonly isClear: boolean
  /**
   * Enough endpoints do not know the transaction at an agreed slot in which the others place it.
   */
  readonly isOutvoted: boolean
  readonly isContradicted: boolean
  readonly mayBeOk: boolean
}

function countVotes(
  answers: readonly EndpointAnswer<Report>[],
  needed: number,
  minSlot: bigint,
): Votes {
  const given = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const mined = given.filter((report) => report.status === "mined")
  const groups = [
    ...Map.groupBy(mined, ({ slot, ok, costs }) => encodeJson([slot, ok, costs])).values(),
  ]
  const [largest = [], second = []] = groups.toSorted((a, b) => b.length - a.length)
  const unseen = given.filter((report) => report.status === "unseen")
  const expired = given.filter(({ status }) => status === "expired").length
  const absent = unseen.length + expired
  const isOld = largest[0] !== undefined && largest[0].slot <= minSlot
  // An endpoint without the blocks of that time does not know the transaction, and says nothing
  // against it.
  const denials = isOld ? unseen.filter(({ why }) => why === null).length : 0
  return {
    given: given.length,
    expired,
    isPending: given.some(({ status }) => status === "pending"),
    reasons: unseen.flatMap(({ why }) => why ?? []),
    mined: largest,
    isClear: largest.length >= needed && largest.length > Math.max(second.length, expired),
    isOutvoted: isOld && absent >= needed && absent > largest.length,
    isContradicted: second.length > 0 || (largest.length > 0 && expired + denials > 0),
    mayBeOk: mined.some(({ ok }) => ok),
  }
}

function decideState(votes: Votes, rules: MinedRules): TransactionObservation {
  const { mined, expired, isOutvoted, isPending } = votes
  if (expired >= rules.endpoints.needed && expired > mined.length)
    return { status: "excluded", by: "expired", final: true }
  if (mined.length > 0 && !isOutvoted) return describeMined(votes, rules)
  return isPending && mined.length === 0 ? { status: "pending" } : { status: "unseen" }
}

type MinedRules = {
  readonly finality: Finality
  readonly endpoints: Endpoints
  readonly height: bigint
  /** The agreed finalized slot; `null` where too few endpoints answer. */
  readonly agreedSlot: bigint | null
}

/**
 * Where the endpoints contradict each other, the transaction may have succeeded: then a deposit is
 * still watched.
 */
function describeMined(
  { mined, isClear, mayBeOk }: Votes,
  { finality, endpoints, height, agreedSlot }: MinedRules,
): TransactionObservation {
  const [first] = mined
  if (first === undefined) return { status: "unseen" }
  const { slot, ok, costs } = first
  const confirmations = height < slot ? 1 : Number(height - slot) + 1
  const isAgreed = (depth: Finality["seen"]): boolean =>
    isClear &&
    (depth.commitment !== "finalized" || (agreedSlot !== null && slot <= agreedSlot)) &&
    mined.filter(({ commitment }) => isDeep(commitment, confirmations, depth)).length >=
      endpoints.needed
  return {
    status: "mined",
    ok: isClear ? ok : mayBeOk,
    height: slot,
    confirmations,
    seen: isAgreed(finality.seen),
    final: isAgreed(finality.ending),
    ...(isClear ? {} : { isAlone: true }),
    ...costs,
  }
}

type Costs = { readonly feeUnits: bigint; readonly heldUnits?: bigint }

/**
 * The cost of a transaction of ours in lamports. `heldUnits` of an initiate is the rent of the swap
 * account, which returns. `feeUnits` is the network fee and, for a token, the rent of accounts that
 * the transaction created and that stay: the vault, the program's identity, our own token account.
 * Our account is the first, because we pay the fee.
 */
export function costsOf(
  transaction: FoundTransaction,
  plan: TransactionPlan,
  ok: boolean,
  wallet: Wallet,
): Costs {
  const { fee, preBalances, postBalances } = transaction.meta
  if (!ok) return { feeUnits: fee }
  const kept = listKeptAccounts(plan, wallet).reduce(
    (sum, account) => sum + lamportsInto(transaction, account),
    0n,
  )
  const feeUnits = fee + kept
  const before = preBalances[0]
  const after = postBalances[0]
  if (plan.action !== "initiate" || before === undefined || after === undefined) return { feeUnits }
  const isNative = (id: AssetId): boolean =>
    wallet.assets.find((asset) => asset.id === id)?.token == null
  const spentUnits = plan.spends.reduce(
    (sum, { asset, units }) => sum + (isNative(asset) ? units : 0n),
    0n,
  )
  return { feeUnits, heldUnits: before - after - feeUnits - spentUnits }
}

/**
 * The accounts of a token's call that stay open afterwards: identity, vault and our token account.
 */
function listKeptAccounts(plan: TransactionPlan, wallet: Wallet): string[] {
  const call = readTransaction
    .fromMessage(Buffer.from(plan.unsigned, "base64"))
    ?.instructions.at(-1)
  const program = call?.program.address ?? ""
  // The second account of `CreateIdempotent` is the one that it opens.
  if (plan.action === "openTokenAccount") return [call?.accounts[1]?.address ?? []].flat()
  // The account of a burn's message, and the mark of a minted nonce: both stay.
  const route = call === undefined ? null : readRouteCall(wallet.routes, plan, call)
  if (route !== null && !("problem" in route))
    return [call?.accounts[route.opensAt]?.address ?? []].flat()
  const isToken = wallet.assets.some(({ token, htlc }) => token !== null && htlc.includes(program))
  if (call === undefined || !isToken) return []
  const tokenAccountAt =
    plan.action === "initiate" ? INITIATE_AT.tokenAccount : SETTLE_AT.tokenAccount
  return [0, INITIATE_AT.vault, tokenAccountAt].flatMap(
    (index) => call.accounts[index]?.address ?? [],
  )
}

function missing(txid: string): AppError {
  return new AppError({
    code: "solana.transaction_missing",
    disposition: "transient",
    message:
      "the node reports a transaction as confirmed but does not return it yet; Ballast asks again",
    details: { txid },
  })
}
