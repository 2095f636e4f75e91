import type { OrderRow, StepRow } from "#journal/port.ts"
import type { Truth } from "./truth.ts"
import type { Paid, Signature } from "./witness.ts"

export type Violation = { readonly checker: string; readonly message: string }

/** One promise, watched. It is told from the ledgers and the witness (`Truth`), and never from what the engine believes. */
export type Checker = {
  /** The journal has just written a new order. */
  readonly onOpen?: (row: OrderRow) => readonly Violation[]
  /** The key has just signed a deposit, or typed data for one. */
  readonly onDeposit?: (orderId: string, paid: Paid) => readonly Violation[]
  /** The key has just signed. */
  readonly onSignature?: (signature: Signature, earlier: readonly Signature[]) => readonly Violation[]
  /** Something that spends is being signed or sent. */
  readonly onSpend?: (orderId: string, purpose: string) => readonly Violation[]
  /** The journal has just written a step. */
  readonly onCommit?: (before: OrderRow, step: StepRow) => readonly Violation[]
  /** After every turn of the world. */
  readonly afterTurn?: () => readonly Violation[]
  /** After a long quiet time with an honest service. */
  readonly atEnd?: () => readonly Violation[]
}

export type CheckerFactory = (truth: Truth) => Checker

export function violation(checker: string, message: string): Violation {
  return { checker, message }
}
