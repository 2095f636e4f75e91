import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"

const SOURCES = new URL("../../src/", import.meta.url).href
const MAIN = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts")

/** Writes the URL of each module that Node resolves to standard error. */
const RECORDER = `
  import { registerHooks } from "node:module"
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      process.stderr.write(resolved.url + "\\n")
      return resolved
    },
  })`

test.each([
  { argv: ["--help"], shows: "Usage: ballast COMMAND" },
  { argv: ["swap", "--help"], shows: "Usage: ballast swap FROM TO AMOUNT" },
  { argv: ["completion", "bash"], shows: "complete -F _ballast ballast" },
])("$argv loads no third-party package and no action, so it is quick", ({ argv, shows }) => {
  const hook = `data:text/javascript,${encodeURIComponent(RECORDER)}`
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--import", hook, MAIN, ...argv], {
    encoding: "utf8",
  })
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(shows) })
  const loaded = stderr.split("\n").filter((url) => url !== "")
  expect(loaded).toContain(`${SOURCES}cli/commands/swap.ts`)
  expect(loaded.filter((url) => !url.startsWith(SOURCES) && !url.startsWith("node:"))).toEqual([])
  expect(loaded.filter((url) => /\/(actions|chains)\//.test(url))).toEqual([])
})
