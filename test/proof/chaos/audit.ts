import type { Evidence, Flow } from "./flow.ts"

/** An order as the daemon's HTTP interface shows it. */
export type AuditedOrder = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly amountUnits: string
  readonly destinationAmountUnits: string | null
  readonly state: string
  readonly outcome: string | null
  readonly held: boolean
  readonly deposited: boolean
  readonly reasons: readonly { readonly code: string; readonly message: string }[]
}

export type AuditInput = {
  readonly orders: readonly AuditedOrder[]
  /** Ids of the orders that the daemon accepted with 202. */
  readonly accepted: readonly string[]
  readonly evidence: readonly Evidence[]
  /** The wallets' balances by asset, read from the nodes. */
  readonly start: Readonly<Record<string, bigint>>
  readonly end: Readonly<Record<string, bigint>>
}

export type AuditResult = {
  readonly violations: readonly string[]
  readonly initiatesPerOrder: number
  /** Refunds on top of a payout, or payouts on top of a refund: the solver's loss. */
  readonly windfalls: number
  readonly assets: readonly AssetLine[]
}

/**
 * Amounts in smallest units. `difference` = change − (in − out − fees − locked); in and out come
 * from the orders.
 */
export type AssetLine = {
  readonly asset: string
  readonly change: bigint
  readonly ordersOut: bigint
  readonly ordersIn: bigint
  readonly windfall: bigint
  readonly fees: bigint
  readonly locked: bigint
  readonly difference: bigint
}

/**
 * Compares the daemon's orders with the chains. Pure. Every request has a unique amount, so asset
 * and amount identify a flow.
 */
export function audit(input: AuditInput): AuditResult {
  const flows = input.evidence.flatMap((evidence) => evidence.flows)
  const outs = count(flows.filter(({ direction }) => direction === "out"))
  const ins = count(flows.filter(({ direction }) => direction === "in"))
  const reported = reportedFlowsOf(input.orders)
  const windfalls = findWindfalls(input.orders, ins, reported.in)
  const assets = Object.keys(input.end).map((asset) => balanceOf(asset, input, reported, windfalls))
  return {
    violations: [
      ...findLost(input),
      ...findUnsettled(input.orders),
      ...compare("was initiated", outs, reported.out, new Map()),
      ...compare("arrived", ins, reported.in, windfalls),
      ...input.evidence.flatMap(({ oddities }) => oddities),
      ...assets
        .filter(({ difference }) => difference !== 0n)
        .map(
          ({ asset, difference }) =>
            `${asset}: the wallet differs from the orders by ${difference}`,
        ),
    ],
    initiatesPerOrder: Math.max(
      0,
      ...[...outs].map(([key, times]) => times / (reported.orders.get(key) ?? 1)),
    ),
    windfalls: [...windfalls.values()].reduce((sum, times) => sum + times, 0),
    assets,
  }
}

/** The number of flows by `asset units`. */
type Counts = Map<string, number>

function count(flows: readonly Pick<Flow, "asset" | "units">[]): Counts {
  const counts: Counts = new Map()
  for (const { asset, units } of flows) add(counts, keyOf(asset, units))
  return counts
}

function add(counts: Counts, key: string, times = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + times)
}

function keyOf(asset: string, units: bigint | string): string {
  return `${asset} ${units}`
}

type ReportedFlows = { readonly out: Counts; readonly in: Counts; readonly orders: Counts }

/**
 * The flows that the orders imply. Completed: out and in. Refunded: out and back. Held: out if it
 * says so. Rejected, abandoned: none.
 */
function reportedFlowsOf(orders: readonly AuditedOrder[]): ReportedFlows {
  const reported: ReportedFlows = { out: new Map(), in: new Map(), orders: new Map() }
  for (const order of orders) {
    const source = keyOf(order.from, order.amountUnits)
    add(reported.orders, source)
    const wasDeposited = order.outcome === "completed" || order.outcome === "refunded"
    if (wasDeposited || (order.outcome === null && order.deposited)) add(reported.out, source)
    if (order.outcome === "completed")
      add(reported.in, keyOf(order.to, order.destinationAmountUnits ?? "unknown"))
    if (order.outcome === "refunded") add(reported.in, source)
  }
  return reported
}

/** Incoming flows beyond the orders that match the other possible outcome of an order. */
function findWindfalls(orders: readonly AuditedOrder[], ins: Counts, reported: Counts): Counts {
  const possible: Counts = new Map()
  for (const { outcome, from, to, amountUnits, destinationAmountUnits } of orders) {
    if (outcome === "completed") add(possible, keyOf(from, amountUnits))
    if (outcome === "refunded") add(possible, keyOf(to, destinationAmountUnits ?? "unknown"))
  }
  const found: Counts = new Map()
  for (const [key, times] of ins) {
    const extra = Math.min(times - (reported.get(key) ?? 0), possible.get(key) ?? 0)
    if (extra > 0) found.set(key, extra)
  }
  return found
}

function compare(verb: string, shown: Counts, reported: Counts, windfalls: Counts): string[] {
  return [...new Set([...shown.keys(), ...reported.keys()])].flatMap((key) => {
    const seen = (shown.get(key) ?? 0) - (windfalls.get(key) ?? 0)
    const expected = reported.get(key) ?? 0
    return seen === expected
      ? []
      : [`${key} ${verb} ${seen} times on chain, but ${expected} times by the orders`]
  })
}

function findLost({ orders, accepted }: AuditInput): string[] {
  const known = new Set(orders.map(({ id }) => id))
  return accepted.filter((id) => !known.has(id)).map((id) => `order ${id} was accepted and is gone`)
}

function findUnsettled(orders: readonly AuditedOrder[]): string[] {
  return (
    orders
      .filter(({ outcome }) => outcome === null)
      // A disarmed order is at rest: the service has its signature, but the allowance is revoked.
      .filter(({ held, state, reasons }) => !((held || state === "disarmed") && reasons.length > 0))
      .map(
        ({ id, state, reasons }) =>
          `order ${id} is stuck in ${state}: ${reasons.map(({ code }) => code).join()}`,
      )
  )
}

function balanceOf(
  asset: string,
  input: AuditInput,
  reported: ReportedFlows,
  windfalls: Counts,
): AssetLine {
  const sum = (counts: Counts): bigint =>
    [...counts].reduce((total, [key, times]) => {
      const [name, units] = key.split(" ")
      return name === asset && /^\d+$/.test(units ?? "")
        ? total + BigInt(units ?? 0) * BigInt(times)
        : total
    }, 0n)
  const paid = (field: "fees" | "locked"): bigint =>
    input.evidence.reduce((total, evidence) => total + (evidence[field][asset] ?? 0n), 0n)
  const change = (input.end[asset] ?? 0n) - (input.start[asset] ?? 0n)
  const ordersOut = sum(reported.out)
  const ordersIn = sum(reported.in)
  const windfall = sum(windfalls)
  const fees = paid("fees")
  const locked = paid("locked")
  const difference = change - (ordersIn + windfall - ordersOut - fees - locked)
  return { asset, change, ordersOut, ordersIn, windfall, fees, locked, difference }
}
