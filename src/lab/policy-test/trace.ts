import { listDue } from "#backtest/list-due.ts"
import { runSeed } from "#backtest/run-seed.ts"
import type { Subject } from "#backtest/subject.ts"
import type { RunWatch } from "#backtest/watch-run.ts"
import type { Scenario } from "#backtest/world/scenario.ts"
import type { Treasury } from "#backtest/world/treasury.ts"
import type { AssetId } from "#domain/asset.ts"
import type { OrderData } from "#order/data.ts"
import type { Proposal } from "#policy/evaluate.ts"

/**
 * Everything that a run of the rules did, in the order of time. Amounts in smallest units, fiat in
 * millionths, times in Unix milliseconds.
 */
export type RunTrace = {
  readonly startMs: number
  readonly endMs: number
  readonly startFiat: bigint
  readonly orders: readonly TracedOrder[]
  readonly refusals: readonly TracedRefusal[]
  readonly deposits: readonly TracedDeposit[]
  readonly costs: readonly TracedCost[]
  /** The number of orders in flight after each change. */
  readonly inFlight: readonly { readonly atMs: number; readonly count: number }[]
  /** The balance after each change, by asset. */
  readonly balances: ReadonlyMap<AssetId, readonly BalancePoint[]>
}

export type TracedOrder = {
  readonly id: string
  readonly atMs: number
  readonly rules: readonly string[]
  readonly from: AssetId
  readonly to: AssetId
  readonly units: bigint
  readonly receiveUnits: bigint
  readonly sourceFiat: bigint
  /** The part of the sold value that the payout lacks. */
  readonly lostFiat: bigint
  /** An address outside the treasury; `null` for our own wallet. */
  readonly destination: string | null
  readonly why: string
  /** The balance of `to` when the order begins, with the payouts of all open orders and its own. */
  readonly heldAfterUnits: bigint
}

/**
 * A rule that got nothing, or a proposal that the guards refused. `pair` is `null` where the policy
 * proposed none.
 */
type TracedRefusal = {
  readonly atMs: number
  readonly rule: string
  readonly code: string
  readonly message: string
  readonly pair: { readonly from: AssetId; readonly to: AssetId } | null
}

/** `leftUnits`: the wallet's balance right after the deposit. */
type TracedDeposit = {
  readonly atMs: number
  readonly order: TracedOrder
  readonly leftUnits: bigint
}
type TracedCost = { readonly atMs: number; readonly fiat: bigint }
type BalancePoint = { readonly atMs: number; readonly units: bigint }

/**
 * Runs the rules once in a scenario, with the real rules, planner, guards and books of the
 * backtest.
 */
export function recordRun(subject: Subject, scenario: Scenario, seed: number): RunTrace {
  const recorder = createRecorder(scenario)
  runSeed(subject, scenario, listDue(subject, scenario), seed, recorder.watch)
  return recorder.trace()
}

export const DAY_MS = 86_400_000

/** What the watch has seen so far. */
type Recording = {
  readonly orders: Map<string, TracedOrder>
  readonly refusals: TracedRefusal[]
  readonly deposits: TracedDeposit[]
  readonly costs: TracedCost[]
  readonly inFlight: { atMs: number; count: number }[]
  readonly balances: Map<AssetId, BalancePoint[]>
  /** The payouts of open orders, by asset. */
  readonly arriving: Map<AssetId, bigint>
  readonly wallets: { now: Treasury | null; startFiat: bigint | null }
  /** The proposal that the guards judged last; an order that opens comes from it. */
  proposal: Pick<Proposal, "rules" | "why">
  open: number
}

function createRecorder(scenario: Scenario): {
  readonly watch: RunWatch
  readonly trace: () => RunTrace
} {
  const recording: Recording = {
    orders: new Map(),
    refusals: [],
    deposits: [],
    costs: [],
    inFlight: [],
    balances: new Map(scenario.assets.map(({ id }) => [id, []])),
    arriving: new Map(),
    wallets: { now: null, startFiat: null },
    proposal: { rules: [], why: [] },
    open: scenario.underWay?.length ?? 0,
  }
  const watch = {
    ...watchDecisions(recording),
    ...watchOrders(recording),
    ...watchWallets(recording, scenario),
  }
  const { orders, refusals, deposits, costs, inFlight, balances, wallets } = recording
  const span = { startMs: scenario.startMs, endMs: scenario.startMs + scenario.days * DAY_MS }
  const lists = { refusals, deposits, costs, inFlight, balances }
  return {
    watch,
    trace: () => ({
      ...span,
      startFiat: wallets.startFiat ?? 0n,
      orders: [...orders.values()],
      ...lists,
    }),
  }
}

