import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runBallast } from "../../support/e2e-cli.ts"
import { bareEnvironment, LAUNCHER } from "../../support/sandbox-process.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

const PASSWORD = "correct-horse-battery"
const ENV = { BALLAST_KEYSTORE_PASSWORD: PASSWORD }
/** Port 9 (discard) answers nobody: the answers of nodes and services have tests of their own. */
const NOBODY = "http://127.0.0.1:9"
const ANSWERS = [
  "--chains",
  `base_sepolia=${NOBODY},bitcoin_testnet=${NOBODY}/api`,
  "--service",
  NOBODY,
]
const HOLD = "0.01 bitcoin_testnet:btc from base_sepolia:eth"
const TIMEOUT = 240_000

function freshFolder(): string {
  return temporaryFolder("ballast-init")
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test("with options alone it writes a configuration that passes its check, only observes, and has " +
  "its own tests", {
  timeout: TIMEOUT,
}, async () => {
  const cwd = freshFolder()
  const result = await runBallast(["init", "--yes", ...ANSWERS, "--hold", HOLD, "--json"], {
    env: ENV,
    cwd,
    timeoutMs: TIMEOUT,
  })
  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('"ok": true') })
  expect(readdirSync(cwd).sort()).toEqual([
    "ballast.keystore.json",
    "ballast.ops-token",
    "ballast.yaml",
    "data",
    "policy.test.yaml",
  ])
  expect(
    ["ballast.keystore.json", "ballast.ops-token", "ballast.yaml", "data"].map((name) =>
      modeOf(join(cwd, name)),
    ),
  ).toEqual(["600", "600", "600", "700"])
  const text = readFileSync(join(cwd, "ballast.yaml"), "utf8")
  expect(text).toMatch(/^mode: observe$/m)
  expect(text).toMatch(/bitcoin_testnet: .*address: "p2tr"/)
  expect(text).toContain("data_dir: ./data")
  expect(text).not.toContain(cwd)
  expect(readFileSync(join(cwd, "ballast.keystore.json"), "utf8")).toContain(
    '"cipher": "aes-256-gcm"',
  )
  const checked = await runBallast(["check", "--json"], { env: ENV, cwd })
  expect(JSON.parse(checked.stdout)).toMatchObject({
    ok: true,
    mode: "observe",
    errors: [],
    rules: [{ id: "hold" }],
  })
  expect(text).toMatch(/^ops: \{ listen: "127\.0\.0\.1:\d+", token: "file:ballast\.ops-token" \}$/m)
  expect(text).not.toContain(readFileSync(join(cwd, "ballast.ops-token"), "utf8").trim())
  const simulated = await runBallast(["simulate", "--json"], { cwd, timeoutMs: TIMEOUT })
  expect(JSON.parse(simulated.stdout).subjects[0].summary.moves.p50).toBeGreaterThan(0)
  const tested = await runBallast(["test"], { env: ENV, cwd })
  expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining("3 passed, 0 failed") })
})

test.each([["--yes"], ["--chains", "sandbox", "--listen", "none"]])(
  "the default is a treasury in the sandbox, with play keys: %j",
  { timeout: TIMEOUT },
  async (...options) => {
    const cwd = freshFolder()
    const hasPage = options[0] === "--yes"
    const made = await runBallast(["init", ...options, "--treasury", "desk"], { cwd })
    expect(made).toMatchObject({ code: 0, stderr: "" })
    expect(made.stdout).toContain("PLAY KEYS, never fund")
    expect(made.stdout).toMatch(/ballast sandbox .*ballast run .*ballast swap bitcoin_testnet:btc/s)
    const keys = ["bitcoin", "evm", "solana", "starknet"]
    expect(readdirSync(join(cwd, "sandbox-keys")).sort()).toEqual(keys)
    const text = readFileSync(join(cwd, "ballast.yaml"), "utf8")
    expect(text.includes("ops:")).toBe(hasPage)
    expect(existsSync(join(cwd, "ballast.ops-token"))).toBe(hasPage)
    const { code, stdout } = await runBallast(["check", "--json"], { cwd })
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, ok: true, mode: "live" })
    const again = await runBallast(["init", ...options], { cwd })
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("[init.exists]") })
  },
)

