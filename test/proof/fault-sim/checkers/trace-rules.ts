import type { ChainId } from "#domain/asset.ts"
import { chainOf } from "#domain/asset.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { SecretDecisionRow, SignatureClaim, SignedRow } from "#ports/signing-record.ts"
import type { FakeOrder } from "../../../support/fake-service.ts"
import { evaluateGuard } from "../../formal/guard.ts"
import {
  type CallFlag,
  type Flag,
  type JournalFlag,
  RULES,
  type Rule,
  type RuleName,
} from "../../formal/rules.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"
import { isBurnOrder } from "./burns.ts"

/** An order as the rules see it: flags of the durable journal, and of the calls that left. */
type Trace = {
  readonly flags: Set<JournalFlag | CallFlag>
  readonly registered: SignatureClaim[]
}

type Known = Partial<Readonly<Record<Flag, boolean>>>

const PURPOSES = {
  deposit: "Deposit",
  gasless: "Gasless",
  void: "Void",
  refund: "Refund",
  redeem: "Redeem",
} as const
type Purpose = keyof typeof PURPOSES
const DECISIONS = {
  reveal: "decideReveal",
  withhold: "decideWithhold",
  lost: "decideLost",
} as const
const ENDS: Readonly<Record<string, RuleName>> = {
  completed: "endPaid",
  refunded: "endRefunded",
  rejected: "endUnfunded",
  abandoned: "endUnfunded",
}

/** The calls that leave the process. */
const GATED = new Set([
  "signTransaction",
  "signTypedData",
  "broadcastTransaction",
  "submitOrder",
  "submitSignature",
  "revealSecret",
])

/**
 * Judges a run by the table of the formal model (test/proof/formal/rules.ts): each durable write
 * and each call that leaves the process must be a transition that the table allows in the state to
 * which the earlier ones have led. It takes the engine's own word for nothing: flags come from
 * writes that are on disk, from calls, and from the ledgers.
 */
