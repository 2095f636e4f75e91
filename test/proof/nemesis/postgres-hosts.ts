import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Network } from "./network.ts"

const BIN = "/usr/lib/postgresql/15/bin"
const PORT = 5432
/** Shifts the clock of a server while it runs: it reads the shift from a file again and again. */
const MACHINE = process.arch === "arm64" ? "aarch64" : "x86_64"
const FAKETIME = `/usr/lib/${MACHINE}-linux-gnu/faketime/libfaketime.so.1`

export type Server = "primary" | "standby"

export type PostgresHosts = {
  /** The server that takes writes. */
  readonly writer: () => Server
  readonly address: () => string
  /**
   * Kills the writer, calls `afterKill`, promotes the other server, and makes the killed one its
   * synchronous standby.
   */
  readonly promote: (afterKill: () => void) => void
  /** Kills the writer and starts it again: its commits are on disk, its connections are gone. */
  readonly crash: () => void
  /** Shifts the clock of both servers; 0 is the true time. */
  readonly shiftClocks: (seconds: number) => void
  readonly close: () => void
}

export type PostgresOptions = {
  /** Commits that do not wait for the standby: a planted mistake. */
  readonly asynchronous: boolean
}

/**
 * Two servers of PostgreSQL on the hosts `primary` and `standby`. Every commit waits for the other
 * server.
 */
export function startPostgresHosts(
  network: Network,
  { asynchronous }: PostgresOptions,
): PostgresHosts {
  const home = mkdtempSync("/tmp/ballast-nemesis-pg-")
  execFileSync("chown", ["postgres", home])
  const shift = join(home, "shift")
  writeFileSync(shift, "+0\n")
  const folderOf = (server: Server): string => join(home, server)
  const env = existsSync(FAKETIME)
    ? {
        LD_PRELOAD: FAKETIME,
        FAKETIME_TIMESTAMP_FILE: shift,
        FAKETIME_CACHE_DURATION: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      }
    : {}
  const run = (server: Server, program: string, ...args: string[]): void => {
    const assigned = Object.entries(env).map(([key, value]) => `${key}=${value}`)
    const command = [
      "runuser",
      "-u",
      "postgres",
      "--",
      "env",
      ...assigned,
      join(BIN, program),
      ...args,
    ]
    const [file, ...rest] = network.on(server, command)
    execFileSync(file, rest, { cwd: "/", stdio: ["ignore", "ignore", "pipe"], timeout: 120_000 })
  }
  const start = (server: Server): void => {
    const settings =
      `-p ${PORT} -k ${home} -c unix_socket_directories= -c ` +
      `listen_addresses=${network.addressOf(server)} -c fsync=off -c wal_receiver_timeout=3s ` +
      "-c wal_sender_timeout=3s"
    run(
      server,
      "pg_ctl",
      "-D",
      folderOf(server),
      "-l",
      `${folderOf(server)}.log`,
      "-o",
      settings,
      "-w",
      "start",
    )
  }
  const kill = (server: Server): void =>
    run(server, "pg_ctl", "-D", folderOf(server), "-m", "immediate", "-w", "stop")
  const follow = (server: Server, writer: Server): void => {
    rmSync(folderOf(server), { recursive: true, force: true })
    run(
      server,
      ...[
        "pg_basebackup",
        "-h",
        network.addressOf(writer),
        "-p",
        String(PORT),
        "-U",
        "postgres",
        "-D",
      ],
      ...[folderOf(server), "-R", "--no-sync", "--checkpoint=fast"],
    )
    start(server)
  }
  const demandStandby = (server: Server): void => {
    if (asynchronous) return
    appendFileSync(
      join(folderOf(server), "postgresql.auto.conf"),
      "synchronous_standby_names = '*'\n",
    )
    run(server, "pg_ctl", "-D", folderOf(server), "reload")
  }

  run("primary", "initdb", "-D", folderOf("primary"), "-A", "trust", "-U", "postgres", "--no-sync")
  const trust = ["all", "replication"].map(
    (database) => `host ${database} all 10.77.0.0/16 trust\n`,
  )
  appendFileSync(join(folderOf("primary"), "pg_hba.conf"), trust.join(""))
  start("primary")
  follow("standby", "primary")
  demandStandby("primary")
  let writer: Server = "primary"

  return {
    writer: () => writer,
    address: () => `${network.addressOf(writer)}:${PORT}`,
    promote: (afterKill) => {
      const former = writer
      kill(former)
      afterKill()
      writer = former === "primary" ? "standby" : "primary"
      run(writer, "pg_ctl", "-D", folderOf(writer), "-w", "promote")
      demandStandby(writer)
      follow(former, writer)
    },
    crash: () => {
      kill(writer)
      start(writer)
    },
    shiftClocks: (seconds) =>
      writeFileSync(shift, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`),
    close: () => {
      for (const server of ["standby", "primary"] as const) {
        try {
          kill(server)
        } catch {
          // It was not up.
        }
      }
      rmSync(home, { recursive: true, force: true })
    },
  }
}
