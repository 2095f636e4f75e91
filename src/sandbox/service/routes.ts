import { type Context, Hono, type MiddlewareHandler } from "hono"
import { z } from "zod"
import { plainJson } from "#lib/json.ts"
import { falsifiedReport, falsifyAnswer, falsifyOrder, withFalsifiedTerms } from "../hostile/falsify-answer.ts"
import type { HostileContext } from "../hostile/hostile-context.ts"
import type { LocalChain } from "../local-chain.ts"
import { parseCreateBody, parseShape } from "./create-body.ts"
import type { OrderCreator } from "./create-order.ts"
import { encodeCreated } from "./encode-created.ts"
import { faultGate, type ServiceEnv } from "./fault-gate.ts"
import type { Faults } from "./faults.ts"
import { listOrders } from "./list-orders.ts"
import { mergePatch } from "./merge-patch.ts"
import type { OrderStore } from "./order-store.ts"
import { type Dialect, encodeOrder, encodeQuote, type WireQuote } from "./order-wire.ts"
import { parseWireJson } from "./parse-wire-json.ts"
import type { QuoteBook } from "./quote-book.ts"
import { rejectRequest } from "./reject-request.ts"
import type { StoredOrder } from "./stored-order.ts"

/**
 * The public endpoints (service interface §4), and the order list of the field notes.
 *
 * Every endpoint answers 401 to a request without the app id or with a wrong one. The exception is the quote: it accepts a request
 * without an app id, because the interface document shows one, and still refuses a wrong app id.
 */
export function createRoutes(options: RouteOptions): Hono<ServiceEnv> {
  const state: RouteState = { ...options, falsified: new Map() }
  const app = new Hono<ServiceEnv>()
  const { faults } = state
  app.get("/v2/quote", faultGate(faults, "quote"), demandAppId(state, "optional"), (context) => quote(context, state))
  app.post("/v2/orders", faultGate(faults, "create"), demandAppId(state), (context) => create(context, state))
  app.get("/v2/orders", faultGate(faults, "list"), demandAppId(state), (context) => {
    const show = (order: StoredOrder): unknown => showOrder(order, context, state)
    return ok(listOrders(state.store.list(), context.req.query(), show))
  })
  app.get("/v2/orders/:id", faultGate(faults, "get"), demandAppId(state), (context) =>
    ok(showOrder(findOrder(context.req.param("id"), state), context, state)),
  )
  app.patch("/v2/orders/:id", faultGate(faults, "initiate"), demandAppId(state), (context) => initiate(context, state))
  return app
}

export type RouteOptions = {
  readonly chains: readonly LocalChain[]
  readonly book: QuoteBook
  readonly store: OrderStore
  readonly faults: Faults
  readonly createOrder: OrderCreator
  readonly appId: string
  readonly appIdHeader: string
  readonly dialect: Dialect
  readonly fixedFeeUsd: string
}

/** `falsified` holds the orders as a hostile mode reported them, by id. The store keeps the honest orders, and the solver works on those. */
type RouteState = RouteOptions & { readonly falsified: Map<string, StoredOrder> }

/** The success envelope. */
export function ok(result: unknown, status = 200): Response {
  return new Response(plainJson({ status: "Ok", result }), { status, headers: { "content-type": "application/json" } })
}

function demandAppId(state: RouteState, when: "always" | "optional" = "always"): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const given = context.req.header(state.appIdHeader)
    const missing = given === undefined
    if (missing ? when === "always" : given !== state.appId) {
      rejectRequest(401, missing ? `header ${state.appIdHeader} is missing` : "unknown app id")
    }
    await next()
  }
}

const quoteQuery = z.object({
  from: z.string({ error: "is required" }),
  to: z.string({ error: "is required" }),
  from_amount: z.string({ error: "is required" }).regex(/^\d{1,77}$/, "expected an integer in smallest units"),
  affiliate_fee: z
    .string()
    .regex(/^\d{1,4}$/, "expected basis points below 10000")
    .default("0"),
})

