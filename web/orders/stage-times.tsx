import type { JSX } from "preact"
import type { OrderAnswer } from "../answers.ts"
import { useWidth } from "../charts/use-width.ts"
import { useNow } from "../live.ts"
import { listSpans, type Span, sayTook } from "./list-spans.ts"

const ROW = 22
const LABEL = 104

/** The parts of an order as bars: solid once they are over, and their usual time outlined. */
export function StageTimes({ order }: { order: OrderAnswer }): JSX.Element | null {
  const [ref, width] = useWidth()
  const spans = listSpans(order, useNow())
  if (spans.length === 0) return null
  const lastMs = Math.max(1, ...spans.map((span) => span.startMs + longestOf(span)))
  const x = (ms: number): number => (ms / lastMs) * Math.max(0, width - LABEL - 2)
  const words = spans.map((span) => `${span.name}: ${sayTimes(span)}`).join("; ")
  return (
    <figure class="chart spans" ref={ref}>
      <svg width={width} height={spans.length * ROW} role="img" aria-label={words}>
        {spans.map(({ name, startMs, tookMs, runsMs, usualMs }, index) => (
          <g key={name} transform={`translate(0 ${index * ROW})`}>
            <text y={ROW - 8}>{name}</text>
            <rect
              class={tookMs === null ? "runs" : "took"}
              x={LABEL + x(startMs)}
              y="6"
              width={Math.max(tookMs === null && runsMs === null ? 0 : 1, x(tookMs ?? runsMs ?? 0))}
              height="10"
            />
            <rect
              class="usual"
              x={LABEL + x(startMs)}
              y="3"
              width={Math.max(1, x(usualMs))}
              height="16"
            />
          </g>
        ))}
      </svg>
      <figcaption class="note">{words}</figcaption>
    </figure>
  )
}

function longestOf({ tookMs, runsMs, usualMs }: Span): number {
  return Math.max(usualMs, tookMs ?? runsMs ?? 0)
}

function sayTimes({ tookMs, runsMs, usualMs }: Span): string {
  const usual = `usually ${sayTook(usualMs)}`
  if (tookMs !== null) return `${sayTook(tookMs)}, ${usual}`
  return runsMs === null ? usual : `${sayTook(runsMs)} so far, ${usual}`
}
