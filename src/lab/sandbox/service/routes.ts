import { type Context, Hono } from "hono"
import { z } from "zod"
import { plainJson } from "#lib/json.ts"
import {
  falsifiedReport,
  falsifyAnswer,
  falsifyOrder,
  withFalsifiedTerms,
} from "../hostile/falsify-answer.ts"
import type { HostileContext } from "../hostile/hostile-context.ts"
import type { LocalChain } from "../local-chain.ts"
import { type AppIds, demandAppId } from "./app-id.ts"
import { parseCreateBody, parseShape } from "./create-body.ts"
import type { OrderCreator } from "./create-order.ts"
import { encodeCreated } from "./encode-created.ts"
import { faultGate, type ServiceEnv } from "./fault-gate.ts"
import type { Faults } from "./faults.ts"
import { describePolicy, listAssets, listChains, listLiquidity } from "./list-catalog.ts"
import { listOrders } from "./list-orders.ts"
import { mergePatch } from "./merge-patch.ts"
import type { OrderStore } from "./order-store.ts"
import { type Dialect, encodeOrder, encodeQuote, type WireQuote } from "./order-wire.ts"
import { createOrderPatcher, type OrderPatcher } from "./patch-order.ts"
import type { QuoteBook } from "./quote-book.ts"
import { NO_PAIR, rejectRequest } from "./reject-request.ts"
import { listEarnings } from "./solver/payouts.ts"
import type { StoredOrder } from "./stored-order.ts"

/**
 * The public endpoints (service interface §4), and those that only live deployments have: the order
 * list of the field notes, and the lists of assets, chains and routes.
 *
 * Every endpoint answers 401 to a request without the app id or with a wrong one. The exception is
 * the quote: it accepts a request without an app id, because the interface document shows one, and
 * still refuses a wrong app id.
 */
export function createRoutes(options: RouteOptions): Hono<ServiceEnv> {
  const state: RouteState = { ...options, falsified: new Map(), patchOrder: createOrderPatcher() }
  const app = new Hono<ServiceEnv>()
  const { faults, appIds, chains, book } = state
  const demanded = demandAppId(appIds)
  const lists = faultGate(faults, "lists")
  app.get("/v2/assets", lists, demanded, () => ok(listAssets(book)))
  app.get("/v2/chains", lists, demanded, () => ok(listChains(chains, book)))
  app.get("/v2/policy", lists, demanded, () => ok(describePolicy(chains, faults)))
  app.get("/v2/liquidity", lists, demanded, ({ req }) => ok(listLiquidity(book, req.query("to"))))
  app.get("/v2/apps/earnings", lists, demanded, () => ok(listEarnings(state.store)))
  app.get("/v2/quote", faultGate(faults, "quote"), demandAppId(appIds, "optional"), (context) =>
    quote(context, state),
  )
  app.post("/v2/orders", faultGate(faults, "create"), demanded, (context) => create(context, state))
  app.get("/v2/orders", faultGate(faults, "list"), demanded, (context) => {
    const show = (order: StoredOrder): unknown => showOrder(order, context, state)
    return ok(listOrders(state.store.list(), context.req.query(), show))
  })
  app.get("/v2/orders/:id", faultGate(faults, "get"), demanded, (context) =>
    ok(showOrder(findOrder(context.req.param("id"), state), context, state)),
  )
  app.patch("/v2/orders/:id", faultGate(faults, "initiate"), demanded, (context) =>
    patch(context, state),
  )
  return app
}

type RouteOptions = {
  readonly chains: readonly LocalChain[]
  readonly book: QuoteBook
  readonly store: OrderStore
  readonly faults: Faults
  readonly createOrder: OrderCreator
  readonly appIds: AppIds
  readonly dialect: Dialect
  /** Whether the service offers gasless initiation. */
  readonly gasless: boolean
  readonly fixedFeeUsd: string
}

/**
 * `falsified` holds the orders as a hostile mode reported them, by id. The store keeps the honest
 * orders, and the solver works on those.
 */
