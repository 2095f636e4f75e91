import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { decodeJson } from "#lib/json.ts"
import { ALL_MISTAKES } from "./all-mistakes.ts"
import { SURVIVORS } from "./generic-survivors.ts"
import type { Tried, Verdict } from "./try-mistakes.ts"

/** `written`: mistakes that a person wrote. `generic`: mutants that a program wrote. */
export type Kind = "written" | "generic"

type Verdicts = { readonly [name: string]: Verdict }
/** The newest verdict of each tried mistake, by kind, room and name. */
type Results = { readonly [kind in Kind]: { readonly [room: string]: Verdicts } }

const FILE = join(import.meta.dirname, "results.json")
const DOCUMENT = join(import.meta.dirname, "../../docs/RELIABILITY.md")
const [BEGIN, END] = ["<!-- mutation table: npm run mutate -- --table -->", "<!-- end of the mutation table -->"]

/** Keeps each verdict instead of an earlier one. */
export function recordResults(kind: Kind, tried: readonly Tried[]): void {
  const known = readResults()
  const byRoom: { [room: string]: { [name: string]: Verdict } } = { ...known[kind] }
  for (const { room, mistake, verdict } of tried) byRoom[room] = { ...byRoom[room], [mistake.name]: verdict }
  const sorted = Object.entries(byRoom).map(([room, verdicts]) => [
    room,
    Object.fromEntries(Object.entries(verdicts).sort()),
  ])
  const results = { ...known, [kind]: Object.fromEntries(sorted) }
  writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`)
}

/** No test noticed the mistake when it was tried last. */
export function wasUnnoticed(kind: Kind, room: string, name: string): boolean {
  return readResults()[kind][room]?.[name] === "unnoticed"
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
  const names = new Set([...ALL_MISTAKES.map(({ room }) => room), ...Object.keys(results.generic)])
  const rows = [...names].map((room) => {
    return `| ${room} | ${countsOf(knownOf(results, room))} | ${countsOf(results.generic[room])} |`
  })
  return [
    "| room | written mistakes tried | noticed | generated mutants tried | noticed |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    "Not noticed:",
    "",
    ...listUnnoticed(results),
  ].join("\n")
}

/** A written mistake that was renamed or deleted counts no more. */
function knownOf(results: Results, room: string): Verdicts {
  const names = new Set(ALL_MISTAKES.flatMap(({ mistakes }) => mistakes.map(({ name }) => name)))
  return Object.fromEntries(Object.entries(results.written[room] ?? {}).filter(([name]) => names.has(name)))
}

function countsOf(verdicts: Verdicts = {}): string {
  const counted = Object.values(verdicts).filter((verdict) => verdict !== "refused")
  const noticed = counted.filter((verdict) => verdict === "noticed").length
  return counted.length === 0
    ? "- | -"
    : `${counted.length} | ${noticed} (${Math.floor((noticed * 100) / counted.length)} %)`
}

/** Each mistake or mutant that no test noticed, with its reason. */
function listUnnoticed(results: Results): readonly string[] {
  const written = new Map(
    ALL_MISTAKES.flatMap(({ mistakes }) => mistakes.map(({ name, survives }) => [name, survives] as const)),
  )
  const line = (room: string, name: string, reason = "a test is missing"): string => `- ${room}, ${name}: ${reason}`
  const unnoticed = (verdicts: Verdicts = {}): string[] =>
    Object.keys(verdicts).filter((name) => verdicts[name] === "unnoticed")
  return [
    ...ALL_MISTAKES.flatMap(({ room }) =>
      unnoticed(knownOf(results, room)).map((name) => line(room, name, written.get(name))),
    ),
    ...Object.entries(results.generic).flatMap(([room, verdicts]) =>
      unnoticed(verdicts).map((name) => line(room, `\`\`${name}\`\``, SURVIVORS[name])),
    ),
  ]
}
