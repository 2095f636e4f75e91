import { EXIT } from "#daemon/start/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { bodyOf, callDaemon } from "../../call-daemon.ts"
import type { CommandContext } from "../../define-command.ts"
import { printRefusal } from "../../format/print-refusal.ts"
import { findTreasury } from "../../open/find-treasury.ts"

type Choices = {
  readonly follow: boolean
  readonly level: string | null
  readonly order: string | null
  readonly limit: number | null
  readonly "data-dir": string | null
}
type Line = AnswerOf<"Log">["lines"][number]

const ASK_EVERY_MS = 1_000
/** A follower reads all lines since its last look. */
const MOST = "1000"

/** Prints the newest lines, and with `follow` each new one, until the daemon or the reader ends. */
export async function showLog(context: CommandContext, choices: Choices): Promise<number> {
  const { level, order, limit, follow } = choices
  const { dataDir } = findTreasury(context, choices["data-dir"])
  const wanted = { level: level ?? "info", ...(order === null ? {} : { order }) }
  let place: Record<string, string> = { limit: String(limit ?? 50) }
  for (;;) {
    const query = new URLSearchParams({ ...wanted, ...place })
    const answer = await callDaemon({ dataDir }, "GET", `/api/v1/log?${query}`)
    if (answer.status !== 200) return printRefusal(context, answer.body)
    const { lines, newest } = bodyOf<"Log">(answer)
    if (context.json && !follow) context.print(plainJson({ lines, newest }, 2))
    else for (const line of lines) context.print(context.json ? plainJson(line) : formatLine(line))
    if (!follow) return EXIT.ok
    place = { limit: MOST, after: String(newest) }
    await context.clock.sleep(ASK_EVERY_MS)
  }
}

function formatLine({ at, level, message, order, fields }: Line): string {
  const about = order === null ? "" : `  order ${order.slice(0, 8)}`
  const { err, ...rest } = fields
  const details = Object.keys(rest).length === 0 ? "" : `  ${plainJson(rest)}`
  return `${at}  ${level.padEnd(5)}  ${message}${about}${details}${formatError(err)}`
}

function formatError(error: unknown): string {
  if (typeof error !== "object" || error === null || !("message" in error)) return ""
  const { message, code }: { message: unknown; code?: unknown } = error
  return `\n    ${String(message)}${code === undefined ? "" : ` [${String(code)}]`}`
}
