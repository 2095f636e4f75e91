/**
 * One reason of a refusal: a stable code (documented in docs/ERRORS.md), a sentence, and the
 * numbers as strings. Every refusal of Ballast is a list of these.
 */
export type Reason = {
  readonly code: string
  readonly message: string
  readonly [number: string]: string
}
