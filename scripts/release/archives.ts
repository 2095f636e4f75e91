import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { gzipSync } from "node:zlib"

/**
 * Writes a tar archive of `folder` with the same bytes each time: sorted names, one time, numbers
 * in place of the names of owners.
 */
export function writeTar(folder: string, file: string, seconds: number): void {
  const fixed = ["--sort=name", `--mtime=@${seconds}`, "--numeric-owner", "--format=gnu"]
  execFileSync("tar", [...fixed, "-cf", file, "-C", folder, "."])
}

/** The same, compressed. Node's gzip writes no name and no time. */
export function writeTarGz(folder: string, file: string, seconds: number): void {
  writeTar(folder, file, seconds)
  writeFileSync(file, gzipSync(readFileSync(file), { level: 9 }))
}
