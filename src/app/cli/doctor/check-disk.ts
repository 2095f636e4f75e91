import { existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Config } from "#config/config.ts"
import { journalFile } from "#daemon/start/journal-file.ts"
import { findOpenDataDir } from "#daemon/start/private-files.ts"
import { formatBytes } from "#health/find-problems.ts"
import { findRemedy } from "#health/remedies.ts"
import { findDamage } from "#journal/disk/find-damage.ts"
import { cannotOpen } from "#journal/disk/open-database.ts"
import { isKmsName, parseKmsName } from "#kms/parse-kms-name.ts"
import { parseTokenUri, TOKEN_SCHEME } from "#pkcs11/parse-token-uri.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

const MEBI = 1024 * 1024
const FAIL_BYTES = 100 * MEBI
const WARN_BYTES = 1024 * MEBI

/** Checks that the journal is sound and can be written, and that the disk has space for it. */
export function checkDataDir({ dataDir }: Config): Diagnosis[] {
  const folder = resolve(dataDir)
  const there = existsSync(folder)
  const nearest = there ? folder : nearestFolder(folder)
  return [checkWritable(folder, nearest, there), checkSpace(nearest), ...checkJournal(folder)]
}

/** Reads the whole file, as the daemon does once a day. */
function checkJournal(dataDir: string): Diagnosis[] {
  const file = journalFile({ dataDir })
  if (!existsSync(file)) return []
  try {
    const damage = findDamage(file)
    if (damage === null) return [healthy("journal", `${file}: SQLite finds no damage`)]
    return [broken(damage.code, damage.message, findRemedy(damage.code).todo)]
  } catch (error) {
    const { code, message } = cannotOpen(file, error)
    return [broken(code, message, "Give the file to the user that runs the daemon.")]
  }
}

function checkWritable(folder: string, nearest: string, there: boolean): Diagnosis {
  try {
    rmdirSync(mkdtempSync(join(nearest, ".ballast-doctor-")))
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    return broken(
      "data_dir",
      `${nearest} cannot be written (${code})`,
      "Give the folder to the user that runs the daemon.",
    )
  }
  if (!there) return healthy("data_dir", `${folder} is not there yet; the first start makes it`)
  const [open] = findOpenDataDir(folder)
  if (open === undefined) return healthy("data_dir", `${folder} is writable, and only by its owner`)
  return broken(open.code, open.found, open.todo)
}

function checkSpace(folder: string): Diagnosis {
  const { bavail, bsize } = statfsSync(folder)
  const bytes = bavail * bsize
  const found = `${formatBytes(bytes)} free at ${folder}`
  const todo = "Free some space: an order waits while the journal cannot store its next step."
  if (bytes < FAIL_BYTES) return broken("disk", found, todo)
  return bytes < WARN_BYTES ? doubtful("disk", found, todo) : healthy("disk", found)
}

function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder))
}

/**
 * Finds secret files that other users can read. `references` as the configuration writes them;
 * paths are relative to `directory`.
 */
export function checkSecretFiles(references: readonly string[], directory: string): Diagnosis[] {
  const places = references.flatMap((reference) =>
    reference.startsWith(TOKEN_SCHEME) || isKmsName(reference)
      ? fileBehind(reference)
      : [reference],
  )
  const named = places.flatMap((place) => /^(?:file|keystore):(.+)$/s.exec(place)?.[1] ?? [])
  const beside = [join(directory, ".env"), resolve(".env")].filter((path) => existsSync(path))
  const files = [...new Set([...named.map((path) => resolve(directory, path)), ...beside])]
  return files
    .filter((file) => existsSync(file))
    .map((file) => {
      const mode = statSync(file).mode & 0o777
      if ((mode & 0o077) === 0) return healthy("secret file", `${file} (${mode.toString(8)})`)
      return doubtful(
        "secret file",
        `${file} is open to other users (${mode.toString(8)})`,
        `chmod 600 ${file}`,
      )
    })
}

/** The file of a token's PIN or of a KMS's credentials. */
function fileBehind(reference: string): string[] {
  const parsed = isKmsName(reference) ? parseKmsName(reference) : parseTokenUri(reference)
  if (typeof parsed === "string") return []
  const file = "pinSource" in parsed ? parsed.pinSource : parsed.credentials
  return file === null ? [] : [file]
}
