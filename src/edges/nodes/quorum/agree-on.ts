import type { AppError } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"

/**
 * The number of endpoints that must give the same answer: as configured, else 2, and 1 where only
 * one endpoint is configured.
 */
export function neededAnswers(configured: number | null, endpoints: number): number {
  return configured ?? Math.min(2, endpoints)
}

/** One endpoint's answer to a question. `endpoint` is its host, without access keys. */
export type EndpointAnswer<T> =
  | { readonly endpoint: string; readonly ok: true; readonly value: T }
  | { readonly endpoint: string; readonly ok: false; readonly error: AppError }

/**
 * `agreed`: at least `needed` endpoints gave `value`, and no other answer has as many. `short`: too
 * few endpoints answered, and those that did agree on `value`. `split`: endpoints contradict each
 * other; the caller raises an alarm and chooses none of them.
 */
export type Agreement<T> =
  | { readonly status: "agreed"; readonly value: T; readonly dissent: readonly EndpointAnswer<T>[] }
  | { readonly status: "short"; readonly value: T | null; readonly answered: number }
  | { readonly status: "split"; readonly answers: readonly EndpointAnswer<T>[] }

/**
 * Compares the answers of a chain's endpoints to the same question about the same block. Two
 * answers are the same when `keyOf` gives the same text; without it, when all their fields are
 * equal.
 */
export function agreeOn<T>(
  answers: readonly EndpointAnswer<T>[],
  needed: number,
  keyOf: (value: T) => string = encodeJson,
): Agreement<T> {
  const given = answers.flatMap((answer) => (answer.ok ? [answer] : []))
  const groups = Map.groupBy(given, ({ value }) => keyOf(value))
  const [first, second] = [...groups.values()].toSorted((a, b) => b.length - a.length)
  if (first === undefined) return { status: "short", value: null, answered: 0 }
  const value = first[0]?.value ?? null
  if (first.length >= needed && value !== null && first.length > (second?.length ?? 0))
    return { status: "agreed", value, dissent: given.filter((answer) => !first.includes(answer)) }
  return groups.size > 1
    ? { status: "split", answers: given }
    : { status: "short", value, answered: given.length }
}

/**
 * The newest height that enough endpoints have reached: the `needed`-th highest of their heads, so
 * that heads far above the others count for nothing. `null` where fewer endpoints answered.
 */
export function agreedHead(heads: readonly bigint[], needed: number): bigint | null {
  return heads.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))[needed - 1] ?? null
}
