import fs, {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Journal } from "#ports/journal.ts"
import { openJournal } from "../sqlite-journal.ts"
import type { GroupLog } from "./replicate-groups.ts"

type Sync = { path: string; found: Buffer; end: (error: Error | null) => void }
/** The syncs that have begun and not ended, each with the bytes that it found in its file. */
const disk = { begun: [] as Sync[], atClose: 0, fails: false }
const real = { fdatasync: fs.fdatasync, fdatasyncSync: fs.fdatasyncSync }
const simulated = {
  fdatasync: (descriptor: number, end: Sync["end"]) => {
    const path = readlinkSync(`/proc/self/fd/${descriptor}`)
    disk.begun.push({ path, found: readFileSync(path), end })
  },
  fdatasyncSync: () => {
    disk.atClose++
    if (disk.fails) throw new Error("EIO")
  },
}
/**
 * Modules that are loaded already get the replacement too, because they read the names of `node:fs`
 * at each use.
 */
function replaceSyncs(by: typeof simulated | typeof real): void {
  Object.assign(fs, by)
  syncBuiltinESMExports()
}
beforeAll(() => replaceSyncs(simulated))
afterAll(() => replaceSyncs(real))

let directory: string
let file: string
let flush: () => void
let failures: unknown[]
let journal: Journal
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "write-ahead-log-"))
  file = join(directory, "journal.db")
  Object.assign(disk, { begun: [], atClose: 0, fails: false })
  failures = []
  journal = open(file)
})
afterEach(() => {
  journal.close()
  rmSync(directory, { recursive: true })
})

function open(name: string, groupLog?: GroupLog): Journal {
  const schedule = (run: () => void): void => {
    flush = run
  }
  const options = {
    group: { schedule, onFailure: () => undefined },
    ...(groupLog ? { groupLog } : {}),
  }
  return openJournal(name, { ...options, onDiskFailure: (error) => failures.push(error) })
}
const write = (key: string): void => {
  journal.writeFlag(key, "set")
  flush()
}
const endSync = (error: Error | null = null): void => disk.begun.shift()?.end(error)
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const isSettled = async (promise: Promise<void>): Promise<boolean> => {
  let settled = false
  promise.finally(() => (settled = true)).catch(() => undefined)
  await turn()
  return settled
}

describe("a commit that does not wait for the disk", () => {
  test("is durable when a sync of its own file has ended", async () => {
    write("a")
    const durable = journal.durable()
    const other = openJournal(file)
    expect([other.readFlag("a"), journal.isPending(), await isSettled(durable)]).toEqual([
      "set",
      true,
      false,
    ])
    other.close()
    expect(disk.begun.map(({ path }) => path)).toEqual([`${file}-wal`])
    endSync()
    await durable
    expect([journal.isPending(), await isSettled(journal.durable())]).toEqual([false, true])
  })

  test("waits for the next sync if one had begun before it, and shares that with later commits", async () => {
    write("a")
    const first = journal.durable()
    write("b")
    const second = journal.durable()
    write("c")
    const third = journal.durable()
    expect(disk.begun.length).toBe(1)
    endSync()
    await first
    expect([await isSettled(second), await isSettled(third), disk.begun.length]).toEqual([
      false,
      false,
      1,
    ])
    endSync()
    await Promise.all([second, third])
    expect([disk.begun.length, journal.isPending()]).toEqual([0, false])
  })

  test("is never called durable by a disk that failed, whatever it says later", async () => {
    write("a")
    const durable = journal.durable()
    endSync(new Error("EIO"))
    write("b")
    const later = journal.durable()
    expect([failures, disk.begun.length]).toEqual([[new Error("EIO")], 0])
    expect([await isSettled(durable), await isSettled(later), journal.isPending()]).toEqual([
      false,
      false,
      true,
    ])
  })

  test("is on disk after a close, which a sync under way does not disturb", async () => {
    write("a")
    const durable = journal.durable()
    journal.close()
    expect(disk.atClose).toBe(1)
    endSync(new Error("EBADF"))
    await durable
    expect(failures).toEqual([])
    journal = openJournal(":memory:")
  })

  test("is told of when the sync of the close fails, as when any other does", async () => {
    write("a")
    disk.fails = true
    expect(() => journal.close()).not.toThrow()
    expect(failures).toEqual([new Error("EIO")])
    journal = openJournal(":memory:")
  })

  test("goes to the log of a cluster at once, and is durable when both have it", async () => {
    const ends: (() => void)[] = []
    journal.close()
    const append = (): Promise<void> => new Promise((resolve) => void ends.push(resolve))
    journal = open(join(directory, "member.db"), { append, urge: () => undefined })
    write("disk first")
    const first = journal.durable()
    expect([ends.length, disk.begun.length]).toEqual([1, 1])
    endSync()
    expect(await isSettled(first)).toBe(false)
    ends.shift()?.()
    await first
    write("log first")
    const second = journal.durable()
    ends.shift()?.()
    expect(await isSettled(second)).toBe(false)
    endSync()
    await second
  })

  test("waits itself where the database has no write-ahead log", async () => {
    journal.close()
    journal = open(":memory:")
    write("a")
    await journal.durable()
    expect(disk.begun.length).toBe(0)
  })
})

/**
 * After it the disk has the database, and of the write-ahead log what the last ended sync found.
 */
test("a loss of power takes nothing that was called durable", async () => {
  const steps = fc.array(fc.constantFrom("write", "sync"), { minLength: 5, maxLength: 25 })
  let checked = 0
  await fc.assert(
    fc.asyncProperty(steps, async (kinds) => {
      journal.close()
      const own = mkdtempSync(join(directory, "run-"))
      const live = join(own, "journal.db")
      disk.begun = []
      journal = open(live)
      const durable: string[] = []
      let onDisk: Uint8Array = new Uint8Array()
      for (const [index, kind] of kinds.entries()) {
        if (kind === "write") {
          write(`flag-${index}`)
          void journal.durable().then(() => durable.push(`flag-${index}`))
        } else {
          onDisk = disk.begun[0]?.found ?? onDisk
          endSync()
        }
        await turn()
      }
      const kept = join(own, "kept.db")
      copyFileSync(live, kept)
      writeFileSync(`${kept}-wal`, onDisk)
      const after = openJournal(kept)
      expect(durable.filter((key) => after.readFlag(key) !== "set")).toEqual([])
      after.close()
      checked += durable.length
    }),
    { numRuns: 60 },
  )
  expect(checked).toBeGreaterThan(100)
})
