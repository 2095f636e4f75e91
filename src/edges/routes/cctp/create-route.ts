import type { AssetId } from "#domain/asset.ts"
import type { DecodedDeposit } from "#domain/deposit.ts"
import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { RoutePort, SeenDeposit, VoucherReport } from "#ports/route.ts"
import type { QuoteRequest } from "#ports/service.ts"
import type { AttestationService } from "./attestation-service.ts"
import { type BurnRequest, TAG_UNITS, tagOf } from "./burn-request.ts"
import type { FeeRate } from "./fee-rate.ts"
import { type Attested, judgeAttested } from "./judge-attested.ts"
import { decodeBurnMessage } from "./message.ts"
import { type BurnSide, CCTP, quoteBurns, type Speed } from "./quote-burns.ts"
import { reopenBurn } from "./reopen-burn.ts"

type CctpRouteOptions = {
  readonly sides: readonly BurnSide[]
  readonly service: AttestationService
  readonly speeds: readonly Speed[]
  readonly maxFeeRate: FeeRate
  readonly maxWaitMs?: number
  readonly clock: Clock
  readonly onDroppedQuote?: (reason: Reason) => void
}

/**
 * USDC by burn and mint. The voucher of a burn is its attested message with the signatures; its
 * nonce is the message's.
 *
 * A voucher that the destination calls expired is attested again, and then never expires; the fee
 * stays what it was.
 */
export function createCctpRoute(options: CctpRouteOptions): CctpRoute {
  const waits = new Map<string, Wait>()
  const renewals = new Map<string, number>()
  const dropped: Dropped = new Map()
  return {
    kind: CCTP,
    life: {
      host: options.service.host,
      ask: async () => {
        const [from, to] = options.sides.map(({ domain }) => domain.domain)
        if (from !== undefined && to !== undefined) await options.service.fetchFees(from, to)
      },
    },
    fetchQuotes: (request) => fetchBurnQuotes(options, dropped, request),
    explainNone: (pair) =>
      findJoined(options.sides, pair) === null ? null : (dropped.get(nameOf(pair)) ?? []),
    open: ({ orderId, dealKey, terms, quote }) => {
      const { from, to } = sidesOf(options.sides, quote)
      const burn: BurnRequest = {
        amountUnits: terms.sourceUnits,
        destinationDomain: to.domain.domain,
        mintRecipient: to.mintRecipient,
        payee: to.payee,
        maxFeeUnits: quote.sourceUnits - quote.destinationUnits - TAG_UNITS + tagOf(dealKey),
        finality: quote.solverId === "fast" ? "fast" : "standard",
        dealKey,
      }
      return { orderId, depositRequest: { family: from.family, burn } }
    },
    reopen: (found) => reopenBurn(options.sides, found),
    checkDeposit: async () => [],
    readVoucher: (deposit, seen) => readVoucher(options, waits, deposit, seen),
    renewVoucher: async ({ nonce }, faults) => {
      const nowMs = options.clock.now()
      const isOver = faults.some(({ code }) => code === "cctp.expired")
      if (!isOver || nowMs < (renewals.get(nonce) ?? nowMs)) return
      renewals.set(nonce, nowMs + LONGEST_POLL_MS)
      await options.service.requestReattestation(nonce)
    },
  }
}

export type CctpRoute = RoutePort & Required<Pick<RoutePort, "renewVoucher">>

/** A burn that has no attestation yet: since when, and before which time nothing new is asked. */
type Wait = { readonly sinceMs: number; nextMs: number; last: VoucherReport }

/** The reasons of the latest question for each pair. */
type Dropped = Map<string, readonly Reason[]>
type Pair = Pick<QuoteRequest, "from" | "to">

function nameOf({ from, to }: Pair): string {
  return `${from}>${to}`
}

function findJoined(
  sides: readonly BurnSide[],
  { from, to }: Pair,
): { readonly source: BurnSide; readonly destination: BurnSide } | null {
  const source = findSide(sides, from)
  const destination = findSide(sides, to)
  if (source === null || destination === null || !isJoined(source, destination)) return null
  return { source, destination }
}

