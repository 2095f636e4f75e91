import type { RuleFields } from "../rules/rule-sentence.ts"

export type Run = RuleFields["runs"][number]
export type Outcome = Run["outcome"]

export const WORDS: Readonly<Record<Outcome, string>> = {
  swap: "swapped",
  nothing: "nothing to do",
  refused: "refused",
  missed: "missed",
}

/** `Last 16 runs: 2 swapped, 13 nothing to do, 1 missed`; each run counts. */
export function sayRuns(runs: readonly Run[]): string {
  const count = (kind: Outcome | null): number =>
    runs
      .filter(({ outcome }) => kind === null || outcome === kind)
      .reduce((sum, { times }) => sum + times, 0)
  // CAST: the keys of the record.
  const kinds = (Object.keys(WORDS) as Outcome[]).filter((kind) => count(kind) > 0)
  const shares = kinds.map((kind) => `${count(kind)} ${WORDS[kind]}`)
  return runs.length === 0
    ? "no run yet"
    : `Last ${count(null)} run${count(null) === 1 ? "" : "s"}: ${shares.join(", ")}`
}
