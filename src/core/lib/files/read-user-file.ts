import { readFileSync, statSync } from "node:fs"

/**
 * Reads a file that a person has named. A read of a pipe waits for a writer and stops the process,
 * so it fails with an error of the operating system's form; `code` completes "cannot be read (…)".
 * The pipes of a shell (`<(…)`) and of standard input have a writer, and are read.
 */
export function readUserFile(path: string): Buffer {
  const kind = OF_SHELL.test(path) ? null : endlessKind(path)
  if (kind === null) return readFileSync(path)
  const code = `it is ${kind}, and a file is expected`
  throw Object.assign(new Error(`${path} cannot be read: ${code}`), { code })
}

const OF_SHELL = /^\/(dev\/(null$|stdin$|fd\/)|proc\/)/

function endlessKind(path: string): string | null {
  const stats = statSync(path)
  if (stats.isFIFO()) return "a pipe"
  if (stats.isSocket()) return "a socket"
  return stats.isCharacterDevice() ? "a device" : null
}
