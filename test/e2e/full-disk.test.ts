import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { findChildren } from "../support/child-processes.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  LAUNCHER,
  startDaemonProcess,
  TOKEN,
  until,
} from "../support/sandbox-process.ts"
import { canMountDisks, mountSmallDisk, type SmallDisk } from "../support/small-disk.ts"

/** No service and no node answers at this address. */
const DEAD = "http://127.0.0.1:1"
const ENV = {
  EVM_KEY: `0x${"4c".repeat(32)}`,
  BALLAST_OPS_TOKEN: TOKEN,
  BALLAST_RESCUE_PASSWORD: "a password of rescue files",
}

const running: DaemonProcess[] = []
afterEach(async () => {
  for (const daemon of running.splice(0)) await daemon.stop()
})

const hasDisks = canMountDisks()
describe.skipIf(!hasDisks)("a daemon whose disk is full or read-only", () => {
  const disk: SmallDisk | null = hasDisks ? mountSmallDisk("12m") : null
  afterAll(() => disk?.unmount())

  test("starts its signer again when there is space, and the status names the disk meanwhile", async () => {
    const { dir, fill, free } = some(disk)
    const daemon = await run(await prepare(join(dir, "data")))
    const [signer = 0] = await signersOf(daemon)
    fill()
    process.kill(signer, "SIGKILL")
    await until("the signer cannot start", async () => daemon.output().includes("no space is left"))
    await until("the status names the disk, which explains the signer", async () => {
      // CAST: the daemon's own answer.
      const { problems } = (await daemon.call("GET", "/api/v1/overview")).body as Overview
      const [first] = problems
      return (
        first?.code === "system.disk_full" &&
        first.sentence.includes("no space is left on the disk mounted at ")
      )
    })
    expect(daemon.child.exitCode).toBeNull()
    free()
    await until("the signer is ready again", async () => {
      return daemon.output().split("The signer is ready").length === 3
    })
    expect(await signersOf(daemon)).not.toContain(signer)
  })

  test("ends with 75 at a start, names the disk, and starts when it can write again", async () => {
    const { dir, fill, free, makeReadOnly, makeWritable } = some(disk)
    const start = await prepare(join(dir, "data"))
    fill()
    const full = await runBallast(["run", "--config", start.file], { env: ENV })
    expect(full).toMatchObject({ code: 75 })
    expect(full.stderr).toContain(`no space is left on the disk mounted at ${dir} `)
    expect(full.stderr).toContain("[system.disk_full]")
    free()
    makeReadOnly()
    const readOnly = await runBallast(["run", "--config", start.file], { env: ENV })
    makeWritable()
    expect(readOnly).toMatchObject({ code: 75 })
    expect(readOnly.stderr).toContain(`the disk mounted at ${dir} is read-only (EROFS)`)
    expect(readOnly.stderr).toContain("[system.disk_read_only]")
    await run(start)
  })

  test("takes a pause without space for it", async () => {
    const { dir, fill, free } = some(disk)
    const start = await prepare(join(dir, "data"))
    const daemon = await run(start)
    fill()
    // The journal's own files have some room left.
    await until("the daemon stores nothing more", async () => {
      fill()
      return (await daemon.call("POST", "/api/v1/confirm-clock", {})).status === 500
    })
    const paused = await runBallast(["pause", "--config", start.file], { env: ENV })
    expect(paused).toMatchObject({ code: 0 })
    await until("everything is paused", async () => {
      const { body } = await daemon.call("GET", "/api/v1/overview")
      return Reflect.get(Object(body), "pause") !== null
    })
    free()
    rmSync(join(dir, "data", "PAUSE"), { force: true })
    const resumed = await runBallast(["resume", "--yes", "--config", start.file], { env: ENV })
    expect(resumed).toMatchObject({ code: 0 })
  })

  test("ends with 75 in each command that cannot write, and leaves no half of a file", async () => {
    const { dir, fill, free } = some(disk)
    const { file } = await prepare(join(dir, "data"))
    const keystore = join(dir, "keystore.json")
    const backup = join(dir, "copy.db")
    fill()
    const fresh = await prepare(join(dir, "fresh"))
    for (const args of [
      ["run", "--config", fresh.file],
      ["backup", "--config", file, "--to", backup],
      ["export", "--config", file, "--output", join(dir, "books.csv")],
      ["wallet", "new", keystore],
    ]) {
      const env = { ...ENV, BALLAST_KEYSTORE_PASSWORD: "a password of keystores" }
      const { code, stderr } = await runBallast(args, { env })
      expect({ args, code, stderr }).toMatchObject({ args, code: 75 })
      expect(stderr).toContain("[system.disk_full]")
    }
    expect([keystore, backup].filter((path) => existsSync(path))).toEqual([])
    free()
  })
})

