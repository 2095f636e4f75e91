import { execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, resolve } from "node:path"
import { parseArgs } from "node:util"
import { bundle } from "./bundle.ts"

const ROOT = join(import.meta.dirname, "..")
const SOURCES = join(ROOT, "src")
const { values } = parseArgs({
  options: { out: { type: "string" }, "without-sandbox": { type: "boolean", default: false } },
})
const DIST = values.out === undefined ? join(ROOT, "dist") : resolve(values.out)
const NEW = `${DIST}.new`
/** Without it: a program for servers, whose commands `sandbox` and `demo` say how to get one. */
const HAS_SANDBOX = !values["without-sandbox"]
/** No command uses them: other programs import them. */
const CLIENT = globSync("src/app/client/*.ts", { cwd: ROOT })
const require = createRequire(import.meta.url)
// CAST: the launcher's own file, which is not TypeScript because an old Node must be able to run
// it.
const { isBuilt, markOf } = require("../bin/main-file.cjs") as {
  isBuilt: () => boolean
  markOf: (path: string) => string
}

/**
 * The first file. PM2 keeps its path over an upgrade of a checkout, and then newer sources must not
 * be passed over.
 */
const ENTRY = `import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
const main = createRequire(import.meta.url)("../../../bin/main-file.cjs").mainFile()
await import(main.endsWith(".ts") ? pathToFileURL(main).href : "../../bundled/main.js")
`

/**
 * Writes `dist/`: the program as JavaScript. An installed package needs it, because Node strips no
 * types below `node_modules`, and a checkout starts faster with it: `dist/bundled` has the program
 * and its libraries in a few files, where the sources and packages are two thousand. Each module is
 * also there on its own, for threads.
 */
const hasClient = existsSync(join(DIST, "app", "client", "client.d.ts"))
if (values.out !== undefined || !isBuilt() || !hasClient) await writeDist()

async function writeDist(): Promise<void> {
  rmSync(NEW, { recursive: true, force: true })
  const compiler = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc")
  for (const project of ["tsconfig.build.json", "tsconfig.client.json"]) {
    const args = ["-p", join(ROOT, project), "--outDir", NEW]
    execFileSync(process.execPath, [compiler, ...args], { stdio: "inherit" })
  }
  // The compiler copies no other files: contract programs, build scripts, JSON, the page. A test
  // keeps the page in step with its sources.
  for (const file of globSync(["src/**/*.{json,so,sh,sha256}", "src/app/ops/page/*"], {
    cwd: ROOT,
  }))
    cpSync(join(ROOT, file), join(NEW, file.slice("src/".length)))
  const imports = listImports()
  writeFileSync(
    join(NEW, "package.json"),
    `${JSON.stringify({ type: "module", imports }, null, 2)}\n`,
  )
  const bundled = await bundle({
    entry: "src/app/cli/main.ts",
    folder: join(NEW, "bundled"),
    hasSandbox: HAS_SANDBOX,
  })
  writeFileSync(join(NEW, "app", "cli", "main.js"), ENTRY)
  const marks = [...bundled, ...CLIENT, "package-lock.json"].map((file) => [file, markOf(file)])
  writeFileSync(join(NEW, "built-from.json"), JSON.stringify(Object.fromEntries(marks)))
  rmSync(DIST, { recursive: true, force: true })
  renameSync(NEW, DIST)
}

/**
 * The nearest package.json decides about `#` imports, so the sources keep theirs with `.ts`, and
 * `dist` maps each room to its own files.
 */
function listImports(): Readonly<Record<string, string>> {
  // CAST: the shape of this project's package.json.
  const { imports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    imports: Readonly<Record<string, string>>
  }
  const entries = Object.entries(imports).map(
    ([name, place]) => [name, place.replace("./src/", "./")] as const,
  )
  return Object.fromEntries(
    entries.flatMap(([name, place]) => [
      [`${name}.ts`, `${place}.js`],
      [`${name}.json`, `${place}.json`],
    ]),
  )
}
