/*
 * The change from one text to the next, for texts that mostly stay as they are. It names the parts
 * of both texts by place and length, so it knows nothing of their content. Text that is also in the
 * event of the step is named by its place there.
 *
 * A change is a list of numbers in JSON, a line end, and the new text:
 * `[lengthBefore,lengthAfter, at,deleted,from,length, …]`. Each four numbers are one edit, in the
 * order of the text. `from` is the place in the event, or -1 for the next so many characters of the
 * new text.
 */

/**
 * The change between two texts in pieces, piece by piece. `null` when it is hardly shorter than the
 * text itself, or when a text has no pieces: then the whole text is to be written.
 */
export function encodeChange(
  before: readonly string[],
  after: readonly string[],
  event: string,
): string | null {
  if (before.length < LEAST_PIECES || after.length < LEAST_PIECES) return null
  const change: Change = { numbers: [lengthOf(before), lengthOf(after)], text: "" }
  let at = 0
  const compare = (old: string, fresh: string): void => {
    if (old !== fresh) addEdits(change, { at, old, fresh, event })
    at += old.length
  }
  // The last pieces belong together; further pieces are new, or gone, before them.
  const most = Math.min(before.length, after.length) - 1
  for (let n = 0; n < most; n++) compare(before[n] ?? "", after[n] ?? "")
  compare(before.slice(most, -1).join(""), after.slice(most, -1).join(""))
  compare(before.at(-1) ?? "", after.at(-1) ?? "")
  const encoded = `[${change.numbers.join(",")}]\n${change.text}`
  return encoded.length < lengthOf(after) / 2 ? encoded : null
}

/** The text after the change; `null` when the change does not fit the text. */
export function applyChange(before: string, change: string, event: string): string | null {
  const numbers = readNumbers(change)
  if (numbers === null) return null
  const [lengthBefore, lengthAfter, ...edits] = numbers
  if (before.length !== lengthBefore) return null
  let done = 0
  let place = change.indexOf("\n") + 1
  let after = ""
  for (let edit = 0; edit < edits.length; edit += EDIT_NUMBERS) {
    const [at = -1, deleted = 0, from = 0, length = 0] = edits.slice(edit, edit + EDIT_NUMBERS)
    if (at < done) return null
    const isNew = from < 0
    after +=
      before.slice(done, at) +
      (isNew ? change.slice(place, place + length) : event.slice(from, from + length))
    if (isNew) place += length
    done = at + deleted
  }
  after += before.slice(done)
  return after.length === lengthAfter && place === change.length ? after : null
}

/** A text in fewer pieces has none: only its two ends. */
const LEAST_PIECES = 3
const EDIT_NUMBERS = 4
/** Shorter text takes as much room as its place and length. */
const LEAST_NAMED = 24
/** The event is searched for text by pieces of this length. */
const SEED = 32

type Run = { readonly start: number; readonly from: number; readonly length: number }
type Change = { readonly numbers: number[]; text: string }
type Piece = {
  readonly at: number
  readonly old: string
  readonly fresh: string
  readonly event: string
}

function readNumbers(change: string): readonly number[] | null {
  try {
    const numbers: unknown = JSON.parse(change.slice(0, Math.max(0, change.indexOf("\n"))))
    const isList = Array.isArray(numbers) && numbers.length % EDIT_NUMBERS === 2
    return isList && numbers.every((number) => Number.isSafeInteger(number)) ? numbers : null
  } catch {
    return null
  }
}

/** Writes the text between the equal ends of both pieces. */
function addEdits(change: Change, { at, old, fresh, event }: Piece): void {
  const shorter = Math.min(old.length, fresh.length)
  let start = 0
  while (start < shorter && old.charCodeAt(start) === fresh.charCodeAt(start)) start++
  start -= splitsPair(fresh, start) || splitsPair(old, start) ? 1 : 0
  let end = 0
  const most = shorter - start
  while (
    end < most &&
    old.charCodeAt(old.length - 1 - end) === fresh.charCodeAt(fresh.length - 1 - end)
  )
    end++
  end -= splitsPair(fresh, fresh.length - end) || splitsPair(old, old.length - end) ? 1 : 0
  let deleted = old.length - start - end
  const text = fresh.slice(start, fresh.length - end)
  const add = (piece: string, from: number): void => {
    change.numbers.push(at + start, deleted, from, piece.length)
    if (from < 0) change.text += piece
    start += deleted
    deleted = 0
  }
  const found = findInEvent(text, event)
  if (found === null) {
    add(text, -1)
    return
  }
  const rest = found.start + found.length
  if (found.start > 0) add(text.slice(0, found.start), -1)
  add(text.slice(found.start, rest), found.from)
  if (rest < text.length) add(text.slice(rest), -1)
}

/** Half of a character cannot be stored. */
function splitsPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return at > 0 && unit >= 0xdc_00 && unit <= 0xdf_ff
}

/** The longest run of the text that the event has too. */
function findInEvent(text: string, event: string): Run | null {
  if (text.length < LEAST_NAMED) return null
  const whole = event.indexOf(text)
  if (whole >= 0) return { start: 0, from: whole, length: text.length }
  let longest: Run = { start: 0, from: 0, length: 0 }
  for (let from = 0; from + SEED <= event.length; from += SEED) {
    if (from < longest.from + longest.length) continue
    const place = text.indexOf(event.slice(from, from + SEED))
    const run = place < 0 ? null : extend(text, event, { start: place, from, length: SEED })
    if (run !== null && run.length > longest.length) longest = run
  }
  const { start, length } = longest
  const splits = splitsPair(text, start) || splitsPair(text, start + length)
  return length < LEAST_NAMED || splits ? null : longest
}

function extend(text: string, event: string, run: Run): Run {
  let { start, from, length } = run
  while (start > 0 && from > 0 && text.charCodeAt(start - 1) === event.charCodeAt(from - 1)) {
    start--
    from--
    length++
  }
  while (
    start + length < text.length &&
    text.charCodeAt(start + length) === event.charCodeAt(from + length)
  )
    length++
  return { start, from, length }
}

function lengthOf(pieces: readonly string[]): number {
  let sum = 0
  for (const { length } of pieces) sum += length
  return sum
}
