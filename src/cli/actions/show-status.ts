import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { readRuntimeFile } from "#daemon/runtime-file.ts"
import { type Pause, readPause } from "#domain/pause.ts"
import type { AlertRow, Journal } from "#journal/port.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { callDaemon } from "../call-daemon.ts"
import type { CommandContext } from "../define-command.ts"
import { openExistingJournal } from "../open-journal.ts"
import { openTreasury } from "../open-treasury.ts"

const SHOWN_ALERTS = 20

/** The part of the daemon's answer that this command formats. The journal tells the same without a daemon. */
type Status = {
  readonly mode?: string
  readonly paused: boolean
  readonly pause: Pause | null
  readonly inFlight: number
  readonly held: number
  readonly alerts: readonly AlertRow[]
}

/** Shows whether the daemon runs, a pause with its reason, the orders in flight and the last alarms. Needs no daemon. */
export async function showStatus(context: CommandContext, asked: string | null): Promise<number> {
  const { dataDir, config } = openTreasury(context, asked)
  const live = config === null ? null : await askDaemon(config)
  const status = live ?? readStatus(dataDir)
  const running = readRuntimeFile(dataDir)
  if (context.json) context.print(plainJson({ ...status, daemon: running, answers: live !== null }, 2))
  else context.print(format(status, running?.pid ?? null, live !== null))
  return EXIT.ok
}

async function askDaemon(config: Config): Promise<Status | null> {
  try {
    const { status, body } = await callDaemon(config, "GET", "/api/v1/status")
    // CAST: the daemon's own answer, made by `viewStatus`.
    return status === 200 ? (body as Status) : null
  } catch (error) {
    // Without an answer the journal tells.
    if (error instanceof AppError) return null
    throw error
  }
}

function readStatus(dataDir: string): Status {
  const journal: Journal = openExistingJournal({ dataDir })
  try {
    const pause = readPause(journal)
    const held = journal.countOrders().filter(({ state }) => state === "held")
    return {
      paused: pause !== null,
      pause,
      inFlight: journal.countInFlight(),
      held: held.reduce((sum, { count }) => sum + count, 0),
      alerts: journal.listAlerts(SHOWN_ALERTS),
    }
  } finally {
    journal.close()
  }
}

function format({ mode, pause, inFlight, held, alerts }: Status, pid: number | null, answers: boolean): string {
  const daemon = pid === null ? "does not run" : `process ${pid}${answers ? "" : ", which does not answer"}`
  return [
    `daemon     ${answers && pid === null ? "answers" : daemon}${mode === undefined ? "" : `, mode ${mode}`}`,
    `pause      ${pause === null ? "none" : formatPause(pause)}`,
    ...(pause?.alarms ?? []).map(
      ({ id, code, order, message }) => `  alarm ${id}  ${code}, order ${order}: ${message}`,
    ),
    `in flight  ${inFlight}, ${held} of them held`,
    alerts.length === 0 ? "alarms     none" : "alarms, newest first",
    ...alerts.map(({ atMs, orderId, reason }) => `  ${new Date(atMs).toISOString()}  ${reason.code}  ${orderId ?? ""}`),
  ].join("\n")
}

function formatPause({ at, by, reason, alarms }: Pause): string {
  const ids = alarms.map(({ id }) => id).join(",")
  const command = ids === "" ? "ballast resume" : `ballast resume --acknowledge ${ids}`
  return `everything since ${at}, by ${by}${reason === null || by === "alarm" ? "" : ` (${reason})`}; \`${command}\` lifts it`
}
