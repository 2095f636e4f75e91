import { expect, test } from "vitest"
import { createJournalWatch } from "#daemon/watch/journal-watch.ts"
import { silentLogger } from "#lib/log.ts"

test("a lost journal that refuses the pause is saved, and the pause is tried again", async () => {
  const stop = new AbortController()
  const paused: unknown[] = []
  const saved: string[] = []
  let turns = 0
  const watch = createJournalWatch({
    file: "/data/journal.db",
    journal: {
      findPlace: () => "deleted",
      raiseAlert: (...alert) => {
        if (turns === 0) throw new Error("database or disk is full")
        paused.push(alert)
      },
      saveTo: async (file) => void saved.push(file),
    },
    clock: {
      now: () => 1_000 + turns,
      sleep: async () => {
        turns += 1
        if (turns === 3) stop.abort()
      },
    },
    log: silentLogger,
  })
  await watch.run(stop.signal)
  expect(saved).toEqual(["/data/journal.db.saved"])
  expect(paused).toEqual([
    [
      1_000,
      { code: "journal.deleted", message: expect.any(String), file: "/data/journal.db" },
      "pause",
    ],
  ])
})