test("a chain with two nodes is believed only where both agree", { timeout: TIMEOUT }, async () => {
  const cwd = freshFolder()
  const chains = `base_sepolia=${NOBODY},base_sepolia=http://127.0.0.2:9`
  const answers = ["--chains", chains, "--service", NOBODY]
  expect(await runBallast(["init", "--yes", ...answers], { env: ENV, cwd })).toMatchObject({
    code: 0,
  })
  const { stdout } = await runBallast(["check"], { env: ENV, cwd })
  expect(stdout).toContain("endpoints: 2, of which 2 must agree")
  expect(stdout).not.toContain("config.one_endpoint")
})

test("it replaces no file, and changes none when one is in the way", {
  timeout: TIMEOUT,
}, async () => {
  const cwd = freshFolder()
  writeFileSync(join(cwd, "ballast.keystore.json"), "mine")
  const result = await runBallast(["init", "--yes", ...ANSWERS], { env: ENV, cwd })
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining("[init.exists]") })
  expect(readdirSync(cwd)).toEqual(["ballast.keystore.json"])
  expect(readFileSync(join(cwd, "ballast.keystore.json"), "utf8")).toBe("mine")
})

test.each([
  [["--chains", "base_sepolla=http://127.0.0.1:9"], "did you mean base_sepolia?", "init.answer"],
  [["--chains", "base_sepolia"], "needs the URL of a node", "init.answer"],
  [
    ["--chains", `base_sepolia=${NOBODY},base_sepolia=${NOBODY}`],
    "base_sepolia has the same URL twice",
    "init.answer",
  ],
  [["--service", "swaps.example"], "expected a URL", "init.answer"],
  [["--keys", `0x${"4c".repeat(32)}`], "expected new, or a reference", "init.answer"],
  [
    ["--hold", "0.01 bitcoin_testnet:bct from base_sepolia:eth"],
    "did you mean bitcoin_testnet:btc?",
    "init.answer",
  ],
  [
    ["--hold", "0.000000001 bitcoin_testnet:btc from base_sepolia:eth"],
    "at most 8 digits",
    "init.answer",
  ],
  [["--hold", "0 bitcoin_testnet:btc from base_sepolia:eth"], "above zero", "init.answer"],
  [["--treasury", "a/b"], "expected a name", "init.answer"],
  [
    ["--chains", `starknet_sepolia=${NOBODY}`],
    "starknet_sepolia needs account",
    "init.missing_answer",
  ],
  [["--keys", "env:BALLAST_NO_SUCH_KEY"], "BALLAST_NO_SUCH_KEY is not set", "config.invalid"],
])(
  "%j is refused with a code, and nothing is written",
  { timeout: TIMEOUT },
  async (options, message, code) => {
    const cwd = freshFolder()
    const result = await runBallast(["init", "--yes", ...ANSWERS, ...options], { env: ENV, cwd })
    expect(result.stderr).toContain(message)
    expect(result.stderr).toContain(`[${code}]`)
    expect(result.stderr).not.toContain("4c4c4c4c")
    expect(readdirSync(cwd)).toEqual([])
  },
)

test.each([
  ["check"],
  ["wallet"],
  ["balances"],
  ["plan"],
  ["quote", "base_sepolia:eth", "bitcoin_testnet:btc", "0.1"],
  ["swap", "base_sepolia:eth", "bitcoin_testnet:btc", "0.1", "--dry-run"],
])("without a password, %s says how to give it", { timeout: TIMEOUT }, async (...command) => {
  const cwd = freshFolder()
  await runBallast(["init", "--yes", ...ANSWERS], { env: ENV, cwd, timeoutMs: TIMEOUT })
  const { code, stderr } = await runBallast(command, { cwd })
  expect(code).toBe(78)
  expect(stderr).toMatch(/is locked.*--password-stdin.*\[config\.keystore_locked\]/s)
})

test("without a terminal and without an answer it names the option", {
  timeout: TIMEOUT,
}, async () => {
  const result = await runBallast(["init"], { env: ENV, cwd: freshFolder() })
  expect(result).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/--chains \[init\.missing_answer\]/),
  })
})

