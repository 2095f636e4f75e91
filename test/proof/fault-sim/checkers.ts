import type { Checker, CheckerFactory, Violation } from "./checker.ts"
import { checkAllowances } from "./checkers/allowances.ts"
import { checkApprovals } from "./checkers/approvals.ts"
import { checkBooks } from "./checkers/books.ts"
import { checkBurns } from "./checkers/burns.ts"
import { checkFees } from "./checkers/fees.ts"
import { checkHolds } from "./checkers/holds.ts"
import { checkLeftBehind } from "./checkers/left-behind.ts"
import { checkLimits } from "./checkers/limits.ts"
import { checkLosses } from "./checkers/losses.ts"
import { checkMoney } from "./checkers/money.ts"
import { checkNonceGaps } from "./checkers/nonce-gaps.ts"
import { checkOccurrences } from "./checkers/occurrences.ts"
import { checkOrders } from "./checkers/orders.ts"
import { checkOwnSecrets } from "./checkers/own-secrets.ts"
import { checkPause } from "./checkers/pause.ts"
import { checkPayouts } from "./checkers/payouts.ts"
import { checkRecords } from "./checkers/records.ts"
import { checkRefundDelays } from "./checkers/refund-delays.ts"
import { checkRouting } from "./checkers/routing.ts"
import { checkTraceRules } from "./checkers/trace-rules.ts"
import { checkUnreadLegs } from "./checkers/unread-legs.ts"
import type { GroundTruth } from "./ground-truth.ts"

/** Every checker. A new one is a file in `checkers/` and a line here. */
const CHECKERS: readonly CheckerFactory[] = [
  checkApprovals,
  checkAllowances,
  checkBooks,
  checkBurns,
  checkFees,
  checkHolds,
  checkLeftBehind,
  checkLimits,
  checkLosses,
  checkMoney,
  checkNonceGaps,
  checkOrders,
  checkOccurrences,
  checkOwnSecrets,
  checkPause,
  checkPayouts,
  checkRecords,
  checkRefundDelays,
  checkRouting,
  checkTraceRules,
  checkUnreadLegs,
]

/** All checkers as one. */
export function createCheckers(truth: GroundTruth): Required<Checker> {
  const checkers = CHECKERS.map((create) => create(truth))
  return {
    onOpen: merge(checkers.map(({ onOpen }) => onOpen)),
    onDeposit: merge(checkers.map(({ onDeposit }) => onDeposit)),
    onSignature: merge(checkers.map(({ onSignature }) => onSignature)),
    onSpend: merge(checkers.map(({ onSpend }) => onSpend)),
    onCommit: merge(checkers.map(({ onCommit }) => onCommit)),
    onWrite: merge(checkers.map(({ onWrite }) => onWrite)),
    onCall: merge(checkers.map(({ onCall }) => onCall)),
    afterTurn: merge(checkers.map(({ afterTurn }) => afterTurn)),
    atEnd: merge(checkers.map(({ atEnd }) => atEnd)),
  }
}

type Hook<Args extends readonly unknown[]> = (...args: Args) => readonly Violation[]

/** One hook of all checkers that have it: most have few, and calls are many. */
function merge<Args extends readonly unknown[]>(
  hooks: readonly (Hook<Args> | undefined)[],
): Hook<Args> {
  const given = hooks.filter((hook) => hook !== undefined)
  return (...args) => given.flatMap((hook) => hook(...args))
}
