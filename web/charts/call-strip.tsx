import type { JSX } from "preact"
import { clockTime } from "../format.ts"
import { useNow } from "../live.ts"
import { type Hours, sayCalls } from "./say-calls.ts"

const HOUR_MS = 3_600_000
const HOURS = 24
const HIGH = 12
const STEP = 6

/** The calls of 24 hours: a bar each hour, lower and red where some failed, a line without one. */
export function CallStrip({ hours }: { hours: Hours }): JSX.Element {
  const first = Math.floor(useNow() / HOUR_MS) - HOURS + 1
  const words = sayCalls(hours)
  return (
    <figure class="calls">
      <svg viewBox={`0 0 ${HOURS * STEP} ${HIGH}`} role="img" aria-label={words}>
        {Array.from({ length: HOURS }, (_, index) => {
          const atMs = (first + index) * HOUR_MS
          const hour = hours.find(({ at }) => Date.parse(at) === atMs)
          const { kind, high } = shapeOf(hour)
          return (
            <rect
              key={atMs}
              class={kind}
              x={index * STEP}
              y={HIGH - high}
              width={STEP - 1}
              height={high}
            >
              <title>
                {`${clockTime(new Date(atMs).toISOString())}: ` +
                  (hour === undefined ? "no call" : sayCalls([hour]))}
              </title>
            </rect>
          )
        })}
      </svg>
      <figcaption>{words}</figcaption>
    </figure>
  )
}

function shapeOf(hour: Hours[number] | undefined): {
  readonly kind: string
  readonly high: number
} {
  if (hour === undefined) return { kind: "none", high: 1 }
  return hour.failed === 0 ? { kind: "well", high: HIGH } : { kind: "ill", high: HIGH / 2 }
}
