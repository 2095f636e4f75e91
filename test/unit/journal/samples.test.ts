import { statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { Journal } from "#ports/journal.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const T0 = Date.UTC(2026, 0, 5)
const SERIES = "balance/base:wbtc"

let directory: string
let file: string
let journal: Journal
beforeEach(() => {
  directory = temporaryFolder("samples")
  file = join(directory, "journal.db")
  journal = openJournal(file)
})
afterEach(() => journal.close())

const add = (atMs: number, value: bigint | null, series = SERIES): void =>
  journal.addSample({ series, atMs, value })
const list = (fromMs = 0) =>
  journal.listSamples(SERIES, fromMs).map(({ atMs, value }) => [atMs - T0, value])

test("keeps each change, and an unchanged value once an hour", () => {
  add(T0, 5n)
  add(T0 + 10 * MINUTE, 5n)
  add(T0 + 20 * MINUTE, 7n)
  add(T0 + 30 * MINUTE, 7n)
  add(T0 + 80 * MINUTE, 7n)
  expect(list()).toEqual([
    [0, 5n],
    [20 * MINUTE, 7n],
    [80 * MINUTE, 7n],
  ])
})

test("the samples of five minutes share a row with the newest value", () => {
  add(T0, 5n)
  add(T0 + 2 * MINUTE, 9n)
  add(T0 + 5 * MINUTE, 8n)
  expect(list()).toEqual([
    [0, 9n],
    [5 * MINUTE, 8n],
  ])
})

test("a failed reading of the same five minutes takes nothing back; a good one fills it", () => {
  add(T0, 5n)
  add(T0 + MINUTE, null)
  expect(list()).toEqual([[0, 5n]])
  add(T0 + 5 * MINUTE, null)
  add(T0 + 6 * MINUTE, 4n)
  expect(list()).toEqual([
    [0, 5n],
    [5 * MINUTE, 4n],
  ])
})

test("a failed reading is no zero and no old value", () => {
  add(T0, 5n)
  add(T0 + 10 * MINUTE, null)
  expect(list()).toEqual([
    [0, 5n],
    [10 * MINUTE, null],
  ])
})

test("the last sample before a range belongs to it, and other series do not", () => {
  add(T0, 5n)
  add(T0 + 10 * MINUTE, 6n)
  add(T0 + 20 * MINUTE, 7n)
  add(T0 + 15 * MINUTE, 1n, "price/base:wbtc")
  expect(list(T0 + 12 * MINUTE)).toEqual([
    [10 * MINUTE, 6n],
    [20 * MINUTE, 7n],
  ])
})

test("old samples thin out to one an hour, then one a day", () => {
  for (let at = T0; at < T0 + DAY; at += 10 * MINUTE) add(at, BigInt(at))
  add(T0 + 20 * DAY, 1n)
  expect(list()).toHaveLength(24 + 1)
  expect(list()[1]).toEqual([HOUR, BigInt(T0 + HOUR)])
  add(T0 + 400 * DAY, 2n)
  expect(list().map(([at]) => at)).toEqual([0, 20 * DAY, 400 * DAY])
})

test("a comparison of books and chain leaves a sample, and an unreadable one a gap", () => {
  const asset = parseAssetId("base:wbtc")
  const row = { asset, ledgerUnits: 3n, chainUnits: 4n, sinceMs: T0, alarmedUnits: null }
  journal.saveReconciliation({ ...row, atMs: T0, state: "difference" })
  journal.saveReconciliation({ ...row, atMs: T0 + 10 * MINUTE, state: "unreadable" })
  expect(list()).toEqual([
    [0, 4n],
    [10 * MINUTE, null],
  ])
})

test("a year of balances and prices of four assets takes less than 9 MiB", () => {
  journal.close()
  const db = new DatabaseSync(file)
  db.exec("begin")
  const insert = db.prepare("insert into samples values (?, ?, ?)")
  const nowMs = T0 + 365 * DAY
  for (let asset = 0; asset < 4; asset++)
    for (const kind of ["balance", "price"])
      for (let at = T0; at < nowMs; at += at < nowMs - 14 * DAY ? HOUR : 5 * MINUTE)
        insert.run(`${kind}/ethereum:token${asset}`, at, `1000000000000000000${at}`)
  db.exec("commit; pragma wal_checkpoint(truncate)")
  db.close()
  expect(statSync(file).size).toBeLessThan(9 * 2 ** 20)
  journal = openJournal(file)
})
