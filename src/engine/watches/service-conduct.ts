import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { OrderData } from "#order/data.ts"
import type { Order } from "#order/step.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Journal } from "#ports/journal.ts"
import {
  type Clocked,
  type Configured,
  type HasJournal,
  type HasServices,
  type Logged,
  quoteSourcesOf,
} from "../context.ts"

/**
 * The rest of one service: until `untilMs` Ballast asks it for no quotes. Its open orders go on.
 */
type Rest = {
  readonly untilMs: number
  /** Its whole length. */
  readonly lengthMs: number
  /** Failures without a completed order in between, and without a day of peace. */
  readonly failures: number
  readonly cause: Reason
}

/**
 * A `failure` is an error or a refusal; a `lie` is an answer that the order, the deposit or a chain
 * contradicts; an `obstacle` is a fault of contracts or accounts, which a person has to mend.
 */
type Kind = "failure" | "lie" | "obstacle"

const FIRST_MS = 5_000
/** By these factors rests are longer. */
const WEIGHT: Readonly<Record<Kind, number>> = { failure: 1, lie: 12, obstacle: 24 }
const LONGEST_MS: Readonly<Record<Kind, number>> = {
  failure: 10 * 60_000,
  lie: 6 * 3_600_000,
  obstacle: 10 * 60_000,
}
const FORGET_AFTER_MS = 24 * 3_600_000
/** A clock that runs well is set back by less. */
const CORRECTION_MS = 60_000

/** The present rest of a service; `null` while it may be asked. */
export function readRest(
  journal: Pick<Journal, "readFlag">,
  name: string,
  nowMs: number,
): Rest | null {
  const rest = parseRest(journal.readFlag(flagOf(name)))
  const leftMs = rest === null ? 0 : rest.untilMs - nowMs
  // More time left than the rest ever had: it was written before the clock was set back, which ends
  // it.
  return rest !== null && leftMs > 0 && leftMs <= rest.lengthMs + CORRECTION_MS ? rest : null
}

/** With one service only nothing rests, because no other could take its place. */
export function findRest(
  context: HasJournal<FlagStore> & HasServices & Clocked,
  name: string,
): Rest | null {
  if (quoteSourcesOf(context).size < 2) return null
  return readRest(context.journal, name, context.clock.now())
}

/** The rest of a service or route, or that of a route for this pair alone. */
export function findPairRest(
  context: HasJournal<FlagStore> & HasServices & Clocked,
  name: string,
  pair: Pair,
): Rest | null {
  return findRest(context, name) ?? findRest(context, nameOfPair(name, pair))
}

type Pair = Pick<OrderData["request"], "from" | "to">

function nameOfPair(name: string, { from, to }: Pair): string {
  return `${name} ${from} ${to}`
}

/** The order's route rests for its pair: its contracts would not take or not pay the deposit. */
export function noteObstacle(
  context: HasJournal<FlagStore> & HasServices & Configured & Clocked & Logged,
  { service, request }: Pick<OrderData, "service" | "request">,
  { code, message }: Reason,
): void {
  if (service != null)
    beginRest(context, service, { kind: "obstacle", cause: { code, message }, pair: request })
}

/**
 * Begins a rest after an error of the order's service. The journal keeps it, so that a restart
 * neither asks too early nor forgets. Each rest is twice as long as the one before, up to a limit.
 */
export function noteFailure(
  context: HasJournal<FlagStore> & HasServices & Configured & Clocked & Logged,
  { service }: Pick<OrderData, "service">,
  error: unknown,
): void {
  if (!(error instanceof AppError) || !isFailure(error) || service == null) return
  const { code, message } = error
  beginRest(context, service, { kind: "failure", cause: { code, message } })
}

/** Begins a longer rest after the order's service was caught in an untrue answer. */
export function noteLie(
  context: HasJournal<FlagStore> & HasServices & Configured & Clocked & Logged,
  { service }: Pick<OrderData, "service">,
  cause: Reason,
): void {
  if (service != null) beginRest(context, service, { kind: "lie", cause })
}

