import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { decodeJson } from "#lib/json.ts"

/** Which tests run which function, by file. Each function has places in the list of quick tests, followed by the slow ones; the nearest test first. */
type NearestTests = {
  readonly quick: readonly string[]
  readonly slow: readonly string[]
  readonly functions: { readonly [file: string]: { readonly [name: string]: string } }
}
/** One line of `record-functions.ts`. */
type Measured = {
  readonly test: string
  readonly ms: number
  readonly ran: readonly (readonly [file: string, functions: readonly string[]])[]
}

const FILE = join(import.meta.dirname, "nearest-tests.json")
/** Most mutants must cost seconds, so slower test files come last, and those beyond the second limit never. */
const [QUICK_MS, SLOWEST_MS] = [9_000, 70_000]
const [FIRST, MOST_QUICK, MOST_SLOW] = [3, 20, 4]

/** The tests of a function in stages. Code outside of functions takes the tests of the whole file. */
export function nearestStages(file: string, name: string): readonly (readonly string[])[] {
  const { quick, slow, functions } = readNearest()
  const own = functions[file] ?? {}
  const listed = Object.hasOwn(own, name) ? own[name] : undefined
  const places = (listed ?? Object.values(own).join(" ")).split(" ").filter((place) => place !== "")
  const found = [...new Set(places)]
    .map((place) => [...quick, ...slow][Number(place)] ?? "")
    .filter((test) => existsSync(test))
  const beside = [
    file.replace(/\.ts$/, ".test.ts"),
    file.replace(/^src(.*)\.ts$/, "test$1.test.ts"),
    // One test for a file that each family has.
    file.replace(/^src(.*)\/[^/]+\/([^/]+)\.ts$/, "test$1/$2.test.ts"),
  ]
  const candidates = [...beside.filter((test) => !slow.includes(test) && existsSync(test)), ...found]
  const nearest = selectNearest(file, [...new Set(candidates)], (test) => slow.includes(test))
  const isQuick = (test: string): boolean => !slow.includes(test)
  const [fast, late] = [nearest.filter(isQuick), nearest.filter((test) => !isQuick(test))]
  return [fast.slice(0, FIRST), fast.slice(FIRST), late].filter((stage) => stage.length > 0)
}

/** Writes the list anew from the lines of `record-functions.ts`. */
export function writeNearestTests(lines: string): void {
  // CAST: `record-functions.ts` wrote the lines.
  const measured = lines.split("\n").flatMap((line) => (line === "" ? [] : [decodeJson(line) as Measured]))
  const isSlow = ({ ms }: Measured): boolean => ms > QUICK_MS
  const sizeOf = ({ ran }: Measured): number => ran.reduce((sum, [, names]) => sum + names.length, 0)
  const used = measured
    .filter(({ ms }) => ms <= SLOWEST_MS)
    .sort((a, b) => (isSlow(a) || isSlow(b) ? a.ms - b.ms : sizeOf(a) - sizeOf(b)))
  const [tests, slow] = [used, used.filter(isSlow)].map((list) => list.map(({ test }) => test))
  if (tests === undefined || slow === undefined) throw new Error("Both lists have a value")
  const functions: { [file: string]: { [name: string]: string } } = {}
  const files = [...new Set(used.flatMap(({ ran }) => ran.map(([file]) => file)))]
  for (const file of files.filter((path) => /^src\/(engine|chains)\//.test(path)).sort()) {
    const running = used.map(({ ran }) => new Set(ran.find(([path]) => path === file)?.[1]))
    const names = [...new Set(running.flatMap((set) => [...set]))].sort()
    if (names.length === 0) continue
    functions[file] = Object.fromEntries(
      names.map((name) => {
        const found = tests.filter((_, place) => running[place]?.has(name))
        const near = selectNearest(file, found, (test) => slow.includes(test))
        return [name, near.map((test) => tests.indexOf(test)).join(" ")]
      }),
    )
  }
  known = { quick: tests.filter((test) => !slow.includes(test)), slow, functions }
  writeFileSync(FILE, `${JSON.stringify(known, null, 2)}\n`)
}

/** A test that has the file's name comes first, then the tests of the same folder. Otherwise the order stays: tests that run little come first. */
function selectNearest(file: string, tests: readonly string[], isSlow: (test: string) => boolean): readonly string[] {
  const [folder, name] = [file.split("/").slice(1, -1).join("/"), basename(file, ".ts")]
  const distance = (test: string): number => {
    if (basename(test, ".test.ts") === name) return 0
    return test.includes(`/${folder}/`) ? 1 : 2
  }
  const near = tests.toSorted((a, b) => distance(a) - distance(b))
  const quick = near.filter((test) => !isSlow(test)).slice(0, MOST_QUICK)
  return [...quick, ...near.filter(isSlow).slice(0, MOST_SLOW)]
}

let known: NearestTests | null = null
function readNearest(): NearestTests {
  // CAST: `writeNearestTests` wrote it.
  known ??= existsSync(FILE)
    ? (decodeJson(readFileSync(FILE, "utf8")) as NearestTests)
    : { quick: [], slow: [], functions: {} }
  return known
}
