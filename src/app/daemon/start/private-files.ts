import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { AppError } from "#lib/app-error.ts"
import { findForeign, modeOf, ownCommand, ownerOf } from "#lib/foreign-file.ts"

/** The user id of this process; `null` where the system has none. */
const US = process.getuid?.() ?? null

/**
 * Refuses a data directory that is not ours or is open to other users, and a configuration file
 * that another user can change. Such a user could read every signed transaction, and change the
 * addresses that Ballast pays. `file` is `null` for the sandbox's own configuration.
 *
 * Throws `daemon.data_dir_open` and `config.file_open` (fatal) with the command that closes it.
 */
export function refuseOpenFiles({
  dataDir,
  file,
}: {
  readonly dataDir: string
  readonly file: string | null
}): void {
  const [problem] = [...findOpenDataDir(dataDir), ...(file === null ? [] : findOpenFile(file))]
  if (problem === undefined) return
  const { code, found, todo, path } = problem
  throw new AppError({
    code,
    disposition: "fatal",
    message: `${found}: ${todo}`,
    details: { path },
  })
}

/** `check` and `doctor` show the same before the first start. */
type OpenFile = {
  readonly code: string
  readonly found: string
  readonly todo: string
  readonly path: string
}

/** Nothing for a directory that does not exist yet: Ballast creates it closed. */
export function findOpenDataDir(dataDir: string): OpenFile[] {
  const path = resolve(dataDir)
  const stats = statOrNull(path)
  if (stats === null || US === null) return []
  const code = "daemon.data_dir_open"
  if (stats.uid !== US)
    return [
      {
        code,
        path,
        found: `data_dir ${path} belongs to ${ownerOf(stats)}`,
        todo: ownCommand(path),
      },
    ]
  if ((stats.mode & 0o077) === 0) return []
  const found = `data_dir ${path} is open to other users (mode ${modeOf(stats)})`
  return [{ code, path, found, todo: `run \`chmod 700 ${path}\`` }]
}

/** Root may own the file: an administrator installs it, and Ballast's user only reads it. */
export function findOpenFile(file: string): OpenFile[] {
  const path = resolve(file)
  const foreign = findForeign(path, `the configuration file ${path}`)
  return foreign === null ? [] : [{ code: "config.file_open", path, ...foreign }]
}

/** Closes the files that other users can read, such as a restored backup. Returns their paths. */
export function closeFiles(dataDir: string): readonly string[] {
  const open = readdirSync(dataDir)
    .map((name) => join(dataDir, name))
    .filter((path) => isOpenFile(lstatSync(path)))
  for (const path of open) chmodSync(path, 0o600)
  return open
}

function isOpenFile(stats: Stats): boolean {
  return stats.isFile() && stats.uid === US && (stats.mode & 0o077) !== 0
}

function statOrNull(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null
}
