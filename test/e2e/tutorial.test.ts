import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, test } from "vitest"
import type { CliResult } from "../support/e2e-cli.ts"
import { bareEnvironment, until } from "../support/sandbox-process.ts"
import { openTerminal, type Terminal } from "../support/terminal.ts"
import { pathWithBallast, readShellLines } from "../support/typed-page.ts"

/*
 * Types docs/TUTORIAL.md: each command as it stands there, in its order, on the page's fixed ports.
 * The two faults of section 3 last together, so that the test waits for both at once.
 */

const ROOT = join(import.meta.dirname, "..", "..")
const PAGE = readFileSync(join(ROOT, "docs", "TUTORIAL.md"), "utf8")
const COMMANDS = readShellLines(PAGE)
/** No other sandbox of this user is in sight of the commands. */
const DESK = mkdtempSync(join(tmpdir(), "ballast-e2e-tutorial-"))
const TREASURY = folder("treasury")
const DEMO_TMP = folder("demo-tmp")
const PASSWORD = "correct-horse-battery"
const SANDBOX = "http://127.0.0.1:4400"
const DAEMON = "http://127.0.0.1:7070"
/** A promise of the page: an alarm comes within a minute. */
const ALARM_MS = 60_000

const env = bareEnvironment({
  PATH: pathWithBallast(DESK),
  TMPDIR: folder("tmp"),
  npm_config_update_notifier: "false",
})
const open = new Map<string, Terminal>()

/** Every command of the page, with the things that the page says about it. */
const STEPS: Readonly<Record<string, () => Promise<void>>> = {
  "alias ballast='npm run -s ballast --'": async () => {
    const typed =
      "shopt -s expand_aliases\nalias ballast='npm run -s ballast --'\nballast --version\n"
    expect(await type(typed, { cwd: ROOT })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\d+\.\d+\.\d+/),
    })
  },
  "npm ci": async () => {
    // It has run, or no test would; a second one would pull the modules away from under this one.
    expect(readdirSync(join(ROOT, "node_modules"))).toContain(".package-lock.json")
  },
  "npm start": seeDemo,
  "ballast sandbox": async () => {
    await begin("ballast sandbox").shows(
      /are funded\. In another terminal: ballast run --sandbox/,
      150_000,
    )
    expect(open.get("ballast sandbox")?.shown()).toContain(SANDBOX)
  },
  "ballast run --sandbox": async () => {
    begin("ballast run --sandbox")
    await until("the daemon is ready", async () => (await statusOf(`${DAEMON}/readyz`)) === 200)
  },
  "ballast status --sandbox": seeStatus,
  "ballast orders --sandbox": async () => {
    const { stdout } = await typeUntil("ballast orders --sandbox", /hot-wallet/)
    expect(stdout).toContain("base_sepolia:wbtc")
  },
  "ballast why refused --sandbox": async () => {
    await typeUntil("ballast why refused --sandbox", /limit\.order/)
  },
  "ballast quote bitcoin_testnet:btc base_sepolia:wbtc 0.001 --sandbox": async () => {
    const { code, stdout } = await type(
      "ballast quote bitcoin_testnet:btc base_sepolia:wbtc 0.001 --sandbox",
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("0.001") })
  },
  "ballast approve ID --sandbox": approve,
  "ballast sandbox break solana --for 1m": async () => {
    const { code, stdout } = await type("ballast sandbox break solana --for 1m")
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/solana_testnet +broken/),
    })
  },
  "ballast watch --sandbox": async () => {
    await begin("ballast watch --sandbox").shows(/Ctrl-C ends/)
  },
  "ballast sandbox break service": async () => {
    const { code, stdout } = await type("ballast sandbox break service")
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/service +broken/) })
  },
  "ballast sandbox mend": mend,
  "ballast init": initialise,
  "ballast simulate --days 30": async () => {
    const { code, stdout, stderr } = await type("ballast simulate --days 30", { cwd: TREASURY })
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("30 days"),
    })
  },
  "ballast test": async () => {
    const { code, stdout } = await type("ballast test", { cwd: TREASURY })
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/[1-9]\d* passed, 0 failed/),
    })
  },
  "ballast run": async () => {
    const terminal = begin("ballast run", TREASURY)
    await terminal.shows(/Password of the keystore/)
    terminal.type(`${PASSWORD}\n`)
    await terminal.shows(/Starting:/)
  },
  "ballast rules": async () => {
    // The wallet of a new keystore is empty, so the rule decides that it can do nothing.
    await typeUntil("ballast rules", /^hold +band +on .*(declined|proposed)/m, { cwd: TREASURY })
  },
}

afterAll(async () => {
  for (const terminal of [...open.values()].reverse()) await terminal.interrupt()
}, 60_000)

