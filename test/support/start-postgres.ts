import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "./free-port.ts"

const BIN = "/usr/lib/postgresql/15/bin"

/**
 * Whether Debian's PostgreSQL is here. `.ci/run` installs it and sets `BALLAST_NEEDS_POSTGRES`:
 * then its absence is an error.
 */
export function hasPostgres(): boolean {
  if (existsSync(join(BIN, "initdb"))) return true
  if (process.env["BALLAST_NEEDS_POSTGRES"] === "1")
    throw new Error("install Debian's package postgresql")
  process.stderr.write(
    "\nSKIPPED: all tests of the cluster, because PostgreSQL is not installed (Debian: " +
      "postgresql)\n\n",
  )
  return false
}

export type PostgresPair = {
  readonly url: string
  /** Of the standby; it takes writes after `promote`. */
  readonly standbyUrl: string
  /** A base backup of the primary, for `restore`. */
  readonly backUp: () => void
  /** Starts the backup in place of the primary, on the primary's port. */
  readonly restore: () => void
  /** The standby becomes a primary, while the other one goes on. */
  readonly promote: () => void
  /** Stops a server at once, as a kill does, or starts it again. */
  readonly stopPrimary: () => void
  readonly startPrimary: () => void
  readonly stopStandby: () => void
  readonly startStandby: () => void
  /** Which standbys each commit waits for: all of them (`*`), one by its name, or none (``). */
  readonly demand: (names: string) => void
  readonly stop: () => void
}

/**
 * A primary with a synchronous standby, both on this machine and without fsync. PostgreSQL refuses
 * root, so its own user runs it.
 */
export async function startPostgres(options: { fsync?: boolean } = {}): Promise<PostgresPair> {
  const isRoot = process.getuid?.() === 0
  // Root's own folder of temporary files is closed to the other user.
  const home = mkdtempSync(join(isRoot ? "/tmp" : tmpdir(), "ballast-pg-"))
  if (isRoot) execFileSync("chown", ["postgres", home])
  const primary = join(home, "primary")
  const standby = join(home, "standby")
  const run = (program: string, ...args: string[]): string => {
    const command = [join(BIN, program), ...args]
    const [file = "", ...rest] = isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command
    return execFileSync(file, rest, {
      cwd: "/",
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
    })
  }
  const ports = { primary: await freePort(), standby: await freePort() }
  const start = (folder: string, port: number): string => {
    const settings =
      `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c ` +
      `fsync=${options.fsync === true ? "on" : "off"}`
    return run("pg_ctl", "-D", folder, "-l", `${folder}.log`, "-o", settings, "-w", "start")
  }
  run("initdb", "-D", primary, "-A", "trust", "-U", "postgres", "--no-sync")
  start(primary, ports.primary)
  const base = ["-h", "127.0.0.1", "-p", String(ports.primary), "-U", "postgres"]
  run("pg_basebackup", ...base, "-D", standby, "-R", "--no-sync", "--checkpoint=fast")
  start(standby, ports.standby)
  const demand = (names: string): void => {
    // The sender of the log is told of the reload, and releases commits by its former names until
    // it has read it. A standby that is not there releases none.
    const isRead = names === "*" ? "sync_priority > 0" : "sync_priority = 0"
    const read =
      `do $$ begin while exists (select from pg_stat_replication where not ${isRead}) loop ` +
      "perform pg_sleep(0.01), pg_stat_clear_snapshot(); end loop; end $$"
    const change = `alter system set synchronous_standby_names = '${names}'`
    const commands = [change, "select pg_reload_conf()", read]
    run("psql", ...base, ...commands.flatMap((sql) => ["-c", sql]))
  }
  demand("*")
  let folders = [standby, primary]
  const backup = join(home, "backup")
  const end = (folder: string): void => {
    if (folders.includes(folder)) run("pg_ctl", "-D", folder, "-m", "immediate", "-w", "stop")
    folders = folders.filter((one) => one !== folder)
  }
  const begin = (folder: string, port = ports.primary): void => {
    start(folder, port)
    folders.push(folder)
  }
  return {
    url: `postgres://postgres@127.0.0.1:${ports.primary}/postgres`,
    standbyUrl: `postgres://postgres@127.0.0.1:${ports.standby}/postgres`,
    backUp: () =>
      void run("pg_basebackup", ...base, "-D", backup, "--no-sync", "--checkpoint=fast"),
    restore: () => {
      end(primary)
      begin(backup)
    },
    promote: () => void run("pg_ctl", "-D", standby, "-w", "promote"),
    stopPrimary: () => end(primary),
    startPrimary: () => begin(primary),
    stopStandby: () => end(standby),
    startStandby: () => begin(standby, ports.standby),
    demand,
    stop: () => {
      for (const folder of [...folders]) end(folder)
      rmSync(home, { recursive: true, force: true })
    },
  }
}
