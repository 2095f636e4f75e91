import { CronExpressionParser } from "cron-parser"
import { findFamily } from "#chains/families.ts"
import { parseUnits } from "#domain/amount.ts"
import { isSameAddress } from "#domain/is-same-address.ts"
import { describeFound } from "#schema/describe-found.ts"
import { OWN_PATTERN, parseLimitAmount } from "#schema/limit-amount.ts"
import { nearestName } from "#schema/nearest-name.ts"
import type { Path } from "#schema/problem.ts"
import { entriesAt, isMap, itemsAt, readPath, textAt } from "#schema/read-path.ts"
import { checkAssetKnown, checkDigits, type ReferenceWorld } from "#schema/reference-world.ts"

/** Rules: unique ids, configured assets, amounts that fit their asset, bounds in order, schedules that fire. */
export function checkRules(world: ReferenceWorld): void {
  const seen = new Set<string>()
  itemsAt(world.root, ["rules"]).forEach((rule, index) => {
    const path: Path = ["rules", index]
    const id = textAt(rule, ["id"])
    if (id !== null && seen.has(id)) {
      world.report([...path, "id"], `expected an id that no other rule has, found ${describeFound(id)} again`)
    }
    if (id !== null) seen.add(id)
    const kind = textAt(rule, ["kind"]) ?? ""
    // A kind named like what every object has must find nothing.
    if (Object.hasOwn(CHECKS, kind)) CHECKS[kind]?.(world, path, rule)
  })
}

type RuleCheck = (world: ReferenceWorld, path: Path, rule: unknown) => void

const CHECKS: Readonly<Record<string, RuleCheck>> = {
  recurring: (world, path, rule) => {
    checkPair(world, path, rule)
    checkAmount(world, [...path, "amount"], decimalsAt(world, [...path, "from"]))
    checkTimezone(world, path)
    checkSchedule(world, path)
  },
  band: (world, path, rule) => {
    const asset = checkAssetKnown(world, [...path, "asset"])
    const decimals = asset === null ? null : (world.decimals.get(asset) ?? null)
    for (const key of ["min", "target", "max", "least"]) checkDigits(world, [...path, key], decimals)
    checkBounds(world, path, rule)
    checkPartners(world, path, rule)
  },
  weights: (world, path) => checkWeights(world, path),
  sweep: (world, path, rule) => {
    checkPair(world, path, rule)
    const decimals = decimalsAt(world, [...path, "from"])
    for (const key of ["keep", "least"]) checkDigits(world, [...path, key], decimals)
    checkDestination(world, path, rule)
  },
}

/** An address outside the treasury: of the form that the chain of `to` has, and in the list of those that may be paid. */
function checkDestination(world: ReferenceWorld, path: Path, rule: unknown): void {
  const destination = textAt(rule, ["destination"])
  if (destination === null) return
  const at: Path = [...path, "destination"]
  const to = textAt(rule, ["to"]) ?? ""
  const family = world.chains.get(to.slice(0, Math.max(0, to.indexOf(":")))) ?? null
  const form = findFamily(family)?.addressForm ?? null
  if (form && !form.pattern.test(destination)) {
    world.report(at, `expected ${form.expected}, because ${to} is there, found ${describeFound(destination)}`)
    return
  }
  const allowed = itemsAt(world.root, ["guards", "destinations"]).filter((item) => typeof item === "string")
  if (allowed.some((address) => isSameAddress(address, destination))) return
  world.report(at, `expected an address that guards.destinations lists, found ${describeFound(destination)}`)
}

function checkPair(world: ReferenceWorld, path: Path, rule: unknown): void {
  const from = checkAssetKnown(world, [...path, "from"])
  checkAssetKnown(world, [...path, "to"])
  if (from !== null && from === readPath(rule, ["to"])) {
    world.report([...path, "to"], `expected another asset than from, found ${from}`)
  }
}

function decimalsAt(world: ReferenceWorld, path: Path): number | null {
  return world.decimals.get(textAt(world.root, path) ?? "") ?? null
}

