import { Socket } from "node:net"

const CHECK_MS = 200

/**
 * Ends this process by SIGKILL after its launcher died, because a kill of the launcher is meant for
 * Ballast. The launcher is `bin/ballast.cjs` on an older Node (its pipe closes), or npx and npm
 * (the process gets another parent).
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
