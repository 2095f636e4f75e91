import type { Subject } from "#backtest/subject.ts"
import type { Asset } from "#domain/asset.ts"
import type { RunTrace } from "./trace.ts"

/** One line of `properties`, as something that every run of the rules must fulfil. */
export type Property = {
  readonly text: string
  readonly worlds: WorldKind
  /** The longest world that the property needs. */
  readonly days: number
  /** The first violation; `null` when the run fulfils the property. */
  readonly judge: (trace: RunTrace) => Violation | null
}

/**
 * `any`: balances, withdrawals, prices, costs and faults at random. `calm`: every service, node and
 * price works, the partners hold enough, and only the balances of `about` change from outside, and
 * none where it is empty; for properties that say that something happens in time.
 */
type WorldKind =
  | { readonly kind: "any" }
  | { readonly kind: "calm"; readonly about: readonly Asset["id"][] }

/** `expected` and `found` complete "expected …, got …". */
export type Violation = {
  readonly atMs: number
  readonly expected: string
  readonly found: string
}

/** The names that a property may use. */
export type Names = Pick<Subject, "assets"> & { readonly rules: Subject["settings"]["rules"] }

/**
 * One form of a property. A form that does not fit the line at all gives `null`; a name or amount
 * that does not fit gives a problem.
 */
export type PropertyForm = {
  /** For docs and messages: `never below AMOUNT ASSET`. */
  readonly form: string
  readonly example: string
  readonly means: string
  readonly parse: (line: string, names: Names) => ParsedProperty | null
}

type ParsedProperty =
  | { readonly ok: true; readonly property: Omit<Property, "text"> }
  | { readonly ok: false; readonly problem: string }