async function fetchBurnQuotes(
  options: CctpRouteOptions,
  latest: Dropped,
  request: QuoteRequest,
): Promise<readonly Quote[]> {
  const { sourceUnits, exactUnits } = request
  const { service, speeds, maxFeeRate, maxWaitMs = null } = options
  const joined = findJoined(options.sides, request)
  // The fee of a burn is known afterwards, so no burn pays an exact amount.
  if (joined === null || exactUnits !== undefined) return []
  const { source, destination } = joined
  const isFast = speeds.includes("fast") && source.domain.fastMs !== null
  const [fees, fastAllowanceUnits] = await Promise.all([
    service.fetchFees(source.domain.domain, destination.domain.domain),
    isFast ? service.fetchFastAllowance() : 0n,
  ])
  const { quotes, dropped } = quoteBurns({
    from: source,
    to: destination,
    amountUnits: sourceUnits,
    fees,
    fastAllowanceUnits,
    maxFeeRate,
    maxWaitMs,
    speeds,
  })
  latest.set(nameOf(request), dropped)
  for (const reason of dropped) options.onDroppedQuote?.(reason)
  return quotes
}

function isJoined(from: BurnSide, to: BurnSide): boolean {
  return from.domain.network === to.domain.network && from.domain.domain !== to.domain.domain
}

async function readVoucher(
  { service, sides, clock }: CctpRouteOptions,
  waits: Map<string, Wait>,
  deposit: DecodedDeposit,
  { txid, evidence }: SeenDeposit,
): Promise<VoucherReport> {
  const emitted = decodeBurnMessage(evidence?.["message"] ?? "")
  const source = deposit.asset === null ? null : findSide(sides, deposit.asset)
  if (emitted === null || source === null) throw notOurs(deposit, txid)
  const nowMs = clock.now()
  const wait = waits.get(txid) ?? { sinceMs: nowMs, nextMs: nowMs, last: NOTHING_YET }
  if (nowMs < wait.nextMs) return wait.last
  const found = judgeAttested(emitted, await service.fetchMessages(emitted.sourceDomain, txid))
  if (found.status === "ready") {
    waits.delete(txid)
    return { status: "ready", voucher: voucherOf(found.attested) }
  }
  const times =
    (emitted.minFinalityThreshold <= 1_000 ? source.domain.fastMs : null) ??
    source.domain.standardMs
  const passedMs = nowMs - wait.sinceMs
  const isLate = found.status === "waiting" && passedMs > times.late
  wait.last = isLate
    ? { status: "late", reasons: [...found.reasons, describeLate(txid, passedMs)] }
    : found
  wait.nextMs = nowMs + Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, passedMs / 10))
  waits.set(txid, wait)
  return wait.last
}

/** Circle asks for no more; a burn that waits for hours is asked for each minute. */
const SHORTEST_POLL_MS = 5_000
const LONGEST_POLL_MS = 60_000

const NOTHING_YET: VoucherReport = { status: "waiting", reasons: [] }

function voucherOf({ message, bytes, attestation }: Attested) {
  return { kind: CCTP, nonce: message.nonce, fields: { message: bytes, attestation } }
}

function findSide(sides: readonly BurnSide[], asset: AssetId): BurnSide | null {
  return sides.find((side) => side.asset === asset) ?? null
}

function sidesOf(
  sides: readonly BurnSide[],
  quote: Pick<Quote, "from" | "to">,
): { readonly from: BurnSide; readonly to: BurnSide } {
  const from = findSide(sides, quote.from)
  const to = findSide(sides, quote.to)
  if (from !== null && to !== null) return { from, to }
  throw new AppError({
    code: "cctp.pair",
    disposition: "refused",
    message: "The route's assets no longer include both sides of this order; see routes.cctp",
    details: { from: quote.from, to: quote.to },
  })
}

function notOurs({ asset }: DecodedDeposit, txid: string): AppError {
  return new AppError({
    code: "cctp.pair",
    disposition: "hold",
    message: "The burn's asset or message is not of this route; see routes.cctp",
    details: { asset, txid },
  })
}

function describeLate(txid: string, passedMs: number): Reason {
  return {
    code: "cctp.attestation_late",
    message:
      "Circle has not attested the burn in the usual time. Nothing is lost: the mint follows the " +
      "attestation, however late it is",
    txid,
    minutes: String(Math.floor(passedMs / 60_000)),
  }
}
