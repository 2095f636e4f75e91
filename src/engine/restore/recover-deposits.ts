import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { decideIntent } from "#guards/intent.ts"
import { verifyRouteDeposit } from "#guards/verify-route-deposit.ts"
import { toAppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { beginOrder, type Order } from "#order/step.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { FoundDeposit, LegHistory, ReopenedOrder, RoutePort } from "#ports/route.ts"
import { destinationQuery, sourceQuery } from "../orders/leg-queries.ts"
import { readVoucher } from "../orders/route/read-voucher.ts"
import { adoptOrder } from "../orders/stepper.ts"
import { draftOrder } from "../rules/admission.ts"
import {
  describeUnsure,
  MOST_OVER,
  type RecoverContext,
  type RecoveredOrder,
  type Recovery,
  RULE,
  replay,
  withDeposit,
} from "./recovered-order.ts"

/** Public attestations were late by weeks; an older deposit is paid by its route's own list. */
const SPAN_MS = 45 * 24 * 3_600_000

type Run = { readonly adopt: boolean; readonly untilMs: number }

/**
 * The deposits of routes without a service: the chain itself shows those of our accounts. One
 * without a final payout goes on as an order of the journal, which waits for its voucher.
 */
export async function recoverDeposits(context: RecoverContext, run: Run): Promise<Recovery> {
  const orders: RecoveredOrder[] = []
  const unread: Recovery["unread"][number][] = []
  let leftOut = 0
  for (const [kind, route] of context.routes ?? [])
    for (const source of context.chains.values()) {
      const history = source.routeLegs?.get(kind)?.history
      if (route.reopen === undefined || history === undefined) continue
      const reasons: Reason[] = []
      try {
        const fromHeight = await history.heightBefore(context.clock.now() - SPAN_MS)
        reasons.push(...((await history.findGaps?.(fromHeight)) ?? []))
        for (const found of await findUnknown(context, source, history, fromHeight)) {
          if (context.clock.now() >= run.untilMs) leftOut += 1
          else orders.push(...(await recoverDeposit(context, { route, source, found }, run.adopt)))
        }
      } catch (error) {
        reasons.push(reasonOf(error))
      }
      if (reasons.length > 0) unread.push({ service: kind, chain: source.chain, reasons })
    }
  return { orders, unread, leftOut }
}

/** Those of the last weeks that no signature of the journal names. */
async function findUnknown(
  { journal }: RecoverContext,
  { chain }: ChainPort,
  history: LegHistory,
  fromHeight: bigint,
): Promise<readonly FoundDeposit[]> {
  const found = await history.findDeposits(fromHeight)
  return found.filter(({ txid }) => !journal.isOurs(chain, txid))
}

type Found = {
  readonly route: RoutePort
  readonly source: ChainPort
  readonly found: FoundDeposit
}

/** None for an order of the journal, and for one that an earlier run has seen paid. */
async function recoverDeposit(
  context: RecoverContext,
  { route, source, found }: Found,
  adopt: boolean,
): Promise<readonly RecoveredOrder[]> {
  const reopened = mustExist(route.reopen, "the route's reopening")(found)
  const shared = {
    service: route.kind,
    orderId: found.txid,
    from: found.asset,
    to: "refused" in reopened ? "unknown" : reopened.quote.to,
    hasOwnSecret: false,
  }
  const answer = (
    status: RecoveredOrder["status"],
    reasons: readonly Reason[] = [],
    id: string | null = null,
  ) => [{ ...shared, status, id, reasons }]
  if ("refused" in reopened) return answer("unclear", [reopened.refused])
  const { over } = context.memory
  const key = `${route.kind} ${reopened.dealKey}`
  if (over.has(key) || context.journal.isSecretHashKnown(reopened.dealKey, "")) return []
  try {
    const draft = await draftDeposit(context, { route, source, reopened })
    if ("refused" in draft) return answer("unclear", draft.refused)
    const leg = await source.observeLeg({ ...sourceQuery(draft.data), provesAbsence: true })
    if (!leg.agreed || (leg.initiated !== null && !leg.initiated.final))
      return answer("unclear", describeUnsure(leg))
    if (leg.initiated === null) return answer("unclear", [OTHER_TERMS])
    const { voucher } = await readVoucher({ context, data: draft.data }, leg, null)
    const data = voucher === undefined ? draft.data : { ...draft.data, voucher }
    const destination = mustExist(context.chains.get(chainOf(data.request.to)), "the destination")
    const payout = await destination.observeLeg(destinationQuery(data, destination.traits))
    if (payout.redeemed?.final === true) {
      if (over.size < MOST_OVER) over.add(key)
      return answer("over")
    }
    if (!adopt) return answer("found")
    // Another run may have adopted it while this one read.
    if (context.journal.isSecretHashKnown(reopened.dealKey, "")) return []
    const order = withDeposit({ ...draft, data }, leg, context.clock.now())
    return answer("adopted", [], adoptOrder(context, order))
  } catch (error) {
    return answer("unclear", [reasonOf(error)])
  }
}

function reasonOf(error: unknown): Reason {
  const { code, message } = toAppError(error, { code: "recover.unread", disposition: "transient" })
  return { code, message }
}

const OTHER_TERMS: Reason = {
  code: "recover.other_terms",
  message: "The deposit has terms that no order of Ballast has; its route's own list names it",
}

/** The order as it would stand after its verification. */
async function draftDeposit(
  context: RecoverContext,
  {
    route,
    source,
    reopened,
  }: Pick<Found, "route" | "source"> & { readonly reopened: ReopenedOrder },
): Promise<Order | { readonly refused: readonly Reason[] }> {
  const { quote, depositRequest, dealKey } = reopened
  const { from, to, sourceUnits, destinationUnits } = quote
  const destination = mustExist(context.chains.get(chainOf(to)), "the destination chain")
  const legs = [source, destination].map((chain) => chain.routeLegs?.get(route.kind))
  const request = { from, to, sourceUnits, rule: RULE, occurrence: null }
  const input = draftOrder(context, request, null)
  const { sourceOwner, destinationOwner } = input.request
  const terms = { from, to, sourceUnits, destinationUnits, sourceOwner, destinationOwner }
  const verdict = verifyRouteDeposit({
    terms,
    decoded: mustExist(legs[0], "the source's leg").decodeDeposit(depositRequest, from),
    kind: route.kind,
    dealKey,
    dealKeyKnown: false,
    sameOnDestination: (a, b) => destination.sameAddress(a, b),
  })
  if (!verdict.ok) return { refused: verdict.reasons }
  const { deposit } = verdict
  const sinceMs = context.clock.now() - SPAN_MS
  const [sourceHeight, destinationHeight] = await Promise.all(
    legs.map((leg) => leg?.history?.heightBefore(sinceMs)),
  )
  const accepted = { type: "quote.accepted", quote, service: route.kind } as const
  const created = { orderId: input.id, depositRequest }
  const verified = {
    type: "deposit.verified",
    deposit,
    serviceOrder: null,
    fromHeights: { source: sourceHeight ?? 0n, destination: destinationHeight ?? 0n },
    intent: decideIntent(terms, deposit, null, 0n),
    sendUntilMs: 0,
    needsApproval: false,
  } as const
  const opened = { type: "order.created", created, terms } as const
  return replay(beginOrder(input).order, [accepted, opened, verified], input.createdAt)
}
