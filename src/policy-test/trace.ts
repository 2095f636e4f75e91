import { listDue } from "#backtest/list-due.ts"
import { runSeed } from "#backtest/run-seed.ts"
import type { Scenario } from "#backtest/scenario.ts"
import type { Subject } from "#backtest/subject.ts"
import type { Treasury } from "#backtest/treasury.ts"
import type { RunWatch } from "#backtest/watch-run.ts"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"

/** Everything that a run of the rules did, in the order of time. Amounts in smallest units, fiat in millionths, times in Unix milliseconds. */
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

/** A rule that got nothing, or a proposal that the guards refused. `pair` is `null` where the policy proposed none. */
export type TracedRefusal = {
  readonly atMs: number
  readonly rule: string
  readonly code: string
  readonly message: string
  readonly pair: { readonly from: AssetId; readonly to: AssetId } | null
}

/** `leftUnits`: the wallet's balance right after the deposit. */
export type TracedDeposit = { readonly atMs: number; readonly order: TracedOrder; readonly leftUnits: bigint }
export type TracedCost = { readonly atMs: number; readonly fiat: bigint }
export type BalancePoint = { readonly atMs: number; readonly units: bigint }

/** Runs the rules once in a scenario, with the real rules, planner, guards and books of the backtest. */
export function recordRun(subject: Subject, scenario: Scenario, seed: number): RunTrace {
  const recorder = createRecorder(scenario)
  runSeed(subject, scenario, listDue(subject, scenario), seed, recorder.watch)
  return recorder.trace()
}

const DAY_MS = 86_400_000

function createRecorder(scenario: Scenario): { readonly watch: RunWatch; readonly trace: () => RunTrace } {
  const orders = new Map<string, TracedOrder>()
  const refusals: TracedRefusal[] = []
  const deposits: TracedDeposit[] = []
  const costs: TracedCost[] = []
  const inFlight: { atMs: number; count: number }[] = []
  const balances = new Map<AssetId, BalancePoint[]>(scenario.assets.map(({ id }) => [id, []]))
  let startFiat: bigint | null = null
  let wallets: Treasury | null = null
  let rules: readonly string[] = []
  let why: readonly Reason[] = []
  const arriving = new Map<AssetId, bigint>()
  let open = scenario.underWay?.length ?? 0

  function end(id: string, atMs: number): void {
    const order = orders.get(id)
    if (order) arriving.set(order.to, (arriving.get(order.to) ?? 0n) - order.receiveUnits)
    count(atMs, -1)
  }

  function count(atMs: number, change: number): void {
    open += change
    inFlight.push({ atMs, count: open })
  }

  const watch: RunWatch = {
    declined: (list, atMs) => {
      for (const { rule, reasons } of list) {
        for (const { code, message } of reasons) refusals.push({ atMs, rule, code, message, pair: null })
      }
    },
    judged: (proposal, reasons, atMs) => {
      rules = proposal.rules
      why = proposal.why
      const pair = { from: proposal.from, to: proposal.to }
      for (const rule of proposal.rules) {
        for (const { code, message } of reasons) refusals.push({ atMs, rule, code, message, pair })
      }
    },
    opened: ({ data }, atMs) => {
      const { from, to, sourceUnits: units } = data.request
      const receiveUnits = data.quote?.destinationUnits ?? 0n
      arriving.set(to, (arriving.get(to) ?? 0n) + receiveUnits)
      const [sourceFiat, arrivesFiat] = [data.quote?.sourceFiat ?? 0n, data.quote?.destinationFiat ?? 0n]
      orders.set(data.id, {
        ...{ id: data.id, atMs, rules, from, to, units, sourceFiat },
        receiveUnits,
        heldAfterUnits: (wallets?.units(to) ?? 0n) + (arriving.get(to) ?? 0n),
        lostFiat: sourceFiat > arrivesFiat ? sourceFiat - arrivesFiat : 0n,
        destination: data.request.destinationOwner === data.request.sourceOwner ? null : data.request.destinationOwner,
        why: why.map(({ message }) => message).join("; "),
      })
      count(atMs, 1)
    },
    deposited: ({ data }, atMs) => {
      const order = orders.get(data.id)
      if (order && wallets) deposits.push({ atMs, order, leftUnits: wallets.units(order.from) })
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
      refusals.push({ atMs, rule: data.rule, code, message: "The order ended before its deposit", pair })
      end(data.id, atMs)
    },
    paidNetwork: (coin, units, atMs) => {
      const fiat = wallets === null ? 0n : worth(wallets, coin, units)
      if (fiat > 0n) costs.push({ atMs, fiat })
    },
    observed: (treasury, atMs) => {
      wallets = treasury
      for (const [asset, points] of balances) {
        const units = treasury.units(asset)
        if (points.at(-1)?.units !== units) points.push({ atMs, units })
      }
      startFiat ??= scenario.assets.reduce((sum, { id }) => sum + worth(treasury, id, treasury.units(id)), 0n)
    },
  }
  const span = { startMs: scenario.startMs, endMs: scenario.startMs + scenario.days * DAY_MS }
  const trace = (): RunTrace => ({
    ...span,
    startFiat: startFiat ?? 0n,
    orders: [...orders.values()],
    refusals,
    deposits,
    costs,
    inFlight,
    balances,
  })
  return { watch, trace }
}

function worth(treasury: Treasury, id: AssetId, units: bigint): bigint {
  return (units * treasury.priceFiat(id)) / 10n ** BigInt(treasury.asset(id).decimals)
}
