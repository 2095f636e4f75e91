import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { decodeJson } from "#lib/json.ts"
import { idOf } from "./generate-mutants.ts"
import { filesOf, MUTATED } from "./mutated-files.ts"
import { SURVIVORS } from "./survivors.ts"
import type { Tried } from "./try-mutants.ts"

/** The newest figure of a room. `of` counts its mutants; fewer were tried when it was a sample. */
export type Figure = {
  readonly of: number
  readonly tried: number
  readonly noticed: number
  readonly refused: number
  /** The mutants that no test noticed, by name. */
  readonly survivors: readonly string[]
}
type Results = {
  readonly figures: { readonly [room: string]: Figure }
  /** A fixed sample for CI: each mutant with the test file that noticed it. */
  readonly sample: { readonly [name: string]: string }
}

const FILE = join(import.meta.dirname, "results.json")
const DOCUMENT = join(import.meta.dirname, "../../../docs/RELIABILITY.md")
const BEGIN = "<!-- mutation table: npm run mutate -- --table -->"
const END = "<!-- end of the mutation table -->"
/** CI tries so many mutants of each room. */
const SAMPLED = 25

export function figureOf(of: number, tried: readonly Tried[]): Figure {
  const count = (verdict: Tried["verdict"]): number =>
    tried.filter((one) => one.verdict === verdict).length
  const survivors = tried.filter(({ verdict }) => verdict === "unnoticed")
  return {
    of,
    tried: tried.length,
    noticed: count("noticed"),
    refused: count("refused"),
    survivors: survivors.map(({ mutant }) => mutant.name).sort(),
  }
}

/** The known figure after its survivors were tried again, such as after new tests. */
export function figureAgain(known: Figure, tried: readonly Tried[]): Figure {
  const again = figureOf(known.of, tried)
  // A survivor in changed code has another name now, and was not tried again.
  const gone = known.survivors.length - tried.length
  return {
    of: known.of,
    tried: known.tried - gone,
    noticed: known.noticed + again.noticed,
    refused: known.refused + again.refused,
    survivors: again.survivors,
  }
}

/** Mutants that the compiler refuses do not count, as they cannot be shipped. */
export function percentOf({ tried, noticed, refused }: Figure): number {
  return tried === refused ? 100 : Math.floor((noticed * 1000) / (tried - refused)) / 10
}

/**
 * Keeps a figure instead of an earlier one, and a few of the noticed mutants for CI; after a second
 * try of survivors, the earlier ones stay in CI.
 */
export function recordFigure(
  room: string,
  figure: Figure,
  tried: readonly Tried[],
  isAgain: boolean,
): void {
  const known = readResults()
  const figures = { ...known.figures, [room]: figure }
  const files = MUTATED.filter((one) => one.room === room).flatMap(filesOf)
  const isOwn = (name: string): boolean => files.includes(name.split(" ")[0] ?? "")
  const others = Object.entries(known.sample).filter(([name]) => isAgain || !isOwn(name))
  const isTold = ({ verdict, by }: Tried): boolean => verdict === "noticed" && by.includes(" > ")
  const chosen = tried
    .filter(isTold)
    .toSorted((a, b) => (idOf(a.mutant) < idOf(b.mutant) ? -1 : 1))
    .slice(0, SAMPLED)
    .map(({ mutant, by }) => [mutant.name, by.split(" > ")[0] ?? ""] as const)
  const isSampled = !isAgain && MUTATED.some((one) => one.room === room && one.isCounted)
  const sample = Object.fromEntries([...others, ...(isSampled ? chosen : [])].sort())
  const results: Results = { figures: Object.fromEntries(Object.entries(figures).sort()), sample }
  writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`)
}

export function readResults(): Results {
  if (!existsSync(FILE)) return { figures: {}, sample: {} }
  // CAST: `recordFigure` wrote it.
  return decodeJson(readFileSync(FILE, "utf8")) as Results
}

/** Replaces the table in docs/RELIABILITY.md. */
export function writeTable(): void {
  const text = readFileSync(DOCUMENT, "utf8")
  writeFileSync(DOCUMENT, withTable(text))
}

export function withTable(text: string): string {
  const before = text.split(BEGIN)[0]
  const after = text.split(END)[1]
  if (before === undefined || after === undefined) {
    throw new Error(`${DOCUMENT} has no place for the mutation table`)
  }
  return [before, BEGIN, "\n", formatTable(readResults()), "\n", END, after].join("")
}

function formatTable({ figures }: Results): string {
  const rows = Object.entries(figures).map(([room, figure]) => {
    const { of, tried, noticed, refused, survivors } = figure
    const explained = survivors.filter((name) => SURVIVORS[name] !== undefined).length
    const cells = [room, of, tried, refused, noticed, `${percentOf(figure)} %`]
    return `| ${[...cells, survivors.length, explained].join(" | ")} |`
  })
  return [
    "| room | changes | tried | refused by the compiler | noticed | share | survivors | with " +
      "a reason |",
    "|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n")
}
