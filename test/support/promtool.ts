import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

/**
 * The path of promtool: the system's, or once Debian's from the cache (`$XDG_CACHE_HOME` or
 * `~/.cache`, folder `ballast/`).
 */
export function findPromtool(): string {
  if (existsSync("/usr/bin/promtool")) return "/usr/bin/promtool"
  const cache = process.env["XDG_CACHE_HOME"] || join(process.env["HOME"] || homedir(), ".cache")
  const prefix = join(cache, "ballast", "promtool")
  if (!existsSync(join(prefix, "promtool")))
    execFileSync("bash", [join(import.meta.dirname, "fetch-promtool.sh"), prefix], {
      stdio: ["ignore", 2, 2],
    })
  return join(prefix, "promtool")
}

/** Runs promtool, with `input` on its standard input. */
export function runPromtool(
  args: readonly string[],
  input = "",
): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(findPromtool(), args, {
    input,
    encoding: "utf8",
    timeout: 120_000,
  })
  return { code: status, output: `${stdout}${stderr}` }
}
