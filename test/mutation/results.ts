import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { decodeJson } from "#lib/json.ts"
import { ALL_MISTAKES } from "./all-mistakes.ts"
import { SURVIVORS } from "./generic-survivors.ts"
import type { Tried, Verdict } from "./try-mistakes.ts"

/** `written`: mistakes that a person wrote. `generic`: mutants that a program wrote. */
export type Kind = "written" | "generic"

/** The newest verdict of each tried mistake, by kind, room and name. */
type Results = { readonly [kind in Kind]: { readonly [room: string]: { readonly [name: string]: Verdict } } }

const FILE = join(import.meta.dirname, "results.json")
const DOCUMENT = join(import.meta.dirname, "../../docs/RELIABILITY.md")
const [BEGIN, END] = ["<!-- mutation table: npm run mutate -- --table -->", "<!-- end of the mutation table -->"]

/** Keeps each verdict instead of an earlier one. */
export function recordResults(kind: Kind, tried: readonly Tried[]): void {
  const known = readResults()
  const rooms: { [room: string]: { [name: string]: Verdict } } = { ...known[kind] }
  for (const { room, mistake, verdict } of tried) rooms[room] = { ...rooms[room], [mistake.name]: verdict }
  const sorted = Object.entries(rooms).map(([room, verdicts]) => [
    room,
    Object.fromEntries(Object.entries(verdicts).sort()),
  ])
  const results = { ...known, [kind]: Object.fromEntries(sorted) }
  writeFileSync(FILE, `${JSON.stringify(results, null, 1)}\n`)
}

function readResults(): Results {
  if (!existsSync(FILE)) return { written: {}, generic: {} }
  // CAST: `recordResults` wrote it.
  return decodeJson(readFileSync(FILE, "utf8")) as Results
}

/** Replaces the table in docs/RELIABILITY.md. */
export function writeTable(): void {
  const text = readFileSync(DOCUMENT, "utf8")
  writeFileSync(DOCUMENT, withTable(text))
}

export function withTable(text: string): string {
  const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]]
  if (before === undefined || after === undefined) throw new Error(`${DOCUMENT} has no place for the mutation table`)
  return [before, BEGIN, "\n", formatTable(readResults()), "\n", END, after].join("")
}

function formatTable(results: Results): string {
  const lines: string[] = [
    "| room | written mistakes tried, noticed | generated mutants tried, noticed |",
    "|---|---|---|",
  ]
  const rooms = new Set([...ALL_MISTAKES.map(({ room }) => room), ...Object.keys(results.generic)])
  for (const room of rooms) {
    lines.push(`| ${room} | ${shareOf(results.written[room])} | ${shareOf(results.generic[room])} |`)
  }
  return [...lines, "", "Unnoticed, and listed with the reason:", "", ...listUnnoticed(results)].join("\n")
}

function shareOf(verdicts: { readonly [name: string]: Verdict } | undefined): string {
  const counted = Object.values(verdicts ?? {}).filter((verdict) => verdict !== "refused")
  if (counted.length === 0) return "none"
  const noticed = counted.filter((verdict) => verdict === "noticed").length
  return `${counted.length}, ${noticed} (${Math.floor((noticed * 100) / counted.length)} %)`
}

function listUnnoticed(results: Results): readonly string[] {
  const written = new Map(
    ALL_MISTAKES.flatMap(({ mistakes }) => mistakes.map(({ name, survives }) => [name, survives] as const)),
  )
  // CAST: `recordResults` writes these two kinds only.
  const kinds = Object.keys(results) as Kind[]
  return kinds.flatMap((kind) =>
    Object.entries(results[kind]).flatMap(([room, verdicts]) =>
      Object.entries(verdicts)
        .filter(([, verdict]) => verdict === "unnoticed")
        .map(([name]) => `- ${room}: ${quote(name, kind)}: ${reasonOf(name, kind)}`),
    ),
  )

  function reasonOf(name: string, kind: Kind): string {
    return (kind === "written" ? written.get(name) : SURVIVORS[name]) ?? "no reason yet; a test is missing"
  }
}

function quote(name: string, kind: Kind): string {
  return kind === "written" ? name : `\`\`${name}\`\``
}
