import type { AssetId } from "#domain/asset.ts"
import { formatDuration } from "#schema/duration.ts"
import type { Names, Property, PropertyForm, Violation } from "../property.ts"
import {
  ASSET,
  DURATION,
  FIAT,
  NUMBER,
  OF_RULE,
  readAsset,
  readAssets,
  readCost,
  readFiat,
  readRule,
  readSpan,
  readUnits,
  SHARE,
  showAmount,
  showFiat,
} from "../read-words.ts"
import { DAY_MS, type RunTrace, type TracedOrder } from "../trace.ts"
import { defineForm } from "./define-form.ts"

/** Properties that each order must fulfil. */
export const orderForms: readonly PropertyForm[] = [
  defineForm({
    form: "never sells ASSET [for ASSET]",
    example: "never sells btc on bitcoin for usdc on base",
    means:
      "No order sells the asset, or none sells it for the other one. An asset without a " +
      "chain stands for that of every chain.",
    pattern: `never sells (?<from>${ASSET})(?: for (?<to>${ASSET}))?`,
    build: (word, names) => {
      const from = readAssets(word("from"), names).map(({ id }) => id)
      const to = word("to") === "" ? null : readAssets(word("to"), names).map(({ id }) => id)
      return eachOrder(
        `no sale of ${from.join(" or ")}${to === null ? "" : ` for ${to.join(" or ")}`}`,
        (order) =>
          from.includes(order.from) && (to === null || to.includes(order.to))
            ? showPair(order)
            : null,
      )
    },
  }),
  defineForm({
    form: "never buys ASSET",
    example: "never buys usdt",
    means: "No order buys the asset.",
    pattern: `never buys (?<to>${ASSET})`,
    build: (word, names) => {
      const to = readAssets(word("to"), names).map(({ id }) => id)
      return eachOrder(`no purchase of ${to.join(" or ")}`, (order) =>
        to.includes(order.to) ? showPair(order) : null,
      )
    },
  }),
  defineForm({
    form: "no order larger than AMOUNT [of RULE]",
    example: "no order larger than 5000 usd",
    means: "No order sells more than this: fiat, or an amount of an asset.",
    pattern:
      `no order larger than (?:(?<fiat>${FIAT})|(?<amount>${NUMBER}) ` +
      `(?<asset>${ASSET}))${OF_RULE}`,
    build: (word, names) => {
      const isMeant = ruleFilter(word, names)
      if (word("fiat") !== "") {
        const most = readFiat(word("fiat"))
        return eachOrder(`at most ${showFiat(most)}`, (order) =>
          isMeant(order) && order.sourceFiat > most ? showFiat(order.sourceFiat) : null,
        )
      }
      const asset = readAsset(word("asset"), names)
      const most = readUnits(word("amount"), asset)
      return eachOrder(`at most ${showAmount(most, asset)}`, (order) =>
        isMeant(order) && order.from === asset.id && order.units > most
          ? showAmount(order.units, asset)
          : null,
      )
    },
  }),
  defineForm({
    form: "no order smaller than FIAT [of RULE]",
    example: "no order smaller than 50 usd",
    means:
      "No order sells less than this in fiat. Each order has a fixed cost, so small orders " +
      "are dear.",
    pattern: `no order smaller than (?<fiat>${FIAT})${OF_RULE}`,
    build: (word, names) => {
      const isMeant = ruleFilter(word, names)
      const least = readFiat(word("fiat"))
      return eachOrder(`at least ${showFiat(least)}`, (order) =>
        isMeant(order) && order.sourceFiat < least ? showFiat(order.sourceFiat) : null,
      )
    },
  }),
  defineForm({
    form: "no order costs more than COST",
    example: "no order costs more than 1%",
    means: "The payout of each order is worth at most this much less than the sold amount.",
    pattern: `no order costs more than (?<cost>${SHARE}|${FIAT})`,
    build: (word) => {
      const most = readCost(word("cost"))
      return eachOrder(`at most ${word("cost")}`, ({ sourceFiat, lostFiat }) => {
        const isDear =
          most.kind === "fiat" ? lostFiat > most.fiat : lostFiat * 10_000n > sourceFiat * most.bps
        if (!isDear) return null
        const bps = sourceFiat === 0n ? 0n : (lostFiat * 10_000n) / sourceFiat
        return `an order of ${showFiat(sourceFiat)} that costs ${showFiat(lostFiat)} (${bps} bps)`
      })
    },
  }),
  defineForm({
    form: "never sells back within DURATION",
    example: "never sells back within 6h",
    means:
      "No order sells the asset that an order bought in this time, for the asset that was " +
      "sold: such a pair of orders only costs. No balance changes from outside.",
    pattern: `never sells back within (?<span>${DURATION})`,
    build: (word) => {
      const spanMs = readSpan(word("span"))
      const days = Math.max(2, Math.ceil((spanMs * 2) / DAY_MS))
      return {
        worlds: { kind: "calm", about: [] },
        days,
        judge: (trace) => findReturn(trace, spanMs),
      }
    },
  }),
  defineForm({
    form: "pays only our own wallets",
    example: "pays only our own wallets",
    means: "No order pays to an address outside the treasury.",
    pattern: "pays only our own wallets",
    build: () =>
      eachOrder("a payout to our own wallet", ({ destination, to }) =>
        destination === null ? null : `a payout of ${to} to ${destination}`,
      ),
  }),
]

/** Whether the property is about an order: `of RULE` names the rule. */
function ruleFilter(word: (name: string) => string, names: Names): (order: TracedOrder) => boolean {
  const rule = word("rule") === "" ? null : readRule(word("rule"), names).id
  return ({ rules }) => rule === null || rules.includes(rule)
}

function eachOrder(
  expected: string,
  findWrong: (order: TracedOrder) => string | null,
): Omit<Property, "text"> {
  return {
    worlds: { kind: "any" },
    days: 2,
    judge: ({ orders }) => {
      for (const order of orders) {
        const found = findWrong(order)
        if (found !== null)
          return { atMs: order.atMs, expected, found: `${found}, for ${order.rules.join(" and ")}` }
      }
      return null
    },
  }
}

function showPair({ from, to }: { readonly from: AssetId; readonly to: AssetId }): string {
  return `a sale of ${from} for ${to}`
}

function findReturn({ orders }: RunTrace, spanMs: number): Violation | null {
  for (const [index, order] of orders.entries()) {
    const first = orders
      .slice(0, index)
      .findLast(
        ({ from, to, atMs }) =>
          from === order.to && to === order.from && order.atMs - atMs <= spanMs,
      )
    if (first === undefined) continue
    const span = formatDuration(spanMs)
    const expected = `no order back from ${order.from} to ${order.to} within ${span}`
    const found =
      `an order of ${order.rules.join(" and ")} ${formatDuration(order.atMs - first.atMs)} ` +
      `after that of ${first.rules.join(" and ")}`
    return { atMs: order.atMs, expected, found }
  }
  return null
}
