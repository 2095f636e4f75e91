import { cut, joinFitting } from "./format-chat.ts"
import { formatPlain } from "./format-text.ts"
import type { MessageText, NoteText } from "./port.ts"

/** Discord refuses a longer text. */
const DISCORD_LENGTH = 2_000
const SUPPRESS_EMBEDS = 4

/**
 * The body of a Discord webhook (docs.discord.com, "Execute Webhook"). Every mark of its Markdown
 * in a text of others is escaped, none is mentioned, and no link is unfolded. A message that is
 * too long loses whole notes.
 */
export function formatDiscord({ title, notes, rest }: MessageText): object {
  const head = `**${escapeMarks(cut(title, 400))}**`
  const tail = rest === null ? [] : [escapeMarks(rest)]
  const fits = (text: string): boolean => text.length <= DISCORD_LENGTH
  return {
    content: joinFitting(head, notes.map(formatNote), tail, fits),
    allowed_mentions: { parse: [] },
    flags: SUPPRESS_EMBEDS,
  }
}

function formatNote({ sentence, lines, command, link }: NoteText): string {
  return [
    escapeMarks(cut(sentence, 400)),
    ...lines.map((line) => escapeMarks(cut(line, 300))),
    ...(command === null ? [] : [`\`${cut(command, 300).replaceAll("`", "'")}\``]),
    ...(link === null || link.length > 300 ? [] : [link]),
  ].join("\n")
}

/** Discord takes a backslash before any punctuation for an escape. */
function escapeMarks(text: string): string {
  return text.replace(/[\\*_~`|<>#[\]()@:]|^-/g, "\\$&")
}

/** ntfy makes a longer message an attachment; it counts bytes. */
const NTFY_BYTES = 4_096
const NTFY_TITLE = 250
const URGENT = 5
const NORMAL = 3

/** The body of ntfy's "Publish as JSON" (docs.ntfy.sh/publish): plain text without Markdown. */
export function formatNtfy(text: MessageText, topic: string, isUrgent: boolean): object {
  const link = text.notes[0]?.link ?? null
  return {
    topic,
    title: cut(text.title, NTFY_TITLE),
    message: cutBytes(formatPlain(text), NTFY_BYTES),
    priority: isUrgent ? URGENT : NORMAL,
    ...(link === null ? {} : { click: link }),
  }
}

/** An event of Matrix has at most 65 536 bytes, of which a character may take six. */
const MATRIX_LENGTH = 10_000

/** The content of a Matrix event `m.room.message` (spec.matrix.org): text without HTML. */
export function formatMatrix(text: MessageText): object {
  const body = cut(`${text.title}\n\n${formatPlain(text)}`, MATRIX_LENGTH)
  return { msgtype: "m.text", body, "m.mentions": {} }
}

function cutBytes(text: string, bytes: number): string {
  const found = Buffer.from(text)
  if (found.length <= bytes) return text
  const kept = new TextDecoder().decode(found.subarray(0, bytes - 3), { stream: true })
  return `${kept}…`
}
