import type { AssetId } from "#domain/asset.ts"
import type { CreatedOrder } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { MayLeave } from "#domain/may-leave.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { sumBps } from "#domain/route/affiliate-fee.ts"
import { type SendFields, sendFieldsOf } from "#domain/route/send-fields.ts"
import type { RoutePolicy } from "#domain/route/service-listing.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { retryRead } from "#lib/retry.ts"
import type { Secret } from "#lib/secret.ts"
import type { Dispatcher } from "#nodes/exchange.ts"
import type { Paces } from "#nodes/paces.ts"
import type { DepositReader } from "#ports/deposit-reader.ts"
import type { OrderRequest, QuoteRequest, ServicePort } from "#ports/service.ts"
import { createExchange, type Exchange, type HttpRequest } from "./http.ts"
import { type CallNote, faultOfCall, type ServiceCall } from "./judge-call.ts"
import { judgeQuotes } from "./judge-quotes.ts"
import { fetchPage, listServiceOrders } from "./list-service-orders.ts"
import { createPairStates } from "./pair-state.ts"
import { expectValue, isOk, parseBody, resultOf } from "./read-result.ts"
import { malformed, type Operation } from "./service-error.ts"
import { parseCreatedOrder, parseOrder } from "./to-domain.ts"
import { wireEnvelope, wireError } from "./wire.ts"
import { parseAssetList, parseChainList, parsePolicy } from "./wire-listing.ts"

export type ServiceClientOptions = {
  /** Without the version, with or without a slash at the end. */
  readonly baseUrl: string
  /** Of each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent in the header `appIdHeader`; left out when empty. */
  readonly appId: string
  readonly appIdHeader: string
  /** `/v2`; may be empty. */
  readonly pathPrefix: string
  /** The limit for one exchange, from the request to the last byte of the answer. */
  readonly timeoutMs: number
  readonly maxRequestsPerSecond: number
  /**
   * Whether new orders carry `solver_id`, `nonce` and `source.delegate`, where `send` is not given.
   */
  readonly orderExtras: boolean
  readonly send?: SendFields
  /** How each family reads its deposit request in the answer to a create. */
  readonly depositReaders: readonly DepositReader[]
  readonly clock: Clock
  /** What other callers of the service learn of its limit; absent: its own. */
  readonly paces?: Paces
  /** Replaces the global dispatcher of the process. */
  readonly dispatcher?: Dispatcher
  /** Called with a reason for every dropped quote. */
  readonly onDroppedQuote?: (reason: Reason) => void
  /** Called with the result of every call but those for the lists of assets, chains and routes. */
  readonly onCall?: (note: CallNote, asked: QuoteRequest | null) => void
}

/**
 * The swap service over HTTP (service interface §4). Reads are tried three times at most; writes
 * exactly once.
 *
 * Errors: `service.no_pair` `service.pair_closed` `service.amount_bounds` `service.not_found`
 * `service.duplicate` `service.refused` `service.quote_zero` `service.quote_mismatch` (refused) ·
 * `service.no_liquidity` `service.rate_limited` `service.unavailable` (transient) ·
 * `service.malformed` (transient for a read, uncertain for a write) · `service.uncertain`
 * (uncertain) · `service.app_id` (hold).
 */
