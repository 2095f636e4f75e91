import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import type { Logger } from "#lib/log.ts"
import { makeFolder } from "#lib/make-folder.ts"
import { reservePort } from "../reserve-port.ts"
import { type BitcoinRpc, createBitcoinRpc } from "./bitcoin-rpc.ts"
import type { BitcoindFound } from "./find-bitcoind.ts"

/**
 * Starts a regtest bitcoind on a free RPC port without network access. It keeps its data in `dir`
 * and creates the folder if it is missing.
 *
 * `stop()` ends the node, and the node also ends when this process dies. Throws
 * `sandbox.bitcoind_start` (fatal) with the output of the node.
 */
export async function startBitcoind(options: {
  found: BitcoindFound
  dir: string
  log: Logger
}): Promise<Bitcoind> {
  makeFolder(options.dir)
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const started = await tryStart(options.found, options.dir, deadline)
    if (!("failure" in started)) return supervise(started.child, started.rpc, options.log)
    // After the kill of its parent, a node holds the data directory until it has flushed. Another
    // process can also take the free port first.
    if (
      !/obtain a lock|unable to (bind|start HTTP server)/i.test(started.failure) ||
      Date.now() > deadline
    )
      throw startError(started.failure, options.dir)
    await sleep(200)
  }
}

export type Bitcoind = { readonly rpc: BitcoinRpc; readonly pid: number; stop(): Promise<void> }

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000

type Started = { child: ChildProcess; rpc: BitcoinRpc } | { failure: string }

async function tryStart(found: BitcoindFound, dir: string, deadline: number): Promise<Started> {
  const port = await reservePort(0)
  const child = spawn(found.command, flags(found, dir, port), {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  })
  let printed = ""
  child.stderr.on("data", (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-2_000)
  })
  let spawnFailure: string | null = null
  child.once("error", (error) => {
    spawnFailure = error.message
  })

  const cookie = join(dir, "regtest", ".cookie")
  const rpc = createBitcoinRpc({
    url: `http://127.0.0.1:${port}`,
    readAuth: () => readFileSync(cookie, "utf8"),
  })
  while (spawnFailure === null && !hasEnded(child)) {
    if (await answers(rpc)) return { child, rpc }
    if (Date.now() > deadline) {
      child.kill("SIGKILL")
      return { failure: `no answer within ${START_TIMEOUT_MS} ms` }
    }
    await sleep(30)
  }
  return {
    failure:
      spawnFailure ??
      (printed.trim() || `it ended with code ${child.exitCode ?? child.signalCode}`),
  }
}

function flags(found: BitcoindFound, dir: string, port: number): string[] {
  // Real nodes relay by Core's mempool policy; the default of Knots differs.
  const policy = found.kind === "knots" ? ["-corepolicy=1", "-mempooltruc=enforce"] : []
  return [
    "-regtest",
    "-server",
    `-datadir=${dir}`,
    `-rpcport=${port}`,
    "-rpcbind=127.0.0.1",
    "-rpcallowip=127.0.0.1",
    "-rpcworkqueue=256",
    "-listen=0",
    "-networkactive=0",
    "-dnsseed=0",
    "-fallbackfee=0.00002",
    "-dbcache=16",
    "-printtoconsole=0",
    ...policy,
  ]
}

async function answers(rpc: BitcoinRpc): Promise<boolean> {
  try {
    await rpc.call("getblockcount", [], z.number())
    return true
  } catch {
    // The node or its cookie is not ready yet. The caller's loop checks the deadline and the
    // process.
    return false
  }
}

function supervise(child: ChildProcess, rpc: BitcoinRpc, log: Logger): Bitcoind {
  const pid = child.pid
  if (pid === undefined) throw startError("it has no process id", "")
  const release = endWithParent(pid)
  let stopping = false
  const exited = new Promise<void>((resolve) => {
    const finish = (): void => {
      release()
      if (!stopping)
        log.error(
          { pid, code: child.exitCode, signal: child.signalCode },
          "bitcoind ended unexpectedly",
        )
      resolve()
    }
    if (hasEnded(child)) finish()
    else child.once("exit", finish)
  })
  return {
    rpc,
    pid,
    stop: async () => {
      stopping = true
      if (!hasEnded(child)) {
        // The kill below ends a node that no longer answers.
        await rpc
          .call("stop", [], z.unknown())
          .catch((error: unknown) =>
            log.debug({ err: error }, "bitcoind did not answer the stop call"),
          )
      }
      if (!(await within(exited, STOP_TIMEOUT_MS))) child.kill("SIGKILL")
      await exited
    },
  }
}

/**
 * Starts a watcher process that ends the node when this process dies, even by SIGKILL: the pipe to
 * the watcher then closes. The returned function stops the watcher.
 */
function endWithParent(pid: number): () => void {
  const watcher = spawn("sh", ["-c", 'read -r _; kill "$1"', "sh", String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  watcher.unref()
  return () => {
    watcher.kill("SIGKILL")
    watcher.stdin.destroy()
  }
}

async function within(done: Promise<void>, ms: number): Promise<boolean> {
  const timeout = new AbortController()
  const late = sleep(ms, false, { signal: timeout.signal }).catch(() => false)
  const inTime = await Promise.race([done.then(() => true), late])
  timeout.abort()
  return inTime
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function startError(failure: string, dir: string): AppError {
  return new AppError({
    code: "sandbox.bitcoind_start",
    disposition: "fatal",
    message: `bitcoind did not start: ${failure}`,
    details: { dir },
  })
}
