import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ENDPOINTS } from "../ask-endpoints.ts"
import { atMost, type Part } from "../row.ts"
import { BALLAST, createSandboxHome } from "../sandbox-home.ts"

const TRIES = 5
const MOST_END_MS = 5_000
/** The libraries behind the five chains of the sandbox, and those that every daemon needs. */
const LIBRARIES = [
  "viem",
  "bitcoinjs-lib",
  "@solana/web3.js",
  "starknet",
  "zod",
  "xstate",
  "pino",
  "undici",
  "yaml",
]

/**
 * The start of the whole daemon with five chains, none of which answers: the time until it is
 * ready, and its memory then.
 */
export const daemon: Part = async () => {
  const starts: Start[] = []
  for (let turn = 0; turn < TRIES; turn++) starts.push(await startOnce())
  const floors = measureLibraries()
  // The best of several, because the first one fills the compile cache.
  const least = (part: keyof Start): number => Math.min(...starts.map((start) => start[part]))
  return [
    {
      what: "start of the daemon until it is ready, five chains",
      value: least("seconds"),
      unit: "s",
      goal: null,
      left: atMost(0.6),
      floor: floors.seconds,
    },
    {
      what: "its memory and its signer's then",
      value: least("mib"),
      unit: "MiB",
      goal: null,
      left: atMost(130),
      floor: floors.mib,
    },
  ]
}

/** A process that loads the libraries, has nothing of Ballast and ends. */
function measureLibraries(): Start {
  const cache = mkdtempSync(join(tmpdir(), "bench-cache-"))
  const loads = LIBRARIES.map((name) => `import(${JSON.stringify(name)})`).join(",")
  const text =
    `await Promise.all([${loads}]); process.stdout.write(/^Pss:\\s+(\\d+)/m.exec(` +
    `process.getBuiltinModule("fs").readFileSync("/proc/self/smaps_rollup", "utf8"))[1])`
  const starts = Array.from({ length: TRIES }, () => {
    const startMs = performance.now()
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", text], {
      cwd: join(import.meta.dirname, "..", ".."),
      encoding: "utf8",
      env: { ...process.env, NODE_COMPILE_CACHE: cache },
    })
    return { seconds: (performance.now() - startMs) / 1_000, mib: Number(stdout) / 1_024 }
  })
  rmSync(cache, { recursive: true })
  return {
    seconds: Math.min(...starts.map(({ seconds }) => seconds)),
    mib: Math.min(...starts.map(({ mib }) => mib)),
  }
}

type Start = { readonly seconds: number; readonly mib: number }

async function startOnce(): Promise<Start> {
  const home = createSandboxHome(ENDPOINTS === 1 ? undefined : addEndpoints)
  const startMs = performance.now()
  const child = spawn(process.execPath, [BALLAST, "run", "--config", home.file], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  })
  let said = ""
  child.stderr?.on("data", (text) => {
    said += String(text)
  })
  const ended = once(child, "exit")
  const isReady = await Promise.race([
    once(child, "message").then(() => true),
    ended.then(() => false),
  ])
  const seconds = (performance.now() - startMs) / 1_000
  if (!isReady) throw new Error(`the daemon did not start: ${said}`)
  const mib = readMemoryMib(child.pid ?? 0)
  // A profile is written at the end of the process, so it gets the time for it.
  child.kill("SIGTERM")
  const late = setTimeout(() => child.kill("SIGKILL"), MOST_END_MS)
  await ended
  clearTimeout(late)
  home.remove()
  return { seconds, mib }
}

/** A second address for each chain, which does not answer either. */
function addEndpoints(text: string): string {
  return text.replaceAll(
    /(?<=(?:rpc|esplora): \[)"(http:\/\/127\.0\.0\.1:)(\d+)"/g,
    '"$1$2", "$11$2"',
  )
}

/** Of the process and all that it started; a page that several share counts in parts (PSS). */
function readMemoryMib(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
  const own = Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1_024
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter(Boolean)
    .reduce((sum, child) => sum + readMemoryMib(Number(child)), own)
}
