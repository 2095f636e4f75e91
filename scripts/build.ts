import { execFileSync } from "node:child_process"
import { cpSync, globSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const ROOT = join(import.meta.dirname, "..")
const DIST = join(ROOT, "dist")

/**
 * Writes `dist/`: the program as JavaScript, for an installed package. Node strips no types below `node_modules`, so a package cannot run its
 * TypeScript sources there.
 */
rmSync(DIST, { recursive: true, force: true })
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc")
execFileSync(process.execPath, [compiler, "-p", join(ROOT, "tsconfig.build.json")], { stdio: "inherit" })
// The compiler copies no other files: contract programs, build scripts, JSON, the page. A test keeps the page in step with its sources.
for (const file of globSync(["src/**/*.{json,so,sh,sha256}", "src/ops/page/*"], { cwd: ROOT }))
  cpSync(join(ROOT, file), join(DIST, file.slice("src/".length)))
// The nearest package.json decides about `#` imports, so the sources keep theirs with `.ts`, and `dist` maps them to its own files.
const imports = { "#*.ts": "./*.js", "#*.json": "./*.json" }
writeFileSync(join(DIST, "package.json"), `${JSON.stringify({ type: "module", imports }, null, 2)}\n`)
