import type { Level } from "#health/problem.ts"

/** The tone of a text on a terminal: a level in its colour, or grey for the less important. */
export type Tone = Level | "faint"

/** A text with its tone on a terminal; without a tone it is plain. */
export type Part = { readonly text: string; readonly tone?: Tone }

/** Select Graphic Rendition (ECMA-48, 8.3.117). */
const CODES: Readonly<Record<Tone, string>> = {
  ok: "32",
  attention: "33",
  trouble: "1;31",
  faint: "2",
}

/** Colours each line by itself, so that a pager that shows some of them has no open colour. */
export function colour(text: string, tone: Tone): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? line : `\u001b[${CODES[tone]}m${line}\u001b[0m`))
    .join("\n")
}

/**
 * Colour is for terminals, and not where `NO_COLOR` has a value (no-color.org) or the terminal has
 * none.
 */
export function usesColour(env: NodeJS.ProcessEnv, terminal: boolean): boolean {
  return terminal && !env["NO_COLOR"] && env["TERM"] !== "dumb"
}
