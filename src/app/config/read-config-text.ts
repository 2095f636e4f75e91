import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { readUserFile } from "#lib/files/read-user-file.ts"

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EISDIR: "is a folder",
  EACCES: "may not be read by this user",
}

/** Throws `config.unreadable` (fatal), and `system.*` (transient) for trouble of the machine. */
export function readConfigText(path: string): string {
  try {
    const bytes = readUserFile(path)
    // Every text of ours begins with letters, which have a zero beside them there.
    const start = bytes.subarray(0, 4)
    if (start.includes(0))
      throw wrongEncoding(
        path,
        start.every((one) => one === 0),
      )
    return bytes.toString("utf8")
  } catch (error) {
    if (error instanceof AppError) throw error
    const fault = findEnvironmentFault(error, path)
    if (fault !== null) throw fault
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    throw new AppError({
      code: "config.unreadable",
      disposition: "fatal",
      message:
        `the configuration file ${path} ${READ_ERRORS[code] ?? `cannot be read (${code})`}; ` +
        "give its path with --config",
      details: { path, code },
      cause: error,
    })
  }
}

function wrongEncoding(path: string, isZeroed: boolean): AppError {
  return new AppError({
    code: "config.unreadable",
    disposition: "fatal",
    message: isZeroed
      ? `the configuration file ${path} has zero bytes in place of text, as after a crash of the ` +
        "machine; put it back from a backup"
      : `the configuration file ${path} is UTF-16 or no text; save it as UTF-8`,
    details: { path },
  })
}
