import { readFileSync } from "node:fs"
import { join } from "node:path"

export type LockedPackage = {
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly licence: string
  /** As in the lockfile: `sha512-` and base64. */
  readonly integrity: string
}

type Entry = {
  readonly name?: string
  readonly version: string
  readonly license?: string
  readonly dev?: boolean
  readonly integrity: string
}

/** Packages without a licence in their manifest, with the one of their licence file. */
const BY_FILE: Readonly<Record<string, string>> = {
  eyes: "MIT",
  "text-encoding-utf-8": "Unlicense",
}

/**
 * The packages that an installation without development tools has, by name, from package-lock.json.
 * Throws for one without a licence.
 */
export function listLockedPackages(): readonly LockedPackage[] {
  const lock = JSON.parse(
    readFileSync(join(import.meta.dirname, "..", "package-lock.json"), "utf8"),
  ) as {
    packages: Record<string, Entry>
  }
  const found = new Map<string, LockedPackage>()
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === "" || entry.dev) continue
    const name = entry.name ?? path.split("node_modules/").at(-1) ?? path
    const licence = entry.license ?? BY_FILE[name]
    if (licence === undefined)
      throw new Error(
        `${name} has no licence; read its files, and add it to scripts/locked-packages.ts`,
      )
    found.set(`${name} ${entry.version}`, {
      name,
      version: entry.version,
      licence,
      integrity: entry.integrity,
    })
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}
