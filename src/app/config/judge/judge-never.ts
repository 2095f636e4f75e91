import type { AssetId } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import { judgeQuietHours } from "#guards/quiet-hours.ts"
import { type ConfiguredRule, ruleKindOf, scheduleOf } from "#policy/rules/registry.ts"
import type { FixedAmount } from "#policy/rules/rule-kind.ts"
import type { Schedule } from "#policy/schedule/due-occurrences.ts"
import { listOccurrences } from "#policy/schedule/list-occurrences.ts"
import type { Config } from "../config.ts"
import { type ConfigFinding, findingOf } from "./finding.ts"
import { findUnserved } from "./judge-unserved.ts"

/** Rules that can never place an order, whatever the balances and prices are. Pure. */
export function judgeNever(config: Config): ConfigFinding[] {
  return config.rules.flatMap((rule, index) => {
    if (!rule.enabled) return []
    const path = ["rules", index]
    const [first] = [
      ...judgeTimesOf(rule, config, path),
      ...judgeCostOf(rule, config, path),
      ...judgeZeroOf(rule, config),
      ...judgeNoneOf(rule, config),
      ...judgeAmountOf(rule, config, path),
      ...judgePairOf(rule, config, path),
    ]
    return first ?? []
  })
}

/** Receivers that are told nothing: no alert escalates to them, and they ask for no change. */
export function judgeReceivers({ alerts }: Pick<Config, "alerts">): ConfigFinding[] {
  const { receivers, escalateAfterMs, escalateTo } = alerts
  return receivers
    .filter(({ least, events }) => least === "escalation" && events.length === 0)
    .filter(({ name }) => escalateAfterMs === null || !escalateTo.includes(name))
    .map(({ name }) => {
      const sentence = "its least is escalation, and nothing escalates to it: it is told nothing"
      return never({
        path: ["alerts", "receivers", name],
        subjects: [name],
        message: `receiver ${name}: ${sentence}`,
        sentence,
        todo: "write escalate_after, and name it in escalate_to; or lower its least",
      })
    })
}

function judgePairOf(rule: ConfiguredRule, config: Config, path: Path): ConfigFinding[] {
  const found = findUnserved(rule, config)
  if (found === null) return []
  const { sentence, todo } = found
  const message = `rule ${rule.id}: ${sentence}`
  return [never({ path, subjects: [rule.id], message, sentence, todo })]
}

type Path = readonly (string | number)[]

/** Quiet hours may have another zone than the schedule, so runs of both seasons count. */
const SEASONS = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)]
/** Runs of more than a week show whether one of them is outside the quiet hours. */
const LEAST_RUNS = 20
const LEAST_MS = 8 * 24 * 3_600_000
/** A pause of the quiet hours that is shorter counts as none. */
const STEP_MS = 5 * 60_000

function judgeTimesOf(rule: ConfiguredRule, { guards }: Config, path: Path): ConfigFinding[] {
  const schedule = scheduleOf(rule)
  if (schedule === null || guards.quietHours.length === 0) return []
  // A run begins within its jitter, and may then wait within its window.
  const spanMs = (schedule.jitterMs ?? 0) + (schedule.windowMs ?? 0)
  const runs = SEASONS.flatMap((sinceMs) => listRuns(schedule, sinceMs))
  const moments = new Set(runs.flatMap((atMs) => listMoments(atMs, spanMs)))
  const isQuiet = (atMs: number): boolean => judgeQuietHours(guards.quietHours, atMs).length > 0
  if (![...moments].every(isQuiet)) return []
  const sentence = "each of its runs is in quiet_hours, so it never trades"
  const message = `rule ${rule.id}: ${sentence}`
  const todo = "move its schedule, or shorten quiet_hours"
  return [never({ path: [...path, "schedule"], subjects: [rule.id], message, sentence, todo })]
}

function listRuns(schedule: Schedule, sinceMs: number): readonly number[] {
  const runs: number[] = []
  for (const atMs of listOccurrences(schedule, sinceMs)) {
    runs.push(atMs)
    if (runs.length >= LEAST_RUNS && atMs - sinceMs > LEAST_MS) break
  }
  return runs
}

function listMoments(atMs: number, spanMs: number): readonly number[] {
  const steps = Math.floor(spanMs / STEP_MS) + 1
  return [...Array.from({ length: steps }, (_, step) => atMs + step * STEP_MS), atMs + spanMs]
}

function judgeCostOf(rule: ConfiguredRule, { guards }: Config, path: Path): ConfigFinding[] {
  const whenEmpty = "maxCostWhenEmpty" in rule ? rule.maxCostWhenEmpty : null
  const own = whenEmpty ?? rule.maxCost ?? null
  const isOwn = own !== null && isNothing(own)
  if (!isOwn && !isNothing(guards.maxCost)) return []
  const sentence = "its max_cost is zero, and each swap costs something: it never trades"
  const message = `rule ${rule.id}: ${sentence}`
  const at = isOwn ? [...path, "max_cost"] : ["guards", "max_cost"]
  return [never({ path: at, subjects: [rule.id], message, sentence, todo: "raise max_cost" })]
}

function isNothing(limit: CostLimit): boolean {
  return limit.kind === "share" ? limit.bps === 0n : limit.fiat === 0n
}

