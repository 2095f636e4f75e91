import { execFileSync } from "node:child_process"
import { existsSync, globSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { measureDirectories, measureFunctions } from "../../scripts/complexity.ts"
import { findCircles } from "./find-circles.ts"
import { findLoneExports } from "./find-lone-exports.ts"
import { findModuleState, PROCESS_STATE } from "./find-module-state.ts"
import { findBannedNames, wordsOf } from "./lexicon.ts"
import {
  importedFiles,
  isTest,
  listFiles,
  ROOT,
  reachableFrom,
  readText,
  withoutComments,
} from "./sources.ts"

const SRC = listFiles("src")
const PRODUCTION = SRC.filter((file) => !isTest(file))
const EVERYTHING = listFiles("src", "test", "scripts", "bench")
const IMPORTS = new Map(
  [...EVERYTHING, ...listFiles("web")].map((file) => [file, importedFiles(file)]),
)

/** Started by hand after a change of a contract; their results are committed. */
const BUILD_STEPS = [
  "src/lab/sandbox/evm/compile.ts",
  "src/lab/sandbox/solana/program/build-program.ts",
]

/** Recipes show paths of files that a reader is to create. */
const PLACEHOLDER = /[A-Z]{3}|\/floor\b/

/** Wings, their rooms, and the families: every place with a README. */
const PLACES = globSync(["src/*", "src/*/*", "src/edges/chains/*"], { cwd: ROOT })
  .filter((place) => statSync(join(ROOT, place)).isDirectory())
  .sort()

describe("wings and rooms", () => {
  test("each has a README of at most 40 lines", () => {
    expect(PLACES.length).toBeGreaterThan(30)
    const missing = PLACES.filter((place) => !existsSync(join(ROOT, place, "README.md")))
    const long = PLACES.filter((place) => !missing.includes(place)).filter(
      (place) => readText(`${place}/README.md`).trimEnd().split("\n").length > 40,
    )
    expect({ missing, long }).toEqual({ missing: [], long: [] })
  })

  test("a README names only files that exist", () => {
    const known = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
      .filter((path) => !/(^|\/)(node_modules|\.git)\//.test(path))
      .map((path) => `/${path}`)
    const stale = PLACES.flatMap((place) =>
      [...readText(`${place}/README.md`).matchAll(/`([\w./-]+\.(?:ts|md|json|mjs|yaml))`/g)]
        .map((match) => match[1] ?? "")
        .filter((file) => !/[A-Z]{3}|^ballast\.yaml$/.test(file))
        .filter((file) => !known.some((path) => path.endsWith(`/${file}`)))
        .map((file) => `${place}/README.md: ${file}`),
    )
    expect(stale).toEqual([])
  })
})

test("the written docs stay short enough to be read", () => {
  // Pages and tables that a command makes from the code are references, and are looked up.
  const made = /\/(CONFIG|ERRORS|COMMANDS|LICENCES|PERFORMANCE)\.md$/
  const bytes = globSync("docs/{*,adr/*}.md", { cwd: ROOT })
    .filter((page) => !made.test(page))
    .map((page) => readText(page).replace(/<!-- ([\w-]+):start -->.*?<!-- \1:end -->/gs, ""))
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  expect(bytes).toBeGreaterThan(200 * 1024)
  expect(bytes).toBeLessThan(350 * 1024)
})

test("docs name only files that exist", () => {
  const docs = [
    ...globSync("{docs,docs/adr,test/proof/fault-sim,test/fixtures/*}/*.md", { cwd: ROOT }),
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
  ]
  const stale = docs.flatMap((doc) =>
    [
      ...readText(doc).matchAll(
        /\b((?:src|test|scripts|config|bin|bench|docs)\/[\w./-]*\w)(?![\w*-])/g,
      ),
    ]
      .map((match) => match[1] ?? "")
      .filter((path) => !PLACEHOLDER.test(path) && !existsSync(join(ROOT, path)))
      .map((path) => `${doc}: ${path}`),
  )
  expect(docs.length).toBeGreaterThan(15)
  expect(stale).toEqual([])
})

test("a link between documents leads to a file", () => {
  const documents = globSync(["*.md", "{docs,src,test}/**/*.md"], { cwd: ROOT })
  const dead = documents.flatMap((document) =>
    [...readText(document).matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)]
      .map((match) => match[1] ?? "")
      .filter((target) => !existsSync(join(ROOT, document, "..", target)))
      .map((target) => `${document}: ${target}`),
  )
  expect(documents.length).toBeGreaterThan(80)
  expect(dead).toEqual([])
})

describe("functions", () => {
  const sizes = measureDirectories(["src"], ROOT)

  test("none in src is more complex than 20 or longer than 70 lines", () => {
    expect(sizes.length).toBeGreaterThan(2_000)
    const over = sizes.filter(
      ({ complexity, lines, file }) => complexity > 20 || (lines > 70 && !isTest(file)),
    )
    expect(
      over.map(
        ({ file, line, name, complexity, lines }) =>
          `${file}:${line} ${name} ${complexity} ${lines}`,
      ),
    ).toEqual([])
  })

  test("the measure sees branches and length", () => {
    const text = `function f(a) {\n${"  if (a) g()\n".repeat(75)}}`
    expect(measureFunctions(text, "x.ts")).toMatchObject([{ name: "f", complexity: 76, lines: 77 }])
  })
})

describe("state", () => {
  test("none is at module level, where no owner shows it", () => {
    const known = new Set(Object.keys(PROCESS_STATE))
    const strays = PRODUCTION.flatMap((file) =>
      findModuleState(readText(file)).map((name) => `${file} ${name}`),
    )
    expect(strays.filter((stray) => !known.has(stray))).toEqual([])
  })

  test("the rule tells a table from state", () => {
    const text = [
      "let count = 0",
      "export const seen = new Map<string, number>()",
      "const list: string[] = []",
      "const TABLE: ReadonlyMap<string, number> = new Map([])",
      "const NONE: readonly string[] = []",
      "  const local = new Set()",
    ]
    expect(findModuleState(text.join("\n"))).toEqual(["count", "seen", "list"])
  })
})

describe("imports", () => {
  test("no files import each other in a circle", () => {
    expect(findCircles(IMPORTS)).toEqual([])
    expect(
      findCircles(
        new Map([
          ["a", ["b"]],
          ["b", ["c"]],
          ["c", ["a"]],
          ["d", ["a"]],
        ]),
      ),
    ).toEqual([["a", "b", "c"]])
  })

  test("each export has a user in another file", () => {
    const files = new Map(
      [...IMPORTS].map(([file, imports]) => [
        file,
        { text: withoutComments(readText(file)), imports },
      ]),
    )
    expect(findLoneExports(PRODUCTION, files)).toEqual([])
    const planted = new Map([
      ["a.ts", { text: "export type Lone = 1\nexport function used() {}", imports: [] }],
      ["b.ts", { text: 'import { used } from "./a.ts"', imports: ["a.ts"] }],
      ["c.ts", { text: "const Lone = 2", imports: [] }],
    ])
    expect(findLoneExports(["a.ts"], planted)).toEqual(["a.ts: Lone"])
  })

  test("tests in src import nothing from the folder test", () => {
    const strays = SRC.flatMap((file) =>
      (IMPORTS.get(file) ?? [])
        .filter((target) => target.startsWith("test/"))
        .map((target) => `${file}: ${target}`),
    )
    expect(strays).toEqual([])
  })

  test("each file of src serves the program, not only its tests", () => {
    const served = reachableFrom(
      [
        "src/app/cli/main.ts",
        "src/app/client/client.ts",
        ...BUILD_STEPS,
        ...listFiles("scripts", "bench"),
      ],
      IMPORTS,
    )
    expect(PRODUCTION.filter((file) => !served.has(file))).toEqual([])
  })
})

describe("the engine", () => {
  const WHOLE = /\bEngineContext\b/

  test("names its whole context only where it is composed", () => {
    const composed = /^src\/engine\/(engine|context|live-context)\.ts$/
    const named = PRODUCTION.filter((file) => /^src\/(engine|lab)\//.test(file)).filter(
      (file) => !composed.test(file) && WHOLE.test(withoutComments(readText(file))),
    )
    expect(named).toEqual([])
    expect(WHOLE.test("function perform(context: EngineContext)")).toBe(true)
    expect(WHOLE.test("function perform(context: WorkContext)")).toBe(false)
  })
})

describe("chain families", () => {
  const LITERAL = /"(bitcoin|evm|solana|starknet)"|\bfamily\b\s*(===|!==)/

  test("only chains, config and sandbox name them", () => {
    const strays = PRODUCTION.filter(
      (file) => !/^src\/(edges\/chains|app\/config|lab\/sandbox)\//.test(file),
    ).filter((file) => LITERAL.test(withoutComments(readText(file))))
    expect(strays).toEqual([])
    expect(LITERAL.test('if (chain.family === "evm")')).toBe(true)
  })

  test("reach their nodes through the room of nodes, with little code of their own", () => {
    const own = PRODUCTION.filter((file) => /^src\/edges\/chains\/\w+\//.test(file))
    const client = /"(node:(https?|http2|net|tls)|undici|ws)"|\b(http|webSocket)\(|RpcProvider\(/
    expect(own.filter((file) => client.test(withoutComments(readText(file))))).toEqual([])
    // The clients and the readers of a quorum; what a family believes, or a feed's contract, is
    // another subject.
    const access = own
      .filter((file) => /\/\w+\/(nodes\/[\w-]+|rpc|node|esplora)\.ts$/.test(file))
      .filter((file) => !/(trust|price-feed|l1-fee|genesis|bitcoin\/nodes\/read-block)/.test(file))
    expect(access.length).toBeGreaterThan(15)
    const lines = access.map((file) => readText(file).trimEnd().split("\n").length)
    expect(lines.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(2_400)
  })
})

describe("rule kinds", () => {
  const LITERAL = /"(recurring|band|weights|sweep)"/

  test("only their folders name them", () => {
    const strays = PRODUCTION.filter((file) => !file.startsWith("src/core/policy/rules/")).filter(
      (file) => LITERAL.test(withoutComments(readText(file))),
    )
    expect(strays).toEqual([])
  })
})

describe("words", () => {
  test("names keep to the lexicon", () => {
    const strays = EVERYTHING.filter((file) => !file.startsWith("test/tidy")).flatMap((file) =>
      findBannedNames(file, withoutComments(readText(file))).map((name) => `${file}: ${name}`),
    )
    expect(strays).toEqual([])
  })

  test("the lexicon finds a banned word in a name, and not in a string", () => {
    const lines = [{ word: "b", banned: ["look"], allowed: ["lookOk"] }]
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code of a template string.
    const code = 'const firstLook = "look"; lookOk(`look ${lookAt}`)'
    expect(findBannedNames("src/a/look-up.ts", code, lines)).toEqual([
      "look-up (look)",
      "firstLook (look)",
      "lookAt (look)",
    ])
    expect(wordsOf("MAX_SIMPLE2Moves")).toEqual(["max", "simple2", "moves"])
  })

  test("two rooms export no function of the same name", () => {
    const owners = new Map<string, Set<string>>()
    for (const file of PRODUCTION.filter(
      (file) => !/^src\/(lab\/sandbox|edges\/chains)\//.test(file),
    )) {
      for (const [, name = ""] of withoutComments(readText(file)).matchAll(
        /^export (?:async )?function (\w+)/gm,
      )) {
        owners.set(name, (owners.get(name) ?? new Set()).add(file))
      }
    }
    const doubled = [...owners]
      .filter(([, files]) => files.size > 1)
      .map(([name, files]) => `${name}: ${[...files].join(" ")}`)
    expect(doubled).toEqual([])
  })

  test("comments and docs have few headless clauses", () => {
    const report = execFileSync(process.execPath, ["scripts/plain-words.mjs", "."], {
      cwd: ROOT,
      encoding: "utf8",
    })
    const rates = [...report.matchAll(/: ([\d.]+) per 1000 words \(\d+ of (\d+)\)/g)].map((match) =>
      match.slice(1).map(Number),
    )
    expect(rates).toHaveLength(2)
    expect(rates[0]?.[1]).toBeGreaterThan(30_000)
    expect(rates[0]?.[0]).toBeLessThan(2)
    expect(rates[1]?.[0]).toBeLessThan(1)
  })
})
