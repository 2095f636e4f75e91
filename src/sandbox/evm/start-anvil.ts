import { type ChildProcess, spawn } from "node:child_process"
import { createRequire } from "node:module"
import { createServer, Socket } from "node:net"
import { request } from "undici"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"

/**
 * Starts one anvil on the loopback interface and resolves when it answers for `chainId`. `port` 0 takes a free one.
 * It has no accounts of its own; it is gone when its parent is gone, however that one died.
 *
 * Throws `sandbox.port_in_use`, `sandbox.anvil_missing` and `sandbox.anvil_start` (fatal).
 */
export async function startAnvil(options: {
  chainId: number
  port: number
  /** Fractions are fine: 0.2 is five blocks a second. */
  blockTimeSeconds: number
  /** A state to go on from. */
  stateFile?: string
  log: Logger
}): Promise<Anvil> {
  const port = await reservePort(options.port)
  const child = spawn(findBinary(), anvilArguments({ ...options, port }), {
    stdio: ["ignore", "ignore", "pipe"],
    // A group of its own: Ctrl-C in the terminal is for the sandbox, which stops its chains in its own order.
    detached: true,
  })
  const state = watchChild(child)
  const guard = child.pid === undefined ? null : endWithParent(child.pid)
  const stop = (): Promise<void> => stopChild(child, state, guard)
  const url = `http://127.0.0.1:${port}`
  try {
    await untilAnswering(url, options.chainId, state)
  } catch (error) {
    await stop()
    throw error
  }
  const pid = present(child.pid, "the process id of a running anvil")
  state.onExit = () => {
    guard?.kill("SIGKILL")
    options.log.error({ pid, chainId: options.chainId, stderr: state.stderr }, "anvil died; restart the sandbox")
  }
  return { url, port, pid, stop }
}

export type Anvil = { readonly url: string; readonly port: number; readonly pid: number; stop(): Promise<void> }

type ChildState = { exited: boolean; stderr: string; onExit: () => void; readonly gone: Promise<void> }

/** How deep a local reorganisation can be. */
export const KEPT_STATES = 32

const START_ATTEMPTS = 500
const START_WAIT_MS = 20
const STOP_WAIT_MS = 2_000

function anvilArguments(options: {
  chainId: number
  port: number
  blockTimeSeconds: number
  stateFile?: string
}): string[] {
  return [
    ...["--host", "127.0.0.1", "--port", String(options.port), "--chain-id", String(options.chainId)],
    ...["--block-time", String(options.blockTimeSeconds), "--accounts", "0", "--quiet"],
    // Prague keeps block hashes in state, which makes every empty block dearer than the last (5 000 took 17 s, now 0.3 s).
    ...["--hardfork", "cancun"],
    // Unpruned states go to the home directory by the gigabyte. Each one kept has the hashes of all blocks in it, 120 bytes a
    // block: 32 cost 120 MB after half a day. Reorganisations and calls into the past reach as far as these states.
    ...["--prune-history", String(KEPT_STATES)],
    ...(options.stateFile === undefined ? [] : ["--load-state", options.stateFile]),
  ]
}

/** The binary itself: the package's launcher would leave us with the launcher's process id. */
function findBinary(): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil`)
  } catch (cause) {
    throw fatal("sandbox.anvil_missing", `${name} is not installed; run npm ci with optional dependencies`, { cause })
  }
}

/** Fails while there is somebody to tell. Otherwise a foreign node on that port could answer in our anvil's place. */
function reservePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", (cause) =>
      reject(fatal("sandbox.port_in_use", `port ${port} is taken; choose another one for this chain`, { cause })),
    )
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      const taken = typeof address === "object" && address !== null ? address.port : port
      server.close(() => resolve(taken))
    })
  })
}

function watchChild(child: ChildProcess): ChildState {
  const gone = Promise.withResolvers<void>()
  const state: ChildState = { exited: false, stderr: "", onExit: () => undefined, gone: gone.promise }
  const finish = (): void => {
    if (state.exited) return
    state.exited = true
    state.onExit()
    gone.resolve()
  }
  child.stderr?.on("data", (chunk: Buffer) => {
    state.stderr = `${state.stderr}${chunk}`.slice(-2_000)
  })
  child.once("exit", finish)
  child.once("error", (error) => {
    state.stderr += error.message
    finish()
  })
  return state
}

/** A shell that reads from us for as long as we live, and ends anvil when that ends: the only signal a SIGKILL leaves behind. */
function endWithParent(pid: number): ChildProcess {
  const guard = spawn("/bin/sh", ["-c", 'read -r _; kill -KILL "$0"', String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  })
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  return guard
}

async function stopChild(child: ChildProcess, state: ChildState, guard: ChildProcess | null): Promise<void> {
  state.onExit = () => undefined
  guard?.kill("SIGKILL")
  if (state.exited) return
  child.kill("SIGTERM")
  const patience = new AbortController()
  const late = systemClock.sleep(STOP_WAIT_MS, patience.signal).then(() => {
    if (!state.exited) child.kill("SIGKILL")
  })
  await state.gone
  patience.abort()
  await late
}

async function untilAnswering(url: string, chainId: number, state: ChildState): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
    if (state.exited) break
    if ((await askChainId(url)) === chainId) return
    await systemClock.sleep(START_WAIT_MS)
  }
  throw fatal("sandbox.anvil_start", `anvil did not come up: ${state.stderr.trim() || "no answer"}`, {})
}

/** `null` until somebody answers: a refused connection is what waiting looks like. */
async function askChainId(url: string): Promise<number | null> {
  try {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] })
    const answer = await request(url, { method: "POST", headers: { "content-type": "application/json" }, body })
    // CAST: only the one field is looked at, and Number() of anything else is not a chain id.
    const parsed = (await answer.body.json()) as { result?: unknown }
    return Number(parsed.result)
  } catch {
    return null
  }
}

function fatal(code: string, message: string, rest: { cause?: unknown }): AppError {
  return new AppError({ code, disposition: "fatal", message, ...rest })
}
