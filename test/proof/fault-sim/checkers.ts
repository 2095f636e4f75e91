import type { Checker, CheckerFactory } from "./checker.ts"
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
    onOpen: (...call) => checkers.flatMap((checker) => checker.onOpen?.(...call) ?? []),
    onDeposit: (...call) => checkers.flatMap((checker) => checker.onDeposit?.(...call) ?? []),
    onSignature: (...call) => checkers.flatMap((checker) => checker.onSignature?.(...call) ?? []),
    onSpend: (...call) => checkers.flatMap((checker) => checker.onSpend?.(...call) ?? []),
    onCommit: (...call) => checkers.flatMap((checker) => checker.onCommit?.(...call) ?? []),
    onWrite: (...call) => checkers.flatMap((checker) => checker.onWrite?.(...call) ?? []),
    onCall: (...call) => checkers.flatMap((checker) => checker.onCall?.(...call) ?? []),
    afterTurn: () => checkers.flatMap((checker) => checker.afterTurn?.() ?? []),
    atEnd: () => checkers.flatMap((checker) => checker.atEnd?.() ?? []),
  }
}
