import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { type SandboxProcess, startSandboxProcess } from "../support/sandbox-process.ts"

type Check = {
  readonly check: string
  readonly status: string
  readonly found: string
  readonly todo: string | null
}

let sandbox: SandboxProcess
let config: E2eConfig
beforeAll(async () => {
  sandbox = await startSandboxProcess()
  config = await writeE2eConfig(sandbox, "doctor")
}, 120_000)
afterAll(() => sandbox?.stop())

describe("ballast doctor", () => {
  test("finds no problem on a sandbox with every family", async () => {
    const { code, checks } = await doctor(config)
    expect(checks.filter(({ status }) => status === "fail")).toEqual([])
    expect(code).toBe(0)
    const ok = checks
      .filter(({ status }) => status === "ok")
      .map(({ check }) => check.split(" ")[0])
    expect(ok.filter((name) => name?.includes("_"))).toHaveLength(3 * 5 + 1)
    expect(ok).toEqual(
      expect.arrayContaining(["configuration", "service", "clock", "disk", "data_dir", "PM2"]),
    )
  })

  test(
    "reports a wrong chain, a silent service and a missing secret, each with its remedy, and " +
      "runs all further checks",
    async () => {
      const wrong = await writeE2eConfig(sandbox, "doctor-wrong", {
        service: { url: "http://127.0.0.1:1", timeout: "31s" },
        chains: { base_sepolia: { chain_id: 1 } },
        ops: { token: "env:NOWHERE" },
      })
      const { code, checks } = await doctor(wrong)
      expect(code).toBe(1)
      const failed = checks.filter(({ status }) => status === "fail")
      expect(failed.map(({ check }) => check.split(" ")[0])).toEqual([
        "configuration",
        "base_sepolia",
        "service",
      ])
      expect(failed.every(({ todo }) => todo !== null)).toBe(true)
      expect(failed[1]?.found).toContain("84532, not 1")
      expect(checks.find(({ check }) => check === "PM2")).toMatchObject({ status: "warn" })
    },
  )
})

async function doctor({
  file,
  env,
}: E2eConfig): Promise<{ code: number | string; checks: Check[] }> {
  const { code, stdout } = await runBallast(["doctor", "--config", file, "--json"], { env })
  return { code, checks: JSON.parse(stdout).checks }
}
