import { line, linkOf } from "#alerts/format-text.ts"
import type { NoteText, Parcel } from "#alerts/port.ts"
import type { Config } from "#config/config.ts"
import { readableAt } from "#health/format-span.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { type OrderView, viewOrder } from "#order/view.ts"
import { decimalsOf } from "../start/decimals-of.ts"
import { createHumaniser, humaniseReason } from "../views/human-units.ts"
import { type DecisionView, viewDecision } from "../views/view-decision.ts"
import { type Daily, describeDaily } from "./daily.ts"
import type { Change } from "./list-changes.ts"
import type { MissedRun } from "./list-missed.ts"

/** A change as receivers take it: the order as it is now, or the decision; as JSON and as text. */
export function packChange(
  change: Change,
  config: Config,
  readDaily: (sinceMs: number) => Daily,
): Parcel {
  const { id, type, atMs } = change
  const { data, note } = viewChange(change, config, readDaily)
  return {
    id,
    text: {
      title: line(`[${config.treasury}] ${type}: ${note.sentence}`),
      notes: [note],
      rest: null,
    },
    isUrgent: false,
    body: {
      type,
      timestamp: new Date(atMs).toISOString(),
      data: { treasury: config.treasury, ...data },
    },
  }
}

type Viewed = { readonly data: object; readonly note: NoteText }

function viewChange(change: Change, config: Config, readDaily: (sinceMs: number) => Daily): Viewed {
  const decimals = decimalsOf(config)
  if ("decision" in change) {
    const decision = viewDecision(change.decision, decimals)
    return { data: { decision }, note: describeDecision(decision, config) }
  }
  if ("missed" in change) return viewMissed(change.missed, config)
  if ("dailySinceMs" in change) {
    const daily = readDaily(change.dailySinceMs)
    return { data: daily, note: describeDaily(daily) }
  }
  const { id, snapshot, updatedAtMs } = change.order
  const order = decodeOrNull(snapshot)
  if (order === null)
    return { data: { order: { id } }, note: noteOf(`order ${id.slice(0, 8)}`, [], null, null) }
  const view = viewOrder(order, decimals, updatedAtMs)
  return { data: { order: view }, note: describeOrder(view, config) }
}

function viewMissed({ rule, atMs, order, why }: MissedRun, config: Config): Viewed {
  const run = new Date(atMs).toISOString()
  const sentence = `the run of ${rule} of ${readableAt(atMs)} came to no swap`
  const link = order === null ? null : linkOf(order, config.alerts.dashboard)
  return {
    data: { missed: { rule, run, order, why } },
    note: noteOf(sentence, [why], `ballast why ${rule}`, link),
  }
}

const MOST_REASONS = 3

function describeOrder(order: OrderView, config: Config): NoteText {
  const { id, rule, from, to, amount, destinationAmount, costBps, money, reasons } = order
  const receive = destinationAmount === null ? to : `${destinationAmount} ${to}`
  const lines = [
    `Order ${id.slice(0, 8)} of ${rule}, the money: ${money}`,
    ...(costBps === null ? [] : [`Cost: ${costBps} bps`]),
    ...reasons.slice(0, MOST_REASONS).map((reason) => {
      const { message, code } = humaniseReason(createHumaniser(config), reason, { from, to })
      return `${message} [${code}]`
    }),
  ]
  const link = linkOf(id, config.alerts.dashboard)
  return noteOf(`${amount} ${from} to ${receive}`, lines, `ballast order ${id.slice(0, 8)}`, link)
}

function describeDecision(
  { rule, verdict, proposals, reasons }: DecisionView,
  config: Config,
): NoteText {
  const orders = proposals.map(
    ({ amount, from, receive, to }) => `${amount} ${from} to ${receive ?? ""} ${to}`,
  )
  const why = reasons
    .slice(0, MOST_REASONS)
    .map((reason) => humaniseReason(createHumaniser(config), reason, null))
    .map(({ message, code }) => `${message} [${code}]`)
  return noteOf(`the rule ${rule} ${verdict}`, [...orders, ...why], `ballast why ${rule}`, null)
}

function noteOf(
  sentence: string,
  lines: readonly string[],
  command: string | null,
  link: string | null,
): NoteText {
  return { sentence: line(sentence), lines: lines.map(line), command, link }
}
