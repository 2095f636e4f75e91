import { readableAt } from "./format-span.ts"
import { type CausedProblem, type Problem, problem } from "./problem.ts"
import type { Readings, RuleReading } from "./readings.ts"
import { PARTNER_NEEDS, STANDINGS, standingOf, stepOfRefusal } from "./refusal-standing.ts"

/** So many runs of a schedule without a swap are no accident. */
const MOST_MISSED = 3

/**
 * Rules that cannot reach their goal, and scheduled rules that swap nothing. Without a daemon the
 * last decisions are old, and its absence is the problem. While everything is paused, no run is
 * expected to swap. Pure.
 */
export function findUnmetRules({
  rules,
  daemon,
  pause,
  nowMs,
}: Pick<Readings, "rules" | "daemon" | "pause" | "nowMs">): readonly CausedProblem[] {
  if (!daemon.answers) return []
  const active = rules.filter(({ enabled, paused }) => enabled && !paused)
  const found = active.flatMap((rule) => {
    const missed = pause === null ? findMissedRuns(rule) : []
    if (missed.length > 0) return missed
    const unmet = [...findUnmetRule(rule), ...findRestingRule(rule)]
    return unmet.length > 0 ? unmet : findHeldRule(rule, nowMs)
  })
  const named = found.map(({ about }) => about)
  return [...found, ...findDeadlocks(active.filter(({ id }) => !named.includes(id)))]
}

/** No order can help rules whose sources are to be refilled, or drained, by each other. */
function findDeadlocks(rules: readonly RuleReading[]): Problem[] {
  const waiting = rules.filter(
    ({ verdict, reasons }) =>
      verdict === "declined" &&
      reasons.length > 0 &&
      reasons.every(({ code }) => code === PARTNER_NEEDS),
  )
  const ids = waiting.map(({ id }) => id)
  const stuck = waiting.filter((rule) => partnersOf(rule).every((one) => ids.includes(one)))
  const [first, ...others] = stuck
  if (first === undefined || others.length === 0) return []
  const { id, reasons } = first
  const names = stuck.map((rule) => rule.id).join(", ")
  const why = `${reasons[0]?.message} [${PARTNER_NEEDS}]`
  const sentence = `The rules ${names} wait for each other: ${why}`
  const todo = "Fund the wallet, or lower a minimum, so that one of them can be a source."
  const given = { about: id, todo, command: `ballast why ${id}`, needsPerson: true }
  return [problem({ level: "attention", code: "rule.unmet", sentence, ...given })]
}

function partnersOf({ reasons }: RuleReading): readonly string[] {
  return reasons.map(({ rule }) => String(rule))
}

function findMissedRuns({ id, missed }: RuleReading): CausedProblem[] {
  if (missed === undefined || missed.count < MOST_MISSED) return []
  const { count, isMore, sinceMs, reason } = missed
  const runs = `${isMore ? "at least " : ""}its last ${count} runs`
  const sentence = `The rule ${id} has missed ${runs}, since ${readableAt(sinceMs)}: ${reason}`
  const isBehind = reason.includes("[limit.in_flight")
  const [, step = stepOf(reason)] = MISSED_STEPS.find(([pattern]) => pattern.test(reason)) ?? []
  const todo = isFarOff(reason) ? COMPARE_PRICES : isBehind ? SEE_ORDERS : step
  const command = isBehind ? "ballast orders --open" : `ballast why ${id}`
  const given = { about: id, todo, command, needsPerson: true }
  const unmet = problem({ level: "attention", code: "rule.missed_runs", sentence, ...given })
  return [{ ...unmet, cause: { code: codeOf(reason), message: reason } }]
}

