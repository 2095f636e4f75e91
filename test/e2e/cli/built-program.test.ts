import { execFileSync, spawnSync } from "node:child_process"
import {
  cpSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const ROOT = join(import.meta.dirname, "../../..")
const COPY = realpathSync(temporaryFolder("ballast-built"))
afterAll(() => rmSync(COPY, { recursive: true }))

/** A copy of the checkout, because the tests change its files. */
beforeAll(() => {
  for (const part of [
    "src",
    "bin",
    "config",
    "scripts",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.build.json",
  ])
    cpSync(join(ROOT, part), join(COPY, part), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(ROOT, "node_modules"), join(COPY, "node_modules"))
  build()
}, 120_000)

const build = (): string =>
  execFileSync(process.execPath, [join(COPY, "bin", "prepare.cjs")], {
    cwd: COPY,
    encoding: "utf8",
  })

/** The file that the launcher runs for `check`. */
const program = (env: Record<string, string> = {}, ...args: string[]): string => {
  const given = JSON.stringify(args.length === 0 ? ["check"] : args)
  const text = `process.stdout.write(require("./bin/main-file.cjs").mainFile(${given}))`
  const found = execFileSync(process.execPath, ["-e", text], {
    cwd: COPY,
    encoding: "utf8",
    env: { PATH: "/bin", ...env },
  })
  return found.slice(COPY.length + 1)
}
const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(COPY, "bin", "ballast.cjs"), ...args], {
    cwd: COPY,
    encoding: "utf8" as const,
    env: { PATH: "/usr/bin:/bin" },
  })

test("a built checkout runs the built program, with the same answers", { timeout: 120_000 }, () => {
  expect(program()).toBe("dist/app/cli/main.js")
  for (const args of [
    ["check", "--sandbox"],
    ["wallet", "--sandbox", "--json"],
  ]) {
    const built = run(...args)
    expect(built).toMatchObject({ status: 0, stderr: "" })
    const env = { PATH: "/usr/bin:/bin", BALLAST_RUN_SOURCES: "1" }
    const sources = spawnSync(process.execPath, [join(COPY, "bin", "ballast.cjs"), ...args], {
      cwd: COPY,
      encoding: "utf8",
      env,
    })
    expect(built.stdout).toBe(sources.stdout)
  }
})

test("sources run for help, on demand, and as soon as one of them changes", {
  timeout: 120_000,
}, () => {
  expect(program({}, "--help")).toBe("src/app/cli/main.ts")
  expect(program({ BALLAST_RUN_SOURCES: "1" })).toBe("src/app/cli/main.ts")
  const changed = join(COPY, "src", "core", "lib", "printable.ts")
  const later = new Date(Date.now() + 5_000)
  utimesSync(changed, later, later)
  expect(program()).toBe("src/app/cli/main.ts")
  // Also where a supervisor keeps the path of the built program.
  writeFileSync(
    changed,
    readFileSync(changed, "utf8").replace(
      "export function printable",
      'process.stderr.write("new sources")\nexport function printable',
    ),
  )
  const kept = spawnSync(
    process.execPath,
    [join(COPY, "dist", "app", "cli", "main.js"), "check", "--sandbox"],
    {
      encoding: "utf8",
    },
  )
  expect(kept).toMatchObject({ status: 0, stderr: "new sources" })
  build()
  expect(program()).toBe("dist/app/cli/main.js")
})

test("a checkout without the tools of development keeps its sources, and says nothing", () => {
  const bare = realpathSync(temporaryFolder("ballast-bare"))
  for (const part of ["src", "bin", "package.json"])
    cpSync(join(COPY, part), join(bare, part), { recursive: true })
  const done = spawnSync(process.execPath, [join(bare, "bin", "prepare.cjs")], {
    cwd: bare,
    encoding: "utf8",
  })
  expect(done).toMatchObject({ status: 0, stdout: "", stderr: "" })
  writeFileSync(
    join(bare, "where.cjs"),
    'process.stdout.write(require("./bin/main-file.cjs").mainFile())',
  )
  expect(execFileSync(process.execPath, [join(bare, "where.cjs")], { encoding: "utf8" })).toBe(
    join(bare, "src/app/cli/main.ts"),
  )
  rmSync(bare, { recursive: true })
})
