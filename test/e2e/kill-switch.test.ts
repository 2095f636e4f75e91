import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

/** No service and no node answers at this address: a pause needs neither. */
const DEAD = "http://127.0.0.1:1"
const ENV = { EVM_KEY: `0x${"4c".repeat(32)}`, BALLAST_OPS_TOKEN: TOKEN }

type Start = {
  readonly dir: string
  readonly file: string
  readonly data: string
  readonly port: number
}

const running: DaemonProcess[] = []
afterEach(async () => {
  for (const daemon of running.splice(0)) await daemon.stop()
})

async function prepare(): Promise<Start> {
  const dir = temporaryFolder("ballast-e2e-stop")
  const port = await freePort()
  const file = join(dir, "ballast.yaml")
  const lines = [
    `service: { url: "${DEAD}", timeout: 1s }`,
    "data_dir: ./data",
    "treasury: Main",
    `ops: { listen: "127.0.0.1:${port}", token: "env:BALLAST_OPS_TOKEN" }`,
    "chains:",
    `  base_sepolia: { family: evm, chain_id: 84532, rpc: ["${DEAD}"], key: "env:EVM_KEY" }`,
    "assets:",
    "  base_sepolia:eth: { decimals: 18 }",
    "",
  ]
  writeFileSync(file, lines.join("\n"))
  return { dir, file, port, data: join(dir, "data") }
}

async function run(start: Start): Promise<DaemonProcess> {
  const daemon = startDaemonProcess(start, ENV)
  running.push(daemon)
  await daemon.serves()
  await until("the daemon tells of itself", async () =>
    existsSync(join(start.data, "runtime.json")),
  )
  return daemon
}

type Status = {
  paused: boolean
  pause: { by: string; reason: string | null; alarms: unknown[] } | null
}
const statusOf = async (daemon: DaemonProcess): Promise<Status> =>
  (await daemon.call("GET", "/api/v1/status")).body as Status

/** A mistake that `check` refuses, and the text is no YAML either. */
function damage(file: string): void {
  writeFileSync(file, `${readFileSync(file, "utf8")}mod: live\nrules: [\n`)
}