describe.skipIf(!existsSync("/dev/full"))("standard output that takes nothing", () => {
  test("does not end the daemon, which works on without its log", async () => {
    const start = await prepare(join(mkdtempSync(join(tmpdir(), "ballast-log-")), "data"))
    const full = openSync("/dev/full", "w")
    const daemon = spawn(process.execPath, [LAUNCHER, "run", "--config", start.file], {
      stdio: ["ignore", full, full],
      env: bareEnvironment(ENV),
    })
    closeSync(full)
    const ended = once(daemon, "exit")
    await until("the daemon serves HTTP", async () => {
      expect(daemon.exitCode).toBeNull()
      const answer = await fetch(`http://127.0.0.1:${start.port}/healthz`).catch(() => null)
      return answer?.status === 200
    })
    daemon.kill("SIGTERM")
    expect(await ended).toEqual([0, null])
  })

  test("ends a command with 75 when its answer is lost", async () => {
    const full = openSync("/dev/full", "w")
    const command = spawn(process.execPath, [LAUNCHER, "help"], {
      stdio: ["ignore", full, "pipe"],
      env: bareEnvironment(),
    })
    closeSync(full)
    let said = ""
    command.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString()
    })
    expect((await once(command, "close"))[0]).toBe(75)
    expect(said).toContain("standard output: no space is left on its disk (ENOSPC)")
  })
})

test("a data_dir whose sockets have the longest addresses starts the first time", async () => {
  const home = mkdtempSync(join(tmpdir(), "ballast-deep-"))
  const dataDir = join(home, "d".repeat(90 - Buffer.byteLength(home) - 1))
  expect(Buffer.byteLength(dataDir)).toBe(90)
  await run(await prepare(dataDir))
})

type Start = { readonly file: string; readonly port: number }

/** The configuration and the log are on another disk than `data_dir`. */
async function prepare(dataDir: string): Promise<Start> {
  const dir = mkdtempSync(join(tmpdir(), "ballast-full-"))
  const port = await freePort()
  const file = join(dir, "ballast.yaml")
  const text = [
    `service: { url: "${DEAD}", app_id: test }`,
    `data_dir: ${JSON.stringify(dataDir)}`,
    "health: { check_every: 1s, alarm_after: 5s }",
    `ops: { listen: "127.0.0.1:${port}", token: "env:BALLAST_OPS_TOKEN" }`,
    "chains:",
    `  base_sepolia: { family: evm, chain_id: 84532, rpc: ["${DEAD}"], key: "env:EVM_KEY" }`,
    "assets:",
    "  base_sepolia:eth: { decimals: 18 }",
    "",
  ].join("\n")
  writeFileSync(file, text)
  return { file, port }
}

async function run(start: Start): Promise<DaemonProcess> {
  const daemon = startDaemonProcess(start, ENV)
  running.push(daemon)
  await daemon.serves()
  return daemon
}

async function signersOf({ child }: DaemonProcess): Promise<number[]> {
  let found: number[] = []
  await until("the signer runs", async () => {
    const parents = [child.pid ?? 0, ...findChildren(child.pid ?? 0, "run")]
    found = parents.flatMap((pid) => findChildren(pid, "signer"))
    return found.length > 0
  })
  return found
}

function some(disk: SmallDisk | null): SmallDisk {
  if (disk === null) throw new Error("the test is skipped without a disk")
  return disk
}
