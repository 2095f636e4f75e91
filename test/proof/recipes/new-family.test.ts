import { execFileSync } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"

/**
 * Performs the recipe "A new chain family" of docs/ARCHITECTURE.md in a scratch copy of the
 * sources.
 */
const ROOT = join(import.meta.dirname, "../../..")
const TOY = join(import.meta.dirname, "toy-family")

const CONFIG = {
  service: { url: "http://127.0.0.1:1" },
  chains: { toy_testnet: { family: "toy", key: "env:TOY_KEY" } },
  assets: { "toy_testnet:toy": { decimals: 6, htlc: ["toyhtlc"] } },
  guards: { max_cost: "60bps", min_native: { toy_testnet: "0.000001" } },
  // A family that Ballast does not know counts as real money, which needs limits.
  mode: "observe",
}

let scratch: string
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "recipe-"))
  for (const name of ["src", "config", "package.json"])
    cpSync(join(ROOT, name), join(scratch, name), { recursive: true })
  symlinkSync(join(ROOT, "node_modules"), join(scratch, "node_modules"))
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8"))
  const include = ["src/app/cli/main.ts", "src/edges/chains"]
  writeFileSync(
    join(scratch, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include, exclude: ["**/*.test.ts"] }),
  )
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

test("without the recipe, the configuration refuses the family", () => {
  expect(() => check()).toThrow(
    /chains\.toy_testnet\.family: expected bitcoin or evm or solana or starknet/,
  )
})

test("a folder and one line in the registry make a chain family", { timeout: 120_000 }, () => {
  const folder = join(scratch, "src", "edges", "chains", "toy")
  mkdirSync(folder)
  cpSync(TOY, folder, { recursive: true })
  register("toy")
  expect(run("node_modules/typescript/bin/tsc", "-p", ".")).toBe("")
  expect(JSON.parse(check())).toMatchObject({
    ok: true,
    chains: [{ chain: "toy_testnet", family: "toy", account: "toywallet" }],
    assets: ["toy_testnet:toy"],
  })
})

/** The one edit outside the family's folder. */
function register(name: string): void {
  const file = join(scratch, "src", "edges", "chains", "families.ts")
  const text = readFileSync(file, "utf8")
  const imported = `import { ${name}Family } from "#chains/${name}/family.ts"\n${text}`
  const listed = imported.replace("  starknetFamily,\n]", `  starknetFamily,\n  ${name}Family,\n]`)
  expect(listed).not.toBe(imported)
  writeFileSync(file, listed)
}

/** Returns the output of `ballast check`; throws the errors that it prints. */
function check(): string {
  writeFileSync(join(scratch, "toy.yaml"), JSON.stringify(CONFIG))
  return run("src/app/cli/main.ts", "check", "--config", "toy.yaml", "--json")
}

function run(...command: readonly string[]): string {
  const env = { ...process.env, TOY_KEY: "play" }
  return execFileSync(process.execPath, command, {
    cwd: scratch,
    env,
    encoding: "utf8",
    stdio: "pipe",
  })
}
