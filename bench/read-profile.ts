import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

type Frame = { readonly functionName: string; readonly url: string; readonly lineNumber: number }
type Node = { readonly id: number; readonly callFrame: Frame }
type Profile = {
  readonly nodes: readonly Node[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/**
 * A room, a library or a function, and its own time as a share of the whole time, without waiting.
 * Shares of 1.
 */
export type Share = { readonly name: string; readonly share: number }
export type Shares = { readonly places: readonly Share[]; readonly functions: readonly Share[] }

/** Where the time of the profiles in a folder goes, largest share first. */
export function readProfiles(folder: string): Shares {
  const places = new Map<string, number>()
  const functions = new Map<string, number>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".cpuprofile"))) {
    // CAST: V8 writes its profiles in this shape.
    const { nodes, samples, timeDeltas } = JSON.parse(
      readFileSync(join(folder, file), "utf8"),
    ) as Profile
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
    for (const [index, id] of samples.entries()) {
      const frame = frames.get(id)
      if (frame === undefined || WAITING.includes(frame.functionName)) continue
      add(places, placeOf(frame), timeDeltas[index] ?? 0)
      add(functions, nameOf(frame), timeDeltas[index] ?? 0)
    }
  }
  return { places: toShares(places), functions: toShares(functions) }
}

/** The bench itself waits so for the processes that it starts. */
const WAITING = ["(idle)", "spawnSync"]

function add(times: Map<string, number>, name: string, time: number): void {
  times.set(name, (times.get(name) ?? 0) + time)
}

function toShares(times: ReadonlyMap<string, number>): readonly Share[] {
  const all = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times]
    .map(([name, time]) => ({ name, share: time / all }))
    .toSorted((a, b) => b.share - a.share)
}

/**
 * The functions that call SQLite and do nothing else, so that their own time is SQLite's, waits for
 * the disk included.
 */
const SQLITE = [
  { file: "src/edges/journal/sqlite-journal.ts", names: ["run", "all", "one"] },
  { file: "src/edges/journal/disk/group-commit.ts", names: ["step", "flush"] },
]
const SIGNING = ["tiny-secp256k1", "@noble/curves", "@noble/hashes", "viem", "ox"]

function placeOf({ functionName, url }: Frame): string {
  if (functionName === "(garbage collector)") return "garbage collector"
  const file = fileOf(url)
  if (SQLITE.some((one) => file === one.file && one.names.includes(functionName))) return "SQLite"
  const room = /^src\/(?:engine\/tower|engine|[^/]+\/[^/]+)(?=\/)/.exec(file)?.[0]
  if (room !== undefined) return room
  const library = libraryOf(url)
  if (library !== null)
    return SIGNING.includes(library) ? "signing (libsecp256k1, noble, viem)" : library
  if (file === BUILT || file === OUTSIDE) return file
  if (/^(bench|test)\//.test(file)) return "the bench's chains and service"
  return /^node:internal\/(modules|vm)/.test(url) || url === "node:fs"
    ? "loading of modules"
    : "Node"
}

function libraryOf(url: string): string | null {
  const [path] = url.split("/node_modules/").slice(1).slice(-1)
  if (path === undefined) return null
  return path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/")
}

/** `encodeField, src/core/order/step.ts`. */
function nameOf({ functionName, url, lineNumber }: Frame): string {
  const file = fileOf(url)
  // A line of the built program says nothing without the name of its file, which changes with each
  // build.
  const unnamed = file === BUILT ? "code outside functions" : `line ${lineNumber + 1}`
  return file === "" ? functionName : `${functionName === "" ? unnamed : functionName}, ${file}`
}

const ROOT = join(import.meta.dirname, "..", "/")
const BUILT = "the built program and its libraries"
const OUTSIDE = "code outside the checkout"

/**
 * The file inside the checkout, inside its library, or Node's own name. Never a path of the
 * machine.
 */
function fileOf(url: string): string {
  if (url.includes("/node_modules/")) return url.replace(/^.*\/node_modules\//, "")
  const path = [pathToFileURL(ROOT).href, ROOT].find((root) => url.startsWith(root))
  if (path === undefined) return /^(\/|file:)/.test(url) ? OUTSIDE : url
  const file = url.slice(path.length)
  return file.startsWith("dist/bundled/") ? BUILT : file
}
