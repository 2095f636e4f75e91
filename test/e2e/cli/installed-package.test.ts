import { execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { writeClientPackage } from "../../../scripts/release/client-package.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const ROOT = join(import.meta.dirname, "../../..")
const FOLDER = realpathSync(temporaryFolder("ballast-package"))
const DESCRIPTION = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  name: string
  version: string
}
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc")
const TYPES = join(ROOT, "node_modules/@types")
const STRICT = "--noEmit --strict --exactOptionalPropertyTypes --target es2024 --module nodenext"
  .split(" ")
  .concat("--types", "node")
afterAll(() => rmSync(FOLDER, { recursive: true }))

/**
 * The layout of `npm install --global`: the package below `lib/node_modules`, and a link in `bin`.
 * The libraries are those of this checkout.
 */
describe("the package that npm packs", () => {
  const prefix = join(FOLDER, "prefix")
  const home = join(prefix, "lib", "node_modules", DESCRIPTION.name)
  const launcher = join(prefix, "bin", "ballast")
  beforeAll(() => {
    const tarball = execFileSync("npm", ["pack", "--silent", "--pack-destination", FOLDER], {
      cwd: ROOT,
      encoding: "utf8",
    }).trim()
    mkdirSync(home, { recursive: true })
    mkdirSync(join(prefix, "bin"))
    execFileSync("tar", ["xzf", join(FOLDER, tarball), "--strip-components=1", "-C", home])
    symlinkSync(join(ROOT, "node_modules"), join(home, "node_modules"))
    symlinkSync(join(home, "bin", "ballast.cjs"), launcher)
  }, 120_000)

  const run = (...args: string[]) =>
    spawnSync(process.execPath, [launcher, ...args], {
      cwd: FOLDER,
      encoding: "utf8",
      env: { PATH: "/usr/bin:/bin" },
    })

  test("has a name in a scope, so that no stranger's package can answer to it", () => {
    expect(DESCRIPTION.name).toMatch(/^@[a-z-]+\/ballast$/)
  })

  test("runs its compiled program: it has no sources and no tests", () => {
    expect(existsSync(join(home, "src"))).toBe(false)
    expect(existsSync(join(home, "dist", "app", "config", "load.test.js"))).toBe(false)
    expect(readFileSync(join(home, "dist/app/ops/page/dashboard.js"), "utf8")).toBe(
      readFileSync(join(ROOT, "src/app/ops/page/dashboard.js"), "utf8"),
    )
    expect(run("--version")).toMatchObject({ status: 0, stdout: `${DESCRIPTION.version}\n` })
  })

  test.each(["@ballast-daemon/client", `${DESCRIPTION.name}/client`])(
    "gives other programs its client, with types: %s",
    { timeout: 60_000 },
    (name) => {
      const program = join(prefix, "lib")
      if (!name.startsWith(DESCRIPTION.name)) installClient(program)
      const [, page = ""] =
        /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs/HTTP.md"), "utf8")) ?? []
      const example = page.replace("@ballast-daemon/client", name)
      expect(example).toContain(`from "${name}"`)
      writeFileSync(join(program, "example.mts"), example)
      writeFileSync(join(program, "wrong.mts"), example.replace("{ from:", "{ form:"))
      const check = (file: string) =>
        spawnSync(process.execPath, [COMPILER, ...STRICT, "--typeRoots", TYPES, file], {
          cwd: program,
          encoding: "utf8",
        })
      expect(check("example.mts")).toMatchObject({ status: 0, stdout: "" })
      expect(check("wrong.mts").stdout).toContain("'from'")
      const used = `const { createClient } = await import("${name}")
      const client = createClient({ url: "http://127.0.0.1:1", token: "t" })
      console.log(await client.getStatus().catch((error) => error.name))`
      expect(
        execFileSync(process.execPath, ["--input-type=module", "--eval", used], {
          cwd: program,
          encoding: "utf8",
        }),
      ).toBe("AnswerLost\n")
    },
  )

  test("checks a configuration, opens every family, and completes commands", {
    timeout: 120_000,
  }, () => {
    const checked = run("check", "--sandbox")
    expect(checked.stderr).toBe("")
    expect(checked.status).toBe(0)
    const wallets = run("wallet", "--sandbox", "--json")
    expect(JSON.parse(wallets.stdout)).toMatchObject({ wallets: { length: 5 } })
    const file = join(FOLDER, "ballast.yaml")
    writeFileSync(file, "service: { url: nowhere }\n", { mode: 0o600 })
    expect(run("check", "--config", file)).toMatchObject({
      status: 78,
      stderr: expect.stringContaining(`${file}:1:`),
    })
    expect(run("completion", "bash")).toMatchObject({ status: 0 })
  })
})

/** The package of the client alone, as `npm install` lays it out. */
function installClient(program: string): void {
  const packed = join(FOLDER, "client")
  writeClientPackage(packed)
  const args = ["pack", "--silent", "--pack-destination", FOLDER]
  const tarball = execFileSync("npm", args, { cwd: packed, encoding: "utf8" }).trim()
  const home = join(program, "node_modules", "@ballast-daemon", "client")
  mkdirSync(home, { recursive: true })
  execFileSync("tar", ["xzf", join(FOLDER, tarball), "--strip-components=1", "-C", home])
}

describe("the choice of Node", () => {
  const marker = join(FOLDER, "started")
  /** A program `node` in a folder of PATH, which leaves a trace when it is started. */
  function plant(
    name: string,
    version: readonly [number, number, number] | null,
    mode = 0o755,
  ): string {
    const bin = join(FOLDER, name, "bin")
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, "node"), `#!/bin/sh\ntouch ${marker}\necho 99.0.0\n`)
    chmodSync(join(bin, "node"), mode)
    if (version === null) return bin
    const include = join(FOLDER, name, "include", "node")
    mkdirSync(include, { recursive: true })
    const lines = ["MAJOR", "MINOR", "PATCH"].map(
      (part, index) => `#define NODE_${part}_VERSION ${version[index]}`,
    )
    writeFileSync(join(include, "node_version.h"), lines.join("\n"), { mode: 0o644 })
    return bin
  }
  const pick = (path: string, cwd = FOLDER): string => {
    const launcher = JSON.stringify(join(ROOT, "bin", "pick-node.cjs"))
    const program = `process.stdout.write(require(${launcher}).pickNode().path)`
    return execFileSync(process.execPath, ["-e", program], {
      cwd,
      encoding: "utf8",
      env: { PATH: path },
    })
  }
  const usual = (): string => pick("/nowhere")

  test.each([
    ["without a header that names its version", () => plant("bare", null)],
    ["that other users can replace", () => plant("open", [26, 99, 0], 0o777)],
    ["of a version that is too old", () => plant("old", [20, 1, 0])],
  ])("starts and takes no program %s from PATH", (_what, folder) => {
    expect(pick(folder())).toBe(usual())
    expect(existsSync(marker)).toBe(false)
  })

  test("takes none from a folder that other users can write, nor from a relative one", () => {
    const open = plant("shared", [26, 99, 0])
    chmodSync(open, 0o777)
    expect(pick(open)).toBe(usual())
    plant("relative", [26, 99, 0])
    expect(pick("relative/bin")).toBe(usual())
    expect(existsSync(marker)).toBe(false)
  })

  test("takes a patched one that belongs to this user, and reads its version without starting it", () => {
    const bin = plant("patched", [26, 99, 0])
    expect(pick(bin)).toBe(join(bin, "node"))
    expect(existsSync(marker)).toBe(false)
  })
})
