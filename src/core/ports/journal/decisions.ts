/** What the rules decided, and which of their occurrences are settled. */
export interface DecisionStore {
  /** A settled occurrence and its order, if it has one; `null` when it is not settled. */
  findOccurrence(
    id: string,
  ): { readonly orderId: string | null; readonly settledAtMs: number } | null
  /**
   * The settled occurrences of a rule, newest first. `reasons`: why one has no order, as text;
   * `null` with an order.
   */
  listOccurrences(rule: string, limit: number): readonly SettledOccurrence[]
  /**
   * Settles an occurrence without an order (skipped or declined), with its decision unless that is
   * written already.
   */
  settleOccurrence(occurrence: Occurrence, reasons: string, decision?: NewDecision): void
  /**
   * A decision with a known id replaces the stored one and keeps its orders. A decision that equals
   * the rule's last one, when that has no orders, only raises its count and its last time; only
   * then the answer is false. Old decisions without orders are deleted (`KEPT_DECISIONS`).
   */
  recordDecision(decision: NewDecision): boolean
  findDecision(id: string): DecisionRow | null
  /** The inputs of a decision, as text; `null` when no inputs have that hash. */
  findInputs(hash: string): string | null
  /** Newest first; `before`: only those that come after this decision in the list. */
  listDecisions(query: {
    readonly rule: string | null
    readonly limit: number
    readonly before?: string
  }): readonly DecisionRow[]
}

export type Occurrence = { readonly id: string; readonly rule: string; readonly atMs: number }

export type SettledOccurrence = {
  readonly id: string
  readonly atMs: number
  readonly orderId: string | null
  readonly reasons: string | null
}

export type NewDecision = {
  readonly id: string
  readonly atMs: number
  readonly rule: string
  readonly verdict: Verdict
  readonly body: string
  /** All inputs of the decision, as text. */
  readonly inputs: string | null
  readonly configHash: string | null
}

type Verdict = "proposed" | "declined"

export type DecisionRow = Omit<NewDecision, "inputs"> & {
  /** The first of `orders`. */
  readonly orderId: string | null
  readonly orders: readonly string[]
  /** The hash of its inputs. */
  readonly inputs: string | null
  /** The number of consecutive ticks with the same decision; it is stored once. */
  readonly times: number
  /** The last tick with this decision; `atMs` is the first. */
  readonly lastAtMs: number
}
