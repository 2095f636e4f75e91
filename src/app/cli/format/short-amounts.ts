import type { OptionDeclarations } from "../define-command.ts"

/** The option of the commands that show amounts with at most six significant digits. */
export const EXACT_OPTION = {
  exact: { type: "flag", summary: "show all digits of amounts, as --json does" },
} as const satisfies OptionDeclarations

const MOST_DIGITS = 6
/** A decimal that is no part of a version, an address, a path or an id. */
const DECIMAL = /(?<![\w.:/@-])(\d+)\.(\d+)(?![\w.:/@-])( *)/g

/**
 * Cuts each decimal of a text to six significant digits; a whole number stays. It cuts and never
 * rounds, so that no balance looks larger than it is. Spaces that align a table grow by what is
 * cut.
 */
export function shortenAmounts(text: string): string {
  return text.replace(DECIMAL, (exact: string, whole: string, places: string, gap: string) => {
    const zeros = whole === "0" ? (/^0*/.exec(places)?.[0].length ?? 0) : -whole.length
    const kept = places.slice(0, Math.max(0, MOST_DIGITS + zeros))
    if (kept === places) return exact
    const digits = kept.replace(/0+$/, "")
    const short = digits === "" ? whole : `${whole}.${digits}`
    return gap.length > 1 ? short.padEnd(exact.length) : short + gap
  })
}
