import type { JSX } from "preact"
import { clockTime } from "../format.ts"
import { useNow } from "../live.ts"
import type { Coming } from "./list-coming.ts"
import { timeTicks } from "./scale.ts"
import { useWidth } from "./use-width.ts"

const HIGH = 16
const DAY_MS = 86_400_000
const NAMED = 3

/** The next 24 hours: a line for each run, a triangle where the time of an order ends. */
export function UpcomingStrip({ coming }: { coming: readonly Coming[] }): JSX.Element {
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
            class={kind === "run" ? "run-tick" : "mark out"}
            d={kind === "run" ? "M0 -12V0" : "m0 -1 4 -8h-8z"}
            transform={`translate(${x(Date.parse(at))} ${HIGH})`}
          >
            <title>{`${clockTime(at)} ${about}`}</title>
          </path>
        ))}
        {timeTicks(now, now + DAY_MS, Math.max(2, Math.floor(width / 80))).map(({ ms, label }) => (
          <text key={ms} x={x(ms)} y={HIGH + 13} text-anchor="middle">
            {label}
          </text>
        ))}
      </svg>
      <figcaption class="note">{words}</figcaption>
    </figure>
  )
}