/** `script` (util-linux) gives the command a real terminal; its input comes from a pipe. */
const hasTerminal = existsSync("/usr/bin/script")
const onTerminal = hasTerminal ? test : test.skip
if (!hasTerminal)
  process.stderr.write("SKIPPED: the dialogue of ballast init needs /usr/bin/script (util-linux)\n")

type Typed = readonly (readonly [prompt: string, keys: string])[]

/**
 * Types each text when its prompt appears. Resolves with the exit code and everything that the
 * terminal showed.
 */
function typeInto(cwd: string, typed: Typed): Promise<{ code: number | null; shown: string }> {
  const command = `'${process.execPath}' '${LAUNCHER}' init`
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd,
    env: bareEnvironment({ TERM: "xterm" }),
  })
  let shown = ""
  let from = 0
  let next = 0
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk
    for (let step = typed[next]; step !== undefined; step = typed[next]) {
      const at = shown.indexOf(step[0], from)
      if (at < 0) return
      from = at + step[0].length
      next += 1
      child.stdin.write(step[1])
    }
  })
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, shown })))
}

onTerminal(
  "on a terminal it asks five questions, asks again after a wrong answer, and hides the password",
  { timeout: TIMEOUT },
  async () => {
    const cwd = freshFolder()
    const { code, shown } = await typeInto(cwd, [
      ["1/5", "desk\r"],
      ["2/5", "base_sepolia,bitcoin_tesnet\r"],
      ["did you mean bitcoin_testnet?", ""],
      ["2/5", "base_sepolia,bitcoin_testnet\r"],
      ["URL of a node of base_sepolia, such as https://", "\r"],
      ["This question needs an answer", ""],
      ["URL of a node of base_sepolia", `${NOBODY}\r`],
      ["URL of a node of bitcoin_testnet", `${NOBODY}/api\r`],
      ["3/5", `${NOBODY}\r`],
      ["app id", "\r"],
      ["4/5", "\r"],
      ["5/5", `${HOLD}\r`],
      ["New password", `${PASSWORD}\r`],
      ["Again", `${PASSWORD}\r`],
    ])
    expect(shown).toContain("is in order (observe")
    expect(shown).toMatch(
      /Fund these addresses.*bitcoin_testnet\s+tb1p.*Back up ballast\.keystore\.json/s,
    )
    expect(shown).toMatch(/cat ballast\.ops-token\s+Next:\s+ballast doctor /)
    expect(shown).toMatch(/ballast doctor .*\s+ballast simulate .*\s+ballast run .*\s*$/)
    expect(shown).not.toContain(PASSWORD)
    expect(code).toBe(0)
    expect(readFileSync(join(cwd, "ballast.yaml"), "utf8")).toContain('treasury: "desk"')
    const env = { BALLAST_KEYSTORE_PASSWORD: PASSWORD }
    expect(await runBallast(["check"], { env, cwd })).toMatchObject({ code: 0 })
  },
)

onTerminal(
  "enter at the chains is the sandbox, and ends the questions",
  {
    timeout: TIMEOUT,
  },
  async () => {
    const cwd = freshFolder()
    const { code, shown } = await typeInto(cwd, [
      ["1/5", "\r"],
      ["2/5 The chains: sandbox for local chains", "\r"],
    ])
    expect(code).toBe(0)
    expect(shown).toMatch(/1 bitcoin.*\[sandbox\]/s)
    expect(shown).toMatch(/cat ballast\.ops-token\s+Next:\s+ballast sandbox /)
    expect(shown).not.toContain("3/5")
  },
)

onTerminal.each([
  ["at the first question", [["1/5", "\u0003"]]],
  [
    "at the password",
    [
      ["1/5", "\r"],
      ["2/5", `base_sepolia=${NOBODY}\r`],
      ["3/5", `${NOBODY}\r`],
      ["app id", "\r"],
      ["4/5", "\r"],
      ["5/5", "\r"],
      ["New password", "long-enough-\u0003"],
    ],
  ],
] as const)("Ctrl-C %s leaves no file", { timeout: TIMEOUT }, async (_, typed) => {
  const cwd = freshFolder()
  const { code, shown } = await typeInto(cwd, typed)
  expect(shown).toMatch(/\[(init\.aborted|cli\.usage_input)\]/)
  expect(code).not.toBe(0)
  expect(readdirSync(cwd)).toEqual([])
})
