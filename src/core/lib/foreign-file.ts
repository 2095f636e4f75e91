import { type Stats, statSync } from "node:fs"

/** The user id of this process; `null` where the system has none. */
const US = process.getuid?.() ?? null

/** What is wrong with a file, and the command that mends it. */
type ForeignFile = { readonly found: string; readonly todo: string }

/**
 * A file that another user owns or can change, so that it may hold the choice of another. Root may
 * own it: an administrator installs it. `null` for a file of ours and for one that is missing.
 * `what` names the file in the sentence.
 */
export function findForeign(path: string, what: string): ForeignFile | null {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || US === null) return null
  if (stats.uid !== US && stats.uid !== 0)
    return { found: `${what} belongs to ${ownerOf(stats)}`, todo: ownCommand(path) }
  if ((stats.mode & 0o022) === 0) return null
  const found = `other users can change ${what} (mode ${modeOf(stats)})`
  return { found, todo: `run \`chmod go-w ${path}\`` }
}

export function ownerOf({ uid }: Stats): string {
  return `user ${uid}, not to user ${US}`
}

export function ownCommand(path: string): string {
  return `run \`chown ${US} ${path}\`, or start as its owner`
}

export function modeOf({ mode }: Pick<Stats, "mode">): string {
  return (mode & 0o777).toString(8)
}