export function createServiceClient(options: ServiceClientOptions): ServicePort {
  const exchange = createExchange(options)
  const read = <T>(attempt: () => Promise<T>): Promise<T> =>
    retryRead(attempt, { clock: options.clock })
  const noting = createNoting(options)
  const pairs = createPairStates(exchange, options.clock)
  return {
    fetchQuotes: (request) =>
      noting(
        "quote",
        request,
        () =>
          pairs.explain(request, () =>
            read(() => fetchQuotes(exchange, request, options.onDroppedQuote)),
          ),
        request.exactUnits === undefined ? request : undefined,
      ),
    submitOrder: (request) =>
      noting("create", request.quote, () =>
        pairs.explain(request.quote, () => submitOrder(exchange, request, options)),
      ),
    fetchOrder: (orderId) =>
      noting("get", orderId, () => read(() => fetchOrder(exchange, orderId))),
    findOrders: (sourceOwner, wanted) =>
      noting("list", sourceOwner, (onFault) =>
        listServiceOrders(
          (query) => read(() => fetchPage(exchange, query, onFault)),
          sourceOwner,
          wanted,
        ),
      ),
    submitSignature: (orderId, signature, mayLeave) => {
      const patch = {
        what: "take the signature",
        action: "initiate",
        body: { signature },
        mayLeave,
      }
      return noting("initiate", orderId, () => patchOrder(exchange, orderId, patch))
    },
    revealSecret: (orderId, secret, mayLeave) =>
      noting("reveal", orderId, () => revealSecret(exchange, orderId, secret, mayLeave)),
    listAssets: () => read(async () => parseAssetList(await fetchList(exchange, "/assets"))),
    listChains: () => read(async () => parseChainList(await fetchList(exchange, "/chains"))),
    listPolicy: () => read(() => fetchPolicy(exchange)),
  }
}

type Noting = <T>(
  call: ServiceCall,
  about: string | { readonly from: AssetId; readonly to: AssetId },
  act: (onFault: (fault: string) => void) => Promise<T>,
  asked?: QuoteRequest,
) => Promise<T>

/** Notes the result of a call, which may be several tries of one read. */
function createNoting({ onCall }: ServiceClientOptions): Noting {
  return async (call, about, act, asked) => {
    const note = (fault: string | null | undefined): void => {
      const subject = typeof about === "string" ? about : `${about.from} > ${about.to}`
      if (fault !== undefined) onCall?.({ call, about: subject, fault }, asked ?? null)
    }
    let found: string | null = null
    try {
      const answer = await act((fault) => {
        found = fault
      })
      note(found)
      return answer
    } catch (error) {
      note(faultOfCall(error, call))
      throw error
    }
  }
}

async function fetchList(exchange: Exchange, path: string): Promise<readonly unknown[]> {
  const operation: Operation = { what: `list ${path.slice(1)}`, write: false }
  const result = await callForResult(exchange, { operation, method: "GET", path })
  if (!Array.isArray(result)) throw malformed(operation, "result is not a list")
  return result
}

async function fetchPolicy(exchange: Exchange): Promise<RoutePolicy> {
  const operation: Operation = { what: "give its policy", write: false }
  const result = await callForResult(exchange, { operation, method: "GET", path: "/policy" })
  return expectValue(parsePolicy(result), operation)
}

/** Sends the question once. */
export async function fetchQuotes(
  exchange: Exchange,
  request: QuoteRequest,
  onDropped?: ServiceClientOptions["onDroppedQuote"],
): Promise<readonly Quote[]> {
  const operation: Operation = { what: "quote", write: false }
  const query = {
    from: request.from,
    to: request.to,
    ...(request.exactUnits === undefined
      ? { from_amount: request.sourceUnits.toString() }
      : { to_amount: request.exactUnits.toString() }),
    ...(request.affiliateBps === 0 ? {} : { affiliate_fee: String(request.affiliateBps) }),
  }
  const result = await callForResult(exchange, { operation, method: "GET", path: "/quote", query })
  // Other clients read the list as an object and then paid out zero (field notes).
  if (!Array.isArray(result)) throw malformed(operation, "result is not a list of quotes")
  const { quotes, dropped } = judgeQuotes(result, request)
  for (const reason of dropped) onDropped?.(reason)
  const [first] = dropped
  if (quotes.length > 0 || first === undefined) return quotes
  const disposition = first.code === "service.malformed" ? "transient" : "refused"
  throw new AppError({ ...first, disposition, details: { dropped: dropped.length, ...first } })
}

