import type { Property, PropertyForm, Violation } from "../property.ts"
import {
  FIAT,
  OF_RULE,
  PERIOD,
  type Period,
  readCost,
  readFiat,
  readPeriod,
  readRule,
  SHARE,
  showFiat,
} from "../read-words.ts"
import { DAY_MS, type RunTrace } from "../trace.ts"
import { defineForm } from "./define-form.ts"

/**
 * Properties about sums over a time: the number of orders, the sold value, and costs. Each holds
 * for every span of that length.
 */
export const spendingForms: readonly PropertyForm[] = [
  defineForm({
    form: "no more than N orders PERIOD [of RULE]",
    example: "no more than 5 orders a day",
    means:
      "In no span of this length are more orders paid in. An order that ends before its " +
      "deposit does not count. PERIOD is `an hour`, `a day`, `a week`, `a month` or `in 6h`.",
    pattern: `no more than (?<most>\\d+) orders? (?<period>${PERIOD})${OF_RULE}`,
    build: (word, names) => {
      const most = BigInt(word("most"))
      const period = readPeriod(word("period"))
      const rule = word("rule") === "" ? null : readRule(word("rule"), names).id
      const expected = `at most ${most} orders ${period.text}${rule === null ? "" : ` of ${rule}`}`
      return overTime(period, ({ deposits }) => ({
        items: deposits
          .filter(({ order }) => rule === null || order.rules.includes(rule))
          .map(({ atMs }) => ({ atMs, size: 1n })),
        most,
        describe: (sum) => ({ expected, found: `${sum} orders` }),
      }))
    },
  }),
  defineForm({
    form: "sells no more than FIAT PERIOD",
    example: "sells no more than 100000 usd a day",
    means: "In no span of this length do orders sell more than this together.",
    pattern: `sells no more than (?<fiat>${FIAT}) (?<period>${PERIOD})`,
    build: (word) => {
      const most = readFiat(word("fiat"))
      const period = readPeriod(word("period"))
      return overTime(period, ({ deposits }) => ({
        items: deposits.map(({ atMs, order }) => ({ atMs, size: order.sourceFiat })),
        most,
        describe: (sum) => ({
          expected: `at most ${showFiat(most)} ${period.text}`,
          found: `${showFiat(sum)} sold`,
        }),
      }))
    },
  }),
  defineForm({
    form: "cost below COST PERIOD",
    example: "cost below 60bps a month",
    means:
      "In no span of this length do orders cost as much: service fees, spreads and network " +
      "fees. A share is one of the treasury's value at the start.",
    pattern: `cost below (?<cost>${SHARE}|${FIAT}) (?<period>${PERIOD})`,
    build: (word) => {
      const limit = readCost(word("cost"))
      const period = readPeriod(word("period"))
      return overTime(period, ({ costs, startFiat }) => {
        const below = limit.kind === "fiat" ? limit.fiat : (startFiat * limit.bps) / 10_000n
        const share = limit.kind === "fiat" ? "" : ` (${word("cost")} of ${showFiat(startFiat)})`
        return {
          items: costs.map(({ atMs, fiat }) => ({ atMs, size: fiat })),
          most: below - 1n,
          describe: (sum) => ({
            expected: `costs below ${showFiat(below)}${share} ${period.text}`,
            found: `costs of ${showFiat(sum)}`,
          }),
        }
      })
    },
  }),
  defineForm({
    form: "never more than N orders in flight",
    example: "never more than 4 orders in flight",
    means: "At no time are more orders open.",
    pattern: "never more than (?<most>\\d+) orders? in flight",
    build: (word) => {
      const most = Number(word("most"))
      return {
        worlds: { kind: "any" },
        days: 2,
        judge: ({ inFlight }) => {
          const found = inFlight.find(({ count }) => count > most)
          if (found === undefined) return null
          return {
            atMs: found.atMs,
            expected: `at most ${most} orders in flight`,
            found: String(found.count),
          }
        },
      }
    },
  }),
]

type Sum = {
  readonly items: readonly { readonly atMs: number; readonly size: bigint }[]
  readonly most: bigint
  readonly describe: (sum: bigint) => Pick<Violation, "expected" | "found">
}

/** The sum of each span that ends with an item. */
function overTime(period: Period, sumOf: (trace: RunTrace) => Sum): Omit<Property, "text"> {
  return {
    worlds: { kind: "any" },
    days: Math.min(31, Math.max(2, Math.ceil(period.ms / DAY_MS) + 1)),
    judge: (trace) => {
      const { items, most, describe } = sumOf(trace)
      let sum = 0n
      let first = 0
      for (const { atMs, size } of items) {
        sum += size
        for (
          let oldest = items[first];
          oldest && oldest.atMs <= atMs - period.ms;
          oldest = items[first]
        ) {
          sum -= oldest.size
          first += 1
        }
        if (sum > most) return { atMs, ...describe(sum) }
      }
      return null
    },
  }
}
