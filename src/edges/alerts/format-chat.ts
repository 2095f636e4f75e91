import type { MessageText } from "./port.ts"

const HEADER_LENGTH = 150
const SECTION_LENGTH = 3_000
const BUTTON_URL_LENGTH = 3_000

/**
 * The body of a Slack incoming webhook (docs.slack.dev, "Sending messages using incoming webhooks"
 * and "Blocks"). Every text of others stands in a `plain_text` object, in which Slack reads no
 * markup, link or mention; `text` is the line of the notification, with Slack's three characters
 * escaped.
 */
export function formatSlack({ title, notes, rest }: MessageText): object {
  const sections = notes.flatMap(({ sentence, lines, command, link }) => [
    section([sentence, ...lines, ...(command === null ? [] : [`Type: ${command}`])].join("\n")),
    ...(link === null || link.length > BUTTON_URL_LENGTH ? [] : [button(link)]),
  ])
  return {
    text: escapeMarkup(cut(title, SECTION_LENGTH)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: plain(cut(title, HEADER_LENGTH)) },
      ...sections,
      ...(rest === null ? [] : [section(rest)]),
    ],
  }
}

function section(text: string): object {
  return { type: "section", text: plain(cut(text, SECTION_LENGTH)) }
}

function button(url: string): object {
  return { type: "actions", elements: [{ type: "button", text: plain("Open"), url }] }
}

function plain(text: string): object {
  return { type: "plain_text", text, emoji: false }
}

/** Telegram refuses a longer text, counted after its entities are read. */
const TELEGRAM_LENGTH = 4_096

/**
 * The body of `sendMessage` (core.telegram.org/bots/api#sendmessage) in HTML style: `&`, `<` and
 * `>` of every text are entities, and the only tags are `b` and `code`. A message that is too long
 * loses whole notes, so that no tag stays open.
 */
export function formatTelegram({ title, notes, rest }: MessageText, chat: string): object {
  const parts = notes.map(({ sentence, lines, command, link }) =>
    [
      escapeMarkup(sentence),
      ...lines.map(escapeMarkup),
      ...(command === null ? [] : [`<code>${escapeMarkup(command)}</code>`]),
      ...(link === null ? [] : [escapeMarkup(link)]),
    ].join("\n"),
  )
  const head = `<b>${escapeMarkup(cut(title, 400))}</b>`
  const tail = rest === null ? [] : [escapeMarkup(rest)]
  return {
    chat_id: chat,
    // Entities count as longer here than at Telegram, so the estimate is on the safe side.
    text: joinFitting(head, parts, tail, (text) => text.length <= TELEGRAM_LENGTH),
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  }
}

/** The head, as many whole parts as fit, and the tail. */
export function joinFitting(
  head: string,
  parts: readonly string[],
  tail: readonly string[],
  fits: (text: string) => boolean,
): string {
  const join = (count: number): string => [head, ...parts.slice(0, count), ...tail].join("\n\n")
  const counts = parts.map((_part, index) => parts.length - index)
  return join(counts.find((count) => fits(join(count))) ?? 0)
}

function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

export function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`
}
