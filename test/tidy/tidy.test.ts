import { globSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { describe, expect, test } from "vitest"
import { sourceOf } from "../support/source-of.ts"

const ROOT = join(import.meta.dirname, "../..")
const SOURCES = globSync("src/**/*.ts", { cwd: ROOT }).sort()
const PRODUCTION = SOURCES.filter((file) => !file.endsWith(".test.ts"))

/** What the rooms of a wing may import of other wings. `app` wires everything together. */
const WINGS: Readonly<Record<string, readonly string[]>> = {
  app: ["lab", "engine", "edges", "core"],
  lab: ["engine", "core"],
  engine: ["core"],
  edges: ["core"],
  core: [],
}

/** The edges that other edges may import. */
const SHARED_EDGES = ["kms", "nodes", "pkcs11", "routes"]

/** Inside of a wing: the rooms that each room may import besides itself. `*`: all of them. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ["lib"],
  ports: ["domain", "lib"],
  guards: ["domain", "lib"],
  schema: ["domain", "lib"],
  policy: ["schema", "domain", "lib"],
  order: ["schema", "guards", "domain", "lib"],
  books: ["order", "guards", "domain", "lib"],
  health: ["schema", "domain", "lib"],
  pkcs11: [],
  kms: ["nodes"],
  nodes: [],
  routes: ["nodes"],
  chains: ["kms", "nodes", "pkcs11", "routes"],
  service: ["nodes"],
  prices: ["nodes"],
  alerts: ["nodes"],
  telemetry: ["nodes"],
  // The registry is the only file that knows the families.
  "chains/families": ["chains", "chains/*"],
  tower: ["engine"],
  "policy-test": ["backtest"],
  config: ["alerts", "chains", "chains/families", "kms", "nodes", "pkcs11", "routes"],
  ops: ["agent"],
  client: [],
  daemon: ["*"],
  cli: ["*"],
}

/**
 * The rooms of other wings that a room may import; without an entry, all rooms of the wings below.
 */
const ONLY_BELOW: Readonly<Record<string, readonly string[]>> = {
  config: [
    "policy",
    "guards",
    "schema",
    "domain",
    "lib",
    "alerts",
    "chains",
    "chains/families",
    "kms",
    "nodes",
    "pkcs11",
    "routes",
  ],
  ops: ["schema", "order", "domain", "lib"],
  client: [],
  backtest: ["engine", "books", "order", "guards", "policy", "domain", "lib"],
  "policy-test": ["order", "guards", "policy", "schema", "domain", "lib"],
  sandbox: ["domain", "lib"],
  engine: ["order", "books", "guards", "policy", "domain", "lib", "ports"],
  tower: ["order", "domain", "lib", "ports"],
  chains: ["ports", "domain", "lib", "schema"],
  "chains/families": ["ports", "domain", "lib"],
  service: ["ports", "domain", "lib"],
  routes: ["ports", "schema", "domain", "lib"],
  prices: ["ports", "domain", "lib"],
  journal: ["ports", "domain", "lib"],
  signer: ["ports", "domain", "lib"],
  cluster: ["lib"],
  nodes: ["ports", "domain", "lib"],
  pkcs11: ["lib"],
  kms: ["lib"],
  alerts: ["health", "domain", "lib"],
  telemetry: ["ports", "order", "domain", "lib"],
}

/** A chain family is a folder of `chains`; a new one needs no entry here. */
const FAMILY_MAY_IMPORT = [
  "ports",
  "domain",
  "lib",
  "schema",
  "kms",
  "nodes",
  "pkcs11",
  "routes",
  "chains",
]

/**
 * Each third-party SDK lives in one room. The sandbox lists its own SDKs, because it shares no code
 * with that room.
 */
const SDK_ROOMS: Readonly<Record<string, readonly string[]>> = {
  "@modelcontextprotocol/server": ["agent", "ops", "cli"],
  xstate: ["order"],
  viem: ["chains/evm", "sandbox"],
  "bitcoinjs-lib": ["chains/bitcoin", "sandbox"],
  ecpair: ["chains/bitcoin", "sandbox"],
  "tiny-secp256k1": ["chains/bitcoin", "chains/evm", "routes", "sandbox"],
  "@scure/btc-signer": ["chains/bitcoin"],
  "@scure/base": ["chains/bitcoin", "chains/solana"],
  "@scure/bip32": ["chains/bitcoin", "chains/evm", "chains/starknet"],
  "@scure/bip39": ["chains"],
  "micro-key-producer": ["chains/solana"],
  "@noble/hashes": ["chains/bitcoin", "chains/evm", "routes", "config"],
  "@solana/web3.js": ["chains/solana", "sandbox"],
  starknet: ["chains/starknet", "sandbox"],
  "cron-parser": ["policy"],
  "node-cron": ["daemon"],
  "fast-check": ["policy-test"],
  pg: ["cluster"],
  "node:sqlite": ["journal", "daemon", "signer"],
  undici: ["nodes", "cli", "sandbox"],
  koffi: ["pkcs11"],
  aws4fetch: ["kms"],
  pino: ["lib"],
  dotenv: ["cli"],
  yaml: ["config"],
  hono: ["ops", "sandbox"],
  "@hono/node-server": ["daemon", "sandbox"],
  "prom-client": ["ops"],
  highs: ["engine"],
  nodemailer: ["alerts"],
}

/**
 * Calls that belong to one owner: all other code gets time, randomness, network and environment as
 * arguments.
 */
const OWNED_CALLS: readonly { readonly call: RegExp; readonly owners: readonly RegExp[] }[] = [
  { call: /\bDate\.now\(/, owners: [/^src\/core\/lib\/clock\.ts$/, /^src\/lab\/sandbox\//] },
  { call: /\bMath\.random\(/, owners: [] },
  {
    call: /\bsetTimeout\(|\bsetInterval\(/,
    owners: [
      /^src\/core\/lib\/(clock|log-writer)\.ts$/,
      /^src\/lab\/sandbox\//,
      /^src\/app\/cli\/follow-parent\.ts$/,
      /^src\/app\/daemon\/watch\/watchdog\.ts$/,
    ],
  },
  {
    call: /\bprocess\.env\b/,
    // The first exchange opens the way out, by the proxies of the environment.
    owners: [
      /^src\/app\/cli\/main\.ts$/,
      /^src\/lab\/sandbox\//,
      /^src\/edges\/nodes\/open-network\.ts$/,
    ],
  },
  { call: /(?<![.\w])(globalThis\.)?fetch\((?!"\/|`\/)/, owners: [/^src\/lab\/sandbox\//] },
  {
    call: /\.reveal\(\)/,
    owners: [
      /^src\/edges\/chains\/\w+\/(signer|wallet|keys\/read-account)\.ts$/,
      /^src\/app\/ops\/caller\.ts$/,
      /^src\/app\/cli\/call-daemon\.ts$/,
      /^src\/edges\/alerts\/(send-message|heartbeat|telegram-bot)\.ts$/,
      /^src\/edges\/cluster\/open-cluster-database\.ts$/,
      /^src\/app\/daemon\/serve\/listen\.ts$/,
      /^src\/core\/lib\/secret(-keeper)?\.ts$/,
      /^src\/edges\/service\/client\.ts$/,
      /^src\/edges\/telemetry\/post-spans\.ts$/,
      /^src\/engine\/orders\/pay\/own-secret\.ts$/,
      /^src\/app\/config\//,
    ],
  },
  { call: /\bconsole\./, owners: [/^src\/lab\/sandbox\/evm\/compile\.ts$/] },
]

/** 500 before lines had 100 columns. */
const LONGEST_FILE = 620

const BANNED_NAMES = /(^|\/)(utils?|helpers?|common|misc|types|constants|manager)(\/|\.ts$)/

describe("the rules of the sources", () => {
  test("see all rooms", () => {
    expect(PRODUCTION.length).toBeGreaterThan(150)
    expect(new Set(PRODUCTION.map(roomOf)).size).toBeGreaterThan(12)
  })

  test("a room imports only what it may", () => {
    expect(PRODUCTION.flatMap(findForeignImports)).toEqual([])
  })

  test("the rule about imports can fail", () => {
    expect(checkImport("order", "#engine/orders/worker.ts")).toBe(false)
    expect(checkImport("engine", "#chains/evm/family.ts")).toBe(false)
    expect(checkImport("engine", "#ports/chain.ts")).toBe(true)
    expect(checkImport("engine", "#chains/families.ts")).toBe(false)
    expect(checkImport("chains/evm", "#chains/families.ts")).toBe(false)
    expect(checkImport("chains/evm", "#chains/timelock-bounds.ts")).toBe(true)
    expect(checkImport("chains/families", "#chains/evm/family.ts")).toBe(true)
    expect(checkImport("chains/families", "#engine/orders/worker.ts")).toBe(false)
    expect(checkImport("config", "#chains/families.ts")).toBe(true)
    expect(checkImport("config", "#chains/evm/family.ts")).toBe(false)
    expect(checkImport("sandbox", "#service/wire.ts")).toBe(false)
    expect(checkImport("service", "#chains/family-definition.ts")).toBe(false)
    expect(checkImport("chains/evm", "#chains/bitcoin/htlc.ts")).toBe(false)
    expect(checkImport("domain", "#ports/chain.ts")).toBe(false)
  })

  test("a wing has only wings and rooms, and each folder a size that one can read", () => {
    expect(readdirSync(join(ROOT, "src")).sort()).toEqual(Object.keys(WINGS).sort())
    const sizes = new Map<string, number>()
    for (const file of PRODUCTION.filter((file) => !file.includes("/migrations/")))
      sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1)
    expect([...sizes].filter(([, files]) => files > 25)).toEqual([])
  })

  test("only one command and tests use the sandbox", () => {
    const users = PRODUCTION.filter(
      (file) => !file.startsWith("src/lab/sandbox/") && /from "#sandbox\//.test(read(file)),
    )
    expect(users).toEqual(["src/app/cli/actions/setup/run-sandbox.ts"])
  })

  test("an SDK lives in one room", () => {
    const strays = PRODUCTION.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const rooms = SDK_ROOMS[packageOf(specifier)]
        return rooms === undefined || rooms.includes(roomOf(file)) ? [] : [`${file}: ${specifier}`]
      }),
    )
    expect(strays).toEqual([])
  })

  test("Ballast runs without its development dependencies", () => {
    expect(PRODUCTION.filter((file) => file !== COMPILER).flatMap(findUndeclared)).toEqual([])
    // The rule can fail: the compiler of the sandbox's contracts, which a person runs after a
    // change of a contract, needs one.
    expect(findUndeclared(COMPILER)).toEqual([`${COMPILER}: solc`])
  })

  test("a relative import never leaves its room, and imports name their file", () => {
    const strays = PRODUCTION.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith("."))
        .filter((specifier) => {
          const target = relative(ROOT, join(ROOT, file, "..", specifier))
          const leaves = roomOf(target) !== roomOf(file)
          return leaves || !/\.(ts|json)$/.test(specifier)
        })
        .map((specifier) => `${file}: ${specifier}`),
    )
    expect(strays).toEqual([])
  })

  test("time, randomness, network, environment and keys stay with their owners", () => {
    const strays = PRODUCTION.flatMap((file) =>
      OWNED_CALLS.filter(
        ({ call, owners }) => call.test(code(file)) && !owners.some((owner) => owner.test(file)),
      ).map(({ call }) => `${file}: ${call}`),
    )
    expect(strays).toEqual([])
  })

  test("every cast says why", () => {
    expect(PRODUCTION.flatMap(findBareCasts)).toEqual([])
    expect(findBareCastsIn("x.ts", ["const a = b as Foo"])).toHaveLength(1)
    expect(findBareCastsIn("x.ts", ["// CAST: because", "const a = b as Foo"])).toEqual([])
  })

  test("the linter reads every file whole, and no file asserts that a value is there", () => {
    const optOut = /biome-ignore(-all|-start)|biome-ignore lint(\/style)?(:|\/noNonNullAssertion)/
    const files = globSync("{src,web,test,bench,scripts}/**/*.{ts,tsx}", { cwd: ROOT })
    expect(files.filter((file) => optOut.test(read(file)))).toEqual([])
    const biome: unknown = JSON.parse(read("biome.json"))
    expect(biome).toMatchObject({ linter: { rules: { style: { noNonNullAssertion: "error" } } } })
    expect(JSON.stringify(biome).match(/noNonNullAssertion/g)).toHaveLength(1)
    expect(optOut.test(`// biome-ignore ${"lint/style/noNonNullAssertion"}: an index`)).toBe(true)
    expect(optOut.test("// biome-ignore lint/suspicious/noThenProperty: a key")).toBe(false)
  })

  test("files are named after one thing, and short enough to be read", () => {
    expect(
      SOURCES.filter((file) => BANNED_NAMES.test(file) || !/^[a-z0-9./-]+$/.test(file)),
    ).toEqual([])
    const long = SOURCES.map((file) => ({ file, lines: read(file).split("\n").length })).filter(
      ({ lines }) => lines > LONGEST_FILE,
    )
    expect(long).toEqual([])
  })

  test("every error and reason code is explained in docs/ERRORS.md", () => {
    const docs = read("docs/ERRORS.md")
    const codes = new Set(
      PRODUCTION.filter((file) => !file.startsWith("src/lab/sandbox/")).flatMap(findCodes),
    )
    expect(codes.size).toBeGreaterThan(60)
    expect([...codes].filter((name) => !docs.includes(`\`${name}\``)).sort()).toEqual([])
  })
})

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8")
}

/**
 * The file without comments and strings of prose, so that a word in a sentence is not taken for a
 * call.
 */
function code(file: string): string {
  return read(file)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/\s\/\/ .*$/gm, "")
}

function wingOf(file: string): string {
  return file.split("/")[1] ?? ""
}

/**
 * A folder of a wing. The wing `engine` is one room beside the watchtower; each chain family is a
 * room too.
 */
function roomOf(file: string): string {
  const [, wing = "", room = "", family = "", ...rest] = file.split("/")
  if (wing === "engine") return room === "tower" ? "tower" : "engine"
  if (file === "src/edges/chains/families.ts") return "chains/families"
  return room === "chains" && rest.length > 0 ? `chains/${family}` : room
}

function importsOf(file: string): string[] {
  const text = code(file)
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(
    (match) => match[1] ?? "",
  )
  return found.filter((specifier) => specifier !== "")
}

function packageOf(specifier: string): string {
  const parts = specifier.split("/")
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "")
}

const COMPILER = "src/lab/sandbox/evm/compile.ts"

/** Imports of packages that `npm ci --omit=dev` does not promise. */
function findUndeclared(file: string): string[] {
  // CAST: the shape of a package.json.
  const { dependencies } = JSON.parse(read("package.json")) as {
    dependencies: Record<string, string>
  }
  const imports = code(file).matchAll(
    /^(?:import\b.*|export\b.*|\}) from "([^"]+)"$|^import "([^"]+)"$|\bimport\("([^"]+)"\)/gm,
  )
  const packages = [...imports].map(
    (match) => match.slice(1).find((specifier) => specifier !== undefined) ?? "",
  )
  return (
    packages
      .filter((specifier) => !/^(node:|\.|#)/.test(specifier))
      .filter((specifier) => !(packageOf(specifier) in dependencies))
      // The types of an optional package vanish when the file is loaded.
      .filter((specifier) => !code(file).includes(`import type * as Koffi from "${specifier}"`))
      .map((specifier) => `${file}: ${specifier}`)
  )
}

function findForeignImports(file: string): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith("#"))
    .filter((specifier) => !checkImport(roomOf(file), specifier, wingOf(file)))
    .map((specifier) => `${file}: ${specifier}`)
}

