import { expect, test } from "vitest"
import { forgetStarts, noteStart, readDeaths } from "#daemon/watch/cut-off-starts.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const MINUTE = 60_000
const NOW = Date.parse("2026-03-04T13:00:00Z")

test("starts without an end in order are counted while they follow one another", () => {
  const data = temporaryFolder("ballast-starts")
  expect(readDeaths(data, NOW)).toBeNull()
  for (const atMs of [NOW - 60 * MINUTE, NOW - 12 * MINUTE, NOW - 6 * MINUTE, NOW - MINUTE])
    noteStart(data, atMs)
  expect(readDeaths(data, NOW)).toEqual({
    times: 2,
    sinceMs: NOW - 12 * MINUTE,
    lastMs: NOW - MINUTE,
  })
  expect(readDeaths(data, NOW + 20 * MINUTE)).toBeNull()
})

test("an end in order begins anew, and a clock that went back counts nothing", () => {
  const data = temporaryFolder("ballast-starts")
  for (const atMs of [NOW - 2 * MINUTE, NOW - MINUTE]) noteStart(data, atMs)
  expect(readDeaths(data, NOW - 30 * MINUTE)).toBeNull()
  forgetStarts(data)
  noteStart(data, NOW)
  expect(readDeaths(data, NOW)).toBeNull()
})

test("a folder that is gone ends no start", () => {
  noteStart("/nowhere/at/all", NOW)
  expect(readDeaths("/nowhere/at/all", NOW)).toBeNull()
})
