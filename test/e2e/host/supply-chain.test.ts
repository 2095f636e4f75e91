import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { describeLicences } from "../../../scripts/licence-docs.ts"
import { listLockedPackages } from "../../../scripts/locked-packages.ts"

const ROOT = join(import.meta.dirname, "../../..")
const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8")

test("docs/LICENCES.md is the lockfile's list; scripts/generate.ts writes it", () => {
  expect(readText("docs/LICENCES.md")).toBe(describeLicences())
})

test("no package forbids use or sale, and none has a licence that nobody looked at", () => {
  const known = [
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BlueOak-1.0.0",
    "ISC",
    "LGPL-3.0-only",
    "MIT",
    "MIT-0",
  ]
  const others = ["MIT OR Apache-2.0", "Unlicense"]
  expect(
    listLockedPackages().filter(({ licence }) => ![...known, ...others].includes(licence)),
  ).toEqual([])
})

test("every locked package has a SHA-512 hash and one exact version, and names no registry", () => {
  const { packages } = JSON.parse(readText("package-lock.json")) as {
    packages: Record<string, { integrity?: string; resolved?: string }>
  }
  const locked = Object.entries(packages).filter(([path]) => path !== "")
  expect(locked.length).toBeGreaterThan(100)
  expect(locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ""))).toEqual([])
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readText("package.json"),
  )
  const versions = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies })
  expect(
    versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version))),
  ).toEqual([])
})

test("no package may run a script at installation, and CI installs without scripts", () => {
  const { allowScripts } = JSON.parse(readText("package.json")) as {
    allowScripts: Record<string, boolean>
  }
  expect(Object.values(allowScripts)).not.toContain(true)
  expect(readText(".ci/run")).toMatch(/^npm ci --ignore-scripts$/m)
})

test("npm run sbom prints every package that npm would install, each with the hash of the lockfile", {
  timeout: 60_000,
}, () => {
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: ROOT, encoding: "utf8" })
  const { components } = JSON.parse(run("npm", "run", "-s", "sbom")) as {
    components: readonly { purl: string; hashes: readonly { alg: string; content: string }[] }[]
  }
  const listed = new Set(
    components.map(({ purl }) => decodeURIComponent(purl.replace("pkg:npm/", ""))),
  )
  // npm complains about unmet peers of some packages, and prints the tree all the same.
  const tree = spawnSync("npm", ["ls", "--omit=dev", "--all", "--package-lock-only", "--json"], {
    cwd: ROOT,
    encoding: "utf8",
  })
  const installed = namesIn(JSON.parse(tree.stdout))
  expect(installed.length).toBeGreaterThan(150)
  expect(installed.filter((one) => !listed.has(one))).toEqual([])
  expect(
    components.filter(({ hashes }) => !/^[0-9a-f]{128}$/.test(hashes[0]?.content ?? "")),
  ).toEqual([])
})

type Node = {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, Node>>
}

const { packages: LOCKED } = JSON.parse(readText("package-lock.json")) as {
  packages: Record<string, { name?: string }>
}

const realNameOf = (name: string): string =>
  Object.entries(LOCKED).find(([path]) => path.endsWith(`node_modules/${name}`))?.[1].name ?? name

/** An alias (`npm:` in the manifest) counts by the name of the package behind it. */
function namesIn({ dependencies = {} }: Node): string[] {
  return Object.entries(dependencies).flatMap(([name, node]) => [
    ...(node.version === undefined ? [] : [`${realNameOf(name)}@${node.version}`]),
    ...namesIn(node),
  ])
}