describe("the kill switch", () => {
  test("works with a typo in the configuration, from another directory, and by the running daemon", async () => {
    const start = await prepare()
    const daemon = await run(start)
    damage(start.file)
    expect((await runBallast(["check", "--config", start.file], { env: ENV })).code).toBe(78)
    const paused = await runBallast(["pause", "--config", start.file], { env: ENV, cwd: "/" })
    expect(paused).toMatchObject({ code: 0, stdout: "everything: paused\n" })
    expect(paused.stderr).toContain("has mistakes")
    expect(await statusOf(daemon)).toMatchObject({ paused: true, pause: { by: "operator" } })
    expect(
      await runBallast(["orders", "--config", start.file], { env: ENV, cwd: "/" }),
    ).toMatchObject({ code: 0 })
    // Paused by an operator: attention.
    expect(
      await runBallast(["status", "--config", start.file], { env: ENV, cwd: "/" }),
    ).toMatchObject({ code: 1 })
    expect(await runBallast(["resume", "--config", start.file], { env: ENV })).toMatchObject({
      code: 0,
    })
    expect(await statusOf(daemon)).toMatchObject({ paused: false, pause: null })
  })

  test("needs no configuration with --data-dir, and no token", async () => {
    const start = await prepare()
    const daemon = await run(start)
    rmSync(start.file)
    const { code, stdout } = await runBallast(["pause", "--data-dir", start.data], { cwd: "/" })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "everything: paused\n",
    })
    expect(await statusOf(daemon)).toMatchObject({ paused: true })
  })

  test("stops a daemon that does not answer, and says so", async () => {
    const start = await prepare()
    const daemon = await run(start)
    daemon.child.kill("SIGKILL")
    await daemon.exited
    const { code, stdout } = await runBallast(["pause", "--config", start.file], { env: ENV })
    // The file of the killed process is still there, and names no running daemon.
    expect(existsSync(join(start.data, "runtime.json"))).toBe(true)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "paused in the journal: no daemon runs here; the next one follows it\n",
    })
    expect(await statusOf(await run(start))).toMatchObject({ paused: true })
  })

  test("stops a frozen daemon within seconds, and the daemon is paused when it goes on", async () => {
    const start = await prepare()
    const daemon = await run(start)
    daemon.child.kill("SIGSTOP")
    try {
      const startMs = performance.now()
      const { code, stdout } = await runBallast(["pause", "--config", start.file], { env: ENV })
      expect(performance.now() - startMs).toBeLessThan(15_000)
      expect(code).toBe(0)
      // A daemon that froze with a group of writes open keeps the journal locked; the file PAUSE
      // needs no journal.
      const isPaused = new RegExp(
        `^paused in (the journal|.*PAUSE): the daemon \\(process ${daemon.child.pid}\\) reads it`,
      )
      expect(stdout).toMatch(isPaused)
    } finally {
      daemon.child.kill("SIGCONT")
    }
    await until("the daemon is paused", async () => (await statusOf(daemon)).paused, 10_000)
  })

  test("does not wait for a lock of the journal: the file PAUSE needs none", async () => {
    const start = await prepare()
    const daemon = await run(start)
    daemon.child.kill("SIGKILL")
    await daemon.exited
    const holder = new DatabaseSync(join(start.data, "journal.db"))
    holder.exec("begin immediate")
    try {
      const { code, stdout } = await runBallast(["pause", "--config", start.file], { env: ENV })
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("PAUSE") })
    } finally {
      holder.exec("rollback")
      holder.close()
    }
    expect(await statusOf(await run(start))).toMatchObject({ paused: true, pause: { by: "file" } })
  })

  test("is the file PAUSE, whose text is the reason; its removal does not resume", async () => {
    const start = await prepare()
    const daemon = await run(start)
    writeFileSync(join(start.data, "PAUSE"), "the laptop was stolen\n")
    await until("the daemon is paused", async () => (await statusOf(daemon)).paused, 10_000)
    expect(await statusOf(daemon)).toMatchObject({
      pause: { by: "file", reason: "the laptop was stolen" },
    })
    const refused = await runBallast(["resume", "--config", start.file], { env: ENV })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("[pause.file]")
    rmSync(join(start.data, "PAUSE"))
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(await statusOf(daemon)).toMatchObject({ paused: true })
    expect(await runBallast(["resume", "--config", start.file], { env: ENV })).toMatchObject({
      code: 0,
    })
  })

  test("is SIGUSR2, and a damaged journal becomes the file PAUSE", async () => {
    const start = await prepare()
    const daemon = await run(start)
    daemon.child.kill("SIGUSR2")
    await until("the daemon is paused", async () => (await statusOf(daemon)).paused, 10_000)
    expect(await statusOf(daemon)).toMatchObject({ pause: { by: "signal", reason: "SIGUSR2" } })
    await daemon.stop()
    expect(existsSync(join(start.data, "runtime.json"))).toBe(false)
    writeFileSync(join(start.data, "journal.db"), "this is not a database ".repeat(300))
    const { code, stdout } = await runBallast(["pause", "--config", start.file], { env: ENV })
    expect(code).toBe(0)
    expect(stdout).toContain(join(start.data, "PAUSE"))
    expect(readFileSync(join(start.data, "PAUSE"), "utf8")).toContain("ballast pause")
  })

  test("ends after an alarm only with --acknowledge, with and without a daemon", async () => {
    const start = await prepare()
    const daemon = await run(start)
    // The daemon may have a group of writes open.
    const db = new DatabaseSync(join(start.data, "journal.db"), { timeout: 5_000 })
    const alarm = {
      id: "7",
      code: "alarm.source_redeemed",
      order: "0123",
      message: "No payout",
      at: "2026-01-01",
    }
    const put = db.prepare("insert or replace into flags values (?, ?)")
    put.run("pause", JSON.stringify({ at: "2026-01-01", by: "alarm", reason: "alarm 7" }))
    put.run("pause/alarms", JSON.stringify([alarm]))
    expect(await daemon.call("POST", "/api/v1/resume", {})).toMatchObject({
      status: 409,
      body: { reasons: [{ code: "pause.alarm", alarm: "7", order: "0123" }] },
    })
    expect(await daemon.call("POST", "/api/v1/resume", { acknowledge: "7" })).toMatchObject({
      status: 400,
    })
    const shown = await runBallast(["status", "--config", start.file], { env: ENV })
    expect(shown.stdout).toContain("alarm 7  alarm.source_redeemed, order 0123: No payout")
    expect(await daemon.call("POST", "/api/v1/resume", { acknowledge: ["7"] })).toMatchObject({
      status: 200,
    })
    put.run("pause", "an old pause")
    put.run("pause/alarms", JSON.stringify([alarm]))
    db.close()
    await daemon.stop()
    const refused = await runBallast(["resume", "--config", start.file], { env: ENV })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("[pause.alarm]") })
    const lifted = await runBallast(["resume", "--acknowledge", "7", "--config", start.file], {
      env: ENV,
    })
    expect(lifted).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("resumed in the journal"),
    })
  })
})