export function checkTraceRules(truth: GroundTruth): Checker {
  const { world } = truth
  const traces = new Map<string, Trace>()
  const stored = new Map<
    string,
    { readonly orderId: string; readonly purpose: string; readonly raw: string }
  >()
  const byDigest = new Map<string, SignatureClaim[]>()
  /** Proofs of the lease at the present instant that no call has used. */
  let proofs = { atMs: Number.NaN, count: 0 }

  function traceOf(orderId: string): Trace {
    const known = traces.get(orderId) ?? { flags: new Set(), registered: [] }
    traces.set(orderId, known)
    return known
  }

  function apply(name: RuleName, orderId: string, known: Known = {}): Violation[] {
    const { guard, adds, why }: Rule = RULES[name]
    const { flags } = traceOf(orderId)
    const order = truth.orderOf(orderId)
    const holds = (flag: Flag): boolean =>
      // CAST: a set of some flags knows nothing of the others.
      known[flag] ?? (readOutside(truth, orderId, order, flag) || flags.has(flag as JournalFlag))
    const isAllowed = evaluateGuard(guard, holds)
    for (const flag of adds) flags.add(flag)
    return isAllowed
      ? []
      : [violation("the model's rules", `${orderId}: ${name} is not allowed now: ${why}`)]
  }

  function judgeRegistration(claim: SignatureClaim): Violation[] {
    const { orderId, purpose, digest, chain } = claim
    const { registered, flags } = traceOf(orderId)
    if (registered.some((old) => old.digest === digest && old.purpose === purpose)) return []
    const earlier = registered.filter((old) => old.purpose === purpose)
    const deposits = registered.filter((old) => old.purpose === "deposit")
    registered.push(claim)
    byDigest.set(`${chain}/${digest}`, [...(byDigest.get(`${chain}/${digest}`) ?? []), claim])
    if (!isPurpose(purpose)) return []
    const found = apply(`claim${PURPOSES[purpose]}`, orderId, {
      excludesEarlier: earlier.every((old) => sharesResource(old, claim)),
      excludesDeposit: deposits.some((old) => sharesResource(old, claim)),
    })
    // The claim of a refund withholds the secret in its own transaction.
    if (purpose === "refund" && claim.ownSecretHash !== undefined && !flags.has("revealDecided"))
      flags.add("withheld")
    return found
  }

  function judgeStored(orderId: string, { purpose, digest, txid, raw }: SignedRow): Violation[] {
    if (txid !== null && !stored.has(txid)) stored.set(txid, { orderId, purpose, raw })
    if (!isPurpose(purpose)) return []
    const isSameContent = traceOf(orderId).registered.some(
      (old) => old.purpose === purpose && old.digest === digest,
    )
    return apply(`store${PURPOSES[purpose]}`, orderId, { isSameContent })
  }

  function judgeDecision({ orderId, decision, secretHash }: SecretDecisionRow): Violation[] {
    const { flags } = traceOf(orderId)
    const decisions = truth.adversary?.decisions
    // A journal from before the reveal may withhold; a secret that is shown is redeemed all the
    // same.
    if (decision === "withhold" && decisions?.died.has(secretHash) === true) return []
    // A decision may also be lost with a process that died for another order before it told this.
    // An order that calls its payout lost has decided to tell again since then.
    const mayBeNew = decision !== "lost" && !flags.has("secretTold")
    if (decisions?.lost.has(secretHash) === true && mayBeNew) flags.delete("revealDecided")
    const name = DECISIONS[decision]
    const [flag] = RULES[name].adds
    return flags.has(flag) ? [] : apply(name, orderId)
  }

  function judgeStep(
    before: OrderRow,
    { order, signed, signedBeside, release }: StepRow,
  ): Violation[] {
    const end = order.outcome === null || before.outcome !== null ? undefined : ENDS[order.outcome]
    const gives = end !== undefined || release !== "all" || before.state === order.state
    return [
      ...[signedBeside ?? null, signed].flatMap((row) =>
        row === null ? [] : judgeStored(order.id, row),
      ),
      ...(end === undefined ? [] : apply(end, order.id)),
      ...(gives ? [] : judgeRelease(order.id)),
    ]
  }

  /**
   * A release without an end: the order is only watched from here, and its signatures must be over
   * too.
   */
  function judgeRelease(orderId: string): Violation[] {
    return readOutside(truth, orderId, truth.orderOf(orderId), "mayLand")
      ? [
          violation(
            "the model's rules",
            `${orderId}: a reservation is released while its deposit may land`,
          ),
        ]
      : []
  }

  function judgeSigning(
    chain: string,
    plan: TransactionPlan,
    orderOfCall: string | undefined,
  ): Violation[] {
    const known = byDigest.get(`${chain}/${plan.digest}`) ?? []
    const own = known.filter(({ orderId }) => orderId === orderOfCall)
    // The fill of a gap and the void of its order have the same bytes: one signature is of both.
    const covered = own.length > 0 ? own : known.slice(0, 1)
    if (covered.length > 0)
      return covered.flatMap(({ orderId, purpose }) =>
        isPurpose(purpose)
          ? apply(`sign${PURPOSES[purpose]}`, orderId, { isSameContent: true })
          : [],
      )
    const order = orderOfCall ?? "no order"
    const message = `${order}: a signature of ${plan.action} without its durable claim`
    return [violation("the model's rules", message)]
  }

  function judgeSending({ txid, raw, plan }: SignedTransaction): Violation[] {
    const row = stored.get(txid)
    if (row === undefined)
      return [
        violation(
          "the model's rules",
          `${txid}: bytes of ${plan.action} are sent that are not in the durable journal`,
        ),
      ]
    if (!isPurpose(row.purpose)) return []
    return apply(`send${PURPOSES[row.purpose]}`, row.orderId, { isSameContent: row.raw === raw })
  }

  function ofService(orderId: string, name: "sendGasless" | "tellSecret"): Violation[] {
    const order = world.service.orders.find((one) => one.orderId === orderId)
    const row = order === undefined ? undefined : truth.rowOf(order)
    return row === undefined ? [] : apply(name, row.id)
  }

  /**
   * Each call needs a proof of the lease of its own, and the time between them is no time of the
   * simulated world.
   */
  function judgeLease(method: string): Violation[] {
    const isProof = method === "proveLease"
    if (!truth.profile.hasLease || !(isProof || GATED.has(method))) return []
    const nowMs = world.clock.now()
    const count = (proofs.atMs === nowMs ? proofs.count : 0) + (isProof ? 1 : -1)
    proofs = { atMs: nowMs, count: Math.max(count, 0) }
    return count < 0
      ? [violation("the model's rules", `${method} without a fresh proof of the lease`)]
      : []
  }

  /**
   * Without the log a claim is on one disk only. The decision about the secret is in the log all
   * the same, and no other call is safe.
   */
  function judgeAlone(
    method: string,
    { action }: TransactionPlan,
    orderId: string | undefined,
  ): Violation[] {
    if (method !== "signTransaction") return []
    const { flags } = traceOf(orderId ?? "no order")
    const isTold = flags.has("revealDecided")
    const isAllowed =
      action === "void" || (action === "redeem" ? isTold : !isTold || flags.has("lostDecided"))
    // If the log gets the signature later, it is stored like any other one.
    const rule = action === "void" ? "signVoid" : action === "redeem" ? "signRedeem" : "signRefund"
    for (const flag of RULES[rule].adds) flags.add(flag)
    if (isAllowed) return []
    return [
      violation(
        "the model's rules",
        `${orderId}: a ${action} without the log, against its decision`,
      ),
    ]
  }

  function judgeCall(port: string, method: string, args: readonly unknown[]): Violation[] {
    // CAST: the arguments of the ports' methods, by name.
    const [first, context] = args as [never, { readonly order?: string } | undefined]
    if (truth.isCallAlone() && method !== "revealSecret")
      return judgeAlone(method, first, context?.order)
    if (method === "signTransaction") return judgeSigning(port, first, context?.order)
    if (method === "signTypedData")
      return apply("signGasless", context?.order ?? "no order", { isSameContent: true })
    if (method === "broadcastTransaction") return judgeSending(first)
    if (method === "submitSignature") return ofService(first, "sendGasless")
    return method === "revealSecret" ? ofService(first, "tellSecret") : []
  }

  return {
    onWrite: (method, args, before) => {
      // CAST: the arguments of the journal's methods, by name.
      if (method === "claimSignature")
        return (args as (SignatureClaim | undefined)[]).flatMap((each) =>
          each === undefined ? [] : judgeRegistration(each),
        )
      if (method === "decideSecret")
        return judgeDecision((args as Parameters<Journal["decideSecret"]>)[0])
      if (method === "storeSignature")
        return judgeStored(...(args as Parameters<Journal["storeSignature"]>))
      return method === "commit" && before !== null ? judgeStep(before, (args as [StepRow])[0]) : []
    },
    onCall: (port, method, args) => [...judgeLease(method), ...judgeCall(port, method, args)],
  }
}