test("the test knows each command of the page", () => {
  expect(COMMANDS.filter((command) => STEPS[command] === undefined)).toEqual([])
  expect([...new Set(COMMANDS)]).toEqual(Object.keys(STEPS))
})

let isBroken = false
for (const [index, command] of COMMANDS.entries())
  test(`${index + 1}: ${command}`, { timeout: 200_000 }, async () => {
    // The sandbox of section 2 needs nothing of the demo.
    expect(isBroken && command !== "ballast sandbox", "a command before this one has failed").toBe(
      false,
    )
    isBroken = true
    await STEPS[command]?.()
    isBroken = false
  })

/** Here, because it needs the fixed ports that the page needs too. */
test("a new user has an own swap and the dashboard in five minutes after the package", {
  timeout: 400_000,
}, async () => {
  for (const terminal of [...open.values()].reverse()) await terminal.interrupt()
  open.clear()
  const startedMs = Date.now()
  const own = { ...env, PATH: pathWithPackage(), TMPDIR: folder("own-tmp") }
  const cwd = folder("own")
  const init = begin("ballast init", cwd, own)
  for (const question of [/1\/5.*\n?> $/, /2\/5[\s\S]*> $/]) {
    await init.shows(question)
    init.type("\n")
  }
  const [swap = ""] = await init.shows(/ballast swap \S+ \S+ [\d.]+/)
  const [, page = ""] = await init.shows(/The page is (\S+) once/)
  await begin("ballast sandbox", cwd, own).shows(/are funded/, 200_000)
  begin("ballast run", cwd, own)
  await until("the daemon is ready", async () => (await statusOf(`${DAEMON}/readyz`)) === 200)
  const asked = await type(swap, { cwd, environment: own })
  expect(asked).toMatchObject({ code: 0 })
  const [id = ""] = /\b[0-9a-f]{8}\b/.exec(asked.stdout) ?? []
  const isCompleted = new RegExp(`^${id}\\S* .*completed`, "m")
  await typeUntil("ballast orders", isCompleted, { cwd, environment: own })
  expect(await statusOf(page)).toBe(200)
  const token = readFileSync(join(cwd, "ballast.ops-token"), "utf8").trim()
  expect(await statusOf(`${page}/api/v1/orders`, token)).toBe(200)
  const tookMs = Date.now() - startedMs
  process.stderr.write(`a new user needs ${Math.round(tookMs / 1_000)} s\n`)
  expect(tookMs).toBeLessThan(300_000)
})

/** The package as npm packs it; its libraries are those of this checkout. */
function pathWithPackage(): string {
  const home = folder("package")
  const args = ["pack", "--silent", "--pack-destination", DESK]
  const tarball = execFileSync("npm", args, { cwd: ROOT, encoding: "utf8" }).trim()
  execFileSync("tar", ["xzf", join(DESK, tarball), "--strip-components=1", "-C", home])
  symlinkSync(join(ROOT, "node_modules"), join(home, "node_modules"))
  return pathWithBallast(folder("package-path"), join(home, "bin", "ballast.cjs"))
}

async function seeDemo(): Promise<void> {
  const terminal = begin("npm start", ROOT, { ...env, TMPDIR: DEMO_TMP })
  const [, page = "", token = ""] = await terminal.shows(
    /Dashboard: (\S+) \(log in with the token (\S+)\)/,
    150_000,
  )
  expect(await statusOf(page)).toBe(200)
  expect(await statusOf(`${page}api/v1/orders`, token)).toBe(200)
  const [, printed = "", file = ""] = await terminal.shows(
    /In another terminal: (.* status --config (\S+))/,
  )
  const asked = await type(printed, { cwd: ROOT })
  expect(asked.stdout, asked.stderr).toContain("daemon     process")
  const { stdout } = await type(`ballast rules --config ${file}`)
  const rules = stdout.split("\n").map((line) => line.split(" ")[0])
  const named = ["demo-1", "demo-2", "demo-3", "hot-wallet", "needs-approval", "refused"]
  expect(rules).toEqual(expect.arrayContaining(named))
  await terminal.shows(/\b[0-9a-f]{8} .*bitcoin_testnet:btc/)
  await terminal.interrupt()
  expect(terminal.shown()).toMatch(/The demo ran for .*: \d+ orders, \d+ of them completed\./)
  await until(
    "the demo leaves nothing behind",
    async () => readdirSync(DEMO_TMP).length === 0,
  ).catch(() => undefined)
  expect(readdirSync(DEMO_TMP)).toEqual([])
}

/** The page asks for the status twice: at first, and while the service is broken. */
async function seeStatus(): Promise<void> {
  if (!open.has("ballast watch --sandbox")) {
    const { code, stdout, stderr } = await type("ballast status --sandbox")
    expect([0, 1], `${stdout}\n${stderr}`).toContain(code)
    expect(stdout).toContain("daemon     process")
    return
  }
  const said = await typeUntil(
    "ballast status --sandbox",
    /The service main has not answered.*HTTP 503/,
    {
      timeoutMs: ALARM_MS,
    },
  )
  expect(said.code, said.stdout).toBe(2)
}