type RouteState = RouteOptions & {
  readonly falsified: Map<string, StoredOrder>
  readonly patchOrder: OrderPatcher
}

/** The success envelope. */
function ok(result: unknown, status = 200): Response {
  return new Response(plainJson({ status: "Ok", result }), {
    status,
    headers: { "content-type": "application/json" },
  })
}

const queryUnits = z
  .string({ error: "is required" })
  .regex(/^\d{1,77}$/, "expected an integer in smallest units")
const queryBps = z.string().regex(/^\d{1,4}$/, "expected basis points below 10000")
const quoteQuery = z.object({
  from: z.string({ error: "is required" }),
  to: z.string({ error: "is required" }),
  from_amount: queryUnits.optional(),
  to_amount: queryUnits.optional(),
  affiliate_fee: queryBps.default("0"),
  slippage: queryBps.optional(),
})

/**
 * With `from_amount` the fees lower the destination amount; with `to_amount` alone they raise the
 * source amount (field notes, Quote).
 */
function quote(context: Context<ServiceEnv>, state: RouteState): Response {
  const { from, to, from_amount, to_amount, affiliate_fee, slippage } = parseShape(
    quoteQuery,
    context.req.query(),
  )
  if (state.faults.isClosed(from, to)) rejectRequest(400, NO_PAIR)
  const request = { from, to, affiliateBps: Number(affiliate_fee) }
  const exactIn =
    from_amount ??
    (to_amount === undefined ? rejectRequest(400, "from_amount: is required") : undefined)
  const quotes =
    exactIn === undefined
      ? state.book.quoteExactOut({ ...request, units: BigInt(to_amount ?? 0) })
      : state.book.quote({ ...request, units: BigInt(exactIn) })
  const { emptyQuotes, zeroQuote, quoteBps } = context.get("fault")
  if (emptyQuotes) return ok([])
  const slippageBps = slippage === undefined ? undefined : Number(slippage)
  const wire = quotes.map((entry) => encodeQuote(entry, { ...state, slippageBps }))
  if (quoteBps !== undefined)
    return ok(wire.map((entry) => withOtherDestination(entry, BigInt(quoteBps))))
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
  const asked = parseCreateBody(await context.req.text())
  if (state.faults.isClosed(asked.source.asset, asked.destination.asset))
    rejectRequest(400, NO_PAIR)
  const honest = await state.createOrder(asked)
  const { mutateCreate, hostile, noGasless } = context.get("fault")
  const hostileContext = hostileContextOf(honest.order, state)
  const { order, response } = hostile ? await falsifyOrder(hostile, honest, hostileContext) : honest
  if (hostile) state.falsified.set(order.id, order)
  const gasless = state.gasless && !noGasless
  const encoded = encodeCreated(order, response, {
    chain: hostileContext.source,
    dialect: state.dialect,
    gasless,
  })
  const created = hostile ? falsifyAnswer(hostile, encoded, hostileContext) : encoded
  return ok(mutateCreate ? mergePatch(created, mutateCreate) : created)
}

async function patch(context: Context<ServiceEnv>, state: RouteState): Promise<Response> {
  const order = findOrder(context.req.param("id") ?? "", state)
  const tx = await state.patchOrder({
    action: context.req.query("action"),
    body: await context.req.text(),
    order,
    source: sourceChainOf(order, state),
    destination: chainNamed(order.destination.swap.chain, state),
    gasless: state.gasless && !context.get("fault").noGasless,
    faults: state.faults.ofOrder(order.id),
  })
  return ok(
    context.get("fault").statusText ? "submitted" : tx,
    state.dialect === "2026" ? 202 : 200,
  )
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
  const source = sourceChainOf(order, state)
  const destination = chainNamed(order.destination.swap.chain, state)
  return { order, source, destination, others }
}

function sourceChainOf(order: StoredOrder, state: RouteState): LocalChain {
  return chainNamed(order.source.swap.chain, state)
}

function chainNamed(chain: string, state: RouteState): LocalChain {
  return (
    state.chains.find((candidate) => candidate.name === chain) ??
    rejectRequest(400, `chain ${chain} is not running`)
  )
}
