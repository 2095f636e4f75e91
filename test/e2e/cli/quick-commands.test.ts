import { spawnSync } from "node:child_process"
import { globSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"

const ROOT = join(import.meta.dirname, "../../..")
/**
 * Each takes a tenth of a second or more to load, and only a question to a node or to a service
 * needs one.
 */
const HEAVY = [
  "viem",
  "undici",
  "bitcoinjs-lib",
  "tiny-secp256k1",
  "starknet",
  "@solana/web3.js",
  "highs",
  "koffi",
]
/** About a third of a millisecond for each. */
const MOST_MODULES = 480

/** Prints every module that the process loads, after its own output. */
const HOOK = `
  import { registerHooks } from "node:module"
  const seen = []
  registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) })
  process.on("exit", () => process.stderr.write("\\nMODULES " + JSON.stringify(seen)))`

function listModules(...args: readonly string[]): readonly string[] {
  const hook = join(mkdtempSync(join(tmpdir(), "ballast-hook-")), "hook.mjs")
  writeFileSync(hook, HOOK)
  const { stderr, status } = spawnSync(process.execPath, ["--import", hook, ...args], {
    cwd: ROOT,
    encoding: "utf8",
  })
  expect(status, stderr).toBe(0)
  return JSON.parse(stderr.split("\nMODULES ").at(-1) ?? "[]") as string[]
}

function fileOf(action: string): string {
  const [file = action] = globSync(`src/app/cli/actions/*/${action}.ts`, { cwd: ROOT })
  return join(ROOT, file)
}

const packagesOf = (modules: readonly string[]): readonly string[] => [
  ...new Set(
    modules.flatMap(
      (url) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1] ?? [],
    ),
  ),
]

// The time of a command depends on the machine, and the modules that it loads do not.
describe("a command that asks no node", () => {
  test.each(["check", "wallet"])("%s loads no library of a chain", (command) => {
    const modules = listModules("src/app/cli/main.ts", command, "--config", "config/sandbox.yaml")
    expect(packagesOf(modules).filter((name) => HEAVY.includes(name))).toEqual([])
    expect(modules.length).toBeGreaterThan(100)
    expect(modules.length).toBeLessThan(MOST_MODULES)
  })

  test("check backtests no rules that can make no circle", () => {
    const modules = listModules("src/app/cli/main.ts", "check", "config/sandbox.yaml")
    expect(modules.filter((url) => url.includes("/backtest/run-seed.ts"))).toEqual([])
  })

  test.each([
    "show-status",
    "list-rules",
    "list-orders",
    "list-alerts",
    "show-order",
    "explain-rule",
    "report-swaps",
  ])("%s loads no library of a chain and no client of a service", (action) => {
    const modules = listModules("--input-type=module", "-e", `await import("${fileOf(action)}")`)
    expect(packagesOf(modules).filter((name) => HEAVY.includes(name))).toEqual([])
    expect(modules.length).toBeLessThan(MOST_MODULES)
  })

  test(
    "status and rules load no journal and no order machine before they know that no daemon " +
      "answers",
    () => {
      for (const action of ["show-status", "list-rules"]) {
        const modules = listModules(
          "--input-type=module",
          "-e",
          `await import("${fileOf(action)}")`,
        )
        expect(
          modules.filter((url) =>
            /\/src\/(edges\/journal|core\/order|engine)\/|node_modules\/xstate/.test(url),
          ),
        ).toEqual([])
      }
    },
  )
})
