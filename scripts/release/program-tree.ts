import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  globSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { basename, join } from "node:path"

const ROOT = join(import.meta.dirname, "../..")
/** The packages that `scripts/build.ts` leaves out of the bundle; threads load them too. */
const BESIDE_THE_BUNDLE = ["tiny-secp256k1", "highs", "koffi", "pino", "pino-pretty"]
/** Parts of a package that a running program never reads; the forms for servers need glibc. */
const UNREAD =
  /(^|\/)(docs?|tests?|benchmarks?|examples?|src|vendor|\.github|musl_\w+)(\/|$)|\.(md|map|d\.[cm]?ts)$/

/**
 * Writes the program for servers to `folder`: launcher, built program, its few packages, the docs'
 * configuration files and a patched Node, without sandbox and tests.
 */
export function writeProgramTree(folder: string, cache: string): void {
  mkdirSync(folder, { recursive: true })
  const build = join(ROOT, "scripts", "build.ts")
  const out = join(folder, "dist")
  execFileSync(process.execPath, [build, "--out", out, "--without-sandbox"], { stdio: "inherit" })
  // It names the sources with their times, and this program has none.
  rmSync(join(out, "built-from.json"))
  // No thread loads a module of the lab, and the bundle has the simulator.
  rmSync(join(out, "lab"), { recursive: true })
  for (const file of ["bin", "config", "LICENSE", "CHANGELOG.md", "docs/LICENCES.md"])
    cpSync(join(ROOT, file), join(folder, basename(file)), { recursive: true })
  // Prepares a checkout; here there is nothing to prepare.
  rmSync(join(folder, "bin", "prepare.cjs"))
  writeFileSync(join(folder, "package.json"), describeProgram())
  for (const name of listClosure(BESIDE_THE_BUNDLE)) copyPackage(name, folder)
  writeNode(join(folder, "node", "bin"), cache)
  const launcher = join(folder, "bin", "ballast.cjs")
  const code = readFileSync(launcher, "utf8")
  writeFileSync(launcher, code.replace(/^#!.*/, "#!/usr/lib/ballast/node/bin/node"))
}

/** Every file gets the time of the commit, so that two builds have the same bytes. */
export function setTimes(folder: string, seconds: number): void {
  for (const file of ["", ...globSync("**/*", { cwd: folder, exclude: () => false })])
    lutimesSync(join(folder, file), seconds, seconds)
}

/** The package.json of this project, without the parts that only a checkout needs. */
function describeProgram(): string {
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  )
  return `${JSON.stringify({ name, version, description, license, type, engines }, null, 2)}\n`
}

/** These packages with everything that they need, as the lockfile has them. */
function listClosure(names: readonly string[]): ReadonlySet<string> {
  // CAST: the shape of npm's lockfile, version 3.
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Readonly<
      Record<string, { dependencies?: Record<string, string>; optionalDependencies?: object }>
    >
  }
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    const entry = packages[path]
    const wanted = { ...entry?.dependencies, ...entry?.optionalDependencies }
    for (const name of Object.keys(wanted)) {
      const place = findPlace(path, name, packages)
      if (place !== null && existsSync(join(ROOT, place))) visit(place)
    }
  }
  for (const name of names) visit(`node_modules/${name}`)
  return found
}

/** Where Node finds `name` from the package at `path`: below it, or above. */
function findPlace(path: string, name: string, packages: Readonly<Record<string, unknown>>) {
  for (
    let from = path;
    from !== "";
    from = from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, "")
  ) {
    const place = `${from}/node_modules/${name}`
    if (place in packages) return place
  }
  return `node_modules/${name}` in packages ? `node_modules/${name}` : null
}

function copyPackage(path: string, folder: string): void {
  const from = join(ROOT, path)
  cpSync(from, join(folder, path), {
    recursive: true,
    dereference: true,
    filter: (file) => {
      const inside = file.slice(from.length + 1)
      return !inside.startsWith("node_modules") && !(UNREAD.test(inside) && !isNeeded(path, inside))
    },
  })
}

/** `bin` and `main` of some packages lie in a folder that is documentation elsewhere. */
function isNeeded(path: string, inside: string): boolean {
  const { main = "", exports = {} } = JSON.parse(
    readFileSync(join(ROOT, path, "package.json"), "utf8"),
  )
  return `${main} ${JSON.stringify(exports)}`.includes(inside)
}

/** The patched Node of `packaging/node.json`, checked against its hash. */
function writeNode(folder: string, cache: string): void {
  const { version, packages } = JSON.parse(
    readFileSync(join(ROOT, "packaging", "node.json"), "utf8"),
  )
  const { name, integrity } = packages[process.arch]
  mkdirSync(cache, { recursive: true })
  const archive = join(cache, `${name}-${version}.tgz`)
  if (!existsSync(archive))
    execFileSync("npm", ["pack", "--silent", `${name}@${version}`], { cwd: cache })
  const hash = createHash("sha512").update(readFileSync(archive)).digest("base64")
  if (`sha512-${hash}` !== integrity) throw new Error(`${archive} is not the pinned Node`)
  mkdirSync(folder, { recursive: true })
  execFileSync("tar", ["xzf", archive, "-C", folder, "--strip-components=2", "package/bin/node"])
  execFileSync("tar", [
    "xzf",
    archive,
    "-C",
    join(folder, ".."),
    "--strip-components=1",
    "package/LICENSE",
  ])
  execFileSync("strip", [join(folder, "node")])
}
