import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import { encodeJson } from "#lib/json.ts"
import type { InFlightScope } from "#ports/journal/order-sums.ts"
import type { OrderCount, OrderRef, OrderRow } from "#ports/journal/orders.ts"

/** The columns of an order by which limits count it, and those that an index has. */
export type Counted = Pick<
  OrderRow,
  | "id"
  | "state"
  | "outcome"
  | "rule"
  | "secondRule"
  | "from"
  | "to"
  | "sourceUnits"
  | "sourceFiat"
  | "feeFiat"
  | "feeUnits"
  | "deposited"
  | "service"
  | "countedAtMs"
  | "updatedAtMs"
  | "secretHash"
  | "payoutTx"
>
export type OpenOrders = {
  /** The order has these columns from now on. */
  readonly put: (order: Counted) => void
  readonly remove: (orderId: string) => void
  readonly find: (orderId: string) => Counted | null
  readonly list: () => readonly OrderRef[]
  readonly countInFlight: (of?: InFlightScope) => number
  readonly countPaidOn: (chain: ChainId) => number
  readonly countRedeemedOn: (chain: ChainId) => number
  readonly sumFiatWith: (service: string) => bigint
  readonly countStates: () => readonly OrderCount[]
  /** Whether an order rests: held, or disarmed and only watched. */
  readonly hasRested: () => boolean
  readonly sumFees: (chain: ChainId) => bigint
  readonly sumCommitted: (asset: AssetId) => bigint
  /** A row could not be read: every sum throws this from now on. */
  readonly refuseSums: (error: unknown) => void
  /** The sums of all orders under way, which every window counts. */
  readonly sumUnderWay: (unitsOf: AssetId) => {
    fiat: bigint
    feesFiat: bigint
    count: number
    units: bigint
  }
}

type Kept = Counted & Pick<OrderRef, "revision">
/** No number is given twice in a process, also when the tables are read again. */
let revisions = 0

/**
 * The orders under way with their sums. It holds nothing that the tables do not say: the journal
 * reads it from them, and changes it after each step with the columns that the step wrote.
 */
export function createOpenOrders(): OpenOrders {
  const orders = new Map<string, Kept>()
  const watched = new Map<string, Counted>()
  const counts = new Map<string, number>()
  const sums = new Map<string, bigint>()
  const rested = new Set<string>()
  let refusal: { readonly error: unknown } | null = null

  function sumOf(key: string): bigint {
    if (refusal !== null) throw refusal.error
    return sums.get(key) ?? 0n
  }

  function tally(order: Counted, sign: 1 | -1): void {
    if (isInFlight(order))
      for (const key of scopesOf(order)) counts.set(key, (counts.get(key) ?? 0) + sign)
    for (const [key, units] of amountsOf(order))
      if (units !== null) sums.set(key, (sums.get(key) ?? 0n) + (sign === 1 ? units : -units))
  }

  function putOrder(orderId: string, order: Counted | null): void {
    const before = orders.get(orderId)
    const isKept = order !== null && isUnderWay(order)
    const isCounted = before !== undefined && isKept && isSame(before, order)
    if (before !== undefined && !isCounted) tally(before, -1)
    if (isKept && !isCounted) tally(order, 1)
    if (isKept) orders.set(orderId, { ...order, revision: ++revisions })
    else orders.delete(orderId)
    if (order !== null && order.outcome === null && !isKept) watched.set(orderId, order)
    else watched.delete(orderId)
    if (order !== null && order.outcome === null && RESTING.has(order.state)) rested.add(orderId)
    else rested.delete(orderId)
  }

  return {
    put: (order) => putOrder(order.id, order),
    remove: (orderId) => putOrder(orderId, null),
    find: (orderId) => orders.get(orderId) ?? null,
    list: () => [...orders.values()],
    countInFlight: (of) => {
      const count = (key: string): number => counts.get(key) ?? 0
      if (of === undefined) return count("all")
      if ("service" in of) return count(`service ${of.service}`)
      if ("rule" in of) return count(`rule ${of.rule}`)
      return count("chain" in of ? `chain ${of.chain}` : `pair ${of.from} ${of.to}`)
    },
    countPaidOn: (chain) => counts.get(`to ${chain}`) ?? 0,
    countRedeemedOn: (chain) => counts.get(`redeemed on ${chain}`) ?? 0,
    sumFiatWith: (service) => sumOf(`fiat with ${service}`),
    hasRested: () => rested.size > 0,
    countStates: () => countStates([...orders.values(), ...watched.values()]),
    sumFees: (chain) => sumOf(`fees ${chain}`),
    sumCommitted: (asset) => sumOf(`committed ${asset}`),
    sumUnderWay: (unitsOf) => ({
      fiat: sumOf("fiat"),
      feesFiat: sumOf("fees"),
      count: orders.size,
      units: sumOf(`units ${unitsOf}`),
    }),
    refuseSums: (error) => {
      refusal = { error }
    },
  }
}

