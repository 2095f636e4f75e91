import { expect, test } from "vitest"
import { createKeptLines } from "#lib/log.ts"
import { readLog } from "./read-log.ts"

const kept = createKeptLines()
const base = { time: 1_795_892_182_241, pid: 1, hostname: "vm" }
for (const line of [
  { level: 20, msg: "asked", order: "aa11" },
  { level: 30, msg: "moved", order: "aa11", state: "funded" },
  { level: 40, msg: "slow", order: "bb22" },
  { level: 50, msg: "failed", err: { message: "no answer", code: "evm.unreachable" } },
])
  kept.write(`${JSON.stringify({ ...base, ...line })}\n`)
kept.write("no json\n")

const messagesOf = (query: Parameters<typeof readLog>[1]): string[] =>
  readLog(kept, query).lines.map(({ message }) => message)

test("lines have a level by name, their order and their own fields", () => {
  const { lines, newest } = readLog(kept, { limit: 10 })
  expect(newest).toBe(5)
  expect(lines[1]).toEqual({
    seq: 2,
    at: "2026-11-28T18:56:22.241Z",
    level: "info",
    message: "moved",
    order: "aa11",
    fields: { state: "funded" },
  })
})

test("level, order, place and number narrow the answer", () => {
  expect(messagesOf({ limit: 10 })).toEqual(["asked", "moved", "slow", "failed"])
  expect(messagesOf({ limit: 10, level: "warn" })).toEqual(["slow", "failed"])
  expect(messagesOf({ limit: 10, order: "aa" })).toEqual(["asked", "moved"])
  expect(messagesOf({ limit: 10, after: 3 })).toEqual(["failed"])
  expect(messagesOf({ limit: 1 })).toEqual(["failed"])
})
