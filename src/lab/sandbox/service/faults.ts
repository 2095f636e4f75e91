import { z } from "zod"
import { HOSTILE_NAMES, hostileMode } from "../hostile/hostile-modes.ts"
import { parseShape } from "./create-body.ts"
import { SOLVER_FAULTS, type SolverFault } from "./solver/solver-fault.ts"

/**
 * Injected faults for tests of clients. `POST /sandbox/faults` takes one fault or a list and
 * replaces the active faults; `[]` clears them.
 *
 * Faults in the answers of the public endpoints: endpoint quote | create | get | list | initiate |
 * lists; by default the fault applies to every endpoint where it makes sense. `lists` are those of
 * chains, assets and routes. A fault with `count` or `skip` breaks them only by name, because a
 * client's watch asks for them at any time count number of requests that the fault breaks (default:
 * no limit) skip number of matching requests that the fault first lets through unchanged status
 * answers this HTTP status, with `error` or a default text html answers the HTML page of a proxy
 * (status 502, or `status`) hang never answers drop performs the request, then closes the
 * connection without an answer effect with status, html or hang: performs the request before the
 * failure, as when an answer is lost delayMs waits before it handles the request emptyQuotes quote
 * answers `[]` zeroQuote every destination amount in a quote is "0" quoteBps every destination
 * amount in a quote is this many basis points of the honest one, under the honest value noGasless
 * create answers offer no gasless initiation, and initiate refuses a signature statusText initiate
 * relays the signature and answers a text instead of the transaction (field notes, Wire) hostile a
 * mode of ../hostile/hostile-modes.ts: answers that try to steal from the client, and its solver
 * fault if it has one mutateCreate JSON merge patch (RFC 7396) for the create result mutateOrder
 * JSON merge patch for the orders in the answers of get and list closePair `FROM/TO`: the service
 * knows no such pair when it quotes and creates, and its policy excludes it
 *
 * Faults of the solver, for all orders or for `orderId`; `count` limits the number of orders:
 * solverSilent never funds the destination, but relays the refund of the source after its timelock
 * lapse never funds the destination and relays no refund neverRedeem funds the destination but
 * never redeems it, so both legs are refunded after their timelocks; a told secret is taken and not
 * used keepPayout funds the destination; once the client tells its secret, redeems the source alone
 * redeemSourceOnly redeems the source with the secret and never funds the destination: the theft
 */
export function createFaults(): Faults {
  let active: ActiveFault[] = []
  return {
    set: (faults) => {
      const list = Array.isArray(faults) ? faults : [faults]
      active = parseShape(z.array(faultShape), list)
        .flatMap(withSolverFault)
        .map((fault) => ({
          fault,
          struck: 0,
          passed: 0,
          orders: new Set(),
        }))
    },
    list: () =>
      active.map(({ fault, struck, orders }) => ({ ...fault, struck: struck + orders.size })),
    take: (endpoint) => {
      const used = active.filter(
        (entry) => appliesToEndpoint(entry.fault, endpoint) && useOnce(entry),
      )
      return Object.assign({}, ...used.map((entry) => entry.fault))
    },
    isClosed: (from, to) => active.some(({ fault }) => fault.closePair === `${from}/${to}`),
    closedPairs: () => active.flatMap(({ fault }) => fault.closePair ?? []),
    ofOrder: (orderId) => {
      const applying = active
        .filter((entry) => appliesToOrder(entry, orderId))
        .map((entry) => entry.fault)
      return new Set(SOLVER_FAULTS.filter((name) => applying.some((fault) => fault[name] === true)))
    },
  }
}

