import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  LAUNCHER,
  startDaemonProcess,
  TOKEN,
} from "../support/sandbox-process.ts"

/** No service and no node answers at this address: the start must find its errors without them. */
const DEAD = "http://127.0.0.1:1"
const KEY = `0x${"4c".repeat(32)}`
const ENV = { EVM_KEY: KEY, BALLAST_OPS_TOKEN: TOKEN }

/** What "within seconds" means beside the time that this machine takes for a start. */
const SECONDS_MS = 2_000

type Start = {
  readonly dir: string
  readonly file: string
  readonly port: number
  readonly text: string
}

describe("a broken configuration ends the start with 78 and names the place", () => {
  const key = 'key: "env:EVM_KEY"'
  test.for<{
    what: string
    from?: string
    to?: string
    env?: Record<string, string>
    says: string
    hides?: string
  }>([
    {
      what: "a missing key",
      env: { BALLAST_OPS_TOKEN: TOKEN },
      says:
        "ballast.yaml:5:83: chains.base_sepolia.key: the environment variable EVM_KEY is not " +
        "set",
    },
    {
      what: "an invalid key",
      env: { ...ENV, EVM_KEY: "0xdead01" },
      says: "ballast.yaml:5:83: chains.base_sepolia.key: env:EVM_KEY is not an EVM private key",
      hides: "dead01",
    },
    {
      what: "a literal secret",
      from: key,
      to: `key: "${KEY}"`,
      says: "ballast.yaml:5:83: chains.base_sepolia.key: ",
      hides: KEY.slice(2, 20),
    },
    {
      what: "a secret where a name belongs",
      from: key,
      to: `key: "env:${KEY.slice(2)}"`,
      says: "ballast.yaml:5:83: chains.base_sepolia.key: ",
      hides: KEY.slice(2, 20),
    },
    {
      what: "a missing file",
      from: key,
      to: 'key: "file:nowhere"',
      says: "ballast.yaml:5:83: chains.base_sepolia.key: file:nowhere cannot be read (ENOENT)",
    },
    {
      what: "an unknown key",
      from: "chain_id",
      to: "chainid",
      says: "chains.base_sepolia.chainid: unknown key chainid; did you mean chain_id?",
    },
    {
      what: "a misspelt section",
      from: "assets:",
      to: "asets:",
      says: "ballast.yaml:6:1: asets: unknown key asets; did you mean assets?",
    },
    { what: "broken YAML", from: "chains:", to: "chains: {", says: "ballast.yaml:" },
    {
      what: "a world-wide address without TLS",
      from: /^ops:.*$/m.source,
      to: 'ops: { listen: "0.0.0.0:0" }',
      says: "ballast.yaml:3:16: ops.listen: expected a loopback address",
    },
  ])("$what", async ({ from, to = "", env = ENV, says, hides }) => {
    const start = await prepare((text) =>
      from === undefined ? text : text.replace(new RegExp(from, "m"), to),
    )
    for (const command of ["run", "check"]) {
      const { code, stdout, stderr } = await runBallast([command, "--config", start.file], { env })
      expect({ command, code }).toEqual({ command, code: 78 })
      expect(stderr).toContain(says)
      if (hides !== undefined) expect(stdout + stderr).not.toContain(hides)
    }
    // The start may have taken the lock, but it has written no journal.
    expect(readdirSync(start.dir, { recursive: true })).not.toContain(join("data", "journal.db"))
  })
})

