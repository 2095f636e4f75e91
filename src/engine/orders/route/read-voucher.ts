import type { DecodedDeposit } from "#domain/deposit.ts"
import type { Reason } from "#domain/reason.ts"
import { kindOf } from "#domain/route/route-kind.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { encodeJson } from "#lib/json.ts"
import type { OrderData } from "#order/data.ts"
import type { OrderEvent } from "#order/events.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { RouteLeg, RoutePort, VoucherReport } from "#ports/route.ts"
import type { HasChains, HasServices } from "../../context.ts"
import type { Job } from "../observe/job.ts"
import { legsFor, routeFor } from "./legs.ts"

type Observed = Extract<OrderEvent, { type: "order.observed" }>
export type Given = Pick<Observed, "voucher" | "redeemable" | "notes"> & {
  readonly alerts: readonly Reason[]
}

/**
 * What the payout is taken with, once the route gives it, and whether the chain would pay it now.
 * The deposit's own voucher is kept also while it cannot be used: by it our own node finds the
 * payout, whoever takes it. Any other one is never kept, because the first that is kept stays.
 */
export async function readVoucher(
  { context, data }: { readonly context: HasChains & HasServices; readonly data: OrderData },
  source: LegObservation | null,
  payout: LegObservation | null,
): Promise<Given> {
  if (abilitiesOf(data).redeem !== "voucher") return { alerts: [] }
  const seen = source?.agreed === true ? source.initiated : null
  const isOver = payout?.redeemed != null || data.transactions.redeem.mined !== null
  if (isOver) return { alerts: [] }
  const deposit = mustExist(data.deposit, "the verified deposit")
  const route = routeFor(context, data)
  const report = await askRoute(route, { ...data, deposit }, seen)
  if (report.status === "waiting")
    return { alerts: [], ...(report.reasons.length === 0 ? {} : { notes: report.reasons }) }
  if (report.status !== "ready") return { alerts: report.reasons }
  const { voucher: given } = report
  const known = data.voucher
  const { destination } = legsFor(context, data)
  const isKept = known !== undefined && encodeJson(known) === encodeJson(given)
  const foreign = isKept ? [] : await destination.checkVoucher(deposit, given)
  if (foreign.length > 0) return { alerts: foreign }
  const stays = known !== undefined && (await isFirstKept(destination, deposit, known, given))
  const voucher = stays ? known : given
  const changed = stays ? [otherVoucher(known.nonce, given.nonce)] : []
  const { to, destinationOwner } = data.request
  const owed = { asset: to, deposit, owner: destinationOwner }
  const faults = await destination.checkPayout(owed, voucher)
  if (faults.length > 0 && !stays) await route.renewVoucher?.(voucher, faults)
  const alerts = [...changed, ...faults]
  return { voucher, alerts, ...(faults.length === 0 ? { redeemable: true } : {}) }
}

/**
 * A dropped deposit that was attested, and its repetition have each their own. The first one stays,
 * unless final blocks call it over: it pays nothing any more.
 */
async function isFirstKept(
  destination: Pick<RouteLeg, "isOver">,
  deposit: DecodedDeposit,
  first: RouteVoucher,
  given: RouteVoucher,
): Promise<boolean> {
  if (first.nonce === given.nonce) return false
  return (await destination.isOver?.(deposit, first)) !== true
}

/** No issuer's own worst time is as short as this. */
const SILENCE_MS = 6 * 3_600_000

/**
 * An issuer that has given no voucher for longer than any of its worst times: nothing but it brings
 * the money. The order waits on, and the limit of the route bounds how many wait with it.
 */
export function findSilence(
  { data, nowMs }: Pick<Job, "data" | "nowMs">,
  given: RouteVoucher | undefined,
): readonly Reason[] {
  const { voucher = given, quote, seen } = data
  const sinceMs = seen.sourceInitiated?.at
  const isPaid = seen.destinationRedeemed !== null || voucher !== undefined
  if (abilitiesOf(data).redeem !== "voucher" || isPaid || sinceMs === undefined) return []
  const patienceMs = Math.max(SILENCE_MS, 2_000 * (quote?.worstSeconds ?? 0))
  if (nowMs - sinceMs < patienceMs) return []
  const kind = kindOf(quote)
  const since = new Date(sinceMs).toISOString()
  const message =
    `The issuer of ${kind} has given no evidence of this deposit since ${since}. Nothing else ` +
    `pays it out; routes.${kind}.max_in_flight bounds what it may owe`
  return [{ code: "alarm.issuer_silent", message, kind, since }]
}

/**
 * The voucher of an earlier report is all that the payout needs: the route may be silent then, and
 * so may the source chain.
 */
async function askRoute(
  route: RoutePort,
  { deposit, voucher }: { readonly deposit: DecodedDeposit; readonly voucher?: RouteVoucher },
  seen: LegObservation["initiated"],
): Promise<VoucherReport> {
  if (seen?.seen !== true) return voucher === undefined ? NOT_YET : { status: "ready", voucher }
  try {
    return await route.readVoucher(deposit, seen)
  } catch (error) {
    const isSilent = error instanceof AppError && error.disposition === "transient"
    if (voucher === undefined || !isSilent) throw error
    return { status: "ready", voucher }
  }
}

const NOT_YET: VoucherReport = { status: "waiting", reasons: [] }

function otherVoucher(known: string, given: string): Reason {
  const message = "The route now gives another voucher for the same deposit; the first one stays"
  return { code: "alarm.voucher_changed", message, known, given }
}

/**
 * The payout, unless another order of ours has counted it: two deposits of the same form can be
 * told apart by their vouchers alone, and those are the route's word.
 */
export function findOwnPayout(
  { context, data }: Job,
  leg: LegObservation | null,
): { readonly leg: LegObservation | null; readonly alerts: readonly Reason[] } {
  const { voucher, request } = data
  const redeemed = leg?.redeemed ?? null
  if (leg === null || redeemed === null || voucher === undefined) return { leg, alerts: [] }
  const other = context.journal
    .listPaidBy(request.to, redeemed.txid)
    .filter(({ id }) => id !== data.id)
    .find((row) => context.memory.orders.read(row).data.voucher?.nonce === voucher.nonce)
  if (other === undefined) return { leg, alerts: [] }
  const message = `The route gave the voucher of order ${other.id} too; its payout counts once`
  const code = "alarm.voucher_reused"
  const reused = { code, message, other: other.id, nonce: voucher.nonce }
  return { leg: { ...leg, redeemed: null }, alerts: [reused] }
}
