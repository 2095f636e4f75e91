import type { Asset } from "#domain/asset.ts"
import { ruleKindOf } from "#policy/rules/registry.ts"
import { formatDuration } from "#schema/duration.ts"
import type { Property, PropertyForm, Violation } from "../property.ts"
import {
  ASSET,
  DURATION,
  NUMBER,
  RULE,
  readAsset,
  readRule,
  readSpan,
  readUnits,
  showAmount,
  WordProblem,
} from "../read-words.ts"
import { DAY_MS, type RunTrace } from "../trace.ts"
import { defineForm } from "./define-form.ts"

const DAYS_OF_ANY = 2
export const balanceForms: readonly PropertyForm[] = [
  defineForm({
    form: "never below AMOUNT ASSET",
    example: "never below 0.2 btc on base",
    means: "No order leaves less than this in the wallet. A withdrawal by others may.",
    pattern: `never below (?<amount>${NUMBER}) (?<asset>${ASSET})`,
    build: (word, names) => {
      const asset = readAsset(word("asset"), names)
      const least = readUnits(word("amount"), asset)
      return anyWorld((trace) => findDepositBelow(trace, asset, least))
    },
  }),
  defineForm({
    form: "never above AMOUNT ASSET",
    example: "never above 5 btc on base",
    means:
      "No order buys so much that the wallet holds more than this with the payouts of all " +
      "open orders.",
    pattern: `never above (?<amount>${NUMBER}) (?<asset>${ASSET})`,
    build: (word, names) => {
      const asset = readAsset(word("asset"), names)
      const most = readUnits(word("amount"), asset)
      return anyWorld((trace) => findPayoutAbove(trace, asset, most))
    },
  }),
  defineForm({
    form: "back above AMOUNT ASSET within DURATION",
    example: "back above 0.2 btc on base within 2h",
    means:
      "After a withdrawal the balance is at least this again in time, while the service " +
      "works and the other wallets hold enough.",
    pattern: `back above (?<amount>${NUMBER}) (?<asset>${ASSET}) within (?<span>${DURATION})`,
    build: (word, names) => {
      const asset = readAsset(word("asset"), names)
      const least = readUnits(word("amount"), asset)
      return inTime([asset], readSpan(word("span")), (units) =>
        units < least ? `at least ${showAmount(least, asset)}` : null,
      )
    },
  }),
  defineForm({
    form: "back below AMOUNT ASSET within DURATION",
    example: "back below 5 btc on base within 2h",
    means:
      "After a payment from outside the balance is at most this again in time, while the " +
      "service works.",
    pattern: `back below (?<amount>${NUMBER}) (?<asset>${ASSET}) within (?<span>${DURATION})`,
    build: (word, names) => {
      const asset = readAsset(word("asset"), names)
      const most = readUnits(word("amount"), asset)
      return inTime([asset], readSpan(word("span")), (units) =>
        units > most ? `at most ${showAmount(most, asset)}` : null,
      )
    },
  }),
  defineForm({
    form: "RULE refilled within DURATION",
    example: "hot refilled within 2h",
    means:
      "The balance of the rule is at its minimum again in time, while the service works and " +
      "the other wallets hold enough.",
    pattern: `(?<rule>${RULE}) refilled within (?<span>${DURATION})`,
    build: (word, names) => {
      const rule = readRule(word("rule"), names)
      const [bounds] = ruleKindOf(rule).balanceBounds(rule)
      const asset = names.assets.find(({ id }) => id === bounds?.asset)
      if (bounds === undefined || asset === undefined)
        throw new WordProblem(`${rule.id} keeps no balance within bounds`)
      const { minUnits } = bounds
      return inTime([asset], readSpan(word("span")), (units) =>
        units < minUnits ? `at least ${showAmount(minUnits, asset)}` : null,
      )
    },
  }),
]

function anyWorld(judge: Property["judge"]): Omit<Property, "text"> {
  return { worlds: { kind: "any" }, days: DAYS_OF_ANY, judge }
}

function findDepositBelow(trace: RunTrace, asset: Asset, least: bigint): Violation | null {
  const found = trace.deposits.find(
    ({ order, leftUnits }) => order.from === asset.id && leftUnits < least,
  )
  if (found === undefined) return null
  const { atMs, order, leftUnits } = found
  const left =
    `${showAmount(leftUnits, asset)} after ${order.rules.join(" and ")} sold ` +
    `${showAmount(order.units, asset)}`
  return { atMs, expected: `at least ${showAmount(least, asset)}`, found: left }
}

function findPayoutAbove(trace: RunTrace, asset: Asset, most: bigint): Violation | null {
  const order = trace.orders.find(
    ({ to, destination, heldAfterUnits }) =>
      to === asset.id && destination === null && heldAfterUnits > most,
  )
  if (order === undefined) return null
  const bought = `${order.rules.join(" and ")} buys ${showAmount(order.receiveUnits, asset)}`
  const found = `${showAmount(order.heldAfterUnits, asset)} after ${bought}`
  return { atMs: order.atMs, expected: `at most ${showAmount(most, asset)}`, found }
}

/**
 * `isWrong` gives the expected balance for a wrong one. The balance may be wrong for the span, and
 * for no longer.
 */
function inTime(
  [asset]: readonly [Asset],
  spanMs: number,
  isWrong: (units: bigint) => string | null,
): Omit<Property, "text"> {
  return {
    worlds: { kind: "calm", about: [asset.id] },
    days: Math.max(1, Math.ceil((spanMs * 2) / DAY_MS)),
    judge: ({ balances, endMs }) => {
      let sinceMs: number | null = null
      const points = balances.get(asset.id) ?? []
      for (const [index, { atMs, units }] of points.entries()) {
        const expected = isWrong(units)
        if (expected === null) sinceMs = null
        else sinceMs ??= atMs
        const untilMs = points[index + 1]?.atMs ?? endMs
        if (expected === null || sinceMs === null || untilMs - sinceMs <= spanMs) continue
        const found = `${showAmount(units, asset)} for more than ${formatDuration(spanMs)}`
        return {
          atMs: sinceMs + spanMs,
          expected: `${expected} within ${formatDuration(spanMs)}`,
          found,
        }
      }
      return null
    },
  }
}
