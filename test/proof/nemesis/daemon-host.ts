import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { callSocket } from "../../../src/app/cli/call-daemon.ts"
import { bareEnvironment, LAUNCHER, TOKEN } from "../../support/sandbox-process.ts"
import type { EngineMutant } from "../fault-sim/engine-mutants.ts"
import type { HostName, Network } from "./network.ts"
import { plantByHook } from "./plant-by-hook.ts"
import { shiftClockByFile } from "./shift-clock-by-file.ts"

/** A machine with a daemon: its own network, clock and data directory. */
export type DaemonHost = {
  readonly name: HostName
  readonly dataDir: string
  readonly start: () => void
  readonly isRunning: () => boolean
  /** To the daemon and its signer. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** Returns when the process has ended; its exit code, or `null` after a signal. */
  readonly ended: () => Promise<number | null>
  /** `null` while no daemon answers. */
  readonly call: (
    method: "GET" | "POST",
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: unknown } | null>
  readonly shiftClock: (seconds: number) => void
  /** The log of all daemons of this host. */
  readonly output: () => string
  /** Points the host's database at another server, for new connections. */
  readonly pointDatabase: (address: string) => void
  readonly close: () => void
}

export type DaemonPlace = {
  readonly network: Network
  readonly name: "a" | "b"
  /** A mistake in the daemon and its signer. */
  readonly planted: EngineMutant["edits"]
  readonly configFile: string
  readonly dataDir: string
  /** Ports of chains and services, which the host reaches on its own loopback. */
  readonly ports: readonly number[]
  readonly databasePort: number
  readonly databaseAddress: string
}

export function openDaemonHost(place: DaemonPlace): DaemonHost {
  const { network, name, dataDir, databasePort } = place
  const folder = mkdtempSync(join(tmpdir(), `ballast-nemesis-${name}-`))
  const [relayFile, shiftFile, logFile] = ["relay.json", "shift", "log"].map((file) =>
    join(folder, file),
  )
  if (relayFile === undefined || shiftFile === undefined || logFile === undefined)
    throw new Error("no files")
  const pointDatabase = (address: string): void => {
    const nodes = place.ports.map((port) => [
      `127.0.0.1:${port}`,
      `${network.addressOf("root")}:${port}`,
    ])
    const targets = Object.fromEntries([...nodes, [`127.0.0.1:${databasePort}`, address]])
    writeFileSync(`${relayFile}.part`, JSON.stringify(targets))
    renameSync(`${relayFile}.part`, relayFile)
  }
  pointDatabase(place.databaseAddress)
  writeFileSync(shiftFile, "0")
  writeFileSync(logFile, "")
  const relay = run(
    network.on(name, [process.execPath, join(import.meta.dirname, "relay.ts"), relayFile]),
  )
  let daemon: ChildProcess | null = null
  const isRunning = (): boolean =>
    daemon !== null && daemon.exitCode === null && daemon.signalCode === null
  return {
    name,
    dataDir,
    isRunning,
    start: () => {
      if (isRunning()) return
      const { NODE_OPTIONS: shifting = "" } = shiftClockByFile(shiftFile)
      // A mistake is planted in a file of the sources.
      const planted = {
        NODE_OPTIONS: `${plantByHook(place.planted)} ${shifting}`,
        BALLAST_RUN_SOURCES: "1",
      }
      const options = place.planted.length === 0 ? { NODE_OPTIONS: shifting } : planted
      const env = bareEnvironment({ BALLAST_OPS_TOKEN: TOKEN, ...options })
      daemon = run(
        network.on(name, [process.execPath, LAUNCHER, "run", "--config", place.configFile]),
        env,
      )
      for (const stream of [daemon.stdout, daemon.stderr])
        stream?.on("data", (chunk: Buffer) => appendFileSync(logFile, chunk))
    },
    signal: (signal) => {
      // The daemon and its signer are one group of processes.
      if (daemon?.pid !== undefined && isRunning()) process.kill(-daemon.pid, signal)
    },
    ended: async () => {
      if (daemon === null) return null
      if (isRunning()) await once(daemon, "exit")
      return daemon.exitCode
    },
    call: async (method, path, body) => {
      if (!isRunning()) return null
      return callSocket(join(dataDir, "ballast.sock"), method, path, body, {
        answerMs: 5_000,
      }).catch(() => null)
    },
    shiftClock: (seconds) => writeFileSync(shiftFile, String(seconds * 1_000)),
    output: () => readFileSync(logFile, "utf8"),
    pointDatabase,
    close: () => {
      for (const child of [daemon, relay]) {
        if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null)
          continue
        process.kill(-child.pid, "SIGCONT")
        process.kill(-child.pid, "SIGKILL")
      }
    },
  }
}

/** A group of processes of its own, so that a signal reaches all of them. */
function run(
  [file, ...args]: readonly [string, ...string[]],
  env?: NodeJS.ProcessEnv,
): ChildProcess {
  return spawn(file, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...(env === undefined ? {} : { env }),
  })
}
