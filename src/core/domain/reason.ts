/**
 * One reason of a refusal: a stable code (documented in docs/ERRORS.md), a sentence, and the
 * numbers as strings. Every refusal of Ballast is a list of these.
 */
export type Reason = {
  readonly code: string
  readonly message: string
  readonly [number: string]: string
}

export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

export function verdictOf(reasons: readonly Reason[]): Verdict {
  return reasons.length === 0 ? { ok: true } : { ok: false, reasons }
}
