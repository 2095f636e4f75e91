import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { AppError } from "#lib/app-error.ts"

export type NewFile = { readonly path: string; readonly text: string }

/**
 * Throws `init.exists` (refused) where one of the paths is taken, and `init.folder` (refused) where
 * a folder is missing.
 */
export function refuseTaken(paths: readonly string[]): void {
  for (const path of paths) {
    if (existsSync(path)) throw taken(path)
    if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true) continue
    const message =
      `the folder ${dirname(path)} does not exist; create it with \`mkdir -m 700 -p ` +
      `${dirname(path)}\``
    throw new AppError({ code: "init.folder", disposition: "refused", message })
  }
}

/**
 * Places all files with mode 600, or none. Each is written completely in a folder of its own first,
 * and a file that exists is never replaced. A signal waits until this function is over.
 */
export function placeFiles(files: readonly NewFile[]): void {
  const [first] = files
  if (first === undefined) return
  const stage = mkdtempSync(join(dirname(first.path), ".ballast-init-"))
  const wait = (): void => undefined
  for (const signal of SIGNALS) process.on(signal, wait)
  const placed: string[] = []
  try {
    for (const [index, { text }] of files.entries())
      writeFileSync(join(stage, String(index)), text, { mode: 0o600 })
    for (const [index, { path }] of files.entries()) {
      link(join(stage, String(index)), path)
      placed.push(path)
    }
  } catch (error) {
    for (const path of placed) rmSync(path, { force: true })
    throw error
  } finally {
    rmSync(stage, { recursive: true, force: true })
    for (const signal of SIGNALS) process.off(signal, wait)
  }
}

/** A folder that only this user can open. One that exists stays as it is. */
export function makePrivateFolder(path: string): void {
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Unlike a rename, a link never replaces a file that came in between. */
function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") throw taken(to)
    throw error
  }
}

function taken(path: string): AppError {
  const problem = `${path} exists already, and no file is replaced`
  const message = `${problem}; name another file, or move it away`
  return new AppError({ code: "init.exists", disposition: "refused", message })
}