function isPurpose(purpose: string): purpose is Purpose {
  return Object.hasOwn(PURPOSES, purpose)
}

function sharesResource(a: SignatureClaim, b: SignatureClaim): boolean {
  const isSameAccount = a.chain === b.chain && a.account === b.account
  // Typed data has no nonce; the same content is the same signature.
  if (a.resources.length === 0) return a.digest === b.digest
  return isSameAccount && a.resources.some((resource) => b.resources.includes(resource))
}

/** What a redemption needs because it tells a secret, which a mint with its voucher does not. */
const VOUCHER_TELLS_NOTHING: ReadonlySet<Flag> = new Set(["revealDecided", "secretTold"])

/** The flags of the chains, by the ledgers. */
function readOutside(
  truth: GroundTruth,
  orderId: string,
  order: FakeOrder | undefined,
  flag: Flag,
): boolean {
  if (flag === "mayLand") {
    const isRelayed = order !== undefined && truth.isRelayed(order)
    return (
      isRelayed || truth.deposits().some((one) => one.orderId === orderId && !truth.isOver(one))
    )
  }
  const row = truth.recorder.rows.get(orderId)
  if (row !== undefined && isBurnOrder(row))
    return (
      VOUCHER_TELLS_NOTHING.has(flag) || (flag === "payoutPaid" && truth.mintsOf(row).length > 0)
    )
  if (order === undefined) return false
  const source = truth.sourceOf(order)
  const payout = truth.destinationOf(order)
  // CAST: the chain of an asset of this world.
  const height = truth.ledgerOf(chainOf(order.to) as ChainId).height()
  switch (flag) {
    case "payoutOpen":
      return payout !== undefined && payout.refunded === null
    case "payoutLost":
      return payout !== undefined && payout.refunded !== null
    case "payoutPaid":
      return payout !== undefined && payout.redeemed !== null
    case "depositBack":
      return source !== undefined && source.refunded !== null
    case "hasTimeToRedeem":
      return payout !== undefined && height < payout.initiated.height + payout.timelock
    default:
      return false
  }
}
