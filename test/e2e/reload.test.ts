import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"

/** No service and no node answers at this address: a reload must not need them. */
const DEAD = "http://127.0.0.1:1"
const ENV = { EVM_KEY: `0x${"4c".repeat(32)}` }

describe("a running daemon", () => {
  let file: string
  let text: string
  let daemon: DaemonProcess

  beforeAll(async () => {
    const dir = mkdtempSync(join(tmpdir(), "ballast-reload-"))
    file = join(dir, "ballast.yaml")
    const port = await freePort()
    text = `service: { url: "${DEAD}" }
data_dir: "${join(dir, "data")}"
ops: { listen: "127.0.0.1:${port}", token: "env:BALLAST_OPS_TOKEN" }
chains: { base_sepolia: { family: evm, chain_id: 84532, rpc: ["${DEAD}"], key: "env:EVM_KEY" } }
assets: { "base_sepolia:eth": { decimals: 18 },
    "base_sepolia:wbtc": { decimals: 8, token: "0x1111111111111111111111111111111111111111" } }
guards: { max_in_flight: 4 }
`
    writeFileSync(file, text)
    daemon = startDaemonProcess({ file, port }, ENV)
    await daemon.serves()
  }, 60_000)
  afterAll(async () => {
    await daemon?.stop()
  })

  test("loads a changed file by command, shows the changes, and prints the new hash", async () => {
    const before = await hash()
    expect((await reload()).stdout).toMatch(/^unchanged/)
    write("max_in_flight: 4", "max_in_flight: 5, quiet_hours: [{ from: '00:00', to: '24:00' }]")
    const { code, stdout } = await reload()
    expect(code).toBe(0)
    expect(stdout).toContain("changed  guards.max_in_flight: 4 → 5")
    expect(stdout).toContain('added    guards.quiet_hours: [{"from":"00:00","to":"24:00"}]')
    expect(await hash()).not.toBe(before)
    const swap = { from: "base_sepolia:eth", to: "base_sepolia:wbtc", amount: "1" }
    // The dead nodes refuse the request; the test concerns only the reload.
    expect((await daemon.call("POST", "/api/v1/swap", swap)).status).toBe(409)
  })

  test("loads a changed file by SIGHUP", async () => {
    const before = await hash()
    write("max_in_flight: 4", "max_in_flight: 6")
    daemon.child.kill("SIGHUP")
    await until("the hash is another", async () => (await hash()) !== before)
    expect(daemon.output()).toContain("A new configuration is in force")
  })

  test("keeps its settings if the file is invalid, and names the place of the error", async () => {
    const before = await hash()
    write("max_in_flight: 4", "max_in_flite: 4")
    const { code, stderr } = await reload()
    expect(code).toBe(78)
    expect(stderr).toContain(
      "ballast.yaml:7:11: guards.max_in_flite: unknown key max_in_flite; expected one of",
    )
    expect(await daemon.call("POST", "/api/v1/reload")).toMatchObject({
      status: 409,
      body: {
        reasons: [
          { code: "config.invalid", message: expect.stringContaining("ballast.yaml:7:11") },
        ],
      },
    })
    daemon.child.kill("SIGHUP")
    await until("the log says so", async () => daemon.output().split("nothing changed").length > 2)
    expect(daemon.child.exitCode).toBeNull()
    expect(await hash()).toBe(before)
  })

  test("refuses each setting that needs a restart by its name", async () => {
    write('listen: "127.0.0.1:', 'listen: "localhost:')
    const { code, stderr } = await reload()
    expect(code).toBe(1)
    expect(stderr).toContain(
      "refused: ops.listen cannot change while the daemon runs; restart it to apply the " +
        "change [reload.restart_needed]",
    )
    // Commands look for the daemon in the data directory of the file, so this one needs a signal or
    // a request.
    write("/data", "/elsewhere")
    expect(await daemon.call("POST", "/api/v1/reload")).toMatchObject({
      status: 409,
      body: {
        reasons: [
          {
            code: "reload.restart_needed",
            message: expect.stringContaining("data_dir cannot change"),
          },
        ],
      },
    })
    expect(readFileSync(file, "utf8")).toContain("/elsewhere")
  })

  function write(from: string, to: string): void {
    expect(text).toContain(from)
    writeFileSync(file, text.replace(from, to))
  }

  function reload(): Promise<CliResult> {
    return runBallast(["reload", "--config", file], { env: { BALLAST_OPS_TOKEN: TOKEN } })
  }

  async function hash(): Promise<unknown> {
    const { body } = await daemon.call("GET", "/api/v1/status")
    return typeof body === "object" && body !== null && "configHash" in body
      ? body.configHash
      : null
  }
})
