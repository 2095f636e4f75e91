import { type AssetId, chainOf } from "#domain/asset.ts"
import type { Budget } from "#engine/rules/budget.ts"
import type { CommitPort } from "#engine/rules/decide/judge.ts"
import type { ViewPort } from "#engine/rules/decide/view-due-rules.ts"
import type { RiskContext } from "#engine/rules/read-risk.ts"
import type { CountingContext } from "#engine/rules/usage.ts"
import type { ChurnContext, RuleOrder } from "#engine/watches/churn-watch.ts"
import type { Failures } from "#guards/cooldown.ts"
import type { OrderData } from "#order/data.ts"
import type { CorrectionSums } from "#policy/treasury-view.ts"
import { OURS } from "./ours.ts"

/** One simulated order: the data of a real order, and its progress. */
export type SimulatedOrder = {
  readonly data: OrderData
  readonly budget: Budget
  readonly outcome: "completed" | "refunded" | "rejected" | null
  /** The deposit has left the wallet. */
  readonly deposited: boolean
  /** The order waits for its refund. */
  readonly returning: boolean
}

/**
 * All orders of a run, with the counters of the journal (`edges/journal/counts.ts`) and without a
 * database.
 */
export type SimulatedJournal = CountingContext["journal"] &
  CommitPort["journal"] &
  RiskContext["journal"] &
  Pick<ViewPort, "sumCorrections"> & {
    readonly writeFlag: ChurnContext["journal"]["writeFlag"]
    /** The orders that are open, or ended after this time. */
    readonly listRuleOrders: (sinceMs: number) => readonly RuleOrder[]
    readonly open: () => readonly SimulatedOrder[]
    readonly find: (id: string) => SimulatedOrder | null
    /** Adds an order, or replaces it with its next state. */
    readonly put: (order: SimulatedOrder, nowMs: number) => void
    /**
     * The time at which the next ended order leaves a window of this length; `Infinity` for none.
     */
    readonly nextLeavingMs: (perMs: number, nowMs: number) => number
    /** The time at which the oldest correction of the last `perMs` is older than that. */
    readonly nextCorrectionLeavesMs: (perMs: number, nowMs: number) => number
  }

export function createSimulatedJournal(): SimulatedJournal {
  const open = new Map<string, SimulatedOrder>()
  const ended: EndedOrder[] = []
  const lifetime = createSums()
  const failures = new Map<string, Failures>()
  const endings = createEndings()

  function end(order: SimulatedOrder, nowMs: number): void {
    open.delete(order.data.id)
    ended.push({ order, endedMs: nowMs })
    lifetime.add(order)
    const { rule, secondRule, request } = order.data
    endings.add(order)
    const rules = secondRule === undefined ? [rule] : [rule, secondRule]
    for (const scope of [...rules.map((one) => scopeOf({ rule: one })), scopeOf(request)]) {
      const count = order.outcome === "completed" ? 0 : (failures.get(scope)?.count ?? 0) + 1
      failures.set(scope, { count, lastMs: count === 0 ? null : nowMs })
    }
  }

  const windows = createWindows((sinceMs) => {
    const sums = sinceMs < 0 ? lifetime.copy() : createSums()
    for (const order of open.values()) sums.add(order)
    if (sinceMs >= 0) addEnded(sums, ended, sinceMs)
    return sums
  })

  return {
    ...createFlags(),
    listRuleOrders: (sinceMs) => {
      const since = ended.slice(1 + ended.findLastIndex(({ endedMs }) => endedMs <= sinceMs))
      return [...since.map(({ order }) => order), ...open.values()].map(toRuleOrder)
    },
    open: () => [...open.values()],
    find: (id) => open.get(id) ?? null,
    put: (order, nowMs) => {
      windows.forget()
      if (order.outcome === null) open.set(order.data.id, order)
      else end(order, nowMs)
    },
    sumWindow: (sinceMs, unitsOf) => windows.read(sinceMs).read(unitsOf),
    countInFlight: (of) => {
      if (of === undefined) return open.size
      let count = 0
      for (const { data } of open.values()) if (isIn(data, of)) count += 1
      return count
    },
    readFailures: (of) => failures.get(scopeOf(of)) ?? { count: 0, lastMs: null },
    countEndings: endings.count,
    sumCorrections: ({ rule, asset, sinceMs }) =>
      sumCorrections(completedSince(ended, sinceMs), rule, asset),
    nextCorrectionLeavesMs: (perMs, nowMs) =>
      (completedSince(ended, nowMs - perMs)[0]?.endedMs ?? nowMs) + perMs,
    sumCommitted: (asset) => {
      let units = 0n
      for (const { data, deposited } of open.values()) {
        if (data.request.from === asset && !deposited) units += data.request.sourceUnits
      }
      return units
    },
    nextLeavingMs: (perMs, nowMs) => findNextLeaving(ended, perMs, nowMs),
    sumReservedFees: (chain) => {
      let units = 0n
      for (const { data, budget } of open.values()) {
        if (chainOf(data.request.from) === chain) units += budget.feeUnits
      }
      return units
    },
  }
}

/** More windows than a configuration has; those of past instants leave. */
const MOST_WINDOWS = 32

/** The sums of each window, until an order changes: a plan asks for them once for each pair. */
function createWindows(sumSince: (sinceMs: number) => Sums) {
  const known = new Map<number, Sums>()
  return {
    forget: () => known.clear(),
    read(sinceMs: number): Sums {
      const sums = known.get(sinceMs) ?? sumSince(sinceMs)
      if (known.size >= MOST_WINDOWS) known.clear()
      known.set(sinceMs, sums)
      return sums
    },
  }
}