/** A limit of zero is above no order, whichever its kind. */
function judgeZeroOf(rule: ConfiguredRule, { guards, signer }: Config): ConfigFinding[] {
  const { id } = rule
  const zero = [
    { path: ["guards", "max_order"], isZero: isEmpty(guards.maxOrder) },
    ...guards.windows.flatMap(({ max, maxFeesFiat }, index) => [
      { path: ["guards", "windows", index, "max"], isZero: isEmpty(max) },
      { path: ["guards", "windows", index, "max_fees"], isZero: maxFeesFiat === 0n },
    ]),
    ...listSignerLimits(rule, signer),
  ].find(({ isZero }) => isZero)
  if (zero === undefined) return []
  const [room, key, ...rest] = zero.path
  const holder = room === "signer" ? `${rest[0]} (signer.limits)` : "a window (guards.windows)"
  const name = rest.length === 0 ? key : `${rest.at(-1)} of ${holder}`
  const sentence = `${name} is zero, so it never trades`
  const message = `rule ${id}: ${sentence}`
  return [never({ path: zero.path, subjects: [id], message, sentence, todo: `raise ${name}` })]
}

/** The signer counts by itself, and signs nothing above its own limits. */
function listSignerLimits(
  rule: ConfiguredRule,
  { limits }: Config["signer"],
): { readonly path: Path; readonly isZero: boolean }[] {
  const sold = ruleKindOf(rule).soldAsset(rule)
  return limits
    .filter(({ asset }) => asset === sold)
    .flatMap(({ asset, perSignature, perHour, perDay }) => [
      { path: ["signer", "limits", asset, "per_signature"], isZero: perSignature === 0n },
      { path: ["signer", "limits", asset, "per_hour"], isZero: perHour === 0n },
      { path: ["signer", "limits", asset, "per_day"], isZero: perDay === 0n },
    ])
}

/** A person needs longer to read an order. */
const LEAST_APPROVAL_MS = 30_000

/** Lists that leave no choice, and a time in which no person can act. */
function judgeNoneOf({ id }: ConfiguredRule, { guards }: Config): ConfigFinding[] {
  const { destinations, solvers, approveAbove, approvalTtlMs } = guards
  const { allow, deny } = solvers
  const none = [
    {
      key: "destinations",
      isNone: destinations.length === 0,
      sentence: "destinations lists no address, so no order may be paid and it never trades",
      todo: "write destinations: own",
    },
    {
      key: "solvers",
      isNone: allow?.every((one) => deny.includes(one)) === true,
      sentence: "solvers allows no solver that it does not deny too, so it never trades",
      todo: "add a solver to solvers.allow, or remove one from solvers.deny",
    },
    {
      key: "approval_ttl",
      isNone: approveAbove !== null && approvalTtlMs < LEAST_APPROVAL_MS,
      sentence: "approval_ttl is too short for a person, so no order that needs approval begins",
      todo: "raise approval_ttl, such as to 1h",
    },
  ].find(({ isNone }) => isNone)
  if (none === undefined) return []
  const { key, sentence, todo } = none
  const message = `rule ${id}: ${sentence}`
  return [never({ path: ["guards", key], subjects: [id], message, sentence, todo })]
}

function isEmpty(limit: SoldLimit | null): boolean {
  if (limit === null) return false
  if (limit.kind === "fiat") return limit.fiat === 0n
  const most = Object.values(limit.byAsset)
  return most.length > 0 && most.every((units) => units === 0n)
}

/**
 * A scheduled swap is made in full or not at all, and no order is smaller than `least`: one above a
 * limit is refused each time.
 */
function judgeAmountOf(rule: ConfiguredRule, { guards }: Config, path: Path): ConfigFinding[] {
  const smallest = smallestOf(rule)
  if (smallest === null) return []
  const { key, amount, asset } = smallest
  const limits = [
    { name: "max_order", limit: guards.maxOrder },
    ...guards.windows.map(({ max }) => ({ name: "a window", limit: max })),
  ]
  const above = limits.find(({ limit }) => limit !== null && isAbove(amount, limit, asset))
  if (above === undefined) return []
  const limit = above.name === "max_order" ? "max_order" : "max of the window"
  const at = [...path, key]
  const subjects = [rule.id]
  const todo = `lower ${key}, or raise ${limit}`
  if (key === "amount") {
    const message = `rule ${rule.id} sells more than ${above.name} allows, so it never trades`
    return [findingOf("scheduleAboveLimit", { path: at, subjects, message, todo })]
  }
  const sentence = `its ${key} is above ${above.name}, so it never trades`
  return [never({ path: at, subjects, message: `rule ${rule.id}: ${sentence}`, sentence, todo })]
}

type Smallest = {
  readonly key: "amount" | "least"
  readonly amount: FixedAmount
  readonly asset: AssetId | null
}

/** The smallest order that a rule places; `null` where it may be of any size. */
function smallestOf(rule: ConfiguredRule): Smallest | null {
  const kind = ruleKindOf(rule)
  if (kind.wake === "schedule") {
    const amount = kind.fixedAmountOf?.(rule) ?? null
    return amount === null ? null : { key: "amount", amount, asset: kind.pairOf(rule).from }
  }
  if ("leastFiat" in rule)
    return { key: "least", amount: { kind: "fiat", fiat: rule.leastFiat ?? 0n }, asset: null }
  // Of a band, `least` is in the unit of its own asset, which only a drain sells.
  const asset = kind.soldAsset(rule)
  if (!("leastUnits" in rule) || asset === null) return null
  return { key: "least", amount: { kind: "units", units: rule.leastUnits ?? 1n }, asset }
}

/** An amount and a limit of different kinds can only be compared at a price. */
function isAbove(amount: FixedAmount, limit: SoldLimit, from: AssetId | null): boolean {
  if (amount.kind === "fiat") return limit.kind === "fiat" && amount.fiat > limit.fiat
  const most = limit.kind === "units" && from !== null ? limit.byAsset[from] : undefined
  return most !== undefined && amount.units > most
}

function never({
  sentence,
  ...found
}: Pick<ConfigFinding, "path" | "subjects" | "message" | "sentence" | "todo">): ConfigFinding {
  return { ...findingOf("neverBegins", found), sentence, step: found.todo }
}
