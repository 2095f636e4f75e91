import type { Reason } from "#domain/reason.ts"
import { kindOfCode, MEANINGS, type ProblemKind } from "./problem-kind.ts"

/**
 * `trouble`: money, an order or the daemon itself is affected. `attention`: a person should act,
 * and nothing is affected yet.
 */
export type Level = "ok" | "attention" | "trouble"

/**
 * One thing that is not as it should be. `todo` is the remedy in one sentence; `command` the exact
 * command where one helps.
 */
export type Problem = {
  readonly level: Exclude<Level, "ok">
  /** The code of the alarm, the state or the limit. */
  readonly code: string
  readonly kind: ProblemKind
  /**
   * The part that the problem is about beside an order: a chain, an endpoint, a rule or a limit.
   * Code, order and this name one cause.
   */
  readonly about: string | null
  readonly sentence: string
  /** The meaning for the money, in one sentence. */
  readonly meaning: string
  readonly todo: string
  readonly command: string | null
  /** The time after which acting is too late; `null` without one. */
  readonly deadlineMs: number | null
  readonly order: string | null
  /** A person must act, because Ballast cannot end it by itself. */
  readonly needsPerson: boolean
}

/** A problem whose cause may have a problem of its own, which then explains this one. */
export type CausedProblem = Problem & { readonly cause?: Reason }

/** A problem with the usual values. */
export function problem(
  given: Pick<Problem, "level" | "code" | "sentence" | "todo"> & Partial<Problem>,
): Problem {
  const kind = given.kind ?? kindOfCode(given.code)
  const unset = { about: null, command: null, deadlineMs: null, order: null, needsPerson: false }
  return { ...unset, kind, meaning: MEANINGS[kind], ...given }
}

/** The highest level; `ok` without a problem. */
export function levelOf(problems: readonly Problem[]): Level {
  if (problems.some(({ level }) => level === "trouble")) return "trouble"
  return problems.length > 0 ? "attention" : "ok"
}
