import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { findFetched } from "../../support/fetched-package.ts"

const DOCUMENT = join(import.meta.dirname, "../../../docs/openapi.json")
const FOLDER = mkdtempSync(join(tmpdir(), "ballast-openapi-"))

function lint(tool: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, "lint", ...args], {
    cwd: FOLDER,
    encoding: "utf8",
    timeout: 120_000,
  })
  return { status, output: `${stdout}${stderr}` }
}

test("Spectral finds neither an error nor a warning", { timeout: 300_000 }, () => {
  writeFileSync(join(FOLDER, ".spectral.yaml"), 'extends: ["spectral:oas"]\n')
  const spectral = findFetched("@stoplight/spectral-cli", "6.16.3", "dist/index.js")
  const { status, output } = lint(spectral, DOCUMENT, "--fail-severity", "hint")
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("No results") })
})

test("Redocly finds neither an error nor a warning", { timeout: 300_000 }, () => {
  const redocly = findFetched("@redocly/cli", "2.77.0", "bin/cli.js")
  const { status, output } = lint(redocly, DOCUMENT, "--extends", "recommended")
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("is valid") })
  expect(output).not.toMatch(/warning|error/i)
})
