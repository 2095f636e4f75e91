import { spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A disk of a few megabytes. `dir` is where it is mounted. */
export type SmallDisk = {
  readonly dir: string
  readonly fill: () => void
  readonly free: () => void
  readonly makeReadOnly: () => void
  readonly makeWritable: () => void
  readonly unmount: () => void
}

/**
 * Whether this process can mount a disk of its own. `.ci/run` sets `BALLAST_NEEDS_DISKS` where it
 * runs as root: then a refusal is an error.
 */
export function canMountDisks(): boolean {
  const dir = mkdtempSync(join(tmpdir(), "ballast-disk-"))
  const tried = run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", dir)
  if (tried.ok) run("umount", "-l", dir)
  rmSync(dir, { recursive: true, force: true })
  if (tried.ok) return true
  if (process.env["BALLAST_NEEDS_DISKS"] === "1")
    throw new Error(`this process cannot mount a disk: ${tried.said}`)
  process.stderr.write(`\nSKIPPED: full and read-only disks need root (${tried.said})\n\n`)
  return false
}

export function mountSmallDisk(size: string): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), "ballast-disk-"))
  const filler = join(dir, "fill")
  must("mount", "-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", dir)
  return {
    dir,
    fill: () => {
      for (const bytes of [64 * 1024, 4_096]) append(filler, Buffer.alloc(bytes))
    },
    free: () => rmSync(filler, { force: true }),
    makeReadOnly: () => must("mount", "-o", "remount,ro", dir),
    makeWritable: () => must("mount", "-o", "remount,rw", dir),
    unmount: () => must("umount", "-l", dir),
  }
}

function append(file: string, bytes: Buffer): void {
  try {
    for (;;) appendFileSync(file, bytes)
  } catch {
    // The disk is full for this size.
  }
}

function must(command: string, ...args: string[]): void {
  const { ok, said } = run(command, ...args)
  if (!ok) throw new Error(`${command} ${args.join(" ")}: ${said}`)
}

function run(command: string, ...args: string[]): { readonly ok: boolean; readonly said: string } {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" })
  return { ok: status === 0, said: error?.message ?? stderr.trim() }
}