async function approve(): Promise<void> {
  const waiting = /^([0-9a-f]+) .*awaiting-approval.*$/m
  const { stdout } = await typeUntil("ballast orders --sandbox", waiting)
  const id = waiting.exec(stdout)?.[1] ?? ""
  const { code, ...said } = await type(`ballast approve ${id} --sandbox`)
  expect(code, JSON.stringify(said)).toBe(0)
  await typeUntil("ballast orders --sandbox", new RegExp(`^${id} (?!.*awaiting-approval)`, "m"))
}

/** The hung chain comes back by itself; the service comes back by the command. */
async function mend(): Promise<void> {
  const watch = open.get("ballast watch --sandbox")
  const silence = /solana_testnet has not answered/
  await watch?.shows(silence)
  await until("the alarm of the chain goes", async () => !silence.test(watch?.screen() ?? ""))
  const failed = await type("ballast doctor --sandbox")
  expect(failed.code, failed.stdout).toBe(1)
  expect(failed.stdout).toMatch(/FAIL +service 127\.0\.0\.1:4400 +.*HTTP 503/)
  const { code, stdout } = await type("ballast sandbox mend")
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/service +up/) })
  await typeUntil("ballast status --sandbox", /^ {2}main: good/m)
  const { stdout: status } = await type("ballast status --sandbox")
  expect(status).not.toContain("HTTP 503")
  expect(await watch?.interrupt(), "ended by Ctrl-C").toBe(130)
}

async function initialise(): Promise<void> {
  const terminal = begin("ballast init", TREASURY)
  const answers: readonly (readonly [RegExp, string])[] = [
    [/1\/5.*\n?> $/, ""],
    [/2\/5[\s\S]*> $/, "base_sepolia=http://127.0.0.1:4402,ethereum_sepolia=http://127.0.0.1:4403"],
    [/3\/5.*\n?> $/, SANDBOX],
    [/app id.*\n?> $/, "ballast-sandbox"],
    [/4\/5.*\n?> $/, "new"],
    [/5\/5.*\n?> $/, "0.1 base_sepolia:eth from ethereum_sepolia:eth"],
    [/[Pp]assword[^\n]*$/, PASSWORD],
    [/([Aa]gain|[Rr]epeat)[^\n]*$/, PASSWORD],
  ]
  for (const [question, answer] of answers) {
    await terminal.shows(question)
    terminal.type(`${answer}\n`)
  }
  await terminal.shows(/Next:/, 120_000)
  const written = readFileSync(join(TREASURY, "ballast.yaml"), "utf8")
  expect(written).toMatch(/^mode: observe$/m)
  expect(written).toMatch(/^ {2}max_order:/m)
  expect(readFileSync(join(TREASURY, "ballast.keystore.json"), "utf8")).toContain('"cipher"')
}

function folder(name: string): string {
  const path = join(DESK, name)
  mkdirSync(path)
  return path
}

function begin(
  command: string,
  cwd: string = DESK,
  environment: NodeJS.ProcessEnv = env,
): Terminal {
  const terminal = openTerminal(command, { cwd, env: environment })
  open.set(command, terminal)
  return terminal
}

type Place = { readonly cwd?: string; readonly environment?: NodeJS.ProcessEnv }

/** Types a command that ends by itself. */
function type(command: string, { cwd = DESK, environment = env }: Place = {}): Promise<CliResult> {
  return new Promise((resolve) => {
    execFile(
      "bash",
      ["-c", command],
      { cwd, env: environment, timeout: 120_000 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : (error.code ?? "timeout"), stdout, stderr }),
    )
  })
}

/**
 * Types a command again and again until it prints the pattern. Each one is a process, and the
 * daemon needs the processor too.
 */
async function typeUntil(
  command: string,
  pattern: RegExp,
  { timeoutMs = 90_000, ...place }: Place & { timeoutMs?: number } = {},
): Promise<CliResult> {
  let said: CliResult = { code: 0, stdout: "", stderr: "" }
  const isShown = async (): Promise<boolean> => {
    said = await type(command, place)
    if (pattern.test(said.stdout)) return true
    await sleep(1_000)
    return false
  }
  await until(`${command} prints ${pattern}`, isShown, timeoutMs).catch((cause: unknown) => {
    throw new Error(`${String(cause)}\n${said.stdout}\n${said.stderr}`)
  })
  return said
}

async function statusOf(url: string, token?: string): Promise<number> {
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` }
  return await fetch(url, { headers }).then(
    ({ status }) => status,
    () => 0,
  )
}
