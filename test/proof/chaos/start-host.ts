import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { openSync } from "node:fs"
import { createInterface } from "node:readline"
import { decodeJson } from "#lib/json.ts"
import { bareEnvironment } from "../../support/sandbox-process.ts"

/**
 * Runs one of the project's files as a process that prints a line when it is ready. It ends when
 * this process ends.
 */
export async function startHost<Line>(
  file: string,
  options: unknown,
  logFile: string,
): Promise<Host<Line>> {
  const log = openSync(logFile, "a")
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", log, "pipe"],
    env: bareEnvironment(),
  })
  const line = await firstLine(child)
  if (line === null) throw new Error(`${file} ended before it was up; its log is ${logFile}`)
  // CAST: the host's own type of line, which the caller names.
  return { line: decodeJson(line) as Line, child, kill: () => killChild(child) }
}

export type Host<Line> = {
  readonly line: Line
  readonly child: ChildProcess
  readonly kill: () => Promise<void>
}

export async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill("SIGKILL")
  await gone
}

async function firstLine(child: ChildProcess): Promise<string | null> {
  if (!child.stdout) return null
  for await (const line of createInterface({ input: child.stdout })) return line
  return null
}