function watchDecisions(recording: Recording): Pick<RunWatch, "declined" | "judged"> {
  const { refusals } = recording
  return {
    declined: (list, atMs) => {
      for (const { rule, reasons } of list) {
        for (const { code, message } of reasons)
          refusals.push({ atMs, rule, code, message, pair: null })
      }
    },
    judged: (proposal, reasons, atMs) => {
      recording.proposal = proposal
      const pair = { from: proposal.from, to: proposal.to }
      for (const rule of proposal.rules) {
        for (const { code, message } of reasons) refusals.push({ atMs, rule, code, message, pair })
      }
    },
  }
}

function watchOrders(
  recording: Recording,
): Pick<RunWatch, "opened" | "deposited" | "completed" | "refunded" | "rejected"> {
  const { orders, refusals, deposits, costs, inFlight, arriving, wallets } = recording

  function count(atMs: number, change: number): void {
    recording.open += change
    inFlight.push({ atMs, count: recording.open })
  }

  function end(id: string, atMs: number): void {
    const order = orders.get(id)
    if (order) arriving.set(order.to, (arriving.get(order.to) ?? 0n) - order.receiveUnits)
    count(atMs, -1)
  }

  return {
    opened: ({ data }, atMs) => {
      const { to } = data.request
      arriving.set(to, (arriving.get(to) ?? 0n) + (data.quote?.destinationUnits ?? 0n))
      const heldAfterUnits = (wallets.now?.units(to) ?? 0n) + (arriving.get(to) ?? 0n)
      orders.set(data.id, { ...toOrder(data, recording.proposal), atMs, heldAfterUnits })
      count(atMs, 1)
    },
    deposited: ({ data }, atMs) => {
      const order = orders.get(data.id)
      if (order && wallets.now)
        deposits.push({ atMs, order, leftUnits: wallets.now.units(order.from) })
    },
    completed: ({ data }, atMs) => {
      const fiat = orders.get(data.id)?.lostFiat ?? 0n
      if (fiat > 0n) costs.push({ atMs, fiat })
      end(data.id, atMs)
    },
    refunded: ({ data }, atMs) => end(data.id, atMs),
    rejected: ({ data }, code, atMs) => {
      const order = orders.get(data.id)
      const pair = order ? { from: order.from, to: order.to } : null
      refusals.push({
        atMs,
        rule: data.rule,
        code,
        message: "The order ended before its deposit",
        pair,
      })
      end(data.id, atMs)
    },
  }
}

function toOrder(
  { id, request, quote }: OrderData,
  { rules, why }: Recording["proposal"],
): Omit<TracedOrder, "atMs" | "heldAfterUnits"> {
  const { from, to, sourceUnits: units, sourceOwner, destinationOwner } = request
  const sourceFiat = quote?.sourceFiat ?? 0n
  const arrivesFiat = quote?.destinationFiat ?? 0n
  return {
    id,
    rules,
    from,
    to,
    units,
    sourceFiat,
    receiveUnits: quote?.destinationUnits ?? 0n,
    lostFiat: sourceFiat > arrivesFiat ? sourceFiat - arrivesFiat : 0n,
    destination: destinationOwner === sourceOwner ? null : destinationOwner,
    why: why.map(({ message }) => message).join("; "),
  }
}

function watchWallets(
  { costs, balances, wallets }: Recording,
  scenario: Scenario,
): Pick<RunWatch, "paidNetwork" | "observed"> {
  return {
    paidNetwork: (coin, units, atMs) => {
      const fiat = wallets.now === null ? 0n : worth(wallets.now, coin, units)
      if (fiat > 0n) costs.push({ atMs, fiat })
    },
    observed: (treasury, atMs) => {
      wallets.now = treasury
      for (const [asset, points] of balances) {
        const units = treasury.units(asset)
        if (points.at(-1)?.units !== units) points.push({ atMs, units })
      }
      wallets.startFiat ??= scenario.assets.reduce(
        (sum, { id }) => sum + worth(treasury, id, treasury.units(id)),
        0n,
      )
    },
  }
}

function worth(treasury: Treasury, id: AssetId, units: bigint): bigint {
  return (units * treasury.priceFiat(id)) / 10n ** BigInt(treasury.asset(id).decimals)
}
