import { Socket } from "node:net"

const CHECK_MS = 200

/**
 * Ends this process, as if killed, when the launcher that stands for it was killed: `bin/ballast.cjs` on an older Node (a pipe that
 * closes), or npx and npm (an orphan's parent changes). Whoever kills the launcher means Ballast.
 */
export function followParent(env: NodeJS.ProcessEnv): void {
  const descriptor = env["BALLAST_PARENT_FD"]
  if (descriptor !== undefined) {
    const pipe = new Socket({ fd: Number(descriptor), readable: true, writable: false })
    pipe.on("close", die).on("error", die).resume()
    pipe.unref()
  }
  if (env["npm_command"] !== "exec" && env["npm_command"] !== "run-script") return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) die()
  }, CHECK_MS).unref()
}

function die(): void {
  process.kill(process.pid, "SIGKILL")
}
