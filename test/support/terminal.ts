import { spawn } from "node:child_process"
import { once } from "node:events"
import { stripVTControlCharacters } from "node:util"
import { until } from "./sandbox-process.ts"

/** A command that a person types in a terminal of its own. */
export type Terminal = {
  /** Everything that the terminal has shown, without its control sequences. */
  readonly shown: () => string
  /** The lines since the last time that the cursor went home. */
  readonly screen: () => string
  readonly type: (text: string) => void
  /** Waits until the terminal has shown the pattern; fails when the command ends before. */
  readonly shows: (pattern: RegExp, timeoutMs?: number) => Promise<RegExpExecArray>
  /** Presses Ctrl-C and resolves with the exit code. */
  readonly interrupt: () => Promise<number | null>
}

const HOME = "\u001b[H"
const CTRL_C = "\u0003"
const SIZE = "stty cols 200 rows 70"

/**
 * `script` gives the command a terminal, so that it asks its questions and Ctrl-C reaches each of
 * its processes.
 */
export function openTerminal(
  command: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Terminal {
  const args = ["-q", "-f", "-e", "-c", `${SIZE}; ${command}`, "/dev/null"]
  const child = spawn("script", args, { ...options, stdio: "pipe" })
  const exited = once(child, "exit")
  let raw = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      raw += chunk
    })
  const shown = (): string => stripVTControlCharacters(raw).replaceAll("\r\n", "\n")
  return {
    shown,
    screen: () => stripVTControlCharacters(raw.slice(raw.lastIndexOf(HOME))),
    type: (text) => void child.stdin.write(text),
    shows: async (pattern, timeoutMs) => {
      let found: RegExpExecArray | null = null
      const isShown = async (): Promise<boolean> => {
        found = pattern.exec(shown())
        if (found === null && child.exitCode !== null)
          throw new Error(`${command} ended with ${child.exitCode} before ${pattern}:\n${shown()}`)
        return found !== null
      }
      await until(`${command} shows ${pattern}`, isShown, timeoutMs).catch((cause: unknown) => {
        throw new Error(`${String(cause)}\n${shown().slice(-3_000)}`)
      })
      // CAST: `until` resolves only after a match.
      return found as unknown as RegExpExecArray
    },
    interrupt: async () => {
      if (child.exitCode === null) {
        child.stdin.write(CTRL_C)
        await exited
      }
      return child.exitCode
    },
  }
}
