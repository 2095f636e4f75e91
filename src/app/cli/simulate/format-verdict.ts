import type { BacktestedSubject } from "#backtest/backtest-policies.ts"
import type { RefusalSummary, Summary } from "#backtest/results/summarise.ts"
import { printableLine } from "#lib/printable.ts"
import { formatFiat } from "./format-fiat.ts"

/**
 * The result of a policy in one sentence: its moves, their cost, the time outside the bounds, the
 * alarms with the rules that they paused, and the most frequent cause of work left undone.
 */
export function formatVerdict({ name, summary }: BacktestedSubject): string {
  const parts = [tellOrders(summary), tellOutside(summary), tellAlarms(summary), tellBlock(summary)]
  return `${name}: ${parts.join("; ")}.`
}

function tellOrders({ moves, feesFiat, feesHundredthBps }: Summary): string {
  if (moves.p50 === 0) return "no moves in the middle run"
  const bps = (Number(feesHundredthBps.p50) / 100).toFixed(1)
  return (
    `${moves.p50} ${moves.p50 === 1 ? "move" : "moves"} in the middle run, for ` +
    `${formatFiat(feesFiat.p50)} in fees (${bps} bps)`
  )
}

function tellOutside({ rules }: Summary): string {
  const outside = rules.filter(({ outsideBps }) => outsideBps.p50 > 0)
  if (outside.length === 0) return "all rules within their bounds"
  const worst = outside.reduce((a, b) => (b.outsideBps.p50 > a.outsideBps.p50 ? b : a))
  return `${worst.rule} outside its bounds ${(worst.outsideBps.p50 / 100).toFixed(1)} % of the time`
}

function tellAlarms({ alarms, seeds }: Summary): string {
  if (alarms.length === 0) return "no alarm"
  return alarms
    .map(({ message, rules, isPaused, seeds: runs }) => {
      const about = isPaused ? `the alarm that paused ${rules}` : `an alarm for ${rules}`
      return `${about} in ${runs} of ${seeds} runs: ${printableLine(message)}`
    })
    .join(", ")
}

/** A paused rule is named with its alarm. */
function tellBlock({ refused, declined, rejected }: Summary): string {
  const blocks = [...refused, ...declined, ...rejected].filter(({ code }) => code !== "paused")
  const [first, ...others] = blocks
  if (first === undefined) return "nothing was refused"
  const most = others.reduce<RefusalSummary>(
    (a, b) => (b.episodes > a.episodes || (b.episodes === a.episodes && b.times > a.times) ? b : a),
    first,
  )
  const times = most.episodes === 1 ? "once" : `${most.episodes} times`
  return `what most often held it back: ${printableLine(most.message)} (${most.rule}, ${times})`
}
