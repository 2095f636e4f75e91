import { readFileSync } from "node:fs"
import { join } from "node:path"
import { listLockedPackages } from "./locked-packages.ts"

/**
 * Prints the packages of an installation as CycloneDX 1.6 JSON (ECMA-424), the same text for the
 * same lockfile.
 *
 * `npm sbom` would do, but npm 11 leaves out each package that has an unmet peer dependency, with
 * everything below it.
 */
const { name, version, license } = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"),
)
const components = listLockedPackages().map((one) => ({
  type: "library",
  "bom-ref": purlOf(one.name, one.version),
  name: one.name,
  version: one.version,
  purl: purlOf(one.name, one.version),
  licenses: [
    / OR | AND /.test(one.licence) ? { expression: one.licence } : { license: { id: one.licence } },
  ],
  hashes: [
    {
      alg: "SHA-512",
      content: Buffer.from(one.integrity.replace(/^sha512-/, ""), "base64").toString("hex"),
    },
  ],
}))
const subject = {
  type: "application",
  "bom-ref": purlOf(name, version),
  name,
  version,
  purl: purlOf(name, version),
}
const metadata = { component: { ...subject, licenses: [{ license: { id: license } }] } }
console.log(
  JSON.stringify(
    { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata, components },
    null,
    2,
  ),
)

/** A package URL (purl) of npm: the `@` of a scope is percent-encoded. */
function purlOf(packageName: string, packageVersion: string): string {
  return `pkg:npm/${packageName.replace(/^@/, "%40")}@${packageVersion}`
}
