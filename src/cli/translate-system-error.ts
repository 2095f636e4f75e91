import { AppError } from "#lib/app-error.ts"

/** What the operating system refuses because of the machine or the arguments, with the remedy. Any other error is a bug. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder, and a file is expected",
  EEXIST: "it is there already",
  EACCES: "this user may not use it",
  EPERM: "this user may not do that",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EADDRINUSE: "another program uses the address",
  EADDRNOTAVAIL: "this machine has no such address",
  EMFILE: "this process has too many open files; raise `ulimit -n`",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "the symbolic links of the path form a circle",
}

/** Turns a refusal of the operating system into `cli.system` (fatal, exit 78), with the path or address; `null` for any other error. */
export function translateSystemError(error: unknown): AppError | null {
  if (!(error instanceof Error) || error instanceof AppError || !("code" in error)) return null
  const { code } = error
  const why = typeof code === "string" ? REMEDIES[code] : undefined
  if (why === undefined || !("syscall" in error)) return null
  const place = readPlace(error)
  const message = `${place === "" ? String(error.syscall) : place}: ${why} (${String(code)})`
  return new AppError({ code: "cli.system", disposition: "fatal", message, cause: error })
}

function readPlace(error: Error): string {
  // CAST: Node documents these fields of its system errors; each is checked below.
  const { path, address, port } = error as Error & { path?: unknown; address?: unknown; port?: unknown }
  if (typeof path === "string") return path
  return typeof address === "string" ? `${address}${typeof port === "number" ? `:${port}` : ""}` : ""
}
