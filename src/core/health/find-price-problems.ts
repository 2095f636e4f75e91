import { remedyOfError } from "./error-remedies.ts"
import { formatSpan } from "./format-span.ts"
import { type Problem, problem } from "./problem.ts"
import type { PriceReading, Readings } from "./readings.ts"

/** Assets that have had no sound reference price for longer than the allowed time. Pure. */
export function findPriceProblems(
  { unpriced = [], nowMs }: Readings,
  silentAfterMs: number,
): readonly Problem[] {
  return groupUnpriced(unpriced, silentAfterMs, nowMs).map(({ asset, sinceMs, reason, breaks }) => {
    const { code, message } = reason
    const lasts = formatSpan(nowMs - sinceMs)
    const missing =
      breaks === undefined
        ? `${asset} has had no reference price for ${lasts}`
        : `${asset} has lost its reference price again and again, ${breaks} times in ${lasts}`
    const sentence = WARNINGS.includes(code)
      ? `${message} (for ${lasts})`
      : `${missing}: ${message}`
    return problem({
      level: "attention",
      code,
      about: reason["source"] ?? asset,
      sentence,
      ...((FAILURES.includes(code) ? remedyOfError(message, "price") : null) ?? remedyOf(code)),
      needsPerson: true,
    })
  })
}

/** The assets have a price, and one source less guards it. */
const WARNINGS = ["prices.outlier", "prices.source_down", "prices.frozen"]

/** Their words are a server's error, and no prices. */
const FAILURES = ["prices.unavailable", "prices.source_down"]

/** One entry for all assets whose sources fail in the same way. Pure. */
export function groupUnpriced(
  unpriced: readonly PriceReading[],
  silentAfterMs: number,
  nowMs: number,
): readonly PriceReading[] {
  const lasting = unpriced.filter((one) => isUnpricedFor(one, silentAfterMs, nowMs))
  const groups = Map.groupBy(
    lasting,
    ({ asset, reason: { code, source } }) => `${code} ${source ?? asset}`,
  )
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? []
    const names = others.map(({ asset }) => asset).join(", ")
    const message = `${first.reason.message}; the same for ${names}`
    return {
      asset: first.asset,
      sinceMs: Math.min(first.sinceMs, ...others.map(({ sinceMs }) => sinceMs)),
      reason: { ...first.reason, message },
    }
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
  if (code === "prices.frozen")
    return {
      todo:
        "Compare it with the market: if it moved, replace the source; else name its time_path. " +
        "Then let the daemon read it.",
      command,
    }
  if (code === "prices.disagree" || WARNINGS.includes(code))
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
