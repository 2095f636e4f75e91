import { formatSpan, readableAt } from "#health/format-span.ts"
import { printableLine } from "#lib/printable.ts"
import type { AlertNote, Message, MessageText, NoteText } from "./port.ts"

/** A message about more alerts names these, and the number of the others. */
const MOST_SHOWN = 10
const LONGEST_LINE = 600

/** Pure. */
export function describeMessage(message: Message): MessageText {
  const shown = message.notes.slice(0, MOST_SHOWN)
  const hidden = message.notes.length - shown.length
  return {
    title: titleOf(message),
    notes: shown.map((note) => describeNote(note, message)),
    rest: hidden === 0 ? null : `And ${hidden} more: ballast alerts`,
  }
}

function titleOf({ reason, treasury, notes }: Message): string {
  const [first] = notes
  const level = notes.some((note) => note.level === "trouble") ? "TROUBLE" : "ATTENTION"
  const word = {
    open: level,
    repeat: `STILL ${level}`,
    escalation: `UNANSWERED ${level}`,
    over: "OVER",
    test: "TEST",
  }
  const more = notes.length > 1 ? ` (and ${notes.length - 1} more)` : ""
  return printableLine(
    `[${treasury}] ${word[reason]} ${first?.kind ?? ""}: ${first?.sentence ?? ""}${more}`,
  )
}

function describeNote(note: AlertNote, { reason, atMs, dashboard }: Message): NoteText {
  const { sentence, meaning, todo, command, code, id, openedMs, closedMs, deadlineMs } = note
  const about = [`Code ${code}, alert ${id}, since ${readableAt(openedMs)}`]
  if (reason === "over") {
    const lasted = `It lasted ${formatSpan((closedMs ?? atMs) - openedMs)}.`
    return { sentence: line(sentence), lines: [lasted, ...about], command: null, link: null }
  }
  const ends =
    deadlineMs === null
      ? []
      : [`Deadline: ${readableAt(deadlineMs)}, in ${formatSpan(deadlineMs - atMs)}`]
  const silence = reason === "test" ? [] : [`To stop repeats: ballast alerts ack ${id}`]
  const lines = [`For the money: ${meaning}`, `Do: ${todo}`, ...ends, ...about, ...silence].map(
    line,
  )
  return {
    sentence: line(sentence),
    lines,
    command: command === null ? null : line(command),
    link: linkOf(note.order, dashboard),
  }
}

/**
 * The page shows the order. Only a request of that page approves: a scanner that opens the link
 * changes nothing.
 */
export function linkOf(order: string | null, dashboard: string | null): string | null {
  if (dashboard === null) return null
  return order === null
    ? `${dashboard}/#/alarms`
    : `${dashboard}/#/orders/${encodeURIComponent(order)}`
}

/** One line of bounded length. */
export function line(text: string): string {
  const clean = printableLine(text)
  return clean.length <= LONGEST_LINE ? clean : `${clean.slice(0, LONGEST_LINE - 1)}…`
}

/** A message without its title as plain text. */
export function formatPlain({ notes, rest }: MessageText): string {
  const blocks = notes.map(({ sentence, lines, command, link }) =>
    [
      sentence,
      ...lines,
      ...(command === null ? [] : [`Type: ${command}`]),
      ...(link === null ? [] : [`Open: ${link}`]),
    ].join("\n"),
  )
  return [...blocks, ...(rest === null ? [] : [rest])].join("\n\n")
}