function checkImport(from: string, specifier: string, wing = wingOfRoom(from)): boolean {
  const target = sourceOf(specifier)
  const room = roomOf(target)
  if (room === from) return true
  if (from.startsWith("chains/") && from !== "chains/families")
    return FAMILY_MAY_IMPORT.includes(room)
  if (wingOf(target) === wing) {
    const allowed = MAY_IMPORT[from] ?? SHARED_EDGES
    const group = room.replace(/\/.*/, "/*")
    return allowed.includes("*") || allowed.includes(room) || allowed.includes(group)
  }
  if (!(WINGS[wing] ?? []).includes(wingOf(target))) return false
  return ONLY_BELOW[from]?.includes(room) ?? true
}

function wingOfRoom(room: string): string {
  const file = PRODUCTION.find((one) => roomOf(one) === room)
  return wingOf(file ?? "")
}

function findBareCasts(file: string): string[] {
  return findBareCastsIn(file, read(file).split("\n"))
}

function findBareCastsIn(file: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const bare = line
      .replace(/\/?\*.*$/, "")
      .replace(/\/\/.*$/, "")
      .replace(/"(\\.|[^"])*"|'(\\.|[^'])*'|`[^`]*`/g, '""')
    const renames =
      /^\s*(import|export)\b/.test(line) ||
      /^\s*(type )?\w+ as \w+,?$/.test(line) ||
      / as ""/.test(bare)
    if (!/\bas (?!const\b)[A-Za-z{([]/.test(bare) || renames || /^[^{]*\[\w+ in .* as /.test(bare))
      return []
    const near = lines.slice(Math.max(0, index - 8), index + 1).join("\n")
    return near.includes("CAST:") ? [] : [`${file}:${index + 1}: ${line.trim()}`]
  })
}

function findCodes(file: string): string[] {
  return [...read(file).matchAll(/code: "([a-z_]+\.[a-z_0-9.]+)"/g)].map((match) => match[1] ?? "")
}
