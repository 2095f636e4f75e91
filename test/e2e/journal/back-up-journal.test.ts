import { spawn } from "node:child_process"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { beforeEach, describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import type { Journal } from "../../../src/core/ports/journal.ts"
import { backUpJournal } from "../../../src/edges/journal/disk/back-up-journal.ts"
import { openJournal } from "../../../src/edges/journal/sqlite-journal.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

let directory: string
let file: string
beforeEach(() => {
  directory = temporaryFolder("backup")
  file = join(directory, "journal.db")
})

describe("a backup of the journal", () => {
  test("holds every commit, opens as a journal, and only its owner may read it", () => {
    const journal = openJournal(file)
    open(journal, "one")
    open(journal, "two")
    const to = join(directory, "deep", "copy.db")
    const backup = backUpJournal(file, to)
    open(journal, "three")
    journal.close()
    expect(backup).toMatchObject({ file: to, orders: 2, events: 2 })
    expect(statSync(to).mode & 0o777).toBe(0o600)
    const restored = openJournal(to)
    expect(
      restored
        .listOrders({ limit: 9 })
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["one", "two"])
    restored.close()
  })

  test("shows one moment while another process writes", async () => {
    openJournal(file).close()
    const writer = spawn(process.execPath, ["-e", WRITER, file], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    const ended = new Promise((resolve) => writer.on("exit", resolve))
    await new Promise((resolve) => writer.stdout.once("data", resolve))
    const counts = Array.from({ length: 5 }, (_, at) => {
      const to = join(directory, `copy-${at}.db`)
      backUpJournal(file, to)
      const db = new DatabaseSync(to, { readOnly: true })
      const [a, b] = ["a/%", "b/%"].map(
        (like) => db.prepare("select count(*) n from flags where key like ?").get(like)?.["n"],
      )
      db.close()
      return [Number(a), Number(b)] as const
    })
    writer.kill("SIGKILL")
    await ended
    expect(counts.every(([a, b]) => a === b)).toBe(true)
    expect(counts.at(-1)?.[0]).toBeGreaterThan(counts[0]?.[0] ?? 0)
  })

  test(
    "is refused and leaves no file when the journal is missing or damaged, or when the target " +
      "exists",
    () => {
      const to = join(directory, "copy.db")
      expect(() => backUpJournal(file, to)).toThrow(
        expect.objectContaining({ code: "journal.missing" }),
      )
      const journal = openJournal(file)
      for (let at = 0; at < 200; at += 1) open(journal, `order-${at}`)
      journal.close()
      writeFileSync(to, "mine")
      expect(() => backUpJournal(file, to)).toThrow(
        expect.objectContaining({ code: "journal.backup_exists" }),
      )
      expect(readFileSync(to, "utf8")).toBe("mine")
      const bytes = readFileSync(file)
      bytes.fill(0xff, Math.floor(bytes.length / 3), Math.floor((bytes.length * 2) / 3))
      writeFileSync(file, bytes)
      expect(() => backUpJournal(file, join(directory, "bad.db"))).toThrow(
        expect.objectContaining({ code: "journal.backup", disposition: "refused" }),
      )
      expect(readdirSync(directory).filter((name) => name.startsWith("bad"))).toEqual([])
    },
  )

  test("is refused and leaves no file when SQLite copies rows that break the journal's schema", () => {
    const journal = openJournal(file)
    open(journal, "one")
    journal.close()
    const db = new DatabaseSync(file, { defensive: false })
    db.exec("pragma writable_schema = on")
    db.exec(
      "update sqlite_schema set sql = replace(sql, 'outcome text', 'outcome text not null') " +
        "where name = 'orders'",
    )
    db.close()
    expect(() => backUpJournal(file, join(directory, "bad.db"))).toThrow(
      expect.objectContaining({
        code: "journal.backup",
        message: expect.stringContaining("integrity check"),
      }),
    )
    expect(readdirSync(directory).filter((name) => name.startsWith("bad"))).toEqual([])
  })
})

/** Each transaction writes two rows: a copy with only one of them shows no moment that ever was. */
const WRITER = `
const { DatabaseSync } = require("node:sqlite")
const db = new DatabaseSync(process.argv[1], { timeout: 5000 })
const put = db.prepare("insert into flags values (?, 'x')")
for (let at = 0; ; at += 1) {
  db.exec("begin immediate"); put.run("a/" + at); put.run("b/" + at); db.exec("commit")
  if (at === 20) process.stdout.write("writing")
}`

function open(journal: Journal, id: string): void {
  const from = parseAssetId("base_sepolia:eth")
  const to = parseAssetId("bitcoin_testnet:btc")
  const times = { countedAtMs: 1, createdAtMs: 1, updatedAtMs: 1 }
  const row = {
    id,
    state: "quoting",
    outcome: null,
    rule: "manual",
    from,
    to,
    sourceUnits: 1n,
    sourceFiat: 5n,
    feeFiat: 1n,
  }
  const order = {
    ...row,
    deposited: false,
    secretHash: null,
    feeUnits: 0n,
    ...times,
    snapshot: "{}",
  }
  journal.openOrder(
    order,
    { atMs: 1, type: "order.opened", state: "quoting", body: "{}" },
    { body: "x", dueAtMs: 0 },
    null,
  )
}
