import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { decodeJson } from "#lib/json.ts"
import { remember } from "#lib/remember.ts"
import { type Collector, processorMs, runTests } from "./collect-tests.ts"
import { createLoader } from "./load-modules.ts"
import { probeFunctions } from "./probe-functions.ts"

/** One quick test, with the functions that it runs: their files and names. */
export type CoveredTest = {
  readonly index: number
  readonly name: string
  readonly ms: number
  readonly places: ReadonlySet<string>
}
/** The quick tests of a file. `graph` has the files that it imports, directly or not. */
export type CoveredFile = {
  readonly file: string
  readonly graph: ReadonlySet<string>
  readonly tests: readonly CoveredTest[]
}

export type Coverage = { readonly cover: (file: string) => Promise<CoveredFile> }

/** As it is kept on disk: each place once. */
type Kept = {
  readonly places: readonly string[]
  readonly tests: readonly (readonly [
    index: number,
    name: string,
    ms: number,
    at: readonly number[],
  ])[]
}

type Options = {
  readonly root: string
  readonly cache: string
  readonly read: (file: string) => string
  readonly collector: Collector
  /** The files with functions that count. */
  readonly isProbed: (file: string) => boolean
  /** A test has begun. */
  readonly alive: () => void
}

/** A test that takes longer, or that fails here because it starts a process, is not a quick one. */
const LONGEST_TEST_MS = 2_000
/** The other tests of a file are left out after this time. */
const LONGEST_FILE_MS = 12_000
const FORMAT = "5"
/** A test passes or fails by the files that it reads, too. */
const FIXTURES = "test/fixtures/**/*"

/**
 * Runs test files once, without a mutant. The result is kept until a file that they import changes,
 * or a fixture where they read any.
 */
export function createCoverage(options: Options): Coverage {
  const { root, cache, read, collector, isProbed, alive } = options
  const touched = new Set<string>()
  const ask = (place: number | string): boolean => {
    if (typeof place === "string") touched.add(place)
    return false
  }
  const loader = createLoader({
    root,
    readText: (file) => (isProbed(file) ? probeFunctions(file, read(file)) : read(file)),
    replaced: { vitest: collector.api },
    ask,
    cache: join(cache, "code"),
  })
  const folder = join(cache, "coverage")
  mkdirSync(folder, { recursive: true })
  const hashes = new Map<string, string>()
  const hashOf = (file: string): string => {
    const hash = hashes.get(file) ?? createHash("sha256").update(read(file)).digest("hex")
    hashes.set(file, hash)
    return hash
  }
  const hashData = remember((pattern: string) => {
    const hash = createHash("sha256")
    const files = globSync(pattern, { cwd: root, withFileTypes: true }).filter((one) =>
      one.isFile(),
    )
    for (const path of files.map(({ name, parentPath }) => join(parentPath, name)).sort())
      hash.update(path).update(readFileSync(path))
    return hash.digest("hex")
  })
  const keyOf = (file: string): string => {
    const hash = createHash("sha256").update(FORMAT).update(file)
    const graph = [...loader.graphOf(file)].sort()
    for (const one of graph) hash.update(one).update(hashOf(one))
    if (graph.some((one) => read(one).includes("fixtures/"))) hash.update(hashData(FIXTURES))
    return join(folder, `${hash.digest("hex").slice(0, 24)}.json`)
  }

  async function measure(file: string): Promise<readonly CoveredTest[]> {
    const tests: CoveredTest[] = []
    touched.clear()
    const startedAt = processorMs()
    loader.forget(file)
    const test = await collector.collect(() => loader.load(file))
    const outside = new Set(touched)
    const take = (): ReadonlySet<string> => {
      const places = new Set(touched)
      touched.clear()
      return places
    }
    await runTests({
      file: test,
      wanted: new Set(test.names.keys()),
      timeoutMs: () => LONGEST_TEST_MS * 10,
      begins: () => {
        alive()
        for (const place of take()) outside.add(place)
      },
      ended: ({ index, ms, error }) => {
        const places = take()
        const name = test.names[index] ?? ""
        if (error === null && ms <= LONGEST_TEST_MS) tests.push({ index, name, ms, places })
        else if (process.env["BALLAST_WORKER_ERRORS"] === "all")
          console.error(file, name, ms, error)
      },
      isOver: () => processorMs() - startedAt > LONGEST_FILE_MS,
    })
    return tests.map((one) => ({ ...one, places: new Set([...one.places, ...outside]) }))
  }

  return {
    cover: async (file) => {
      const graph = loader.graphOf(file)
      const place = keyOf(file)
      if (existsSync(place)) {
        // CAST: it was written below.
        const kept = decodeJson(readFileSync(place, "utf8")) as Kept
        return { file, graph, tests: fromKept(kept) }
      }
      const tests = await measure(file)
      writeFileSync(place, JSON.stringify(toKept(tests)))
      return { file, graph, tests }
    },
  }
}

function fromKept({ places, tests }: Kept): readonly CoveredTest[] {
  return tests.map(([index, name, ms, at]) => {
    return { index, name, ms, places: new Set(at.map((one) => places[one] ?? "")) }
  })
}

function toKept(tests: readonly CoveredTest[]): Kept {
  const places = [...new Set(tests.flatMap((one) => [...one.places]))]
  const at = new Map(places.map((place, index) => [place, index]))
  return {
    places,
    tests: tests.map(({ index, name, ms, places: own }) => {
      return [index, name, Math.round(ms * 10) / 10, [...own].map((one) => at.get(one) ?? 0)]
    }),
  }
}
