import { type Context, Hono, type MiddlewareHandler } from "hono"
import { z } from "zod"
import { plainJson } from "#lib/json.ts"
import type { Scene } from "../hostile/hostile-modes.ts"
import { reportOf, spoilAnswer, tellLies, withLies } from "../hostile/tell-lies.ts"
import type { LocalChain } from "../local-chain.ts"
import { parseCreateBody, parseShape } from "./create-body.ts"
import type { OrderDesk } from "./create-order.ts"
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
 * The public endpoints (service interface §4), and the listing of the field notes.
 *
 * The app id: every endpoint wants it (401); a quote is also answered without one, since the document shows such a request, but never with
 * a wrong one.
 */
export function createRoutes(options: RouteOptions): Hono<ServiceEnv> {
  const desk: Desk = { ...options, lies: new Map() }
  const app = new Hono<ServiceEnv>()
  const { faults } = desk
  app.get("/v2/quote", faultGate(faults, "quote"), demandAppId(desk, "optional"), (context) => quote(context, desk))
  app.post("/v2/orders", faultGate(faults, "create"), demandAppId(desk), (context) => create(context, desk))
  app.get("/v2/orders", faultGate(faults, "list"), demandAppId(desk), (context) => {
    const show = (order: StoredOrder): unknown => showOrder(order, context, desk)
    return ok(listOrders(desk.store.list(), context.req.query(), show))
  })
  app.get("/v2/orders/:id", faultGate(faults, "get"), demandAppId(desk), (context) =>
    ok(showOrder(findOrder(context.req.param("id"), desk), context, desk)),
  )
  app.patch("/v2/orders/:id", faultGate(faults, "initiate"), demandAppId(desk), (context) => initiate(context, desk))
  return app
}

export type RouteOptions = {
  readonly chains: readonly LocalChain[]
  readonly book: QuoteBook
  readonly store: OrderStore
  readonly faults: Faults
  readonly createOrder: OrderDesk
  readonly appId: string
  readonly appIdHeader: string
  readonly dialect: Dialect
  readonly fixedFeeUsd: string
}

/** Orders as a hostile mode told them, by id. The store keeps the honest ones, on which the solver works. */
type Desk = RouteOptions & { readonly lies: Map<string, StoredOrder> }

/** The success envelope. */
export function ok(result: unknown, status = 200): Response {
  return new Response(plainJson({ status: "Ok", result }), { status, headers: { "content-type": "application/json" } })
}

function demandAppId(desk: Desk, when: "always" | "optional" = "always"): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const given = context.req.header(desk.appIdHeader)
    const missing = given === undefined
    if (missing ? when === "always" : given !== desk.appId) {
      rejectRequest(401, missing ? `header ${desk.appIdHeader} is missing` : "unknown app id")
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

function quote(context: Context<ServiceEnv>, desk: Desk): Response {
  const query = parseShape(quoteQuery, context.req.query())
  const quotes = desk.book.quote({
    from: query.from,
    to: query.to,
    units: BigInt(query.from_amount),
    affiliateBps: Number(query.affiliate_fee),
  })
  const { emptyQuotes, zeroQuote } = context.get("fault")
  if (emptyQuotes) return ok([])
  const wire = quotes.map((entry) => encodeQuote(entry, desk))
  return ok(zeroQuote ? wire.map(withNothing) : wire)
}

function withNothing(quote: WireQuote): WireQuote {
  return { ...quote, destination: { ...quote.destination, amount: "0", display: "0", value: "0" } }
}

async function create(context: Context<ServiceEnv>, desk: Desk): Promise<Response> {
  const honest = await desk.createOrder(parseCreateBody(await context.req.text()))
  const { mutateCreate, hostile } = context.get("fault")
  const scene = sceneOf(honest.order, desk)
  const { order, response } = hostile ? await tellLies(hostile, honest, scene) : honest
  if (hostile) desk.lies.set(order.id, order)
  const encoded = encodeCreated(order, response, { chain: scene.source, dialect: desk.dialect })
  const created = hostile ? spoilAnswer(hostile, encoded, scene) : encoded
  return ok(mutateCreate ? mergePatch(created, mutateCreate) : created)
}

async function initiate(context: Context<ServiceEnv>, desk: Desk): Promise<Response> {
  const order = findOrder(context.req.param("id") ?? "", desk)
  const action = context.req.query("action")
  if (action !== "initiate") rejectRequest(400, `action ${action ?? "(none)"} is not supported`)
  const { signature } = parseShape(z.object({ signature: z.string().min(1) }), parseWireJson(await context.req.text()))
  const chain = sourceChainOf(order, desk)
  if (chain.family !== "evm" && chain.family !== "starknet") {
    rejectRequest(400, `gasless initiation is not supported on ${chain.name}`)
  }
  if (Date.now() > order.deadlineMs) rejectRequest(400, "the order is past its deadline")
  const tx = await chain.initiateWithSignature(order.source.swap, signature).catch((error: unknown) =>
    // The relay's or the contract's reason: a bad signature, a missing allowance, a second initiation.
    rejectRequest(400, error instanceof Error ? error.message : String(error)),
  )
  return desk.dialect === "2026" ? ok("Initiate transaction submitted", 202) : ok(tx)
}

function showOrder(order: StoredOrder, context: Context<ServiceEnv>, desk: Desk): unknown {
  const { mutateOrder, hostile } = context.get("fault")
  const told = hostile ? withLies(order, desk.lies.get(order.id)) : order
  const encoded = encodeOrder(told, desk.dialect)
  const wire = hostile ? mergePatch(encoded, reportOf(hostile, order)) : encoded
  return mutateOrder ? mergePatch(wire, mutateOrder) : wire
}

function findOrder(id: string, desk: Desk): StoredOrder {
  return desk.store.find(id) ?? rejectRequest(404, "order not found")
}

function sceneOf(order: StoredOrder, desk: Desk): Scene {
  const others = desk.store.list().filter(({ id }) => id !== order.id)
  const [source, destination] = [sourceChainOf(order, desk), chainNamed(order.destination.swap.chain, desk)]
  return { order, source, destination, others }
}

function sourceChainOf(order: StoredOrder, desk: Desk): LocalChain {
  return chainNamed(order.source.swap.chain, desk)
}

function chainNamed(chain: string, desk: Desk): LocalChain {
  return (
    desk.chains.find((candidate) => candidate.name === chain) ?? rejectRequest(400, `chain ${chain} is not running`)
  )
}
