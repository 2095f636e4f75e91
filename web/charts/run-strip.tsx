import type { JSX } from "preact"
import { clockTime } from "../format.ts"
import { type Outcome, type Run, sayRuns, WORDS } from "./say-runs.ts"

const HIGH = 12
const STEP = 6

const SHAPES: Readonly<Record<Outcome, string>> = {
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
  const { runs, whyOf } = props
  const words = sayRuns(runs)
  return (
    <figure class="calls runs">
      <svg
        viewBox={`0 0 ${Math.max(24, runs.length) * STEP} ${HIGH}`}
        role="img"
        aria-label={words}
      >
        {runs.map((run, index) => (
          <path
            key={run.at}
            class={run.outcome}
            d={SHAPES[run.outcome]}
            transform={`translate(${index * STEP} 0)`}
          >
            <title>
              {[
                `${clockTime(run.lastAt)}: ${WORDS[run.outcome]}`,
                run.times > 1 ? `${run.times} times since ${clockTime(run.at)}` : [],
                run.outcome === "swap" ? [] : whyOf(run),
              ]
                .flat()
                .join(", ")}
            </title>
          </path>
        ))}
      </svg>
      <figcaption>{words}</figcaption>
    </figure>
  )
}
