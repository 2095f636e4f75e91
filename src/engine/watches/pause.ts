import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import {
  ALARMS_FLAG,
  decodeAlarms,
  encodePause,
  PAUSE_FLAG,
  type PauseAlarm,
  type PauseCause,
  readPause,
  ruleAlarmsFlag,
} from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import type { OrderData } from "#order/data.ts"
import type { FlagStore } from "#ports/journal/flags.ts"
import type { Journal } from "#ports/journal.ts"
import type { Clocked, Configured, HasJournal, Logged, Stoppable } from "../context.ts"
import type { Watch } from "./watch.ts"

export type PauseScope =
  | { readonly kind: "all" }
  | { readonly kind: "chain"; readonly chain: ChainId }
  | { readonly kind: "rule"; readonly rule: string }

/** The parts of the engine that a pause needs; a command without a daemon has them too. */
export type PausingContext = HasJournal<FlagStore> & Clocked & Logged & Stoppable

export type ResumeAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

/**
 * The alarms after which every further deposit may be lost too: the service or a contract took
 * money, or another program has our key. With `guards.on_alarm: pause` such an alarm pauses
 * everything in the transaction that stores it.
 */
const PAUSING_ALARMS: readonly string[] = [
  "alarm.source_redeemed",
  "alarm.payout_short",
  "alarm.refund_short",
  "alarm.contract_changed",
  "verify.contract_changed",
  "transaction.foreign_rival",
  "books.foreign_transaction",
]

/** Journal flags `pause`, `pause/chain/<chain>` and `pause/rule/<rule>`. */
export function isPaused(
  { journal }: { readonly journal: Pick<Journal, "readFlag"> },
  rule: string,
  from: AssetId | null,
): boolean {
  const flags = listPauseFlags([rule], from === null ? null : chainOf(from))
  return flags.some((flag) => journal.readFlag(flag) !== null)
}

function listPauseFlags(rules: readonly string[], chain: ChainId | null): readonly string[] {
  return [
    PAUSE_FLAG,
    ...rules.map((rule) => `pause/rule/${rule}`),
    ...(chain === null ? [] : [`pause/chain/${chain}`]),
  ]
}

/** The parts of an order that a pause names. An order that serves two rules stops with either. */
export type PausableOrder = Pick<OrderData, "rule" | "secondRule"> & {
  readonly request: Pick<OrderData["request"], "from">
}

/**
 * May something new leave for this scope now? The reasons against it; empty: it may. Observe mode,
 * the stop file and each pause count. Every step towards a new deposit asks here: before its work
 * begins, before each signature, and when the call leaves. Refunds and redemptions do not ask.
 */
export function findStops(
  context: StoppableContext,
  { rules, chain }: { readonly rules: readonly string[]; readonly chain: ChainId },
  what: string,
): readonly Reason[] {
  pauseFromOutside(context)
  const stops: Reason[] = []
  if (context.settings.mode === "observe") stops.push(OBSERVING)
  if (listPauseFlags(rules, chain).some((flag) => context.journal.readFlag(flag) !== null))
    stops.push(pausedReason(context, what))
  return stops
}

/** As `findStops`, for an order. */
export function findOrderStops(
  context: StoppableContext,
  { rule, secondRule, request }: PausableOrder,
): readonly Reason[] {
  const rules = secondRule === undefined ? [rule] : [rule, secondRule]
  return findStops(context, { rules, chain: chainOf(request.from) }, "nothing is sent")
}

type StoppableContext = PausingContext & Configured

const OBSERVING: Reason = {
  code: "mode.observe",
  message: "Observe mode: nothing is signed; set mode: live",
}

/** Without an order the file is read this often, and right before each signature of a deposit. */
export function createStopFileWatch(
  context: HasJournal<FlagStore> & Clocked & Logged & Stoppable,
): Watch {
  return { name: "stop file", everyMs: 1_000, run: async () => pauseFromOutside(context) }
}

/** Writes the pause that a file in the data directory asks for. */
function pauseFromOutside(context: PausingContext): void {
  const reason = context.readStopFile?.() ?? null
  if (reason === null || readPause(context.journal)?.by === "file") return
  writePause(context, { kind: "all" }, { by: "file", reason })
}

export function writePause(
  { journal, clock, log }: PausingContext,
  scope: PauseScope,
  cause: PauseCause,
): void {
  journal.writeFlag(flagOf(scope), encodePause(cause, clock.now()))
  log.warn({ scope, ...cause }, "Paused")
}

