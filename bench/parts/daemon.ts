import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { atMost, type Part } from "../row.ts"
import { BALLAST, createSandboxHome } from "../sandbox-home.ts"

const TRIES = 5

/** The start of the whole daemon with five chains, none of which answers: the time until it is ready, and its memory then. */
export const daemon: Part = async () => {
  const starts: Start[] = []
  for (let turn = 0; turn < TRIES; turn++) starts.push(await startOnce())
  // The best of several, because the first one fills the compile cache.
  const least = (part: keyof Start): number => Math.min(...starts.map((start) => start[part]))
  return [
    {
      what: "start of the daemon until it is ready, five chains",
      value: least("seconds"),
      unit: "s",
      goal: atMost(0.6),
    },
    { what: "its memory then", value: least("mib"), unit: "MiB", goal: atMost(150) },
  ]
}

type Start = { readonly seconds: number; readonly mib: number }

async function startOnce(): Promise<Start> {
  const home = createSandboxHome()
  const startMs = performance.now()
  const child = spawn(process.execPath, [BALLAST, "run", "--config", home.file], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  })
  let said = ""
  child.stderr?.on("data", (text) => {
    said += String(text)
  })
  const ended = once(child, "exit")
  const isReady = await Promise.race([once(child, "message").then(() => true), ended.then(() => false)])
  const seconds = (performance.now() - startMs) / 1_000
  if (!isReady) throw new Error(`the daemon did not start: ${said}`)
  const mib = readMemoryMib(child.pid ?? 0)
  child.kill("SIGKILL")
  await ended
  home.remove()
  return { seconds, mib }
}

/** Of the daemon, without its launcher and its signer, by the kernel's count. */
function readMemoryMib(pid: number): number {
  const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number)
  return Math.max(own, ...children.map(readMemoryMib))
}