describe("which treasury", () => {
  test.each(["wallet", "pause", "orders", "run", "status", "check"])(
    "%s in an empty directory uses no other configuration than a named one",
    async (command) => {
      const cwd = temporaryFolder("ballast-e2e-empty")
      const { code, stdout, stderr } = await runBallast([command], { cwd })
      expect({ code, stdout }).toEqual({ code: 78, stdout: "" })
      expect(stderr).toContain("--sandbox")
      expect(stderr).toContain("[config.not_found]")
    },
  )

  test("the sandbox's keys say that they are no wallets to fund", async () => {
    const { code, stdout } = await runBallast(["wallet", "--sandbox"], {
      cwd: temporaryFolder("ballast-e2e-play"),
    })
    expect(code).toBe(0)
    for (const line of stdout.trim().split("\n").slice(2))
      expect(line).toContain("PLAY KEYS, never fund")
  })

  test("paths start at the configuration file, and .env of another directory does not count", async () => {
    const start = await prepare()
    const daemon = await run(start)
    expect(existsSync(join(start.data, "journal.db"))).toBe(true)
    await daemon.stop()
    const elsewhere = temporaryFolder("ballast-e2e-elsewhere")
    expect(
      await runBallast(["orders", "--config", start.file], { env: ENV, cwd: elsewhere }),
    ).toMatchObject({
      code: 0,
      stdout: "No orders yet.\n",
    })
    writeFileSync(join(elsewhere, ".env"), `EVM_KEY=${ENV.EVM_KEY}\n`)
    const lacking = await runBallast(["check", "--config", start.file], {
      env: { BALLAST_OPS_TOKEN: TOKEN },
      cwd: elsewhere,
    })
    expect(lacking).toMatchObject({
      code: 78,
      stderr: expect.stringContaining("EVM_KEY is not set"),
    })
    writeFileSync(join(start.dir, ".env"), `EVM_KEY=${ENV.EVM_KEY}\n`)
    const found = await runBallast(["check", "--config", start.file], {
      env: { BALLAST_OPS_TOKEN: TOKEN },
      cwd: elsewhere,
    })
    expect(found.code).toBe(0)
  })
})

describe("files of the daemon", () => {
  const modeOf = (path: string): number => statSync(path).mode & 0o777

  test("are for its user only, and files that others can read are closed with a message", async () => {
    const start = await prepare()
    await (await run(start)).stop()
    chmodSync(join(start.data, "journal.db"), 0o644)
    const daemon = await run(start)
    expect(daemon.output()).toContain("journal.db")
    expect(daemon.output()).toContain("closed now (mode 600)")
    for (const name of [
      "journal.db",
      "journal.db-wal",
      "instance.lock",
      "runtime.json",
      "config-in-force.json",
    ])
      expect([name, modeOf(join(start.data, name)).toString(8)]).toEqual([name, "600"])
    expect(JSON.parse(readFileSync(join(start.data, "runtime.json"), "utf8"))).toMatchObject({
      pid: daemon.child.pid,
      treasury: "Main",
      config: start.file,
      url: `http://127.0.0.1:${start.port}`,
      version: expect.stringMatching(/^\d+\./),
    })
  })

  test.each([
    ["data_dir that others can enter", 0o755, 0o644, "[daemon.data_dir_open]", "chmod 700"],
    ["data_dir that the group can read", 0o740, 0o644, "[daemon.data_dir_open]", "chmod 700"],
    ["configuration that the group can change", 0o700, 0o664, "[config.file_open]", "chmod go-w"],
    ["configuration that everybody can change", 0o700, 0o646, "[config.file_open]", "chmod go-w"],
  ])(
    "a %s stops the start, with the command to run",
    async (_what, dataMode, fileMode, code, command) => {
      const start = await prepare()
      mkdirSync(start.data)
      chmodSync(start.data, dataMode)
      chmodSync(start.file, fileMode)
      const result = await runBallast(["run", "--config", start.file], { env: ENV })
      expect(result.code).toBe(78)
      expect(result.stderr).toContain(code)
      const path = code.includes("data_dir") ? start.data : start.file
      expect(result.stderr).toContain(`${command} ${path}`)
      expect(existsSync(join(start.data, "journal.db"))).toBe(false)
      // The preparing commands say the same before the first start.
      const checked = await runBallast(["check", "--config", start.file, "--json"], { env: ENV })
      expect(checked.code).toBe(78)
      expect(JSON.parse(checked.stdout)).toMatchObject({
        ok: false,
        errors: expect.arrayContaining([expect.stringContaining(`${command} ${path}`)]),
      })
      const examined = await runBallast(["doctor", "--config", start.file, "--json"], { env: ENV })
      expect(JSON.parse(examined.stdout).checks).toContainEqual(
        expect.objectContaining({
          check: code.slice(1, -1),
          status: "fail",
          todo: expect.stringContaining(`${command} ${path}`),
        }),
      )
    },
  )
})
