import { z } from "zod"
import { HOSTILE_NAMES, hostileMode } from "../hostile/hostile-modes.ts"
import { parseShape } from "./create-body.ts"

/**
 * Faults on demand, for tests of clients. `POST /sandbox/faults` takes one fault or a list and replaces what was set; `[]` clears.
 *
 * Answers of the public endpoints:
 *   endpoint     quote | create | get | list | initiate; without it every endpoint that the fault can concern
 *   count        how often it strikes (default: until replaced); `skip`: how many matching requests pass unharmed first
 *   status       answers this HTTP status, with `error` as text or a default one
 *   html         answers a proxy's HTML page (status 502, or `status`)
 *   hang         never answers
 *   drop         does the effect, then cuts the connection without an answer
 *   effect       with status, html or hang: does the effect before failing (an answer lost on the way)
 *   delayMs      waits before anything else
 *   emptyQuotes  quote answers `[]`; zeroQuote: every destination amount is "0"
 *   hostile      a mode of ../hostile/hostile-modes.ts, with what its solver does: answers that want to rob the client
 *   mutateCreate JSON merge patch (RFC 7396) applied to the create result; mutateOrder: to orders of get and list
 *
 * Behaviour of the solver, on all orders or on `orderId`; `count` limits how many orders it befalls:
 *   solverSilent     never funds the destination; the refund of the source is still relayed after its timelock
 *   lapse            never funds the destination, and relays no refund either
 *   neverRedeem      funds the destination, but never redeems it; both legs are refunded after their timelocks
 *   redeemSourceOnly takes the source with the secret and never funds the destination: the theft
 */
export function createFaults(): Faults {
  let active: ActiveFault[] = []
  return {
    set: (faults) => {
      const list = Array.isArray(faults) ? faults : [faults]
      active = parseShape(z.array(faultShape), list)
        .flatMap(withSolver)
        .map((fault) => ({
          fault,
          struck: 0,
          passed: 0,
          orders: new Set(),
        }))
    },
    list: () => active.map(({ fault, struck, orders }) => ({ ...fault, struck: struck + orders.size })),
    take: (endpoint) => {
      const striking = active.filter((entry) => concerns(entry.fault, endpoint) && strikes(entry))
      return Object.assign({}, ...striking.map((entry) => entry.fault))
    },
    ofOrder: (orderId) => {
      const met = active.filter((entry) => befalls(entry, orderId)).map((entry) => entry.fault)
      return new Set(SOLVER_FAULTS.filter((name) => met.some((fault) => fault[name] === true)))
    },
  }
}

export type Faults = {
  /** Throws a 400 rejection for anything but the shapes above; a misspelt key is an error. */
  set(faults: Fault | readonly Fault[]): void
  /** What is set, each with how often it struck. */
  list(): readonly (Fault & { readonly struck: number })[]
  /** Consumes one strike of every fault that concerns this request, and merges them; later ones win. */
  take(endpoint: Endpoint): Fault
  ofOrder(orderId: string): ReadonlySet<SolverFault>
}

const ENDPOINTS = ["quote", "create", "get", "list", "initiate"] as const
export type Endpoint = (typeof ENDPOINTS)[number]

const SOLVER_FAULTS = ["solverSilent", "lapse", "neverRedeem", "redeemSourceOnly"] as const
export type SolverFault = (typeof SOLVER_FAULTS)[number]

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
    hostile: z.enum(HOSTILE_NAMES),
    mutateCreate: z.record(z.string(), z.unknown()),
    mutateOrder: z.record(z.string(), z.unknown()),
    orderId: z.string(),
    solverSilent: z.boolean(),
    lapse: z.boolean(),
    neverRedeem: z.boolean(),
    redeemSourceOnly: z.boolean(),
  })
  .partial()

export type Fault = Readonly<z.infer<typeof faultShape>>

type ActiveFault = { readonly fault: Fault; struck: number; passed: number; readonly orders: Set<string> }

/** What a hostile mode's solver does is a fault of its own: it strikes orders, not requests. */
function withSolver(fault: Fault): readonly Fault[] {
  const solver = fault.hostile === undefined ? undefined : hostileMode(fault.hostile).solver
  return solver === undefined ? [fault] : [fault, { [solver]: true }]
}

function concerns(fault: Fault, endpoint: Endpoint): boolean {
  if (SOLVER_FAULTS.some((name) => fault[name])) return false
  if (fault.endpoint !== undefined) return fault.endpoint === endpoint
  if (fault.emptyQuotes || fault.zeroQuote) return endpoint === "quote"
  if (fault.mutateCreate) return endpoint === "create"
  if (fault.hostile !== undefined) return endpoint !== "quote" && endpoint !== "initiate"
  if (fault.mutateOrder) return endpoint === "get" || endpoint === "list"
  return true
}

function strikes(entry: ActiveFault): boolean {
  if (entry.passed < (entry.fault.skip ?? 0)) {
    entry.passed += 1
    return false
  }
  if (entry.struck >= (entry.fault.count ?? Number.POSITIVE_INFINITY)) return false
  entry.struck += 1
  return true
}

/** Once it befell an order it stays with it, so that `count: 1` means one order and not one look at it. */
function befalls(entry: ActiveFault, orderId: string): boolean {
  const { fault, orders } = entry
  if (!SOLVER_FAULTS.some((name) => fault[name])) return false
  if (fault.orderId !== undefined && fault.orderId !== orderId) return false
  if (orders.has(orderId)) return true
  if (orders.size >= (fault.count ?? Number.POSITIVE_INFINITY)) return false
  orders.add(orderId)
  return true
}
