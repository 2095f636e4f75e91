import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openUnreadConfig, writeConfigInForce } from "#daemon/start/config-in-force.ts"
import { AppError } from "#lib/app-error.ts"
import { createManualClock } from "../../support/manual-clock.ts"

const FOLDER = mkdtempSync(join(tmpdir(), "config-in-force-"))
afterAll(() => rmSync(FOLDER, { recursive: true }))

const FILE = join(FOLDER, "ballast.yaml")
const TEN_SECONDS_MS = 10_000

test("a changed file is judged as a start would judge it, and again after a while", () => {
  const clock = createManualClock(0)
  let words: string | null = null
  let checks = 0
  const find = openUnreadConfig(clock, () => {
    checks += 1
    if (words !== null)
      throw new AppError({ code: "config.invalid", disposition: "fatal", message: words })
  })
  const mistake = (): string | null | undefined => find(FOLDER)?.mistake
  expect(find(FOLDER)).toBeNull()
  writeFileSync(FILE, "mode: live\n")
  writeConfigInForce(FOLDER, { file: FILE, text: "mode: live\n" })
  expect(find(FOLDER)).toBeNull()
  expect(checks).toBe(0)

  words = "guards.max_ordr: unknown key"
  writeFileSync(FILE, "mode: observe\n")
  expect(mistake()).toBe("it has a mistake: guards.max_ordr: unknown key")
  words = null
  expect(mistake()).toMatch(/max_ordr/)
  expect(checks).toBe(1)
  clock.set(TEN_SECONDS_MS)
  expect(find(FOLDER)).toEqual({ file: FILE, mistake: null })

  writeFileSync(FILE, "mode: [live\n")
  expect(mistake()).toMatch(/^it has a mistake in line/)
  rmSync(FILE)
  expect(mistake()).toMatch(/does not exist/)
  expect(checks).toBe(2)
})
