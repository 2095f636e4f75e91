import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, describe, expect, test } from "vitest"
import { gatherSteps } from "#journal/disk/gather-steps.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { systemClock } from "#lib/clock.ts"

/**
 * A file system in a file: the file has what the kernel has written to its disk so far, and a copy
 * of it is the disk of a machine that has lost its power.
 */
const DISK_MIB = 64
const CUTS = 12
/** The log of the database goes into the database several times. */
const WRITES_EACH = 150
const LARGE = "x".repeat(30_000)

const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "power-loss-"))
const disk = join(folder, "disk.img")
const mounted = join(folder, "mounted")
const run = (command: string, ...rest: string[]): boolean =>
  spawnSync(command, rest, { stdio: "ignore" }).status === 0
mkdirSync(mounted)
const canMount =
  run("truncate", "-s", `${DISK_MIB}M`, disk) &&
  run("mkfs.ext4", "-q", "-F", disk) &&
  run("mount", "-o", "loop", disk, mounted)
if (!canMount) {
  rmSync(folder, { recursive: true })
  process.stderr.write(
    "\nSKIPPED: the loss of power; it needs root, mkfs.ext4 and a loop device\n\n",
  )
}

describe.skipIf(!canMount)("a machine that loses its power", { timeout: 120_000 }, () => {
  afterAll(() => {
    // A test that failed has left the journal open.
    run("umount", "-l", mounted)
    rmSync(folder, { recursive: true, force: true })
  })

  test("keeps every write that was called durable, at whatever moment", async () => {
    const journal = openJournal(join(mounted, "journal.db"), {
      group: { schedule: gatherSteps(setImmediate, systemClock), onFailure: () => undefined },
      onDiskFailure: (error) => {
        throw error
      },
    })
    const durable = new Map<string, number>()
    let checked = 0
    for (let cut = 0; cut < CUTS; cut++) {
      for (let index = 0; index < WRITES_EACH; index++) {
        const key = `flag-${index}`
        const value = cut * WRITES_EACH + index
        journal.writeFlag(key, `${value} ${LARGE}`)
        const wait = journal.durable().then(() => void durable.set(key, value))
        if (index % 7 !== cut % 7) await wait
        else
          for (let turns = 0; turns < cut; turns++)
            await new Promise((resolve) => setImmediate(resolve))
      }
      const known = [...durable]
      const found = readAfterLoss(cut)
      for (const [key, value] of known)
        expect(found.get(key) ?? -1, `${key} after cut ${cut}`).toBeGreaterThanOrEqual(value)
      checked += known.length
    }
    journal.close()
    expect(checked).toBeGreaterThan(CUTS * WRITES_EACH * 0.8)
  })
})

/**
 * Mounts a copy of the disk, which repairs its file system from its log, and reads the journal in
 * it.
 */
function readAfterLoss(cut: number): Map<string, number> {
  const copy = join(folder, `cut-${cut}.img`)
  const again = join(folder, "again")
  copyDisk(copy)
  mkdirSync(again, { recursive: true })
  if (!run("mount", "-o", "loop", copy, again))
    throw new Error("the disk cannot be mounted after the loss of power")
  try {
    const db = new DatabaseSync(join(again, "journal.db"))
    expect(db.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" })
    const rows = db.prepare("select key, value from flags where key like 'flag-%'").all()
    db.close()
    return new Map(rows.map(({ key, value }) => [String(key), Number.parseInt(String(value), 10)]))
  } finally {
    run("umount", again)
    rmSync(copy)
  }
}

/** The kernel may write during a copy, so it counts only if a second one is the same. */
function copyDisk(copy: string): void {
  for (;;) {
    copyFileSync(disk, copy)
    if (readFileSync(disk).equals(readFileSync(copy))) return
  }
}