/**
 * Lifts the pause of a scope. That of everything ends only when each of its alarms is acknowledged,
 * and its file is gone.
 */
export function liftPause(
  context: PausingContext,
  scope: PauseScope,
  acknowledge: readonly string[],
): ResumeAnswer {
  const { journal, log } = context
  const alarms = alarmsOf(context, scope)
  const reasons = [
    ...findUnacknowledged(alarms, acknowledge, scope),
    ...(scope.kind === "all" ? findStopFile(context) : []),
  ]
  if (reasons.length > 0) return { ok: false, reasons }
  journal.writeFlag(flagOf(scope), null)
  if (alarms.length > 0)
    journal.writeFlag(scope.kind === "rule" ? ruleAlarmsFlag(scope.rule) : ALARMS_FLAG, null)
  log.warn({ scope, acknowledged: alarms.map(({ id }) => id) }, "Resumed")
  return { ok: true }
}

/** The reason of a pause without a cause. `what` is the sentence about the refused action. */
export function paused(what: string): Reason {
  return { code: "paused", message: `Paused: ${what}; \`ballast resume\` lifts it` }
}

/** The reason of a refusal during a pause. */
function pausedReason({ journal }: PausingContext, what: string): Reason {
  const pause = readPause(journal)
  if (pause === null || (pause.alarms.length === 0 && pause.reason === null)) return paused(what)
  const alarms = listIds(pause.alarms)
  const command = alarms === "" ? "ballast resume" : `ballast resume --acknowledge ${alarms}`
  const message = `Paused (${pause.reason ?? pause.by}): ${what}; \`${command}\` lifts it`
  return { code: "paused", message, ...(alarms === "" ? {} : { alarms }) }
}

/** The alerts of a step that pause everything. */
export function listPausing(
  { settings }: Configured,
  alerts: readonly Reason[],
): readonly Reason[] {
  return settings.onAlarm === "continue" ? [] : alerts.filter(isPausing)
}

/**
 * A leg that cannot be read pauses everything only while it may hide the loss of a payout whose
 * secret is told. Any other unread leg stops the deposits of its pair, so that a chain that is down
 * stops nothing on the others.
 */
function isPausing({ code, hides }: Reason): boolean {
  return PAUSING_ALARMS.includes(code) || (code === LEG_UNREADABLE && hides === TOLD_PAYOUT)
}

export const LEG_UNREADABLE = "alarm.leg_unreadable"
/** The value of `hides` of an alarm about an unread leg. */
export const TOLD_PAYOUT = "told payout"

function alarmsOf({ journal }: PausingContext, scope: PauseScope): readonly PauseAlarm[] {
  if (scope.kind === "all") return readPause(journal)?.alarms ?? []
  return scope.kind === "rule" ? decodeAlarms(journal.readFlag(ruleAlarmsFlag(scope.rule))) : []
}

function findUnacknowledged(
  alarms: readonly PauseAlarm[],
  acknowledge: readonly string[],
  scope: PauseScope,
): Reason[] {
  const of = scope.kind === "rule" ? ` --rule ${scope.rule}` : ""

  const open = alarms.filter(({ id }) => !acknowledge.includes(id))
  return open.map(({ id, code, order, message: text }) => {
    const name = order === null ? code : `${code}, order ${order}`
    const message =
      `Alarm ${id} (${name}) is not acknowledged: ${text}. After you have dealt with it: ` +
      `\`ballast resume${of} --acknowledge ${listIds(alarms)}\``
    return { code: "pause.alarm", message, alarm: id, alarms: listIds(open), order: order ?? "" }
  })
}

function findStopFile(context: PausingContext): Reason[] {
  if ((context.readStopFile?.() ?? null) === null) return []
  const message =
    "The file PAUSE in the data directory still asks for a pause: remove it, then resume"
  return [{ code: "pause.file", message }]
}

function listIds(alarms: readonly PauseAlarm[]): string {
  return alarms.map(({ id }) => id).join(",")
}

function flagOf(scope: PauseScope): string {
  switch (scope.kind) {
    case "all":
      return PAUSE_FLAG
    case "chain":
      return `pause/chain/${scope.chain}`
    case "rule":
      return `pause/rule/${scope.rule}`
  }
}
