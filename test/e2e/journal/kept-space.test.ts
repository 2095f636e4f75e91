import { spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openJournal, type SqliteJournal } from "../../../src/edges/journal/sqlite-journal.ts"

/* A disk of its own needs root. */
const dir = mkdtempSync(join(tmpdir(), "ballast-full-disk-"))
const mount = (): boolean =>
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m,mode=700", "tmpfs", dir]).status === 0
const hasDisk = mount()
if (hasDisk) spawnSync("umount", ["-l", dir])

const MEBI = 1024 * 1024

let journal: SqliteJournal
let flush = (): void => undefined
function open(): SqliteJournal {
  const schedule = (run: () => void): void => {
    flush = run
  }
  return openJournal(join(dir, "journal.db"), { group: { schedule, onFailure: () => undefined } })
}

describe.skipIf(!hasDisk)("a journal on a full disk", () => {
  beforeEach(() => {
    mount()
    journal = open()
  })
  afterEach(() => {
    journal.close()
    spawnSync("umount", ["-l", dir])
  })

  test("writes on in the space that it kept, and says when that ends", async () => {
    expect(journal.keepSpace(4 * MEBI)).toBe(true)
    fillDisk()
    expect(journal.keepSpace(4 * MEBI)).toBe(true)
    const written = await writeUntilRefused(4 * MEBI)
    // Each kilobyte of a row takes less than two of the kept space.
    expect(written).toBeGreaterThan(2 * MEBI)
    expect(journal.keepSpace(4 * MEBI)).toBe(false)
    // A freed disk is used at once.
    rmSync(join(dir, "fill"))
    expect(journal.keepSpace(4 * MEBI)).toBe(true)
  })

  test("keeps no space that the disk does not have", async () => {
    fillDisk()
    expect(journal.keepSpace(4 * MEBI)).toBe(false)
    rmSync(join(dir, "fill"))
    expect(journal.keepSpace(4 * MEBI)).toBe(true)
  })

  test("keeps its space across a death of the process, also with a reader beside it", async () => {
    expect(journal.keepSpace(4 * MEBI)).toBe(true)
    journal.abandon()
    journal.close()
    journal = open()
    expect(journal.keepSpace(4 * MEBI)).toBe(true)
    const reader = open()
    reader.readFlag("a")
    fillDisk()
    expect(await writeUntilRefused(4 * MEBI)).toBeGreaterThan(2 * MEBI)
    reader.close()
  })
})

function fillDisk(): void {
  for (const size of [MEBI, 64 * 1024, 4_096])
    try {
      for (;;) appendFileSync(join(dir, "fill"), Buffer.alloc(size))
    } catch {
      // The disk is full for this size.
    }
}

/**
 * How many bytes of rows the journal takes, up to `most`; a refused write is tried once more, as
 * the engine does.
 */
async function writeUntilRefused(most: number): Promise<number> {
  let written = 0
  let refused = 0
  for (let at = 0; written < most && refused < 2; at++) {
    try {
      journal.writeFlag(`flag/${at}`, "x".repeat(4_000))
      const stored = journal.durable()
      flush()
      await stored
      written += 4_000
      refused = 0
    } catch {
      refused++
    }
  }
  return written
}
