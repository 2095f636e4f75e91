import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { keepInCache } from "./into-cache.ts"

/**
 * A file of a published tool of exactly this version, fetched once into the cache
 * (`$XDG_CACHE_HOME` or `~/.cache`, folder `ballast/`). npm checks its hashes, and runs no script.
 */
export function findFetched(name: string, version: string, file: string): string {
  const cache = process.env["XDG_CACHE_HOME"] || join(process.env["HOME"] || homedir(), ".cache")
  const prefix = join(cache, "ballast", `${name.replaceAll(/[@/]/g, "-")}-${version}`)
  const path = join(prefix, "node_modules", name, file)
  if (existsSync(path)) return path
  mkdirSync(join(cache, "ballast"), { recursive: true })
  const part = mkdtempSync(`${prefix}.part.`)
  writeFileSync(join(part, "package.json"), '{"private":true}')
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"]
  execFileSync("npm", ["install", ...quiet, "--omit=optional", `${name}@${version}`], {
    cwd: part,
    stdio: ["ignore", 2, 2],
  })
  keepInCache(part, prefix)
  return path
}
