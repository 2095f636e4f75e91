import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { demoConfig, type SandboxSummary } from "../../src/app/cli/demo/demo-config.ts"
import type { OrderView } from "../../src/core/order/view.ts"
import { freePort } from "./free-port.ts"

export const LAUNCHER = join(import.meta.dirname, "..", "..", "bin", "ballast.cjs")

/** Only the environment variables that a daemon can rely on. */
export function bareEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const kept = ["PATH", "HOME", "TMPDIR", "LANG", "XDG_CACHE_HOME"].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  // A daemon does not need the compile cache. It only saves the tests the time to compile the same
  // modules many times.
  const compileCache = {
    NODE_COMPILE_CACHE: join(tmpdir(), `ballast-compile-cache-${process.getuid?.() ?? 0}`),
  }
  return { ...Object.fromEntries(kept), NODE_ENV: "test", ...compileCache, ...extra }
}

export type SandboxProcess = SandboxSummary & {
  readonly dir: string
  readonly stop: () => Promise<void>
}

/** Starts a real `ballast sandbox` on free ports. */
export async function startSandboxProcess(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<SandboxProcess> {
  const dir = mkdtempSync(join(tmpdir(), "ballast-e2e-"))
  const child = spawn(
    process.execPath,
    [LAUNCHER, "sandbox", "--json", "--port", "0", "--dir", join(dir, "chains"), ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: bareEnvironment(env),
    },
  )
  const summary = JSON.parse(await firstLine(child)) as SandboxSummary
  return { ...summary, dir, stop: () => end(child, "SIGTERM") }
}

export type DaemonProcess = {
  readonly child: ChildProcess
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  readonly output: () => string
  readonly call: (
    method: "GET" | "POST",
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: unknown }>
  readonly ready: () => Promise<void>
  /** Waits until the daemon serves HTTP. Without nodes it does not get ready. */
  readonly serves: () => Promise<void>
  readonly order: (id: string) => Promise<OrderView>
  readonly stop: () => Promise<void>
}

export const TOKEN = "test-token-of-24-letters"

/**
 * Writes a configuration for a daemon on this sandbox. `override` replaces top-level keys, and
 * `only` selects chains.
 */
export async function writeDaemonConfig(
  all: SandboxProcess,
  name: string,
  override: Record<string, unknown> = {},
  { deposit = "auto", only }: { deposit?: string; only?: readonly string[] } = {},
): Promise<{ file: string; port: number }> {
  const sandbox = only
    ? { ...all, chains: all.chains.filter((chain) => only.includes(chain.name)) }
    : all
  const port = await freePort()
  const demo = demoConfig(sandbox, { dataDir: join(sandbox.dir, name), routes: [], deposit })
  const config = {
    ...demo,
    // A test waits for what a poll shows.
    service: Object.assign({}, demo["service"], { poll: { min: "1s", max: "1s" } }),
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    ...override,
  }
  const file = join(sandbox.dir, `${name}.yaml`)
  writeFileSync(file, JSON.stringify(config, null, 2))
  return { file, port }
}

/** Starts a real `ballast run`. */
export function startDaemonProcess(
  { file, port }: { file: string; port: number },
  env: Record<string, string> = {},
  logFile: string | null = null,
): DaemonProcess {
  const child = spawn(process.execPath, [LAUNCHER, "run", "--config", file], {
    // Descriptor 3 closes when this process ends; the daemon watches it if `env` contains
    // BALLAST_PARENT_FD (follow-parent.ts).
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: bareEnvironment({ BALLAST_OPS_TOKEN: TOKEN, ...env }),
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) =>
      logFile === null ? chunks.push(chunk.toString()) : appendFileSync(logFile, chunk),
    )
  const exited = once(child, "exit").then(([code, signal]: unknown[]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }))
  const call: DaemonProcess["call"] = async (method, path, body) => {
    const ask = async (): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    // A kept connection may be closed in the moment of its next use, so a read is asked again.
    const answer = await ask().catch((error: unknown) => {
      if (method !== "GET" || child.exitCode !== null || child.signalCode !== null) throw error
      return ask()
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : text }
  }
  const answers = (path: string, condition: string): Promise<void> =>
    until(condition, async () => {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the daemon ended: ${chunks.join("").slice(-2000)}`)
      return (await call("GET", path).catch(() => ({ status: 0 }))).status === 200
    })
  return {
    child,
    exited,
    output: () => chunks.join(""),
    call,
    ready: () => answers("/readyz", "the daemon is ready"),
    serves: () => answers("/healthz", "the daemon serves HTTP"),
    order: async (id) => (await call("GET", `/api/v1/orders/${id}`)).body as OrderView,
    stop: () => end(child, "SIGTERM"),
  }
}

/** Polls until `check` resolves with true. Fails after `timeoutMs` and names the condition. */
export async function until(
  condition: string,
  check: () => Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!(await check())) {
    if (Date.now() > end)
      throw new Error(`waited ${timeoutMs} ms, and this condition is still false: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

type Started = { readonly stop: () => unknown } | undefined

/** Stops what a test has started, one after another; a start that failed left `undefined`. */
export async function stopAll(...started: readonly Started[]): Promise<void> {
  for (const one of started) await one?.stop()
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("no standard output")
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error("the sandbox ended before it was ready")
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, "exit")
}
