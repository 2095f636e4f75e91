import { type ChildProcess, spawn } from "node:child_process"
import { Socket } from "node:net"

/**
 * Starts a shell that reads from a pipe of this process and ends the process `pid` when the pipe
 * closes. The pipe closes even after a SIGKILL.
 */
export function endWithParent(pid: number): ChildProcess {
  const guard = spawn("/bin/sh", ["-c", 'read -r _; kill -KILL "$0"', String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  })
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  return guard
}
