import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { COMMANDS } from "#cli/command-list.ts"
import { writeTarGz } from "./archives.ts"
import { writeClientPackage } from "./client-package.ts"
import { type PackageTexts, writeDeb } from "./deb.ts"
import { writeImage } from "./image.ts"
import { formatManPage } from "./man-page.ts"
import { setTimes, writeProgramTree } from "./program-tree.ts"

const ROOT = join(import.meta.dirname, "../..")

/**
 * `npm run artefacts [-- --out DIR --only FORM,…]`: makes every artefact of this version: OCI image
 * with Helm chart and compose file, Debian package, tarball, npm packages, SBOM and checksums. The
 * same commit gives the same bytes. It needs root (or fakeroot) for the owners of files, and of
 * Debian mmdebstrap, umoci, dpkg-deb and strip.
 */
const { values } = parseArgs({
  options: {
    out: { type: "string", default: "artifacts/release" },
    only: { type: "string", default: "image,deb,tarball,npm" },
  },
})
const out = resolve(values.out)
const forms = new Set(values.only.split(","))
// CAST: the shape of this project's package.json.
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  version: string
}
const seconds = Number(git("log", "-1", "--format=%ct"))
const platform = `linux-${process.arch}`
const work = mkdtempSync(join(tmpdir(), "ballast-release-"))
try {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  makeAll()
} finally {
  rmSync(work, { recursive: true, force: true })
}

function makeAll(): void {
  process.umask(0o022)
  const tree = join(work, "tree")
  writeProgramTree(tree, join(ROOT, ".cache", "release"))
  setTimes(tree, seconds)
  const target = (file: string) => ({ file: join(out, file), version, work })
  if (forms.has("image")) {
    writeImage(target(`ballast-${version}-${platform}.oci.tar`), tree, seconds)
    const digest = imageDigest()
    fillIn("packaging/compose.yaml", "compose.yaml", digest)
    writeChart(digest)
  }
  if (forms.has("deb"))
    writeDeb(target(`ballast_${version}_${debianName()}.deb`), tree, describe(tree), seconds)
  if (forms.has("tarball")) writeTarball(tree, `ballast-${version}-${platform}.tar.gz`)
  if (forms.has("npm")) {
    execFileSync(process.execPath, [join(ROOT, "scripts", "build.ts")])
    packForNpm(ROOT, `ballast-${version}.npm.tgz`)
    writeClientPackage(join(work, "client"))
    packForNpm(join(work, "client"), `ballast-client-${version}.npm.tgz`)
  }
  const sbom = run(process.execPath, [join(ROOT, "scripts", "sbom.ts")])
  writeFileSync(join(out, `ballast-${version}.cdx.json`), sbom)
  writeChecksums()
}

function describe(tree: string): PackageTexts {
  const node = join(tree, "node", "bin", "node")
  const completion = (shell: string): string =>
    run(node, [join(tree, "bin", "ballast.cjs"), "completion", shell])
  return {
    manPage: formatManPage(COMMANDS, version, new Date(seconds * 1000).toISOString().slice(0, 10)),
    completions: { bash: completion("bash"), zsh: completion("zsh"), fish: completion("fish") },
  }
}

/** The archive has one folder, named by version, with the command in it. */
function writeTarball(tree: string, name: string): void {
  const folder = join(work, "tarball")
  const home = join(folder, `ballast-${version}`)
  cpSync(tree, home, { recursive: true, preserveTimestamps: true })
  cpSync(join(ROOT, "packaging", "ballast.sh"), join(home, "ballast"))
  chmodSync(join(home, "ballast"), 0o755)
  writeTarGz(folder, join(out, name), seconds)
}

/** npm gives every file of a package one time, so its bytes depend on the content alone. */
function packForNpm(folder: string, name: string): void {
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", work]
  const packed = execFileSync("npm", args, { cwd: folder, encoding: "utf8" }).trim()
  cpSync(join(work, packed), join(out, name))
}

function writeChart(digest: string): void {
  const folder = join(work, "chart")
  cpSync(join(ROOT, "packaging", "helm"), folder, { recursive: true })
  for (const file of ["ballast/Chart.yaml", "ballast/values.yaml"])
    writeFileSync(join(folder, file), fill(readFileSync(join(folder, file), "utf8"), digest))
  writeTarGz(folder, join(out, `ballast-chart-${version}.tgz`), seconds)
}

function fillIn(source: string, name: string, digest: string): void {
  writeFileSync(join(out, name), fill(readFileSync(join(ROOT, source), "utf8"), digest))
}

function fill(text: string, digest: string): string {
  return text.replaceAll("@VERSION@", version).replaceAll("@DIGEST@", digest)
}

/** The digest of the image's manifest, by which a registry names it for good. */
function imageDigest(): string {
  // CAST: the index of an OCI layout has one manifest, as `writeImage` made it.
  const index = JSON.parse(readFileSync(join(work, "oci", "index.json"), "utf8")) as {
    manifests: readonly { digest: string }[]
  }
  return index.manifests[0]?.digest ?? ""
}

function writeChecksums(): void {
  const lines = readdirSync(out)
    .sort()
    .map((file) => {
      const hash = createHash("sha256")
        .update(readFileSync(join(out, file)))
        .digest("hex")
      return `${hash}  ${file}\n`
    })
  const file = join(out, "SHA256SUMS")
  writeFileSync(`${file}.new`, lines.join(""))
  renameSync(`${file}.new`, file)
  process.stdout.write(lines.join(""))
}

function debianName(): string {
  return process.arch === "x64" ? "amd64" : process.arch
}

function git(...args: readonly string[]): string {
  return run("git", args).trim()
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 64 << 20 })
}
