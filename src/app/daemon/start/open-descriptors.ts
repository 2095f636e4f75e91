import { readdirSync, readFileSync } from "node:fs"

/**
 * How many files a process has open, and how many it may; `null` where the system does not show it
 * (only Linux does, to the process's own user).
 */
export function readOpenDescriptors(
  pid: number,
): { readonly open: number; readonly most: number } | null {
  try {
    const open = readdirSync(`/proc/${pid}/fd`).length
    const limits = readFileSync(`/proc/${pid}/limits`, "utf8")
    const [, most] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
    return most === undefined ? null : { open, most: Number(most) }
  } catch {
    // Another system, another user, or a process that has ended.
    return null
  }
}
