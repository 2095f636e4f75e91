import { execFileSync } from "node:child_process"

/** The ids of the running children of a process with this text in their command lines. */
export function findChildren(parentPid: number, text: string): number[] {
  const rows = execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" }).split("\n")
  return rows.flatMap((row) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? []
    return Number(parent) === parentPid && args?.includes(text) ? [Number(pid)] : []
  })
}
