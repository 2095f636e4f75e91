import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { runDoctor } from "#cli/actions/setup/run-doctor.ts"
import type { CommandContext } from "#cli/define-command.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import { ENV, FAMILIES, writeWallets } from "./wallet-of-families.ts"

/** No server answers here, so each pause before another attempt may end at once. */
const clock = createHastyClock(60_000)
const FOLDER = mkdtempSync(join(tmpdir(), "same-account-"))
afterAll(() => rmSync(FOLDER, { recursive: true }))

test("the doctor fails at the lines of a watched wallet that is also a hot one", async () => {
  const diagnose = async (watched: readonly (readonly [string, string])[]) => {
    let printed = ""
    // CAST: the doctor asks no person and lists no commands.
    const context = {
      config: writeWallets(FOLDER, new Map(watched)),
      sandbox: false,
      json: true,
      clock,
      env: ENV,
      print: (text: string) => {
        printed += text
      },
      tell: () => undefined,
      columns: null,
    } as unknown as CommandContext
    expect(await runDoctor(context, { passwordStdin: false })).toBe(1)
    // CAST: the form of `doctor --json`.
    const { checks } = JSON.parse(printed) as { checks: readonly Record<string, string>[] }
    return checks.filter(({ check }) => check === "config.same_account")
  }
  const found = await diagnose(FAMILIES.map(([chain, , own]) => [chain, own]))
  const pairs = FAMILIES.map(([chain]) => `vault_${chain}\\+${chain}`).join(", ")
  const where = expect.stringMatching(`b.yaml:6:\\d+,8:\\d+,10:\\d+,…: ${pairs}: `)
  expect(found).toEqual([expect.objectContaining({ status: "fail", found: where })])
  expect(await diagnose(FAMILIES.map(([chain, , , another]) => [chain, another]))).toEqual([])
})
