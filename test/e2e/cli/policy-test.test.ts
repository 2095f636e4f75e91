import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../../support/e2e-cli.ts"
import { TREASURY } from "../../unit/policy-test/sample-treasury.ts"

const SCHEDULED = TREASURY.replace(/ {2}- \{ id: (hot|float|income).*\n/g, "")
const folder = mkdtempSync(join(tmpdir(), "policy-test-"))
const file = join(folder, "policy.test.yaml")
const ballast = (...args: string[]) =>
  runBallast(["test", "--config", join(folder, "ballast.yaml"), ...args], { cwd: folder })
beforeAll(() => writeFileSync(join(folder, "ballast.yaml"), TREASURY))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("ballast test", { timeout: 90_000 }, () => {
  test("without a test file says how to get one, with exit 78", async () => {
    const { code, stderr } = await ballast()
    expect({ code, stderr }).toMatchObject({
      code: 78,
      stderr: expect.stringContaining("ballast test --init"),
    })
  })

  test.each([
    ["bands", TREASURY],
    ["only a schedule", SCHEDULED],
    ["no rule", SCHEDULED.replace(/rules:\n.*\n/, "rules: []\n")],
  ])("writes three examples that pass, for a configuration with %s", async (_kind, text) => {
    writeFileSync(join(folder, "ballast.yaml"), text)
    rmSync(file, { force: true })
    expect(await ballast("--init")).toMatchObject({ code: 0 })
    const { code, stdout } = await ballast("--junit", "out.xml")
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("3 passed, 0 failed (seed 1)"),
    })
    expect(readFileSync(join(folder, "out.xml"), "utf8")).toContain(`tests="3" failures="0"`)
    expect(await ballast("--init")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("exists already"),
    })
  })

  test("writes the reason where the rules make no order, and that example passes too", async () => {
    writeFileSync(
      join(folder, "ballast.yaml"),
      TREASURY.replace('max_order: "20000 usd"', 'max_order: "30 usd"').replace(
        / {2}quiet_hours.*\n/,
        "",
      ),
    )
    rmSync(file, { force: true })
    expect(await ballast("--init")).toMatchObject({ code: 0 })
    expect(readFileSync(file, "utf8")).toMatch(
      /# .*the largest order allowed.*\n.*refused: \[\{ rule: hot, code: policy\./,
    )
    expect(await ballast()).toMatchObject({ code: 0 })
  })

  test("fails with exit 1 and the results as JSON", async () => {
    writeFileSync(join(folder, "ballast.yaml"), TREASURY)
    const other = join(folder, "other.yaml")
    writeFileSync(other, "properties:\n  - no order larger than 100 usd\n")
    const { code, stdout } = await ballast("--json", "--worlds", "30", file, other)
    expect(code).toBe(1)
    const answer = JSON.parse(stdout)
    expect(answer).toMatchObject({ ok: false, seed: 1, worlds: 30 })
    expect(answer.results.map(({ ok }: { ok: boolean }) => ok)).toContain(false)
  })

  test("names file and line of a mistake, with exit 78", async () => {
    const wrong = join(folder, "wrong.yaml")
    writeFileSync(wrong, "properties:\n  - never above the clouds\n")
    const { code, stderr } = await ballast(wrong)
    expect({ code, stderr }).toMatchObject({
      code: 78,
      stderr: expect.stringMatching(/wrong\.yaml:2:5: properties\[0\]/),
    })
  })
})
