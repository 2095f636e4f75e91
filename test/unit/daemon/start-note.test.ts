import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openStartNote, readStartNote } from "#daemon/start/start-note.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const START_MS = 1_000_000

function openScene() {
  const dir = temporaryFolder("ballast-start-note")
  const clock = createManualClock(START_MS)
  const lines: unknown[] = []
  const log = { warn: (fields: unknown) => void lines.push(fields) }
  // CAST: the note only warns.
  const note = openStartNote(dir, { clock, log: log as never })
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      clock.set(clock.now() + 1_000)
      await settle()
    }
  }
  return { dir, note, lines, pass }
}

test("a start of the usual length leaves no word", async () => {
  const { dir, note, lines, pass } = openScene()
  await pass(2)
  note.begin("journal")
  await pass(2)
  note.end()
  await pass(10)
  expect(lines).toEqual([])
  expect(readStartNote(dir)).toBeNull()
  expect(readdirSync(dir)).toEqual([])
})

test("a step that lasts is told once with its error, in the log and to other processes", async () => {
  const { dir, note, lines, pass } = openScene()
  note.waits(new Error("the signer does not answer on /run/signer.sock"))
  await pass(20)
  expect(lines).toEqual([
    { step: "signer", reason: "the signer does not answer on /run/signer.sock" },
  ])
  expect(readStartNote(dir)).toEqual({
    pid: process.pid,
    step: "signer",
    sinceMs: START_MS,
    error: "the signer does not answer on /run/signer.sock",
  })
  note.begin("chains")
  await pass(5)
  expect(readStartNote(dir)).toMatchObject({ step: "chains", error: null })
  note.end()
  await pass(1)
  expect(readStartNote(dir)).toBeNull()
})

test("the note of a process that ended tells nothing", () => {
  const { dir, note } = openScene()
  const told = { pid: 2 ** 30, pidStart: null, step: "signer", sinceMs: 1, error: null }
  writeFileSync(join(dir, "starting.json"), JSON.stringify(told))
  expect(readStartNote(dir)).toBeNull()
  note.end()
})
