import type { ChainId } from "#domain/asset.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import { legsFor } from "#engine/orders/route/legs.ts"
import { readVoucher } from "#engine/orders/route/read-voucher.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { OrderData } from "#order/data.ts"
import { abilitiesOf } from "#order/kinds/registry.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RoutePort } from "#ports/route.ts"
import type { VoucherKnown } from "./decide-step.ts"

/** The parts of a guarded order that its payout by a voucher needs. */
type Payable = {
  readonly data: OrderData
  /** The route that the order took; absent for an order with secrets. */
  readonly route?: RoutePort
  readonly source: { readonly port: ChainPort }
  readonly destination: { readonly port: ChainPort }
}

/** The daemon acts alone until the route's worst time is over by so long. */
const PATIENCE_MS = 15 * 60_000

/**
 * The voucher of the order's route, from the rescue file or from the route's own service, which
 * needs no secret. Told reasons take the place of errors.
 */
export async function readGiven(
  order: Payable,
  seen: { readonly payout: LegObservation | null; readonly deposit: LegObservation | null },
  nowMs: number,
): Promise<VoucherKnown> {
  const { data } = order
  if (abilitiesOf(data).redeem !== "voucher") return null
  const sinceMs = data.seen.sourceInitiated?.at ?? data.stateSince
  const worstMs = (data.quote?.worstSeconds ?? 0) * 1_000
  const isDue = nowMs - sinceMs > worstMs + PATIENCE_MS
  try {
    const job = { context: contextOf(order), data }
    return { isDue, given: await readVoucher(job, seen.deposit, seen.payout) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { isDue, given: { alerts: [{ code: error.code, message: error.message }] } }
  }
}

/** Plans the transaction that takes the payout; it pays the treasury, whichever key sends it. */
export async function planPayout(
  order: Payable,
  voucher: RouteVoucher,
  reserved: ReadonlySet<string>,
): ReturnType<ChainPort["planTransaction"]> {
  const { data } = order
  const payout = {
    asset: data.request.to,
    deposit: mustExist(data.deposit, "the verified deposit"),
    owner: data.request.destinationOwner,
  }
  return legsFor(contextOf(order), data).destination.planRedemption(payout, voucher, reserved)
}

function contextOf({ source, destination, route }: Payable) {
  const ports = [source.port, destination.port]
  const chains: ReadonlyMap<ChainId, ChainPort> = new Map(ports.map((port) => [port.chain, port]))
  const routes = new Map<string, RoutePort>(route === undefined ? [] : [[route.kind, route]])
  return { chains, routes, services: new Map() }
}