export type Faults = {
  /** Rejects any other shape with status 400; an unknown key is an error. */
  set(faults: Fault | readonly Fault[]): void
  /** The active faults. `struck` counts the requests or orders that the fault has affected. */
  list(): readonly (Fault & { readonly struck: number })[]
  /**
   * Merges the faults that apply to this request, later ones over earlier ones, and counts one use
   * of each.
   */
  take(endpoint: Endpoint): Fault
  isClosed(from: string, to: string): boolean
  closedPairs(): readonly string[]
  /** The solver faults of this order. The first call for an order counts it against `count`. */
  ofOrder(orderId: string): ReadonlySet<SolverFault>
}

const ENDPOINTS = ["quote", "create", "get", "list", "initiate", "lists"] as const
export type Endpoint = (typeof ENDPOINTS)[number]

const count = z.int().nonnegative()
const faultShape = z
  .strictObject({
    endpoint: z.enum(ENDPOINTS),
    count,
    skip: count,
    status: z.int().min(200).max(599),
    error: z.string(),
    html: z.boolean(),
    hang: z.boolean(),
    drop: z.boolean(),
    effect: z.boolean(),
    delayMs: count,
    emptyQuotes: z.boolean(),
    zeroQuote: z.boolean(),
    quoteBps: count,
    noGasless: z.boolean(),
    statusText: z.boolean(),
    hostile: z.enum(HOSTILE_NAMES),
    mutateCreate: z.record(z.string(), z.unknown()),
    mutateOrder: z.record(z.string(), z.unknown()),
    orderId: z.string(),
    solverSilent: z.boolean(),
    lapse: z.boolean(),
    neverRedeem: z.boolean(),
    keepPayout: z.boolean(),
    redeemSourceOnly: z.boolean(),
    closePair: z.string().regex(/^[^/]+\/[^/]+$/),
  })
  .partial()

export type Fault = Readonly<z.infer<typeof faultShape>>

type ActiveFault = {
  readonly fault: Fault
  struck: number
  passed: number
  readonly orders: Set<string>
}

/**
 * The solver fault of a hostile mode becomes a separate fault, because its `count` counts orders
 * and not requests.
 */
function withSolverFault(fault: Fault): readonly Fault[] {
  const solver = fault.hostile === undefined ? undefined : hostileMode(fault.hostile).solver
  return solver === undefined ? [fault] : [fault, { [solver]: true }]
}

function appliesToEndpoint(fault: Fault, endpoint: Endpoint): boolean {
  if (SOLVER_FAULTS.some((name) => fault[name]) || fault.closePair !== undefined) return false
  if (fault.endpoint !== undefined) return fault.endpoint === endpoint
  if (endpoint === "lists" && (fault.count !== undefined || fault.skip !== undefined)) return false
  if (fault.emptyQuotes || fault.zeroQuote || fault.quoteBps !== undefined)
    return endpoint === "quote"
  if (fault.statusText) return endpoint === "initiate"
  if (fault.noGasless) return endpoint === "create" || endpoint === "initiate"
  if (fault.mutateCreate) return endpoint === "create"
  if (fault.hostile !== undefined) return ["create", "get", "list"].includes(endpoint)
  if (fault.mutateOrder) return endpoint === "get" || endpoint === "list"
  return true
}

/** Counts one request against `skip` and `count`; false when the request passes unchanged. */
function useOnce(entry: ActiveFault): boolean {
  if (entry.passed < (entry.fault.skip ?? 0)) {
    entry.passed += 1
    return false
  }
  if (entry.struck >= (entry.fault.count ?? Number.POSITIVE_INFINITY)) return false
  entry.struck += 1
  return true
}

/**
 * A fault stays with each order that it has affected: `count: 1` means one order, not one
 * observation of an order.
 */
function appliesToOrder(entry: ActiveFault, orderId: string): boolean {
  const { fault, orders } = entry
  if (!SOLVER_FAULTS.some((name) => fault[name])) return false
  if (fault.orderId !== undefined && fault.orderId !== orderId) return false
  if (orders.has(orderId)) return true
  if (orders.size >= (fault.count ?? Number.POSITIVE_INFINITY)) return false
  orders.add(orderId)
  return true
}
