import { EXIT } from "#daemon/start/exit-code.ts"
import { createHumaniser } from "#daemon/views/human-units.ts"
import { readAlarms } from "#daemon/views/read-alarms.ts"
import { readDeliveryState, viewDeliveries } from "#daemon/views/read-deliveries.ts"
import { formatSpan, readableAt } from "#health/format-span.ts"
import type { AlarmReading } from "#health/readings.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../../define-command.ts"
import { openTreasury } from "../../open/find-treasury.ts"
import { openExistingJournal } from "../../open/open-journal.ts"

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
    if (context.json) context.print(plainJson({ alerts: shown.map(view), ...told }, 2))
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

function view({ atMs, order, reason, closedMs }: AlarmReading): Record<string, unknown> {
  const closed = closedMs === null ? null : new Date(closedMs).toISOString()
  return { at: new Date(atMs).toISOString(), order, reason, closed }
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
