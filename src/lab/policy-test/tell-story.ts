import type { Scenario, ScenarioFault } from "#backtest/world/scenario.ts"
import type { AssetId } from "#domain/asset.ts"
import { showAmount, showFiat } from "./read-words.ts"
import type { RunTrace, TracedOrder } from "./trace.ts"

/** One thing that happened, for people. */
type StoryLine = { readonly atMs: number; readonly text: string }

const MOST_LINES = 16

/**
 * The run until `untilMs` in a few lines: the start, and then flows, faults, orders, and the first
 * refusal of each kind.
 */
export function tellStory(scenario: Scenario, trace: RunTrace, untilMs: number): readonly string[] {
  const lines = [
    ...tellFlows(scenario),
    ...tellFaults(scenario),
    ...tellOrders(scenario, trace),
    ...tellRefusals(trace),
  ]
  const told = lines.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)
  // The last lines lead to the violation.
  const hidden = Math.max(0, told.length - MOST_LINES)
  return [
    ...tellStart(scenario),
    ...(hidden === 0 ? [] : [`… ${hidden} earlier lines are left out`]),
    ...told.slice(hidden).map(({ atMs, text }) => `${showTime(atMs)}  ${text}`),
  ]
}

/** `Thu 2026-01-01 09:00`, in UTC. */
export function showTime(atMs: number): string {
  const iso = new Date(atMs).toISOString()
  const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date(atMs).getUTCDay()]
  const seconds = iso.slice(16, 19) === ":00" ? "" : iso.slice(16, 19)
  return `${day} ${iso.slice(0, 10)} ${iso.slice(11, 16)}${seconds}`
}

function tellStart({ startMs, assets, prices, pairFor }: Scenario): readonly string[] {
  const [first, second] = assets
  const held = assets
    .filter(({ startUnits }) => startUnits > 0n)
    .map((asset) => showAmount(asset.startUnits, asset))
  const known = prices.map(({ name, startFiat }) => `${name} ${showFiat(startFiat)}`)
  const pair = first && second ? pairFor(first.id, second.id) : null
  const cost =
    pair === null ? "" : `; a quote costs ${showFiat(pair.fixedFiat)} and ${pair.bps} bps`
  return [
    `${showTime(startMs)}  the wallets hold ${held.join(", ") || "nothing"}`,
    `${" ".repeat(20)}  prices: ${known.join(", ")}${cost}`,
  ]
}

function tellFlows(scenario: Scenario): StoryLine[] {
  return scenario.flows
    .filter(({ units }) => units !== 0n)
    .map(({ atMs, asset, units }) => {
      const amount = amountOf(scenario, asset, units < 0n ? -units : units)
      return {
        atMs,
        text: units < 0n ? `a withdrawal takes ${amount}` : `a deposit brings ${amount}`,
      }
    })
}

function tellFaults({ faults = [] }: Scenario): StoryLine[] {
  return faults.flatMap((fault) => [
    { atMs: fault.fromMs, text: `${describeFault(fault)} from now on` },
    { atMs: fault.untilMs, text: `${describeFault(fault)} no longer` },
  ])
}

function describeFault(fault: ScenarioFault): string {
  switch (fault.kind) {
    case "pair":
      return `the service has no offer from ${fault.from} to ${fault.to}`
    case "pause":
      return fault.scope === "all" ? "everything is paused" : `${fault.scope} is paused`
    case "balance":
      return `the balance of ${fault.asset} cannot be read`
    case "price":
      return `${fault.asset} has no price`
    case "service":
      return "the service declines orders"
  }
}

function tellOrders(scenario: Scenario, { orders }: RunTrace): StoryLine[] {
  return orders.map((order) => ({ atMs: order.atMs, text: describeOrder(scenario, order) }))
}

/** `hot sells 0.5 bitcoin:btc for 0.498 base:wbtc, at a cost of 120.00 usd (reason)`. */
export function describeOrder(scenario: Scenario, order: TracedOrder): string {
  const { rules, from, to, units, receiveUnits, lostFiat, why } = order
  const sold = amountOf(scenario, from, units)
  const bought = amountOf(scenario, to, receiveUnits)
  return (
    `${rules.join(" and ")} sells ${sold} for ${bought}, at a cost of ${showFiat(lostFiat)} ` +
    `(${why})`
  )
}

/** The first refusal of each rule and code. */
function tellRefusals({ refusals }: RunTrace): StoryLine[] {
  const first = refusals.filter(
    ({ rule, code }, index) =>
      refusals.findIndex((other) => other.rule === rule && other.code === code) === index,
  )
  return first.map(({ atMs, rule, code, message }) => ({
    atMs,
    text: `${rule} gets no order: ${code}: ${message}`,
  }))
}

function amountOf({ assets }: Scenario, id: AssetId, units: bigint): string {
  const asset = assets.find((one) => one.id === id)
  return asset === undefined ? `${units} units of ${id}` : showAmount(units, asset)
}
