import type { JSX } from "preact"
import { clockTime } from "../format.ts"
import { useNow } from "../live.ts"
import type { Coming } from "./list-coming.ts"
import { timeTicks } from "./scale.ts"
import { useWidth } from "./use-width.ts"

const HIGH = 16
const DAY_MS = 86_400_000
const NAMED = 3
/** Half of a label: nearer to an end of the strip it would be cut. */
const EDGE = 16

/** A line, a triangle and an open dot, so that no kind is told by its colour alone. */
const SHAPES = {
  run: { class: "run-tick", path: "M0 -12V0" },
  end: { class: "mark out", path: "m0 -1 4 -8h-8z" },
  likely: { class: "mark likely", path: "m-4 -6a4 4 0 1 1 8 0a4 4 0 1 1 -8 0z" },
} as const

/**
 * The next 24 hours: a line for each run, a triangle where the time of an order ends, an open dot
 * for a likely end of a band. `listed`: rows beside the strip say the same in words.
 */
export function UpcomingStrip(props: { coming: readonly Coming[]; listed?: boolean }): JSX.Element {
  const { coming, listed = false } = props
  const [ref, width] = useWidth()
  const now = useNow()
  const x = (ms: number): number => Math.max(0, (width * (ms - now)) / DAY_MS)
  const named = coming.slice(0, NAMED).map(({ at, words }) => `${clockTime(at)} ${words}`)
  const rest = coming.length - named.length
  const words = `Next 24 hours: ${named.join(", ")}${rest > 0 ? `, ${rest} more` : ""}`
  return (
    <figure class="chart upcoming" ref={ref}>
      <svg width={width} height={HIGH + 16} role="img" aria-label={words}>
        <line class="grid-line" x2={width} y1={HIGH} y2={HIGH} />
        {coming.map(({ at, kind, words: about }) => (
          <path
            key={`${at} ${about}`}
            class={SHAPES[kind].class}
            d={SHAPES[kind].path}
            transform={`translate(${x(Date.parse(at))} ${HIGH})`}
          >
            <title>{`${clockTime(at)} ${about}`}</title>
          </path>
        ))}
        {timeTicks(now, now + DAY_MS, Math.max(2, Math.floor(width / 80)))
          .filter(({ ms }) => x(ms) > EDGE && x(ms) < width - EDGE)
          .map(({ ms, label }) => (
            <text key={ms} x={x(ms)} y={HIGH + 13} text-anchor="middle">
              {label}
            </text>
          ))}
      </svg>
      {listed ? null : <figcaption class="note">{words}</figcaption>}
    </figure>
  )
}
