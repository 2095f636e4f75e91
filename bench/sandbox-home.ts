import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const ROOT = join(import.meta.dirname, "..")
export const BALLAST = join(ROOT, "bin/ballast.cjs")

/** A folder with the sandbox's configuration of five chains, and its data beside it. */
export type SandboxHome = {
  readonly file: string
  readonly dataDir: string
  readonly remove: () => void
}

/** `rewrite` changes the text of the configuration. */
export function createSandboxHome(rewrite: (text: string) => string = (text) => text): SandboxHome {
  const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "bench-home-"))
  const dataDir = join(folder, "data")
  const text = readFileSync(join(ROOT, "config/sandbox.yaml"), "utf8")
    .replaceAll("file:sandbox-keys/", `file:${join(ROOT, "config/sandbox-keys")}/`)
    .replace(/^data_dir: .*$/m, `data_dir: ${dataDir}`)
    .replace(/listen: "[^"]*"/, 'listen: "127.0.0.1:0"')
  const file = join(folder, "ballast.yaml")
  writeFileSync(file, rewrite(text), { mode: 0o600 })
  return { file, dataDir, remove: () => rmSync(folder, { recursive: true }) }
}
