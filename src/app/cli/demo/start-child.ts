import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { extname, join } from "node:path"
import { createInterface } from "node:readline"
import { AppError } from "#lib/app-error.ts"

/** The compiled program has another extension. */
const MAIN = join(import.meta.dirname, "..", `main${extname(import.meta.filename)}`)

export type Child = {
  readonly process: ChildProcess
  readonly firstLine: Promise<string>
  readonly stop: () => Promise<void>
}

/**
 * Runs another Ballast command as a child process, with its log in `logFile`. The child ends when
 * this process ends, also by SIGKILL.
 */
export function startChild(
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; logFile: string },
): Child {
  // Descriptor 3 is a pipe without data. It closes when this process dies, and then the child ends
  // (follow-parent.ts).
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    env: { ...options.env, BALLAST_PARENT_FD: "3", npm_command: "" },
  })
  const log = createWriteStream(options.logFile, { flags: "a" })
  child.stderr?.pipe(log, { end: false })
  const firstLine = readFirstLine(child, log, args[0] ?? "", options.logFile)
  return {
    process: child,
    firstLine,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM")
        await once(child, "exit")
      }
      log.end()
    },
  }
}

function readFirstLine(
  child: ChildProcess,
  log: NodeJS.WritableStream,
  name: string,
  logFile: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error("no standard output"))
    const lines = createInterface({ input: child.stdout })
    lines.on("line", (line) => {
      log.write(`${line}\n`)
      resolve(line)
    })
    child.once("exit", (code) => {
      const message = `ballast ${name} ended with ${code} before it was up; its log is ${logFile}`
      reject(
        new AppError({
          code: "demo.child",
          disposition: "transient",
          message,
          details: { code: code ?? -1 },
        }),
      )
    })
  })
}
