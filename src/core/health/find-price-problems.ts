import { formatSpan } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { PriceReading, Readings } from "./readings.ts"

/** Assets that have had no sound reference price for longer than the allowed time. Pure. */
export function findPriceProblems(
  { unpriced = [], nowMs }: Readings,
  silentAfterMs: number,
): readonly Problem[] {
  return unpriced.flatMap((one) => {
    if (!isUnpricedFor(one, silentAfterMs, nowMs)) return []
    const { asset, sinceMs, reason } = one
    const { code } = reason
    const lasts = formatSpan(nowMs - sinceMs)
    const sentence =
      code === "prices.outlier"
        ? `${reason.message}, for ${lasts}; it does not count`
        : `${asset} has had no reference price for ${lasts}: ${reason.message}`
    return [
      problem({
        level: "attention",
        code,
        about: asset,
        sentence,
        ...remedyOf(code),
        needsPerson: true,
      }),
    ]
  })
}

/** One failed read is no news: the next one may succeed. */
export function isUnpricedFor(
  { sinceMs }: PriceReading,
  silentAfterMs: number,
  nowMs: number,
): boolean {
  return nowMs - sinceMs >= silentAfterMs
}

function remedyOf(code: string): Pick<Problem, "todo" | "command"> {
  const command = "ballast reload"
  if (code === "prices.disagree" || code === "prices.outlier")
    return {
      todo: "Find the wrong source, and replace it in prices.sources, then let the daemon read it.",
      command,
    }
  if (code === "prices.missing")
    return {
      todo: "Give the asset a source in prices.sources, then let the daemon read it.",
      command,
    }
  return {
    todo: "Repair or replace the asset's sources in prices.sources, then let the daemon read it.",
    command,
  }
}