function checkAmount(world: ReferenceWorld, path: Path, decimals: number | null): void {
  const text = textAt(world.root, path)
  const amount = text === null ? null : parseLimitAmount(text)
  if (amount === null) return
  checkDigits(world, path, decimals)
  const zero =
    amount.kind === "own" ? !/[1-9]/.test(amount.text) : (amount.kind === "fiat" ? amount.fiat : amount.bps) === 0n
  if (zero) world.report(path, `expected an amount above zero, found ${describeFound(text)}`)
  if (amount.kind === "share" && amount.bps > 10_000n) {
    world.report(path, `expected at most 100%, found ${describeFound(text)}`)
  }
}

/** `timezone` below this path, in a rule or elsewhere. */
export function checkTimezone(world: ReferenceWorld, path: Path): void {
  const zone = textAt(world.root, [...path, "timezone"])
  if (zone === null || isTimezone(zone)) return
  const near = nearestName(zone, Intl.supportedValuesOf("timeZone"))
  const hint = near === null ? "" : `; did you mean ${near}?`
  world.report(
    [...path, "timezone"],
    `expected an IANA time zone such as Europe/Zurich, found ${describeFound(zone)}${hint}`,
  )
}

/** `Intl` also takes offsets such as +01:00, which know no daylight saving and are no zones. */
function isTimezone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== ""
  } catch {
    // RangeError is how Intl says that there is no such zone.
    return false
  }
}

/**
 * The parser fills in missing fields and takes `H` (a random time, another one after each restart), so the form is checked first.
 * Any instant does to see whether the schedule ever fires.
 */
function checkSchedule(world: ReferenceWorld, path: Path): void {
  const schedule = textAt(world.root, [...path, "schedule"])
  if (schedule === null) return
  const fields = schedule.trim().split(/\s+/)
  const wellFormed = /^@[a-z]+$/.test(schedule) || fields.length === 5 || fields.length === 6
  const problem =
    wellFormed && !/\bH\b/.test(schedule) ? cronProblem(schedule) : "five fields, or six with seconds first"
  if (problem === null) return
  world.report(
    [...path, "schedule"],
    `expected a cron expression such as "0 9 * * MON" (${problem}), found ${describeFound(schedule)}`,
  )
}

function cronProblem(schedule: string): string | null {
  try {
    CronExpressionParser.parse(schedule, { tz: "UTC", currentDate: new Date(0) }).next()
    return null
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 120) : "not readable"
  }
}

function checkBounds(world: ReferenceWorld, path: Path, rule: unknown): void {
  const bounds = ["min", "target", "max"].map((key) => ({ key, text: textAt(rule, [key]) }))
  bounds.forEach(({ key, text }, index) => {
    const lower = bounds[index - 1]
    if (text === null || !lower || lower.text === null || scaled(lower.text) <= scaled(text)) return
    world.report([...path, key], `expected at least ${lower.key} (${lower.text}), found ${describeFound(text)}`)
  })
}

/** Comparable without an asset's decimals; what is no decimal compares as zero and was reported by its form. */
function scaled(text: string): bigint {
  return OWN_PATTERN.test(text) ? parseUnits(text, 60) : 0n
}

function checkPartners(world: ReferenceWorld, path: Path, rule: unknown): void {
  const partners = ["sources", "sinks"].flatMap((key) => itemsAt(rule, [key]).map((_, index) => [...path, key, index]))
  for (const at of partners) {
    const id = checkAssetKnown(world, at)
    if (id !== null && id === readPath(rule, ["asset"])) {
      world.report(at, `expected another asset than the rule's own, found ${id}`)
    }
  }
  if (partners.length === 0) world.report(path, "expected at least one asset in sources or sinks, found none")
}

function checkWeights(world: ReferenceWorld, path: Path): void {
  const entries = entriesAt(world.root, [...path, "weights"])
  for (const [id] of entries) checkAssetKnown(world, [...path, "weights", id], "key")
  const shares = entries.map(([, text]) => (typeof text === "string" ? parseLimitAmount(text) : null))
  const known = shares.filter((amount) => amount?.kind === "share")
  const sum = known.reduce((total, amount) => total + amount.bps, 0n)
  const complete = known.length === entries.length && isMap(readPath(world.root, [...path, "weights"]))
  if (complete && sum !== 10_000n) {
    world.report([...path, "weights"], `expected shares of together 100%, found ${Number(sum) / 100}%`)
  }
}
