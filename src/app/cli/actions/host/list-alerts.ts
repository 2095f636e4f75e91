import { EXIT } from "#daemon/start/exit-code.ts"
import { createHumaniser } from "#daemon/views/human-units.ts"
import { readAlarms, viewAlarm } from "#daemon/views/read-alarms.ts"
import { readDeliveryState, viewDeliveries } from "#daemon/views/read-deliveries.ts"
import { formatSpan, readableAt } from "#health/format-span.ts"
import type { AlarmReading } from "#health/readings.ts"
import { plainJson } from "#lib/json.ts"
import { bodyOf, callDaemon } from "../../call-daemon.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { findTreasury, openTreasury } from "../../open/find-treasury.ts"
import { openExistingJournal } from "../../open/open-journal.ts"
import { usageError } from "../../usage-error.ts"

type Choices = { readonly all: boolean; readonly limit: number; readonly "data-dir": string | null }

/** Lists the alarms of the journal, newest first, each with its end where that is known. */
export async function listAlerts(
  context: CommandContext,
  { all, limit, "data-dir": asked }: Choices,
): Promise<number> {
  const { dataDir, config } = await openTreasury(context, asked)
  const journal = openExistingJournal({ dataDir })
  try {
    const known = readAlarms(journal, context.clock.now(), createHumaniser(config))
    const open = known.filter(({ closedMs }) => closedMs === null)
    const told = viewDeliveries(readDeliveryState(journal), config?.alerts.receivers ?? [])
    const shown = (all ? known : open).slice(0, limit)
    if (context.json) context.print(plainJson({ alerts: shown.map(viewAlarm), ...told }, 2))
    else {
      context.print([...shown.map(formatAlarm), summarise(known, open, shown)].join("\n"))
      const lines = formatDeliveries(told)
      if (lines.length > 0) context.print(["", ...lines].join("\n"))
    }
    return EXIT.ok
  } finally {
    journal.close()
  }
}

function formatAlarm({ atMs, order, reason, closedMs }: AlarmReading): string {
  const end = closedMs === null ? "open" : `over after ${formatSpan(closedMs - atMs)}`
  const about = order === null ? "" : `  order ${order.slice(0, 8)}`
  return `${readableAt(atMs)}  ${end}  ${reason.code}${about}\n    ${reason.message}`
}

type Told = ReturnType<typeof viewDeliveries>

/**
 * The alerts that receivers were told, with the ids for `ballast alerts ack`, and the receivers
 * that take none.
 */
function formatDeliveries({ open, receivers }: Told): readonly string[] {
  const alerts = open.map(({ id, level, sentence, acknowledgedBy }) => {
    const answer =
      acknowledgedBy === null ? `ballast alerts ack ${id}` : `acknowledged by ${acknowledgedBy}`
    return `${level === "trouble" ? "TROUBLE" : "attention"}  ${sentence}\n    ${answer}`
  })
  const failing = receivers.flatMap(({ name, kind, waiting, error }) =>
    error === null
      ? []
      : [`The receiver ${name} (${kind}) fails: ${error}; ${waiting} messages wait`],
  )
  return [...(alerts.length === 0 ? [] : ["Told to the receivers:"]), ...alerts, ...failing]
}

function summarise(
  known: readonly AlarmReading[],
  open: readonly AlarmReading[],
  shown: readonly AlarmReading[],
): string {
  const past = known.length - open.length
  const hidden = known.length - shown.length
  const rest = hidden === 0 ? "" : `; ${hidden} not shown (--all, --limit)`
  return `${open.length === 0 ? "No alarm is open" : `${open.length} open`}, ${past} over${rest}.`
}

/** Tells the daemon that a person knows the alert. */
export async function acknowledgeAlert(
  context: CommandContext,
  id: string | null,
  { "data-dir": asked }: { readonly "data-dir": string | null },
): Promise<number> {
  if (id === null)
    throw usageError("ack needs the id of an alert, or all; `ballast alerts` lists them")
  const { dataDir } = findTreasury(context, asked)
  const path = `/api/v1/alerts/${encodeURIComponent(id)}/acknowledge`
  // A second `all` would acknowledge alerts that came in between, and that no person has read.
  const repeat = id === "all" ? "uncertain" : "harmless"
  const answer = await callDaemon({ dataDir }, "POST", path, {}, { repeat })
  if (answer.status !== 200) return printRefusal(context, answer.body)
  if (context.json) context.print(plainJson(answer.body, 2))
  else {
    const { acknowledged } = bodyOf<"Acknowledged">(answer)
    context.print(
      `${acknowledged === 1 ? "1 alert is" : `${acknowledged} alerts are`} acknowledged: no ` +
        "repeats, no escalation",
    )
  }
  return EXIT.ok
}