async function submitOrder(
  exchange: Exchange,
  request: OrderRequest,
  { orderExtras, send = sendFieldsOf(orderExtras), depositReaders }: ServiceClientOptions,
): Promise<CreatedOrder> {
  const operation: Operation = { what: "create the order", write: true }
  const { quote, affiliateFees, ownSecret } = request
  refuseOtherSum(quote.affiliateBps ?? 0, sumBps(affiliateFees))
  const body = {
    source: {
      asset: quote.from,
      owner: request.sourceOwner,
      amount: quote.sourceUnits.toString(),
      ...(send.delegate ? request.sourceExtras : {}),
    },
    destination: {
      asset: quote.to,
      owner: request.destinationOwner,
      amount: quote.destinationUnits.toString(),
      ...ownSecret?.destinationExtras,
    },
    ...(ownSecret === undefined ? {} : { secret_hash: ownSecret.hash }),
    ...(affiliateFees.length === 0
      ? {}
      : {
          affiliate_fees: affiliateFees.map(({ asset, address, feeBps }) => ({
            asset,
            address,
            fee: feeBps,
          })),
        }),
    ...(send.solverId && quote.solverId !== "" ? { solver_id: quote.solverId } : {}),
    ...(send.nonce === "off"
      ? {}
      : { nonce: send.nonce === "text" ? request.nonce : BigInt(request.nonce) }),
    ...(send.slippageBps === null ? {} : { slippage: send.slippageBps }),
  }
  const result = await callForResult(exchange, { operation, method: "POST", path: "/orders", body })
  return expectValue(parseCreatedOrder(result, depositReaders), operation)
}

/**
 * The interface expects equal sums (§2): fees that the quote does not include would reduce the
 * agreed amounts.
 */
function refuseOtherSum(quotedBps: number, askedBps: number): void {
  if (quotedBps === askedBps) return
  throw new AppError({
    code: "service.affiliate_sum",
    disposition: "refused",
    message:
      "The affiliate fees are not those of the quote; the order was not sent, and a new " +
      "quote is needed",
    details: { quotedBps, askedBps },
  })
}

export async function fetchOrder(exchange: Exchange, orderId: string): Promise<ServiceOrder> {
  const operation: Operation = { what: "give the order", write: false }
  const result = await callForResult(exchange, {
    operation,
    method: "GET",
    path: `/orders/${encodeURIComponent(orderId)}`,
  })
  const order = expectValue(parseOrder(result), operation)
  if (sameId(order.orderId, orderId)) return order
  throw malformed(operation, "it gave another order than the one asked for", {
    asked: orderId,
    found: order.orderId,
  })
}

function revealSecret(
  exchange: Exchange,
  orderId: string,
  secret: Secret,
  mayLeave?: MayLeave,
): Promise<{ answer: string }> {
  const text = secret.reveal()
  // A service may repeat the request in its answer, and answers get into logs.
  const hiding: Exchange = async (request) => {
    const answer = await exchange(request)
    return { ...answer, show: (found) => answer.show(found).replaceAll(text, "***") }
  }
  return patchOrder(hiding, orderId, {
    what: "take the secret",
    action: "redeem",
    body: { secret: text },
    mayLeave,
  })
}

type Patch = {
  readonly what: string
  readonly action: string
  readonly body: object
  readonly mayLeave: MayLeave | undefined
}

async function patchOrder(
  exchange: Exchange,
  orderId: string,
  { what, action, body: sent, mayLeave }: Patch,
): Promise<{ answer: string }> {
  const operation: Operation = { what, write: true }
  const path = `/orders/${encodeURIComponent(orderId)}`
  const answer = await exchange({
    operation,
    method: "PATCH",
    path,
    query: { action },
    body: sent,
    ...(mayLeave && { mayLeave }),
  })
  const body = parseBody(answer.text)
  const page = body === undefined && answer.text.trimStart().startsWith("<")
  if (!isOk(answer) || page || wireError.safeParse(body).success) resultOf(answer, operation)
  // The shape of a good answer is not shown: a hash, a status text, or nothing. It is kept for
  // people only.
  const result = wireEnvelope.safeParse(body).data?.result
  return { answer: answer.show(typeof result === "string" ? result : answer.text).slice(0, 200) }
}

async function callForResult(exchange: Exchange, request: HttpRequest): Promise<unknown> {
  return resultOf(await exchange(request), request.operation)
}

function sameId(a: string, b: string): boolean {
  const bare = (id: string): string => id.replace(/^0x/, "").toLowerCase()
  return bare(a) === bare(b)
}
