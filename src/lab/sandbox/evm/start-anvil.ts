import { type ChildProcess, spawn } from "node:child_process"
import { createRequire } from "node:module"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { endWithParent } from "../end-with-parent.ts"
import { reservePort } from "../reserve-port.ts"
import { askAnvil, intervalFor, makeBlocks } from "./make-blocks.ts"

/**
 * Starts one anvil on the loopback interface and resolves when it answers for `chainId`. `port` 0
 * means any free port. It has no accounts. It ends when this process dies, even by SIGKILL.
 *
 * Throws `sandbox.port_in_use`, `sandbox.anvil_missing` and `sandbox.anvil_start` (fatal).
 */
export async function startAnvil(options: {
  chainId: number
  port: number
  /** It can be a fraction: 0.2 means five blocks a second. */
  blockTimeSeconds: number
  /** A saved state from which the chain continues. */
  stateFile?: string
  /** The node writes its state here every minute, and when it is stopped. */
  keepFile?: string
  log: Logger
}): Promise<Anvil> {
  const port = await reservePort(options.port)
  const child = spawn(findBinary(), anvilArguments({ ...options, port }), {
    stdio: ["ignore", "ignore", "pipe"],
    // Its own process group: Ctrl-C in the terminal then reaches only the sandbox, which stops its
    // chains in order.
    detached: true,
  })
  const state = watchChild(child)
  const guard = child.pid === undefined ? null : endWithParent(child.pid)
  const url = `http://127.0.0.1:${port}`
  const stopBlocks = makeBlocks(url, options.blockTimeSeconds)
  const stop = (): Promise<void> => {
    stopBlocks()
    return stopChild(child, state, guard)
  }
  try {
    await untilAnswering(url, options.chainId, state)
  } catch (error) {
    await stop()
    throw error
  }
  const pid = mustExist(child.pid, "the process id of a running anvil")
  state.onExit = () => {
    stopBlocks()
    guard?.kill("SIGKILL")
    options.log.error(
      { pid, chainId: options.chainId, stderr: state.stderr },
      "anvil ended unexpectedly; restart the sandbox",
    )
  }
  return { url, port, pid, stop }
}

export type Anvil = {
  readonly url: string
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

type ChildState = {
  exited: boolean
  stderr: string
  onExit: () => void
  readonly gone: Promise<void>
}

/** The number of states that anvil keeps. A local reorganisation must be shallower. */
export const KEPT_STATES = 32

const START_ATTEMPTS = 500
const START_WAIT_MS = 20
const STOP_WAIT_MS = 2_000

function anvilArguments(options: {
  chainId: number
  port: number
  blockTimeSeconds: number
  stateFile?: string
  keepFile?: string
}): string[] {
  return [
    "--host",
    "127.0.0.1",
    "--port",
    String(options.port),
    "--chain-id",
    String(options.chainId),
    "--block-time",
    String(intervalFor(options.blockTimeSeconds)),
    "--accounts",
    "0",
    "--quiet",
    // Prague stores block hashes in the state, so every empty block costs more than the one before
    // (5 000 took 17 s, now 0.3 s).
    "--hardfork",
    "cancun",
    // Without pruning, anvil writes gigabytes of states to the home directory. Each state contains
    // the hashes of all blocks, 120 bytes per block: 32 states need 120 MB after half a day.
    // Reorganisations and calls on old blocks need a state that anvil still keeps.
    "--prune-history",
    String(KEPT_STATES),
    // The state has all blocks, so that a day's state takes about a second to write.
    ...(options.keepFile === undefined
      ? []
      : ["--dump-state", options.keepFile, "--state-interval", "60"]),
    ...(options.stateFile === undefined ? [] : ["--load-state", options.stateFile]),
  ]
}

/**
 * Finds the binary itself, because the launcher script of the package would hide the process id of
 * anvil.
 */
function findBinary(): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil`)
  } catch (cause) {
    throw fatal(
      "sandbox.anvil_missing",
      `${name} is not installed; run npm ci with optional dependencies`,
      { cause },
    )
  }
}

function watchChild(child: ChildProcess): ChildState {
  const gone = Promise.withResolvers<void>()
  const state: ChildState = {
    exited: false,
    stderr: "",
    onExit: () => undefined,
    gone: gone.promise,
  }
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

async function stopChild(
  child: ChildProcess,
  state: ChildState,
  guard: ChildProcess | null,
): Promise<void> {
  state.onExit = () => undefined
  guard?.kill("SIGKILL")
  if (state.exited) return
  child.kill("SIGTERM")
  const timeout = new AbortController()
  const late = systemClock.sleep(STOP_WAIT_MS, timeout.signal).then(() => {
    if (!state.exited) child.kill("SIGKILL")
  })
  await state.gone
  timeout.abort()
  await late
}

async function untilAnswering(url: string, chainId: number, state: ChildState): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
    if (state.exited) break
    if ((await readChainId(url)) === chainId) return
    await systemClock.sleep(START_WAIT_MS)
  }
  throw fatal(
    "sandbox.anvil_start",
    `anvil did not come up: ${state.stderr.trim() || "no answer"}`,
    {},
  )
}

/** The chain id of the node; `null` while it does not answer yet. */
async function readChainId(url: string): Promise<number | null> {
  try {
    // Number() of any other value is not a chain id.
    return Number(await askAnvil(url, "eth_chainId"))
  } catch {
    return null
  }
}

function fatal(code: string, message: string, rest: { cause?: unknown }): AppError {
  return new AppError({ code, disposition: "fatal", message, ...rest })
}
