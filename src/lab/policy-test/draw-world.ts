import { type Arbitrary, array, constant, integer, oneof, record, tuple } from "fast-check"
import { ruleKindOf } from "#policy/rules/registry.ts"
import type { Property } from "./property.ts"
import {
  countPrices,
  FAULT_KINDS,
  type World,
  type WorldFault,
  type WorldFlow,
  type WorldSource,
} from "./world.ts"

/** The random worlds of a property. Every number shrinks toward zero, its ordinary value. */
export function drawWorld(
  source: WorldSource,
  property: Pick<Property, "worlds" | "days">,
): Arbitrary<World> {
  const { assets, settings } = source.subject
  const { worlds, days } = property
  const minutes = days * DAY_MINUTES
  const prices = countPrices(source)
  const shared = {
    seed: integer({ min: 1, max: 1_000_000 }),
    // Any hour of a week, so that short worlds meet weekly schedules too.
    startHour: integer({ min: 0, max: WEEK_DAYS * 24 - 1 }),
    days: integer({ min: 1, max: days }),
  }
  if (worlds.kind === "calm") {
    const about = assets.flatMap(({ id }, index) => (worlds.about.includes(id) ? [index] : []))
    // An asset that a rule keeps within bounds begins where the rule wants it, so that the rule
    // needs no order for it.
    const kept = new Set(
      settings.rules.flatMap((rule) =>
        ruleKindOf(rule)
          .balanceBounds(rule)
          .map(({ asset }) => asset),
      ),
    )
    const isStill = about.length === 0
    const balances = assets.map((asset) => {
      if (isStill) return ANY_BALANCE
      return kept.has(asset.id) ? constant(0) : integer({ min: 0, max: 300 })
    })
    return record({
      ...shared,
      balances: tupleOf(balances),
      flows: isStill ? constant([]) : array(flow(about, minutes), { minLength: 1, maxLength: 2 }),
      ...CALM,
      prices: tupleOf(Array.from({ length: prices }, () => constant(0))),
    })
  }
  const all = assets.map((_, index) => index)
  return record({
    ...shared,
    balances: tupleOf(assets.map(() => ANY_BALANCE)),
    flows: array(flow(all, minutes), { maxLength: 8 }),
    prices: tupleOf(
      Array.from({ length: prices }, () => oneof(constant(0), integer({ min: -50, max: 100 }))),
    ),
    volatility: integer({ min: 0, max: 2 }),
    extraBps: oneof(
      { weight: 3, arbitrary: integer({ min: -25, max: 60 }) },
      { weight: 1, arbitrary: integer({ min: 0, max: 3_000 }) },
    ),
    extraTenths: integer({ min: -9, max: 60 }),
    slower: integer({ min: 0, max: 300 }),
    declinedPercent: oneof(constant(0), integer({ min: 0, max: 30 })),
    faults: array(fault(minutes), { maxLength: 3 }),
  })
}

const DAY_MINUTES = 1_440
const WEEK_DAYS = 7

/** Near the usual balance, much more than it, and nearly nothing. */
const ANY_BALANCE = oneof(
  integer({ min: -100, max: 100 }),
  integer({ min: 0, max: 900 }),
  integer({ min: -100, max: -85 }),
)

const CALM = {
  volatility: constant(0),
  extraBps: constant(0),
  extraTenths: constant(0),
  slower: constant(0),
  declinedPercent: constant(0),
  faults: constant<readonly WorldFault[]>([]),
}

function flow(assets: readonly number[], minutes: number): Arbitrary<WorldFlow> {
  return record({
    asset: oneof(...assets.map((index) => constant(index))),
    minute: integer({ min: 1, max: minutes - 1 }),
    percent: oneof(integer({ min: -90, max: 0 }), integer({ min: -90, max: 150 })),
  })
}

function fault(minutes: number): Arbitrary<WorldFault> {
  return record({
    what: integer({ min: 0, max: FAULT_KINDS - 1 }),
    subject: integer({ min: 0, max: 100 }),
    minute: integer({ min: 0, max: minutes - 1 }),
    minutes: integer({ min: 1, max: 600 }),
  })
}

/** One number of each, in this order. */
function tupleOf(parts: readonly Arbitrary<number>[]): Arbitrary<readonly number[]> {
  return parts.length === 0 ? constant([]) : tuple(...parts)
}