/** An order in one of these states has failed; a held one may go on later. */
export const RESTING: ReadonlySet<string> = new Set(["held", "disarmed"])

function countStates(orders: readonly Counted[]): readonly OrderCount[] {
  const groups = new Map<string, OrderCount>()
  for (const { state, service = null } of orders) {
    const key = encodeJson([state, service])
    const count = (groups.get(key)?.count ?? 0) + 1
    groups.set(key, { state, outcome: null, service, count })
  }
  return [...groups.values()]
}

/** A disarmed order reserves nothing; it is only watched. */
function isUnderWay({ outcome, state }: Pick<Counted, "outcome" | "state">): boolean {
  return outcome === null && state !== "disarmed"
}

/**
 * An order that waits only for the proof or the finality of its end makes room for another one. Its
 * amounts still count.
 */
function isInFlight({ state }: Counted): boolean {
  return state !== "settling" && state !== "proving-unfunded"
}

/** Our own redemption of its payout is on its way, or follows if the service makes none. */
function isRedeemed({ state }: Counted): boolean {
  return state === "revealed" || state.startsWith("redeem-")
}

/** Called for each order at a start, so it makes one list and no copies. */
function scopesOf(order: Counted): readonly string[] {
  const { rule, secondRule, from, to, service } = order
  const source = chainOf(from)
  const destination = chainOf(to)
  const scopes = ["all", `rule ${rule}`, `pair ${from} ${to}`, `to ${destination}`]
  if (secondRule != null) scopes.push(`rule ${secondRule}`)
  if (isRedeemed(order)) scopes.push(`redeemed on ${destination}`)
  scopes.push(`chain ${source}`)
  if (destination !== source) scopes.push(`chain ${destination}`)
  if (service != null) scopes.push(`service ${service}`)
  return scopes
}

function amountsOf(order: Counted): readonly (readonly [key: string, units: bigint | null])[] {
  const { from, sourceUnits, sourceFiat, feeFiat, feeUnits, deposited, service } = order
  return [
    [`fees ${chainOf(from)}`, feeUnits],
    [`committed ${from}`, deposited ? null : sourceUnits],
    [`units ${from}`, sourceUnits],
    ["fiat", sourceFiat],
    [`fiat with ${service ?? ""}`, sourceFiat],
    ["fees", feeFiat],
  ]
}

/** Most steps change no column that counts. */
function isSame(a: Counted, b: Counted): boolean {
  return (
    isInFlight(a) === isInFlight(b) &&
    isRedeemed(a) === isRedeemed(b) &&
    a.countedAtMs === b.countedAtMs &&
    a.rule === b.rule &&
    (a.secondRule ?? null) === (b.secondRule ?? null) &&
    a.from === b.from &&
    a.to === b.to &&
    a.sourceUnits === b.sourceUnits &&
    a.sourceFiat === b.sourceFiat &&
    a.feeFiat === b.feeFiat &&
    a.feeUnits === b.feeUnits &&
    a.deposited === b.deposited &&
    (a.service ?? null) === (b.service ?? null)
  )
}
