import { execFile } from "node:child_process"
import { tmpdir } from "node:os"
import { bareEnvironment, LAUNCHER } from "./sandbox-process.ts"

export type CliResult = {
  /** The exit code; if there is none, the error code or "timeout". */
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
}

/** Runs `ballast ARGS` in a bare environment and waits until it ends. */
export function runBallast(
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; timeoutMs?: number } = {},
): Promise<CliResult> {
  const { env = {}, cwd = tmpdir(), timeoutMs = 60_000 } = options
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [LAUNCHER, ...args],
      { env: bareEnvironment(env), cwd, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : (error.code ?? "timeout"), stdout, stderr }),
    )
  })
}