/** Judges the service by one step of its order. */
export function noteConduct(
  context: HasJournal<FlagStore> & HasServices & Configured & Clocked & Logged,
  before: Order,
  { state, data }: Order,
): void {
  if (quoteSourcesOf(context).size < 2 || data.service == null) return
  if (state === "completed" && before.state !== "completed") {
    forgive(context, data.service)
    if (data.quote?.kind !== undefined) forgive(context, nameOfPair(data.service, data.request))
  }
  const fresh = data.alerted.find(
    (code) => BROKEN_PROMISES.includes(code) && !before.data.alerted.includes(code),
  )
  const cause = data.reasons.find(({ code }) => code === fresh)
  if (cause !== undefined)
    beginRest(context, data.service, {
      kind: "lie",
      cause: { code: cause.code, message: cause.message },
    })
  else if (state === "refund-watch" && before.state !== "refund-watch")
    beginRest(context, data.service, { kind: "lie", cause: UNFILLED })
  else if (state === "disarmed" && before.state !== "disarmed")
    beginRest(context, data.service, { kind: "failure", cause: UNRELAYED })
}

/**
 * A completed order ends the count of failures. It does not end a rest: the order began before
 * that.
 */
function forgive(context: HasJournal<FlagStore> & HasServices & Clocked, name: string): void {
  if (findRest(context, name) === null) context.journal.writeFlag(flagOf(name), null)
}

const BROKEN_PROMISES = [
  "alarm.payout_short",
  "alarm.source_redeemed",
  "alarm.report_unproven",
  "alarm.refund_watch",
]
const UNFILLED: Reason = { code: "service.unfilled", message: "A deposit was not filled in time" }
const UNRELAYED: Reason = {
  code: "service.unrelayed",
  message: "A gasless signature was not used in time",
}

/** `pair`: a route rests for it alone. */
type Begun = { readonly kind: Kind; readonly cause: Reason; readonly pair?: Pair }

function beginRest(
  context: HasJournal<FlagStore> & HasServices & Configured & Clocked & Logged,
  service: string,
  { kind, cause, pair }: Begun,
): void {
  const { journal, clock, log, settings } = context
  const sources = quoteSourcesOf(context)
  const name = pair === undefined ? service : nameOfPair(service, pair)
  // Failures during a rest come from requests that began before it.
  if (
    sources.size < 2 ||
    !sources.has(service) ||
    (kind !== "lie" && findRest(context, name) !== null)
  )
    return
  const known = parseRest(journal.readFlag(flagOf(name)))
  const nowMs = clock.now()
  const isRecent = known !== null && Math.abs(nowMs - known.untilMs) < FORGET_AFTER_MS
  const failures = (isRecent ? known.failures : 0) + 1
  const restMs = Math.min(
    LONGEST_MS[kind],
    (settings.serviceRestMs ?? FIRST_MS) * WEIGHT[kind] * 2 ** Math.min(failures - 1, 30),
  )
  const untilMs = Math.max(nowMs + restMs, findRest(context, name)?.untilMs ?? 0)
  journal.writeFlag(
    flagOf(name),
    encodeJson({ untilMs, lengthMs: untilMs - nowMs, failures, cause }),
  )
  log.warn(
    { service: name, failures, until: new Date(untilMs).toISOString(), reason: cause },
    "A service rests",
  )
}

/**
 * The service's answer that it does not quote a pair or an amount is no failure, and neither is an
 * error of our own, such as a silent log.
 */
function isFailure({ code, disposition, details }: AppError): boolean {
  // The call that was refused has counted already.
  if (details["unasked"] === true) return false
  const isAnswer = [
    "service.no_pair",
    "service.pair_closed",
    "service.no_liquidity",
    "service.amount_bounds",
    "service.affiliate_sum",
  ]
  return code.startsWith("service.") && disposition !== "aborted" && !isAnswer.includes(code)
}

function flagOf(name: string): string {
  return `service/${name}/rest`
}

function parseRest(text: string | null): Rest | null {
  // CAST: `beginRest` wrote it.
  return text === null ? null : (decodeJson(text) as Rest)
}