describe("one daemon per data directory", () => {
  const running: DaemonProcess[] = []
  afterEach(async () => {
    for (const daemon of running.splice(0)) await daemon.stop()
  })

  test(
    "runs without service and nodes, is not ready without the nodes, and refuses a second one " +
      "within seconds",
    async () => {
      const start = await prepare()
      const [first, startMs] = await timed(() => run(start))
      const [second, refusedMs] = await timed(() =>
        runBallast(["run", "--config", start.file], { env: ENV }),
      )
      expect(refusedMs).toBeLessThan(SECONDS_MS + 3 * startMs)
      expect(second.code).toBe(75)
      expect(second.stderr).toContain("[daemon.locked]")
      expect(await first.call("GET", "/healthz")).toMatchObject({ status: 200 })
      expect(await first.call("GET", "/readyz")).toMatchObject({ status: 503 })
    },
  )

  test("starts at once after a SIGKILL", async () => {
    const start = await prepare()
    const [first, startMs] = await timed(() => run(start))
    first.child.kill("SIGKILL")
    await first.exited
    const [, againMs] = await timed(() => run(start))
    expect(againMs).toBeLessThan(SECONDS_MS + 3 * startMs)
  })

  test("ends with 0 after SIGTERM, and with 78 when its address is taken", async () => {
    const start = await prepare()
    const first = await run(start)
    const other = await prepare(undefined, start.port)
    const second = await runBallast(["run", "--config", other.file], { env: ENV })
    expect(second.code).toBe(78)
    expect(second.stderr).toContain("[ops.listen]")
    await first.stop()
    expect(await first.exited).toEqual({ code: 0, signal: null })
  })

  test("serves only health without a configured token", async () => {
    const start = await prepare((text) => text.replace(', token: "env:BALLAST_OPS_TOKEN"', ""))
    const daemon = await run(start)
    expect(await daemon.call("GET", "/healthz")).toMatchObject({ status: 200 })
    for (const path of [
      "/",
      "/metrics",
      "/api/v1/status",
      "/api/v1/orders",
      "/api/v1/balances",
      "/nowhere",
    ]) {
      expect(await daemon.call("GET", path)).toMatchObject({
        status: 401,
        body: { reasons: [{ code: "ops.no_token" }] },
      })
    }
    const swap = { from: "base_sepolia:eth", to: "base_sepolia:wbtc", amount: "1" }
    expect(await daemon.call("POST", "/api/v1/swap", swap)).toMatchObject({ status: 401 })
  })

  test("refuses with 78 a journal with a newer schema, and a file that is no database", async () => {
    const start = await prepare()
    await (await run(start)).stop()
    const journal = join(start.dir, "data", "journal.db")
    const db = new DatabaseSync(journal)
    db.exec("pragma user_version = 99")
    db.close()
    for (const command of ["run", "orders"]) {
      const { code, stderr } = await runBallast([command, "--config", start.file], { env: ENV })
      expect({ command, code }).toEqual({ command, code: 78 })
      expect(stderr).toContain("schema 99, written by a newer Ballast")
      expect(stderr).toContain("[journal.future_schema]")
    }
    const older = new DatabaseSync(journal)
    older.exec("pragma user_version = 19")
    older.close()
    for (const command of ["run", "orders", "status", "backup", "doctor", "resume"]) {
      const { code, stderr } = await runBallast([command, "--config", start.file], { env: ENV })
      expect({ command, code }).toEqual({ command, code: 78 })
      expect(stderr).toContain("[journal.version]")
      expect(stderr).toContain("Finish or refund open orders with 0.4")
    }
    writeFileSync(
      journal,
      "this is not a database, and long enough to be read as a header of one ".repeat(100),
    )
    const { code, stderr } = await runBallast(["run", "--config", start.file], { env: ENV })
    expect(code).toBe(78)
    expect(stderr).toContain("[journal.damaged_file]")
  })

  async function run(start: Start): Promise<DaemonProcess> {
    const daemon = startDaemonProcess(start, ENV)
    running.push(daemon)
    await daemon.serves()
    return daemon
  }
})

test("with too few files a supervisor starts it again", async () => {
  const start = await prepare()
  for (let most = 20; most < 30; most += 1) {
    const run = `ulimit -n ${most}; exec "$0" "$@"`
    const words = ["-c", run, process.execPath, LAUNCHER, "run", "--config", start.file]
    const { status } = spawnSync("bash", words, {
      env: bareEnvironment(ENV),
      timeout: 20_000,
    })
    expect([most, status]).not.toEqual([most, 78])
    expect([most, status]).not.toEqual([most, 0])
  }
}, 120_000)

