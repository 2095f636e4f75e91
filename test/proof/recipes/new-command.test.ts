import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const ROOT = join(import.meta.dirname, "../../..")
const COPY = mkdtempSync(join(tmpdir(), "ballast-recipe-"))

const TOY = `import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "greet",
  summary: "greet an asset",
  operands: { asset: { summary: "the asset to greet" } },
  options: { times: { type: "number", min: 1, default: 2, summary: "the number of greetings" } },
  examples: ["btc --times 3"],
  run: async ({ json, print }, { operands, options }) => {
    const greetings = Array.from({ length: options.times }, () => "Hello " + operands.asset)
    print(json ? JSON.stringify({ greetings }) : greetings.join(", "))
    return 0
  },
})
`

/** The recipe of docs/ARCHITECTURE.md: one new file, and one line in the list of commands. */
beforeAll(() => {
  for (const part of ["src", "package.json", "tsconfig.json"])
    cpSync(join(ROOT, part), join(COPY, part), { recursive: true })
  symlinkSync(join(ROOT, "node_modules"), join(COPY, "node_modules"))
  writeFileSync(join(COPY, "src", "app", "cli", "commands", "setup", "greet.ts"), TOY)
  const list = join(COPY, "src", "app", "cli", "command-list.ts")
  const first = '    import("./commands/host/run.ts"),\n'
  const before = readFileSync(list, "utf8")
  expect(before).toContain(first)
  writeFileSync(list, before.replace(first, `${first}    import("./commands/setup/greet.ts"),\n`))
})
afterAll(() => rmSync(COPY, { recursive: true }))

function ballast(...argv: string[]): string {
  return execFileSync(process.execPath, [join(COPY, "src", "app", "cli", "main.ts"), ...argv], {
    encoding: "utf8",
    stdio: "pipe",
  })
}

describe("a new command of one file and one line", () => {
  test("runs with its typed operands and options", () => {
    expect(ballast("greet", "btc")).toBe("Hello btc, Hello btc\n")
    expect(JSON.parse(ballast("greet", "btc", "--times", "1", "--json"))).toEqual({
      greetings: ["Hello btc"],
    })
  })

  test("has its help, its line in the overview and its completion", () => {
    expect(ballast("greet", "--help")).toContain("Usage: ballast greet ASSET [--times N]")
    expect(ballast("greet", "--help")).toContain("the number of greetings (default 2)")
    expect(ballast("help")).toContain("greet ASSET")
    expect(ballast("completion", "bash")).toContain("greet) COMPREPLY=")
  })

  test("refuses an option of another command", () => {
    expect(() => ballast("greet", "btc", "--seeds", "4")).toThrow(
      expect.objectContaining({
        status: 64,
        stderr: expect.stringContaining("greet takes no --seeds; it takes --times"),
      }),
    )
  })
})
