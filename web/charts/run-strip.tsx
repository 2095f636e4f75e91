import type { JSX } from "preact"
import { clockTime } from "../format.ts"
import { type Mark, MarkStrip } from "./mark-strip.tsx"
import { type Outcome, type Run, sayRuns, WORDS } from "./say-runs.ts"

const PATHS: Readonly<Record<Outcome, string>> = {
  swap: "M0 0h5v12h-5z",
  nothing: "M0 5h5v2h-5z",
  refused: "M2.5 1l2.5 10h-5z",
  missed: "M0 2l5 8m0 -8l-5 8",
}

/** The newest outcomes of a rule: a bar for a swap, a dash, a triangle, a cross. */
export function RunStrip(props: {
  runs: readonly Run[]
  whyOf: (run: Run) => string
}): JSX.Element {
  const marks = props.runs.map((run): Mark => {
    const { at, lastAt, times, outcome } = run
    const said = [
      `${clockTime(lastAt)}: ${WORDS[outcome]}`,
      ...(times > 1 ? [`${times} times since ${clockTime(at)}`] : []),
      ...(outcome === "swap" ? [] : [props.whyOf(run)]),
    ]
    return { kind: outcome, path: PATHS[outcome], title: said.join(", ") }
  })
  return <MarkStrip marks={marks} words={sayRuns(props.runs)} />
}
