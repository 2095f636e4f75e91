import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const ROOT = join(import.meta.dirname, "../..")

/**
 * Writes the package `@ballast-daemon/client` into `folder`: the built client of the HTTP interface
 * with its types, for programs that do not install the daemon. It has no dependency.
 */
export function writeClientPackage(folder: string): void {
  mkdirSync(folder, { recursive: true })
  // CAST: the shape of this project's package.json.
  const { version, license, engines } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  ) as Readonly<Record<string, unknown>>
  const description = {
    name: "@ballast-daemon/client",
    version,
    description: "A typed client of the HTTP interface of Ballast.",
    license,
    type: "module",
    engines,
    exports: {
      ".": { types: "./client.d.ts", default: "./client.js" },
      "./openapi.json": "./openapi.json",
      "./package.json": "./package.json",
    },
  }
  cpSync(join(ROOT, "dist", "app", "client"), folder, { recursive: true })
  cpSync(join(ROOT, "docs", "openapi.json"), join(folder, "openapi.json"))
  cpSync(join(ROOT, "docs", "HTTP.md"), join(folder, "README.md"))
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(description, null, 2)}\n`)
}