/** The code stands at the end of the reason. */
function codeOf(reason: string): string {
  return /\[([a-z_]+\.[a-z_]+)\][^[]*$/.exec(reason)?.[1] ?? ""
}

function stepOf(reason: string): string {
  const code = codeOf(reason)
  return Object.hasOwn(STANDINGS, code)
    ? `${stepOfRefusal({ code, message: reason })} ${NEXT_RUN}`
    : REMOVE
}

const NEXT_RUN = "The next run that makes a deposit ends this."
const REMOVE =
  "Remove the cause; the next run that makes a deposit ends this. Swap by hand if one is overdue."
/** By the code of the reason; the first that fits counts. */
const MISSED_STEPS: readonly (readonly [RegExp, string])[] = [
  [
    /\[limit\./,
    "Lower the rule's amount, or raise the limit that the reason names; the next run that makes " +
      "a deposit ends this.",
  ],
  [
    /\[(policy\.(illiquid|empty)|funds\.insufficient)\]/,
    "Fund the wallet, or lower the rule's amount; the next run that makes a deposit ends this.",
  ],
  [
    /\[\w+\.too_dear\]/,
    "Raise the max_cost that the reason names, or sell a larger amount at once: a part of the " +
      "cost is the same for each order.",
  ],
]
const SEE_ORDERS =
  "Its earlier orders are still in flight: see why they wait. Raise the limit only if they go on."
const COMPARE_PRICES =
  "No swap costs so much: compare the quotes and the reference prices of both assets " +
  "(prices.sources) with the market; ask the operator of the service, or replace the source that " +
  "is wrong."

/** A cost above this share of the amount shows a wrong price sooner than a dear swap. */
const MOST_COST_BPS = 2_000

function isFarOff(reason: string): boolean {
  const bps = /it costs .*?\b(\d+) bps/.exec(reason)?.[1] ?? "0"
  return reason.includes("policy.too_dear") && Number(bps) > MOST_COST_BPS
}

function findUnmetRule({ id, verdict, reasons }: RuleReading): Problem[] {
  const lasting = reasons.find((one) => standingOf(one) === "lasting")
  if (verdict !== "declined" || lasting === undefined) return []
  const todo = "Fund one of its sources, or correct the rule's bounds, sources and limits."
  const sentence = `The rule ${id} cannot be met: ${lasting.message} [${lasting.code}]`
  const given = { about: id, todo, command: `ballast why ${id}`, needsPerson: true }
  return [problem({ level: "attention", code: "rule.unmet", sentence, ...given })]
}

/** A failed order is no accident of the rule: the next one may fail the same way. */
function findRestingRule({ id, reasons, restsAfter }: RuleReading): Problem[] {
  const rest = reasons.find(({ code }) => code === "limit.cooldown")
  if (rest === undefined || restsAfter === undefined) return []
  const sentence = `The rule ${id} rests: ${restsAfter}. ${rest.message} [${rest.code}]`
  const given = { about: id, todo: SEE_ENDED, command: `ballast why ${id}`, needsPerson: true }
  return [problem({ level: "attention", code: "rule.unmet", sentence, ...given })]
}

const SEE_ENDED =
  "Remove the cause that ended the order: ask the operator of the service if it names the " +
  "service. The rule then tries again by itself."

/** So long a solver may be away, or a service busy. */
const QUOTE_PATIENCE_MS = 30_000

/** A try comes every few seconds until there is a quote. */
function findHeldRule(
  { id, reasons, heldSinceMs: sinceMs }: RuleReading,
  nowMs: number,
): CausedProblem[] {
  if (sinceMs === undefined || nowMs - sinceMs < QUOTE_PATIENCE_MS) return []
  const reason = reasons.find(({ code }) => code !== PARTNER_NEEDS)
  const why = reason === undefined ? "" : `: ${reason.message} [${reason.code}]`
  const what = reason?.code === NO_QUOTE ? "has had no quote" : "has made no order"
  const sentence = `The rule ${id} ${what} since ${readableAt(sinceMs)}${why}`
  const given = {
    about: id,
    todo: reason === undefined ? REMOVE : stepOfRefusal(reason),
    command: `ballast why ${id}`,
    needsPerson: true,
  }
  const held = problem({ level: "attention", code: "rule.unmet", sentence, ...given })
  return [reason === undefined ? held : { ...held, cause: reason }]
}

const NO_QUOTE = "policy.quote_missing"
