import {
  closeSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, test } from "vitest"
import type { Overview } from "../../../src/core/health/describe-overview.ts"
import { runBallast } from "../../support/e2e-cli.ts"
import { freePort } from "../../support/free-port.ts"
import { startDaemonProcess, TOKEN, until } from "../../support/sandbox-process.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const ENV = { EVM_KEY: `0x${"4c".repeat(32)}`, BALLAST_OPS_TOKEN: TOKEN }
/** The promise: named within this time, and nothing new begins. */
const PROMISED_MS = 10_000

describe("a journal that another program moves under the running daemon", () => {
  const dir = temporaryFolder("ballast-e2e-lost-journal")

  test.each([
    { part: "file", place: "deleted", move: (file: string) => rmSync(file) },
    {
      part: "file",
      place: "replaced",
      move: (file: string) => {
        renameSync(file, `${file}.old`)
        writeFileSync(file, "", { mode: 0o600 })
      },
    },
    { part: "log", place: "deleted", move: (file: string) => rmSync(`${file}-wal`) },
  ])("is named first, pauses everything, and is saved: $part $place", async ({ place, move }) => {
    const data = mkdtempSync(join(dir, "data-"))
    const journal = join(data, "journal.db")
    const { file, port } = await writeConfig(data)
    const daemon = startDaemonProcess({ file, port }, ENV)
    const overview = async (): Promise<Overview> =>
      (await daemon.call("GET", "/api/v1/overview")).body as Overview
    try {
      await daemon.serves()
      expect((await overview()).pause).toBeNull()
      move(journal)
      await until(
        "the loss is named first",
        async () => (await overview()).problems[0]?.command === `mv ${journal}.saved ${journal}`,
        PROMISED_MS,
      )
      const { verdict, pause, problems } = await overview()
      expect(verdict).toMatch(
        new RegExp(`^The journal .*journal.db was ${place}\\b.* under the running`),
      )
      expect(problems[0]?.todo).toMatch(/a last one follows when the daemon stops/)
      expect(pause?.alarms.map(({ code }) => code)).toEqual([`journal.${place}`])
      expect((await daemon.call("GET", "/readyz")).status).toBe(503)
      const doctor = await runBallast(["doctor", "--config", file], { env: ENV })
      expect(doctor.stdout.replace(/\s+/g, " ")).toMatch(/was .* under the running daemon/)
    } finally {
      await daemon.stop()
    }
    expect(statSync(`${journal}.saved`).mode & 0o777).toBe(0o600)
    for (const ending of ["", "-wal", "-shm"]) rmSync(`${journal}${ending}`, { force: true })
    renameSync(`${journal}.saved`, journal)
    const next = startDaemonProcess({ file, port }, ENV)
    try {
      await next.serves()
      const after = (await next.call("GET", "/api/v1/overview")).body as Overview
      expect(after.pause?.alarms.map(({ code }) => code)).toEqual([`journal.${place}`])
      expect(after.problems.map(({ code }) => code)).toContain(`journal.${place}`)
    } finally {
      await next.stop()
    }
  })
})

describe("a journal with a damaged page", () => {
  const dir = temporaryFolder("ballast-e2e-damaged-journal")

  test("is named with its remedy by the daemon and each command, and pauses", async () => {
    const { file, port } = await writeConfig(dir)
    const journal = join(dir, "journal.db")
    const first = startDaemonProcess({ file, port }, ENV)
    await first.serves()
    await first.stop()
    damageTable(journal, "decisions")
    const daemon = startDaemonProcess({ file, port }, ENV)
    const overview = async (): Promise<Overview> =>
      (await daemon.call("GET", "/api/v1/overview")).body as Overview
    try {
      await daemon.serves()
      await until(
        "the damage is named",
        async () => (await overview()).problems.some(({ code }) => code === "journal.damaged_file"),
        3 * PROMISED_MS,
      )
      const { pause, problems } = await overview()
      expect(pause?.alarms.map(({ code }) => code)).toEqual(["journal.damaged_file"])
      expect(problems.find(({ code }) => code === "journal.damaged_file")).toMatchObject({
        command: "ballast recover",
        todo: expect.stringContaining("newest backup"),
      })
    } finally {
      await daemon.stop()
    }
    damageTable(journal, "orders")
    const call = (...words: string[]) => runBallast([...words, "--config", file], { env: ENV })
    const [doctor, orders, pause] = await Promise.all([
      call("doctor"),
      call("orders"),
      call("pause"),
    ])
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining("damaged_file") })
    expect(orders).toMatchObject({ code: 78, stderr: expect.stringContaining("damaged_file") })
    expect(pause).toMatchObject({ code: 0, stdout: expect.stringContaining("PAUSE") })
  })

  /** Writes over the first page of a table and of its indexes, as a failing disk does. */
  function damageTable(file: string, table: string): void {
    const db = new DatabaseSync(file, { readOnly: true })
    const roots = db.prepare("select rootpage n from sqlite_schema where tbl_name = ?").all(table)
    const { page_size: size } = db.prepare("pragma page_size").get() ?? {}
    db.close()
    const opened = openSync(file, "r+")
    for (const { n } of roots)
      writeSync(opened, Buffer.alloc(2_000, 0xff), 0, 2_000, (Number(n) - 1) * Number(size))
    closeSync(opened)
  }
})

/** Neither the node nor the service answers: the journal needs none of them. */
async function writeConfig(dataDir: string): Promise<{ file: string; port: number }> {
  const port = await freePort()
  const away = `http://127.0.0.1:${await freePort()}`
  const config = {
    services: { main: { url: away } },
    data_dir: dataDir,
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: { some_chain: { family: "evm", chain_id: 84_532, rpc: [away], key: "env:EVM_KEY" } },
    assets: { "some_chain:eth": { decimals: 18 } },
    signer: { run: "inside" },
    prices: { trust_service: true },
  }
  const file = join(dataDir, "ballast.yaml")
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  return { file, port }
}
