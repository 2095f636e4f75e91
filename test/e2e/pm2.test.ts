import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readBalances } from "../support/e2e-chain.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { createDaemonClient } from "../support/e2e-daemon-client.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import { createPm2, installPm2, type Pm2 } from "../support/e2e-pm2.ts"
import { type SandboxProcess, startSandboxProcess, until } from "../support/sandbox-process.ts"

const ECOSYSTEM = join(import.meta.dirname, "..", "..", "ecosystem.config.cjs")
const SWAP = { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.00123" }
const UNITS = 123_000n
const SHELL_SECRET = "a-key-that-somebody-exported-in-the-shell"

const dotenvText = (env: Record<string, string>): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("")

const installed = await installPm2()
if ("reason" in installed) console.warn(`Skipping the PM2 tests: ${installed.reason}`)

describe.skipIf("reason" in installed)("pm2 start ecosystem.config.cjs", () => {
  let sandbox: SandboxProcess
  let config: E2eConfig
  let pm2: Pm2
  let home = ""
  const broken = mkdtempSync(join(tmpdir(), "ballast-e2e-broken-"))
  let brokenPm2: Pm2
  const daemon = (): ReturnType<typeof createDaemonClient> => createDaemonClient(config)

  beforeAll(async () => {
    sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
    config = await writeE2eConfig(sandbox, "pm2")
    const folder = "folder" in installed ? installed.folder : ""
    writeFileSync(join(dirname(config.file), ".env"), dotenvText(config.env), { mode: 0o600 })
    home = mkdtempSync(join(tmpdir(), "ballast-e2e-pm2-"))
    pm2 = createPm2(folder, home, {
      // A person may have these in the shell from which PM2 starts.
      ...config.env,
      BALLAST_CONFIG: config.file,
      BALLAST_FORGOTTEN_KEY: SHELL_SECRET,
    })
    brokenPm2 = createPm2(folder, broken, { BALLAST_CONFIG: join(broken, "ballast.yaml") })
  }, 60_000)
  afterAll(async () => {
    await pm2?.end()
    await brokenPm2?.end()
    await sandbox?.stop()
  })

  test("returns only when the daemon accepts orders", { timeout: 60_000 }, async () => {
    await pm2.call("start", ECOSYSTEM)
    expect(await daemon().call("GET", "/readyz")).toMatchObject({ status: 200 })
    expect(await pm2.app()).toMatchObject({ status: "online", restarts: 0 })
  })

  test("continues its order after a SIGKILL", { timeout: 60_000 }, async () => {
    const before = await readBalances(sandbox)
    const id = await acceptSwap(daemon(), SWAP)
    const { pid } = await pm2.app()
    process.kill(pid, "SIGKILL")
    await until("PM2 has restarted the daemon", async () => {
      const app = await pm2.app()
      return app.pid !== pid && app.status === "online" && (await isReady())
    })
    const order = await waitForOutcome(daemon(), id)
    expect(order).toMatchObject({ outcome: "completed", amountUnits: UNITS.toString() })
    const after = await readBalances(sandbox)
    expect((before[SWAP.from] ?? 0n) - (after[SWAP.from] ?? 0n)).toBe(UNITS)
    expect((after[SWAP.to] ?? 0n) - (before[SWAP.to] ?? 0n)).toBe(
      BigInt(order.destinationAmountUnits ?? 0),
    )
    expect((await pm2.app()).restarts).toBe(1)
  })

  test("drains on stop, and the next start continues the order", { timeout: 60_000 }, async () => {
    const id = await acceptSwap(daemon(), SWAP)
    await pm2.call("stop", "ballast")
    expect(await pm2.app()).toMatchObject({ status: "stopped", exitCode: 0 })
    expect(pm2.readLog("out")).toMatch(/"Draining"[\s\S]*"Stopped"[^\n]*\n$/)
    await pm2.call("start", "ballast")
    expect(await waitForOutcome(daemon(), id)).toMatchObject({ outcome: "completed" })
  })

  test("keeps every secret out of PM2's dump and its list", { timeout: 60_000 }, async () => {
    await pm2.call("save")
    const dump = readFileSync(join(home, "dump.pm2"), "utf8")
    expect(JSON.parse(dump)).toMatchObject([
      { name: "ballast", env: { BALLAST_CONFIG: config.file } },
    ])
    const secrets = [...Object.values(config.env), SHELL_SECRET]
    for (const text of [dump, await pm2.call("jlist"), await pm2.call("env", "0")])
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })

  test("stops with exit 78 on a broken configuration, and does not restart", {
    timeout: 60_000,
  }, async () => {
    writeFileSync(
      join(broken, "ballast.yaml"),
      'service: { url: "http://127.0.0.1:1", appid: x }\n',
    )
    await brokenPm2.call("start", ECOSYSTEM)
    await until("the application has ended", async () => (await brokenPm2.app()).pid === 0)
    // Wait for several times the first back-off delay, so that a restart loop would be visible.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const app = await brokenPm2.app()
    // With a back-off delay, PM2 7 labels every end "waiting restart", even if it does not restart
    // the application.
    expect(["stopped", "errored", "waiting restart"]).toContain(app.status)
    expect(app).toMatchObject({ pid: 0, exitCode: 78, restarts: 0 })
    const starts = brokenPm2.readLog("error").match(/the configuration has one problem/g)
    expect(starts).toHaveLength(1)
    expect(brokenPm2.readLog("error")).toContain(
      "ballast.yaml:1:39: service.appid: unknown key appid",
    )
  })

  async function isReady(): Promise<boolean> {
    return (
      (
        await daemon()
          .call("GET", "/readyz")
          .catch(() => ({ status: 0 }))
      ).status === 200
    )
  }
})
