import { execFileSync, spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { hasArtefactTools } from "../../support/artefact-tools.ts"
import { bareEnvironment } from "../../support/sandbox-process.ts"
import { openTerminal } from "../../support/terminal.ts"

/*
 * A checkout of its own in a folder without anything else: the commands of README.md, the last
 * section of docs/INSTALL.md, and `npm run release`. The tests build on each other.
 */

const ROOT = join(import.meta.dirname, "../../..")
const WORK = mkdtempSync(join(tmpdir(), "ballast-checkout-"))
const HOME = join(WORK, "ballast")
const env = bareEnvironment({
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
  ...Object.fromEntries(
    ["GIT_AUTHOR", "GIT_COMMITTER"].flatMap((name) => [
      [`${name}_NAME`, "Release Test"],
      [`${name}_EMAIL`, "release@test.invalid"],
    ]),
  ),
})
const NEXT = "99.0.0"

afterAll(() => rmSync(WORK, { recursive: true, force: true }))

test("a clone installs as docs/INSTALL.md says", { timeout: 600_000 }, () => {
  const command = "git clone <this repository> /opt/ballast && cd /opt/ballast && npm ci"
  type(command.replace("<this repository>", ROOT).replaceAll("/opt/ballast", HOME), WORK)
  expect(type("npm run -s ballast -- --version")).toMatch(/^\d+\.\d+\.\d+$/m)
})

test("a release refuses a bad version, and a checkout with changes", () => {
  expect(release("next")).toMatchObject({ status: 64 })
  appendFileSync(join(HOME, "README.md"), "\n")
  expect(release(NEXT)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("not committed"),
  })
  type("git checkout -q README.md")
  expect(type("git status --porcelain")).toBe("")
})

test.skipIf(!hasArtefactTools())(
  "a release dates, checks, commits and tags one version",
  {
    timeout: 1_200_000,
  },
  () => {
    const before = type("git rev-parse HEAD")
    expect(release(NEXT)).toMatchObject({ status: 0 })
    expect(type("git rev-parse HEAD~1")).toBe(before)
    expect(type("git log -1 --format=%s")).toBe(`release: ${NEXT}\n`)
    expect(type("git status --porcelain")).toBe("")
    expect(type(`git rev-parse v${NEXT}^{commit}`)).toBe(type("git rev-parse HEAD"))
    const changelog = readFileSync(join(HOME, "CHANGELOG.md"), "utf8")
    expect(changelog).toMatch(/^## Unreleased\n\n## 99\.0\.0 - \d{4}-\d\d-\d\d\n/m)
    const { version, packages } = JSON.parse(readFileSync(join(HOME, "package-lock.json"), "utf8"))
    expect([version, packages[""].version]).toEqual([NEXT, NEXT])
    expect(type("npm run -s ballast -- --version")).toContain(NEXT)
    const sums = readFileSync(join(HOME, "artifacts/release/SHA256SUMS"), "utf8")
    expect(sums).toContain(`ballast_${NEXT}_amd64.deb`)
    const again = release(NEXT)
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining("under Unreleased") })
    expect(again.stderr).not.toContain("at closeSection")
  },
)

test("README's first line starts the demo", { timeout: 600_000 }, async () => {
  const demo = openTerminal("npm ci --omit=dev && npm start", { cwd: HOME, env })
  const [, page = "", token = ""] = await demo.shows(
    /Dashboard: (\S+) \(log in with the token (\S+)\)/,
    500_000,
  )
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${page}api/v1/orders`, { headers })).status).toBe(200)
  await demo.interrupt()
  expect(demo.shown()).toMatch(/The demo ran for /)
})

function type(command: string, cwd = HOME): string {
  return execFileSync("bash", ["-c", command], { cwd, env, encoding: "utf8" })
}

function release(version: string) {
  const args = ["run", "-s", "release", "--", version]
  return spawnSync("npm", args, { cwd: HOME, env, encoding: "utf8" })
}
