import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { closeSection } from "./changelog.ts"

const ROOT = join(import.meta.dirname, "../..")

/**
 * `npm run release -- VERSION`: closes the open section of the changelog, sets the version in the
 * package and what is generated from it, runs the checks and commits. Then it makes the artefacts
 * of that commit and its tag. It pushes nothing.
 */
const [version = "", ...rest] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+$/.test(version) || rest.length > 0) {
  console.error("usage: npm run release -- VERSION, such as 0.6.0")
  process.exit(64)
}
if (read("git", "status", "--porcelain") !== "") {
  console.error("The checkout has changes that are not committed; a release is one commit's")
  process.exit(1)
}
try {
  const day = new Date().toISOString().slice(0, 10)
  const changelog = join(ROOT, "CHANGELOG.md")
  writeFileSync(changelog, closeSection(readFileSync(changelog, "utf8"), version, day))
  run("npm", "version", version, "--no-git-tag-version", "--allow-same-version")
  run("npm", "run", "-s", "build")
  run("npm", "run", "-s", "generate")
  run("npm", "run", "-s", "check")
  run("git", "commit", "-qam", `release: ${version}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error("Nothing is released; `git checkout .` takes the changes of the files back")
  process.exit(1)
}
run("npm", "run", "-s", "artefacts")
run("git", "tag", "-a", `v${version}`, "-m", `Ballast ${version}`)
console.log(`Ballast ${version} is in artifacts/release; push the commit and v${version} with it`)

function run(command: string, ...words: string[]): void {
  execFileSync(command, words, { cwd: ROOT, stdio: "inherit" })
}

function read(command: string, ...words: string[]): string {
  return execFileSync(command, words, { cwd: ROOT, encoding: "utf8" }).trim()
}
