import type { JSX } from "preact"
import { clockTime } from "../format.ts"
import { useNow } from "../live.ts"
import { type Mark, MarkStrip } from "./mark-strip.tsx"
import { type Hours, sayCalls } from "./say-calls.ts"

const HOUR_MS = 3_600_000
const HOURS = 24

/** The calls of 24 hours: a bar each hour, lower and red where some failed, a line without one. */
export function CallStrip({ hours }: { hours: Hours }): JSX.Element {
  const first = Math.floor(useNow() / HOUR_MS) - HOURS + 1
  const marks = Array.from({ length: HOURS }, (_, index): Mark => {
    const atMs = (first + index) * HOUR_MS
    const hour = hours.find(({ at }) => Date.parse(at) === atMs)
    const says = hour === undefined ? "no call" : sayCalls([hour])
    return { ...shapeOf(hour), title: `${clockTime(new Date(atMs).toISOString())}: ${says}` }
  })
  return <MarkStrip marks={marks} words={sayCalls(hours)} />
}

function shapeOf(hour: Hours[number] | undefined): Pick<Mark, "kind" | "path"> {
  if (hour === undefined) return { kind: "none", path: "M0 11h5v1h-5z" }
  return hour.failed === 0
    ? { kind: "well", path: "M0 0h5v12h-5z" }
    : { kind: "ill", path: "M0 6h5v6h-5z" }
}
