import { spawn } from "node:child_process"
import { expect, test } from "vitest"

const WATCHDOG = new URL("../../../src/app/daemon/watch/watchdog.ts", import.meta.url).href

/**
 * Runs `code` in a process of its own with a watchdog of one second, because a stall ends the whole
 * process.
 */
function run(
  code: string,
): Promise<{ signal: string | null; exitCode: number | null; output: string }> {
  const program =
    `const { startWatchdog } = await import(${JSON.stringify(WATCHDOG)})\nconst end = ` +
    `startWatchdog(1000, (error) => { throw error })\n${code}`
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
    cwd: import.meta.dirname,
  })
  let output = ""
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString()
  })
  return new Promise((resolve) => {
    child.on("close", (exitCode, signal) => resolve({ signal, exitCode, output }))
  })
}

test("a loop that never yields ends the process, after its stack is logged", {
  timeout: 20_000,
}, async () => {
  const { signal, output } = await run(`
    await new Promise((resolve) => setTimeout(resolve, 1500))
    function readForEver() { for (;;) Math.sqrt(2) }
    readForEver()`)
  expect(signal).toBe("SIGKILL")
  const line = JSON.parse(output) as { level: number; msg: string; stack: string[] }
  expect(line).toMatchObject({
    level: 50,
    msg: expect.stringContaining("The event loop stands still"),
  })
  expect(line.stack[0]).toContain("readForEver")
})

test("a regular expression that backtracks for hours ends the process", {
  timeout: 20_000,
}, async () => {
  const { signal, output } = await run(
    `function backtrack() { /^(a+)+$/.test("a".repeat(60) + "b") }\nbacktrack()`,
  )
  expect(signal).toBe("SIGKILL")
  expect(output).toContain("The event loop stands still")
})

test("a process that is stopped for longer than the limit goes on", {
  timeout: 20_000,
}, async () => {
  const { signal, exitCode, output } = await run(`
    const { spawn } = await import("node:child_process")
    const script = "sleep 0.5; kill -STOP $1; sleep 4; kill -CONT $1"
    spawn("sh", ["-c", script, "sh", String(process.pid)], { stdio: "ignore" })
    setTimeout(async () => { await end(); console.log("still here") }, 7000)`)
  expect({ signal, exitCode, output }).toEqual({
    signal: null,
    exitCode: 0,
    output: "still here\n",
  })
})

test("short stalls and a finished watch leave the process alone", { timeout: 20_000 }, async () => {
  const { signal, output } = await run(`
    const block = (ms) => {
      const until = performance.now() + ms
      while (performance.now() < until);
    }
    await new Promise((resolve) => setTimeout(resolve, 1200))
    block(700)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    await end()
    block(3000)
    console.log("done")`)
  expect({ signal, output }).toEqual({ signal: null, output: "done\n" })
})
