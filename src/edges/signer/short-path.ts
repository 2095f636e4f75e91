import { openSync } from "node:fs"
import { basename, dirname } from "node:path"
import { AppError } from "#lib/app-error.ts"

/** The address of a Unix socket has room for 107 bytes on Linux and 103 on macOS. */
const MAX_PATH_BYTES = 100

const opened = new Map<string, number>()

/**
 * The same socket by a path that is short enough. Linux reaches a deep directory through a
 * descriptor; the process keeps one for each directory. Throws `signer.socket_path` (fatal)
 * elsewhere.
 */
export function shortPath(path: string): string {
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path
  if (process.platform !== "linux") {
    throw new AppError({
      code: "signer.socket_path",
      disposition: "fatal",
      message:
        `the path of the signer's socket is longer than ${MAX_PATH_BYTES} bytes: ${path}; set ` +
        "a shorter signer.socket",
      details: { path },
    })
  }
  const directory = dirname(path)
  const descriptor = opened.get(directory) ?? openSync(directory, "r")
  opened.set(directory, descriptor)
  return `/proc/self/fd/${descriptor}/${basename(path)}`
}