function quote(context: Context<ServiceEnv>, state: RouteState): Response {
  const query = parseShape(quoteQuery, context.req.query())
  const quotes = state.book.quote({
    from: query.from,
    to: query.to,
    units: BigInt(query.from_amount),
    affiliateBps: Number(query.affiliate_fee),
  })
  const { emptyQuotes, zeroQuote, quoteBps } = context.get("fault")
  if (emptyQuotes) return ok([])
  const wire = quotes.map((entry) => encodeQuote(entry, state))
  if (quoteBps !== undefined) return ok(wire.map((entry) => withOtherDestination(entry, BigInt(quoteBps))))
  return ok(zeroQuote ? wire.map(withZeroDestination) : wire)
}

function withOtherDestination(quote: WireQuote, bps: bigint): WireQuote {
  const amount = String((BigInt(quote.destination.amount) * bps) / 10_000n)
  return { ...quote, destination: { ...quote.destination, amount } }
}

function withZeroDestination(quote: WireQuote): WireQuote {
  return { ...quote, destination: { ...quote.destination, amount: "0", display: "0", value: "0" } }
}

async function create(context: Context<ServiceEnv>, state: RouteState): Promise<Response> {
  const honest = await state.createOrder(parseCreateBody(await context.req.text()))
  const { mutateCreate, hostile } = context.get("fault")
  const hostileContext = hostileContextOf(honest.order, state)
  const { order, response } = hostile ? await falsifyOrder(hostile, honest, hostileContext) : honest
  if (hostile) state.falsified.set(order.id, order)
  const encoded = encodeCreated(order, response, { chain: hostileContext.source, dialect: state.dialect })
  const created = hostile ? falsifyAnswer(hostile, encoded, hostileContext) : encoded
  return ok(mutateCreate ? mergePatch(created, mutateCreate) : created)
}

async function initiate(context: Context<ServiceEnv>, state: RouteState): Promise<Response> {
  const order = findOrder(context.req.param("id") ?? "", state)
  const action = context.req.query("action")
  if (action !== "initiate") rejectRequest(400, `action ${action ?? "(none)"} is not supported`)
  const { signature } = parseShape(z.object({ signature: z.string().min(1) }), parseWireJson(await context.req.text()))
  const chain = sourceChainOf(order, state)
  if (chain.family !== "evm" && chain.family !== "starknet") {
    rejectRequest(400, `gasless initiation is not supported on ${chain.name}`)
  }
  if (Date.now() > order.deadlineMs) rejectRequest(400, "the order is past its deadline")
  const tx = await chain.initiateWithSignature(order.source.swap, signature).catch((error: unknown) =>
    // The chain gives the reason: a bad signature, a missing allowance, or a second initiation.
    rejectRequest(400, error instanceof Error ? error.message : String(error)),
  )
  return state.dialect === "2026" ? ok("Initiate transaction submitted", 202) : ok(tx)
}

function showOrder(order: StoredOrder, context: Context<ServiceEnv>, state: RouteState): unknown {
  const { mutateOrder, hostile } = context.get("fault")
  const reported = hostile ? withFalsifiedTerms(order, state.falsified.get(order.id)) : order
  const encoded = encodeOrder(reported, state.dialect)
  const wire = hostile ? mergePatch(encoded, falsifiedReport(hostile, order)) : encoded
  return mutateOrder ? mergePatch(wire, mutateOrder) : wire
}

function findOrder(id: string, state: RouteState): StoredOrder {
  return state.store.find(id) ?? rejectRequest(404, "order not found")
}

function hostileContextOf(order: StoredOrder, state: RouteState): HostileContext {
  const others = state.store.list().filter(({ id }) => id !== order.id)
  const [source, destination] = [sourceChainOf(order, state), chainNamed(order.destination.swap.chain, state)]
  return { order, source, destination, others }
}

function sourceChainOf(order: StoredOrder, state: RouteState): LocalChain {
  return chainNamed(order.source.swap.chain, state)
}

function chainNamed(chain: string, state: RouteState): LocalChain {
  return (
    state.chains.find((candidate) => candidate.name === chain) ?? rejectRequest(400, `chain ${chain} is not running`)
  )
}