/**
 * Adds the ended orders that counted after this time. An order never ends before it counts, so an
 * order that ended before the window began is not in the window.
 */
function addEnded(sums: Sums, ended: readonly EndedOrder[], sinceMs: number): void {
  for (let at = ended.length - 1; at >= 0; at -= 1) {
    const one = ended[at]
    if (one === undefined || one.endedMs <= sinceMs) break
    if (one.order.budget.countedAtMs > sinceMs) sums.add(one.order)
  }
}

function completedSince(ended: readonly EndedOrder[], sinceMs: number): readonly EndedOrder[] {
  const since = ended.slice(1 + ended.findLastIndex(({ endedMs }) => endedMs <= sinceMs))
  return since.filter(({ order }) => order.outcome === "completed")
}

function sumCorrections(
  ended: readonly EndedOrder[],
  rule: string,
  asset: AssetId,
): CorrectionSums {
  const own = ended.filter(({ order: { data } }) => data.rule === rule || data.secondRule === rule)
  const fiatOf = (some: readonly EndedOrder[]): bigint =>
    some.reduce((sum, { order }) => sum + (order.budget.sourceFiat ?? 0n), 0n)
  const brought = own.filter(({ order }) => order.data.request.to === asset)
  const took = own.filter(({ order }) => order.data.request.from === asset)
  return { orders: brought.length + took.length, inFiat: fiatOf(brought), outFiat: fiatOf(took) }
}

/** How the deposits of each pair ended, oldest first. */
function createEndings() {
  const known = new Map<string, string[]>()
  const count: SimulatedJournal["countEndings"] = (pair, latest) => {
    const outcomes = known.get(scopeOf(pair))?.slice(-latest) ?? []
    const refunded = outcomes.filter((outcome) => outcome === "refunded").length
    return { completed: outcomes.length - refunded, refunded }
  }
  return {
    count,
    add: ({ outcome, data: { request } }: SimulatedOrder): void => {
      if (outcome !== "completed" && outcome !== "refunded") return
      const key = scopeOf(request)
      const outcomes = known.get(key) ?? []
      outcomes.push(outcome)
      known.set(key, outcomes)
    },
  }
}

type EndedOrder = { readonly order: SimulatedOrder; readonly endedMs: number }

function findNextLeaving(ended: readonly EndedOrder[], perMs: number, nowMs: number): number {
  let nextMs = Number.POSITIVE_INFINITY
  for (let at = ended.length - 1; at >= 0; at -= 1) {
    const one = ended[at]
    if (one === undefined || one.endedMs + perMs <= nowMs) break
    const leavesMs = one.order.budget.countedAtMs + perMs
    if (leavesMs > nowMs && leavesMs < nextMs) nextMs = leavesMs
  }
  return nextMs
}

/** The flags of pauses. A backtest has one clock, and no chain that confirms it. */
function createFlags(): Pick<SimulatedJournal, "readFlag" | "writeFlag"> {
  const flags = new Map<string, string>()
  return {
    readFlag: (key) => flags.get(key) ?? null,
    writeFlag: (key, value) => void (value === null ? flags.delete(key) : flags.set(key, value)),
  }
}

function toRuleOrder({
  data: { rule, secondRule, request, createdAt },
  budget,
  outcome,
}: SimulatedOrder): RuleOrder {
  const { from, to, destinationOwner } = request
  const isOurs = (): boolean => destinationOwner === OURS
  return {
    rule,
    secondRule: secondRule ?? null,
    from,
    to,
    sourceFiat: budget.sourceFiat,
    feeFiat: budget.feeFiat,
    createdAtMs: createdAt,
    outcome,
    isOurs,
  }
}

type Scope = Parameters<CountingContext["journal"]["readFailures"]>[0]
type AnyScope = NonNullable<Parameters<CountingContext["journal"]["countInFlight"]>[0]>

function scopeOf(scope: Scope): string {
  return "rule" in scope ? `rule ${scope.rule}` : `${scope.from}>${scope.to}`
}

function isIn({ rule, secondRule, request }: OrderData, of: AnyScope): boolean {
  if ("rule" in of) return rule === of.rule || secondRule === of.rule
  if ("chain" in of) return chainOf(request.from) === of.chain || chainOf(request.to) === of.chain
  // A backtest has one service.
  if ("service" in of) return true
  return request.from === of.from && request.to === of.to
}

type Sums = {
  readonly add: (order: SimulatedOrder) => void
  readonly read: (unitsOf: AssetId) => {
    fiat: bigint
    feesFiat: bigint
    count: number
    units: bigint
  }
  readonly copy: () => Sums
}

/** A rejected order sold nothing, so only its fees count. */
function createSums(
  start = { fiat: 0n, feesFiat: 0n, count: 0 },
  startUnits: ReadonlyMap<AssetId, bigint> = new Map(),
): Sums {
  const sums = { ...start }
  const units = new Map(startUnits)
  return {
    add: ({ budget, outcome, data: { request } }) => {
      sums.feesFiat += budget.feeFiat ?? 0n
      if (outcome === "rejected") return
      sums.fiat += budget.sourceFiat ?? 0n
      sums.count += 1
      units.set(request.from, (units.get(request.from) ?? 0n) + request.sourceUnits)
    },
    read: (unitsOf) => ({ ...sums, units: units.get(unitsOf) ?? 0n }),
    copy: () => createSums(sums, units),
  }
}
