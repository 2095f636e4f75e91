import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { idOf, type Mutant } from "./generate-mutants.ts"

/**
 * The mutants that the compiler refuses. Each becomes a file of its own beside its original, in a
 * copy of the code, so that one run of the compiler judges all of them.
 */
export function listRefused(mutants: readonly Mutant[], cache: string): ReadonlySet<string> {
  if (mutants.length === 0) return new Set()
  const folder = join(cache, "types")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync("src", join(folder, "src"), { recursive: true })
  const { type, imports } = JSON.parse(readFileSync("package.json", "utf8"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type, imports }))
  const config = { extends: resolve("tsconfig.json"), include: ["src/**/*.mutant-*.ts"] }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
  for (const mutant of mutants) {
    const { file, start, end, replace } = mutant
    const text = readFileSync(file, "utf8")
    const path = join(folder, file.replace(/\.ts$/, `.mutant-${idOf(mutant)}.ts`))
    writeFileSync(path, text.slice(0, start) + replace + text.slice(end))
  }
  const tsc = resolve("node_modules/.bin/tsc")
  const { stdout } = spawnSync(tsc, ["-p", folder], { encoding: "utf8", maxBuffer: 1 << 28 })
  rmSync(folder, { recursive: true, force: true })
  const refused = [...stdout.matchAll(/\.mutant-([0-9a-f]+)\.ts\(\d+,\d+\): error/g)]
  return new Set(refused.map((match) => match[1] ?? ""))
}
