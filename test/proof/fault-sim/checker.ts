import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { GroundTruth } from "./ground-truth.ts"
import type { Paid, Signature } from "./signature-recorder.ts"
import type { SpendMoment } from "./spend-moment.ts"

export type Violation = { readonly checker: string; readonly message: string }

/**
 * Checks one promise. It reads the ledgers and the recorder (`GroundTruth`) and never trusts the
 * engine's own view.
 */
export type Checker = {
  /** The journal has just written a new order. */
  readonly onOpen?: (row: OrderRow) => readonly Violation[]
  /** The key has just signed a deposit, or typed data for one. */
  readonly onDeposit?: (orderId: string, paid: Paid) => readonly Violation[]
  /** The key has just signed. */
  readonly onSignature?: (
    signature: Signature,
    earlier: readonly Signature[],
  ) => readonly Violation[]
  /** A transaction or typed data that spends is being signed or sent. */
  readonly onSpend?: (orderId: string, purpose: string, moment: SpendMoment) => readonly Violation[]
  /** The journal has just written a step. */
  readonly onCommit?: (before: OrderRow, step: StepRow) => readonly Violation[]
  /**
   * A write of this method has just reached the disk; `before` is the order's row before a step.
   */
  readonly onWrite?: (
    method: string,
    args: readonly unknown[],
    before: OrderRow | null,
  ) => readonly Violation[]
  /** The engine calls a port. */
  readonly onCall?: (port: string, method: string, args: readonly unknown[]) => readonly Violation[]
  /** After every turn of the world. */
  readonly afterTurn?: () => readonly Violation[]
  /** After a long quiet time with an honest service. */
  readonly atEnd?: () => readonly Violation[]
}

export type CheckerFactory = (truth: GroundTruth) => Checker

export function violation(checker: string, message: string): Violation {
  return { checker, message }
}
