import { execFileSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { CommandContext } from "../../../src/app/cli/define-command.ts"
import { findTreasury, openTreasury } from "../../../src/app/cli/open/find-treasury.ts"
import { openConfigForReading } from "../../../src/app/cli/open/open-config.ts"

const MINIMAL = "service: { url: http://127.0.0.1:1 }\nchains: {}\n"

function contextFor(text: string): {
  readonly context: CommandContext
  readonly warnings: string[]
} {
  const config = join(mkdtempSync(join(tmpdir(), "ballast-treasury-")), "ballast.yaml")
  writeFileSync(config, text)
  const warnings: string[] = []
  const parts = {
    config,
    sandbox: false,
    env: {},
    tell: () => undefined,
    warn: (line: string) => warnings.push(line),
  }
  // CAST: these functions use no other part of the context.
  return { context: parts as unknown as CommandContext, warnings }
}

test.each([
  ["no data_dir", MINIMAL],
  ["a relative one", `${MINIMAL}data_dir: books/main\n`],
  ["an absolute one", `${MINIMAL}data_dir: /var/lib/treasury\n`],
  ["one in quotes, with a comment", `data_dir: "my data" # here\n${MINIMAL}`],
  ["one by an alias", `${MINIMAL}treasury: &name main\ndata_dir: *name\n`],
])("finds the data directory that the configuration has: %s", async (_, text) => {
  const { context, warnings } = contextFor(text)
  const { dataDir, readConfig } = findTreasury(context, null)
  expect(dataDir).toBe(openConfigForReading(context).dataDir)
  expect((await readConfig())?.dataDir).toBe(dataDir)
  expect(warnings).toEqual([])
})

test("finds it in a damaged file too, and says so only when the configuration is needed", async () => {
  const { context, warnings } = contextFor(`data_dir: /var/lib/treasury\n${MINIMAL}rules: [\n`)
  expect(findTreasury(context, null).dataDir).toBe("/var/lib/treasury")
  expect(warnings).toEqual([])
  expect(await openTreasury(context, null)).toEqual({ dataDir: "/var/lib/treasury", config: null })
  expect(warnings).toEqual([expect.stringContaining("has mistakes")])
})

test("a command that a daemon answers loads neither the configuration's schema nor Node's undici", () => {
  const actions = ["host/show-status", "rules/list-rules", "host/watch-status"].map((name) =>
    join(import.meta.dirname, "../../../src/app/cli/actions", `${name}.ts`),
  )
  const script = `
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    for (const action of ${JSON.stringify(actions)}) await import(action)
    const heavy = /zod|config\\/load|sqlite|node:https?$/
    console.log(JSON.stringify(loaded.filter((url) => heavy.test(url))))`
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  })
  expect(JSON.parse(output)).toEqual([])
})
