import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findEnvironmentFault } from "#lib/environment-fault.ts"

/**
 * The facts about a running daemon that other programs of the same user need, without its
 * configuration.
 */
export type RunningDaemon = {
  /** The path of its Unix socket; `null` without one. */
  readonly socket: string | null
  /** The address of its TCP interface; `null` without one. */
  readonly url: string | null
  readonly pid: number
  readonly treasury: string
  readonly version: string
  readonly startedAt: string
  /** The absolute path of its configuration file. */
  readonly config: string
  /** The public half of each chain's key, for a shadow; absent in files of older versions. */
  readonly wallets?: Readonly<Record<string, string>>
}

/**
 * `pidStart` tells a process from a later one with the same id; `null` where the system does not
 * say it.
 */
type Stored = RunningDaemon & { readonly pidStart: string | null }

const FILE = "runtime.json"

/**
 * Replaces the file in one step, so that no reader meets half of it. Returns the function that
 * removes it again.
 */
export function writeRuntimeFile(dataDir: string, daemon: RunningDaemon): () => void {
  const stored: Stored = { ...daemon, pidStart: processStartOf(daemon.pid) }
  replaceFile(join(dataDir, FILE), JSON.stringify(stored, null, 2))
  return () => rmSync(join(dataDir, FILE), { force: true })
}

/**
 * The daemon that runs on this data directory; `null` without one. A process that died without a
 * clean stop left an outdated file.
 */
export function readRuntimeFile(dataDir: string): RunningDaemon | null {
  const stored = readStored(join(dataDir, FILE))
  return stored !== null && isSameProcess(stored) ? stored : null
}

/** The process runs, and is no later one with the same id. */
export function isSameProcess({ pid, pidStart }: Pick<Stored, "pid" | "pidStart">): boolean {
  return isRunning(pid) && (pidStart === null || processStartOf(pid) === pidStart)
}

/**
 * The same, where the system proves that the process is the one that wrote the file, and it is not
 * this one.
 */
export function findProvenDaemon(dataDir: string): RunningDaemon | null {
  const stored = readStored(join(dataDir, FILE))
  if (stored === null || stored.pidStart === null || stored.pid === process.pid) return null
  const { state, start } = readProcess(stored.pid) ?? {}
  return start === stored.pidStart && !ENDED.includes(state ?? "") ? stored : null
}

/** Zombie and dead (proc_pid_stat(5)): only its parent still sees it. */
const ENDED = ["Z", "X"]

/**
 * Writes a file of mode 600 in one step. Throws `system.*` (transient) for trouble of the machine.
 */
export function replaceFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw findEnvironmentFault(error, path) ?? error
  }
}

function readStored(path: string): Stored | null {
  try {
    // CAST: `writeRuntimeFile` wrote it; a file in a closed directory has no other writer.
    const stored = JSON.parse(readFileSync(path, "utf8")) as Stored
    return Number.isInteger(stored.pid) && stored.pid > 0 ? stored : null
  } catch {
    // No file, or no JSON: no daemon told of itself.
    return null
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process runs and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** Differs from that of a later process with the same id; `null` where the system is silent. */
export function processStartOf(pid: number): string | null {
  return readProcess(pid)?.start ?? null
}

/**
 * The state of a process, and its start in clock ticks since the machine's start: the third and the
 * 22nd field of Linux' /proc/PID/stat (proc_pid_stat(5)).
 */
function readProcess(pid: number): { readonly state: string; readonly start: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the name in parentheses, and may contain spaces.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    return { state: fields[0] ?? "", start: fields[19] ?? "" }
  } catch {
    // Another system, or the process is gone.
    return null
  }
}