describe("exit codes of the commands", () => {
  test.for<{ args: readonly string[]; code: number; says: string }>([
    { args: ["swop"], code: 64, says: 'there is no command "swop"' },
    { args: [], code: 64, says: "expected a command" },
    { args: ["orders", "--limmit", "3"], code: 64, says: "--limmit" },
    {
      args: ["balances", "--seeds", "4"],
      code: 64,
      says: "balances takes no --seeds; it takes --password-stdin, --exact, --config",
    },
    {
      args: ["orders", "--limit", "some"],
      code: 64,
      says: "--limit takes a whole number above zero",
    },
    { args: ["orders", "--limit"], code: 64, says: "--limit" },
    {
      args: ["swap", "base_sepolia:eth", "base_sepolia:wbtc"],
      code: 64,
      says: "expected either AMOUNT, or --to-amount",
    },
    { args: ["order"], code: 64, says: "expected: ballast order ID" },
    { args: ["retry"], code: 64, says: "expected: ballast retry ORDER" },
    {
      args: ["swap", "base_sepolia:eth", "base_sepolia:wbtc", "1"],
      code: 75,
      says: "[daemon.unreachable]",
    },
    { args: ["pause"], code: 75, says: "[daemon.unreachable]" },
    { args: ["resume"], code: 75, says: "[daemon.unreachable]" },
    { args: ["retry", "0123"], code: 75, says: "[daemon.unreachable]" },
    { args: ["order", "0123"], code: 1, says: "[journal.missing]" },
    { args: ["orders"], code: 1, says: "[journal.missing]" },
    { args: ["why", "dca"], code: 1, says: "[journal.missing]" },
    { args: ["rescue", "0123"], code: 1, says: "[journal.missing]" },
    { args: ["report"], code: 1, says: "[journal.missing]" },
    { args: ["status"], code: 1, says: "[journal.missing]" },
    { args: ["why", "nothing"], code: 1, says: "[rule.not_found]" },
    { args: ["replay"], code: 64, says: "expected: ballast replay DECISION" },
    { args: ["replay", "nothing"], code: 1, says: "[journal.missing]" },
  ])("$args → $code", async ({ args, code, says }) => {
    const { file } = await prepare()
    const result = await runBallast([...args, "--config", file], { env: ENV })
    expect(result).toMatchObject({ code, stdout: "" })
    expect(result.stderr).toContain(says)
  })

  test.for<{ args: readonly string[]; code: number; shows: unknown }>([
    {
      args: ["plan"],
      code: 0,
      shows: { mode: "live", proposals: [], declined: [{ rule: "dca" }] },
    },
    { args: ["wallet"], code: 0, shows: { wallets: [{ chain: "base_sepolia", family: "evm" }] } },
    {
      args: ["check"],
      code: 0,
      shows: { ok: true, mode: "live", rules: [{ id: "dca", kind: "recurring" }] },
    },
    // A failed read must not become a balance of zero.
    {
      args: ["balances"],
      code: 75,
      shows: { balances: [{ amount: null, amountUnits: null }, { amount: null }] },
    },
  ])("$args --json prints JSON without a daemon", async ({ args, code, shows }) => {
    const { file } = await prepare()
    const result = await runBallast([...args, "--json", "--config", file], { env: ENV })
    expect(result.code).toBe(code)
    expect(JSON.parse(result.stdout)).toMatchObject({ ...Object(shows) })
  })
})

/** Writes a configuration of one chain into a new folder. */
async function prepare(
  change: (text: string) => string = (text) => text,
  port?: number,
): Promise<Start> {
  const dir = mkdtempSync(join(tmpdir(), "ballast-e2e-start-"))
  const chosen = port ?? (await freePort())
  const text = change(
    [
      `service: { url: "${DEAD}", timeout: 1s }`,
      `data_dir: ${join(dir, "data")}`,
      `ops: { listen: "127.0.0.1:${chosen}", token: "env:BALLAST_OPS_TOKEN" }`,
      "chains:",
      `  base_sepolia: { family: evm, chain_id: 84532, rpc: ["${DEAD}"], key: "env:EVM_KEY" }`,
      "assets:",
      "  base_sepolia:eth: { decimals: 18 }",
      `  base_sepolia:wbtc: { decimals: 8, token: "0x${"11".repeat(20)}", htlc: ` +
        `["0x${"22".repeat(20)}"] }`,
      "rules:",
      '  - { id: dca, kind: recurring, schedule: "0 0 1 1 *", from: base_sepolia:wbtc, to: ' +
        'base_sepolia:eth, amount: "1" }',
      "",
    ].join("\n"),
  )
  const file = join(dir, "ballast.yaml")
  writeFileSync(file, text)
  return { dir, file, port: chosen, text }
}

async function timed<T>(act: () => Promise<T>): Promise<[result: T, ms: number]> {
  const beganAt = performance.now()
  return [await act(), performance.now() - beganAt]
}
