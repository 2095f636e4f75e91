/*
 * The text of answers to language models. Every answer goes through `fence` as a whole, errors
 * included, so that no text of a stranger reaches a model as ours.
 */

/** A text that a service, node, token or person wrote, with the place that it came from. */
export type Outside = { readonly from: string; readonly text: string }

const MOST_OUTSIDE = 5
const MOST_CHARACTERS = 120

/** Ids, codes, amounts, times and assets: one word, in which no sentence fits. */
const WORD = /^-?[A-Za-z0-9][A-Za-z0-9_.:+/-]{0,99}$/

/** The values of a reason that pass: numbers, times, hashes and assets. */
const NUMBER = [
  /^-?\d{1,60}(\.\d{1,60})?$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/,
  /^(0x)?[0-9a-f]{16,64}$/,
  /^[a-z0-9_]{1,32}:[a-z0-9_]{1,32}$/,
]

/** Keeps words, and replaces every other text; only `outside` may hold sentences. */
export function fence(value: unknown): unknown {
  if (typeof value === "string") return WORD.test(value) ? value : UNREADABLE
  if (typeof value === "bigint") return value.toString()
  if (Array.isArray(value)) return value.map(fence)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      WORD.test(key) ? key : UNREADABLE,
      key === "outside" && Array.isArray(one)
        ? one.slice(0, MOST_OUTSIDE).map(fenceOutside)
        : fence(one),
    ]),
  )
}

const UNREADABLE = "unreadable"

export function isNumber(text: string): boolean {
  return NUMBER.some((form) => form.test(text))
}

function fenceOutside(one: Outside): Outside {
  return { from: WORD.test(one.from) ? one.from : UNREADABLE, text: cleanOutside(one.text) }
}

/**
 * One line without control, format, unassigned and private characters, without marks that a reader
 * could take for the end of the quotation, and without links.
 */
function cleanOutside(text: string): string {
  const plain = text
    .slice(0, 10 * MOST_CHARACTERS)
    .normalize("NFC")
    .replace(/[\p{Z}\t\n\r]+/gu, " ")
    .replace(/[\p{C}\p{Variation_Selector}]/gu, "")
    .replace(/[<>[\]{}`"]/g, "'")
    .replace(/https?:/gi, "link ")
    .trim()
  return [...plain].slice(0, MOST_CHARACTERS).join("")
}
