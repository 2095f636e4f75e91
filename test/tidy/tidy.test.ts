import { globSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { describe, expect, test } from "vitest"

const ROOT = join(import.meta.dirname, "../..")
const SOURCES = globSync("src/**/*.ts", { cwd: ROOT }).sort()
const PRODUCTION = SOURCES.filter((file) => !file.endsWith(".test.ts"))

/** The rooms that each room may import besides itself. `*` in the hull: those wire everything. `port` means only that room's port.ts. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ["lib"],
  guards: ["domain", "lib"],
  policy: ["schema", "domain", "lib"],
  order: ["guards", "domain", "lib"],
  books: ["order", "guards", "domain", "lib"],
  schema: ["domain", "lib"],
  pkcs11: ["lib"],
  service: ["domain", "lib", "chains/port"],
  "chains/port": ["pkcs11", "domain", "lib", "schema"],
  // The registry is the only file that knows the families.
  "chains/families": ["chains/*", "domain", "lib"],
  "service/port": ["domain", "lib"],
  "journal/port": ["domain"],
  "prices/port": ["domain"],
  prices: ["domain", "lib"],
  journal: ["domain", "lib", "journal/port"],
  cluster: ["lib"],
  engine: [
    "order",
    "books",
    "guards",
    "policy",
    "domain",
    "lib",
    "chains/port",
    "service/port",
    "journal/port",
    "prices/port",
  ],
  backtest: ["engine", "books", "order", "guards", "policy", "domain", "lib"],
  "policy-test": ["backtest", "order", "guards", "policy", "schema", "domain", "lib"],
  "alerts/port": ["lib"],
  alerts: ["health", "domain", "lib"],
  config: ["alerts/port", "policy", "chains/families", "chains/port", "pkcs11", "schema", "domain", "lib"],
  ops: ["order", "domain", "lib"],
  health: ["domain", "lib"],
  sandbox: ["domain", "lib"],
  tower: ["engine", "order", "domain", "lib", "chains/port"],
  signer: ["chains/port", "domain", "lib"],
  telemetry: ["order", "domain", "lib", "journal/port"],
  daemon: ["*"],
  cli: ["*"],
}

/** A chain family is a folder of `chains`; a new one needs no entry here. */
const FAMILY_MAY_IMPORT = ["domain", "lib", "schema", "pkcs11", "chains/port"]

/** Each third-party SDK lives in one room. The sandbox lists its own SDKs, because it shares no code with that room. */
const SDK_ROOMS: Readonly<Record<string, readonly string[]>> = {
  xstate: ["order"],
  viem: ["chains/evm", "sandbox"],
  "bitcoinjs-lib": ["chains/bitcoin", "sandbox"],
  ecpair: ["chains/bitcoin", "sandbox"],
  "tiny-secp256k1": ["chains/bitcoin", "chains/evm", "sandbox"],
  "@scure/btc-signer": ["chains/bitcoin"],
  "@scure/base": ["chains/bitcoin", "chains/solana"],
  "@scure/bip32": ["chains/bitcoin", "chains/evm", "chains/starknet"],
  "@scure/bip39": ["chains/port"],
  "micro-key-producer": ["chains/solana"],
  "@noble/hashes": ["chains/bitcoin", "chains/evm", "config"],
  "@solana/web3.js": ["chains/solana", "sandbox"],
  starknet: ["chains/starknet", "sandbox"],
  "cron-parser": ["policy"],
  "node-cron": ["daemon"],
  "fast-check": ["policy-test"],
  pg: ["cluster"],
  "node:sqlite": ["journal", "daemon", "signer"],
  koffi: ["pkcs11"],
  pino: ["lib"],
  "csv-stringify": ["books"],
  dotenv: ["cli"],
  yaml: ["config"],
  hono: ["ops", "sandbox"],
  "@hono/node-server": ["daemon", "sandbox"],
  "prom-client": ["ops"],
  highs: ["engine"],
  nodemailer: ["alerts"],
}

/** Calls that belong to one owner: all other code gets time, randomness, network and environment as arguments. */
const OWNED_CALLS: readonly { readonly call: RegExp; readonly owners: readonly RegExp[] }[] = [
  { call: /\bDate\.now\(/, owners: [/^src\/lib\/clock\.ts$/, /^src\/sandbox\//] },
  { call: /\bMath\.random\(/, owners: [] },
  {
    call: /\bsetTimeout\(|\bsetInterval\(/,
    owners: [
      /^src\/lib\/clock\.ts$/,
      /^src\/sandbox\//,
      /^src\/cli\/follow-parent\.ts$/,
      /^src\/daemon\/watchdog\.ts$/,
    ],
  },
  { call: /\bprocess\.env\b/, owners: [/^src\/cli\/main\.ts$/, /^src\/sandbox\//] },
  { call: /(?<![.\w])(globalThis\.)?fetch\((?!"\/|`\/)/, owners: [/^src\/sandbox\//] },
  {
    call: /\.reveal\(\)/,
    owners: [
      /^src\/chains\/\w+\/(signer|wallet|read-account)\.ts$/,
      /^src\/ops\/caller\.ts$/,
      /^src\/alerts\/(send-message|heartbeat)\.ts$/,
      /^src\/cluster\/open-cluster-database\.ts$/,
      /^src\/daemon\/listen\.ts$/,
      /^src\/lib\/secret(-keeper)?\.ts$/,
      /^src\/service\/client\.ts$/,
      /^src\/telemetry\/post-spans\.ts$/,
      /^src\/engine\/own-secret\.ts$/,
      /^src\/config\//,
    ],
  },
  { call: /\bconsole\./, owners: [/^src\/sandbox\/evm\/compile\.ts$/] },
]

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
    expect(checkImport("order", "engine/worker")).toBe(false)
    expect(checkImport("engine", "chains/evm/family")).toBe(false)
    expect(checkImport("engine", "chains/port")).toBe(true)
    expect(checkImport("engine", "chains/families")).toBe(false)
    expect(checkImport("chains/evm", "chains/families")).toBe(false)
    expect(checkImport("chains/families", "chains/evm/family")).toBe(true)
    expect(checkImport("chains/families", "engine/worker")).toBe(false)
    expect(checkImport("config", "chains/families")).toBe(true)
    expect(checkImport("config", "chains/evm/family")).toBe(false)
    expect(checkImport("sandbox", "service/wire")).toBe(false)
    expect(checkImport("chains/evm", "chains/bitcoin/htlc")).toBe(false)
  })

  test("only one command and tests use the sandbox", () => {
    const users = PRODUCTION.filter((file) => !file.startsWith("src/sandbox/") && /from "#sandbox\//.test(read(file)))
    expect(users).toEqual(["src/cli/actions/run-sandbox.ts"])
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
    // The rule can fail: the compiler of the sandbox's contracts, which a person runs after a change of a contract, needs one.
    expect(findUndeclared(COMPILER)).toEqual([`${COMPILER}: solc`])
  })

  test("a relative import never leaves its room, and imports name their file", () => {
    const strays = PRODUCTION.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith("."))
        .filter((specifier) => {
          const target = relative(ROOT, join(ROOT, file, "..", specifier))
          const leaves =
            roomOf(target) !== roomOf(file) && !target.endsWith("/port.ts") && !roomOf(target).endsWith("/port")
          return leaves || !/\.(ts|json)$/.test(specifier)
        })
        .map((specifier) => `${file}: ${specifier}`),
    )
    expect(strays).toEqual([])
  })

  test("time, randomness, network, environment and keys stay with their owners", () => {
    const strays = PRODUCTION.flatMap((file) =>
      OWNED_CALLS.filter(({ call, owners }) => call.test(code(file)) && !owners.some((owner) => owner.test(file))).map(
        ({ call }) => `${file}: ${call}`,
      ),
    )
    expect(strays).toEqual([])
  })

  test("every cast says why", () => {
    expect(PRODUCTION.flatMap(findBareCasts)).toEqual([])
    expect(findBareCastsIn("x.ts", ["const a = b as Foo"])).toHaveLength(1)
    expect(findBareCastsIn("x.ts", ["// CAST: because", "const a = b as Foo"])).toEqual([])
  })

  test("files are named after one thing, and short enough to be read", () => {
    expect(SOURCES.filter((file) => BANNED_NAMES.test(file) || !/^[a-z0-9./-]+$/.test(file))).toEqual([])
    const long = SOURCES.map((file) => ({ file, lines: read(file).split("\n").length })).filter(
      ({ lines }) => lines > 500,
    )
    expect(long).toEqual([])
  })

  test("every error and reason code is explained in docs/ERRORS.md", () => {
    const docs = read("docs/ERRORS.md")
    const codes = new Set(PRODUCTION.filter((file) => !file.startsWith("src/sandbox/")).flatMap(findCodes))
    expect(codes.size).toBeGreaterThan(60)
    expect([...codes].filter((name) => !docs.includes(`\`${name}\``)).sort()).toEqual([])
  })
})

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8")
}

/** The file without comments and strings of prose, so that a word in a sentence is not taken for a call. */
function code(file: string): string {
  return read(file)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/\s\/\/ .*$/gm, "")
}

function roomOf(file: string): string {
  const parts = file.split("/")
  if (file === "src/chains/families.ts") return "chains/families"
  if (parts[1] === "chains") return parts.length > 3 ? `chains/${parts[2]}` : "chains/port"
  if (file === "src/journal/signing-record.ts") return "journal/port"
  if (parts[2] === "port.ts") return `${parts[1]}/port`
  return parts[1] ?? ""
}

function importsOf(file: string): string[] {
  const text = code(file)
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "")
  return found.filter((specifier) => specifier !== "")
}

function packageOf(specifier: string): string {
  const parts = specifier.split("/")
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "")
}

const COMPILER = "src/sandbox/evm/compile.ts"

/** Imports of packages that `npm ci --omit=dev` does not promise. */
function findUndeclared(file: string): string[] {
  // CAST: the shape of a package.json.
  const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> }
  const imports = code(file).matchAll(
    /^(?:import\b.*|export\b.*|\}) from "([^"]+)"$|^import "([^"]+)"$|\bimport\("([^"]+)"\)/gm,
  )
  const packages = [...imports].map((match) => match.slice(1).find((specifier) => specifier !== undefined) ?? "")
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
    .filter((specifier) => !checkImport(roomOf(file), specifier.slice(1).replace(/\.ts$/, "")))
    .map((specifier) => `${file}: ${specifier}`)
}

function checkImport(from: string, target: string): boolean {
  const allowed = MAY_IMPORT[from] ?? (from.startsWith("chains/") ? FAMILY_MAY_IMPORT : undefined)
  if (allowed === undefined) return false
  const room = roomOf(`src/${target}.ts`)
  const anyOf = allowed.includes("*") || allowed.includes(room.replace(/\/.*/, "/*"))
  return anyOf || room === from || allowed.includes(room) || room.startsWith(`${from}/port`)
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
    const renames = /^\s*(import|export)\b/.test(line) || /^\s*(type )?\w+ as \w+,?$/.test(line) || / as ""/.test(bare)
    if (!/\bas (?!const\b)[A-Za-z{([]/.test(bare) || renames || /^[^{]*\[\w+ in .* as /.test(bare)) return []
    const near = lines.slice(Math.max(0, index - 3), index + 1).join("\n")
    return near.includes("CAST:") ? [] : [`${file}:${index + 1}: ${line.trim()}`]
  })
}

function findCodes(file: string): string[] {
  return [...read(file).matchAll(/code: "([a-z_]+\.[a-z_0-9.]+)"/g)].map((match) => match[1] ?? "")
}
