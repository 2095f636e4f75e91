import { existsSync, lstatSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Makes a folder for this user alone, with those above it. Throws the error of the operating system
 * where one cannot be made; Node's own `recursive` tries for ever below a folder that refuses every
 * name, such as /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process made it meanwhile.
    if (!existsSync(path)) throw error
  }
}

/** After the path of such a link. */
export const LOST_LINK =
  "is a link to a folder that does not exist; make that folder, mount its disk, or correct the link"

/** The same of a file. */
export const LOST_FILE_LINK =
  "is a link to a file that does not exist; mount its disk, or correct the link"

/** A link that leads to nothing, so that a folder can neither be used nor made there. */
export function isLostLink(path: string): boolean {
  return !existsSync(path) && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}
