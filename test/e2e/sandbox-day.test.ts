import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { mustExist } from "../../src/core/lib/assert.ts"
import { SANDBOX_WALLETS } from "../../src/lab/sandbox/sandbox-wallets.ts"
import { findChildren } from "../support/child-processes.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import {
  bareEnvironment,
  LAUNCHER,
  startDaemonProcess,
  TOKEN,
  until,
} from "../support/sandbox-process.ts"

/**
 * One sandbox for every case; the last case ends it. It has a temporary folder of its own, so that
 * only its own traces are there.
 */
const TMP = mkdtempSync(join(tmpdir(), "ballast-e2e-day-"))
const ENV = { TMPDIR: TMP }
const BASE = "base_sepolia"
const ETHEREUM = "ethereum_sepolia"
const SOLANA = "solana_testnet"
const STARKNET = "starknet_sepolia"

type Status = {
  pid: number
  service: string
  chains: { chain: string; state: string; restarts: number; lost: string | null }[]
}

let sandbox: ChildProcess
let output = ""
let errors = ""
let port = 0
const urls = new Map<string, string>()

beforeAll(async () => {
  port = await freePort()
  const chains = [BASE, ETHEREUM, SOLANA, STARKNET].join(",")
  const args = [LAUNCHER, "sandbox", "--port", String(port), "--chains", chains]
  sandbox = spawn(process.execPath, args, {
    env: bareEnvironment(ENV),
    stdio: ["ignore", "pipe", "pipe"],
  })
  sandbox.stdout?.on("data", (chunk: Buffer) => {
    output += chunk
  })
  sandbox.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk
  })
  await until("the sandbox is up", async () => output.includes("are funded"), 150_000)
  const info = (await (await fetch(`http://127.0.0.1:${port}/sandbox/info`)).json()) as {
    chains: { name: string; url: string }[]
  }
  for (const { name, url } of info.chains) urls.set(name, url)
}, 180_000)

afterAll(() => {
  sandbox.kill("SIGKILL")
})

const run = (...args: string[]) => runBallast(["sandbox", ...args], { env: ENV })

async function readStatus(): Promise<Status> {
  return (await (await fetch(`http://127.0.0.1:${port}/sandbox/status`)).json()) as Status
}

async function restartsOf(chain: string): Promise<number> {
  const found = (await readStatus()).chains.find((each) => each.chain === chain)
  return found?.state === "up" ? found.restarts : -1
}

async function callNode(
  chain: string,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const answer = await fetch(urls.get(chain) ?? "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(2_000),
  })
  return ((await answer.json()) as { result?: unknown }).result
}

test("the command for the status finds the only sandbox by itself", async () => {
  const { code, stdout } = await run("status")
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`http://127.0.0.1:${port}`),
  })
  for (const chain of urls.keys()) expect(stdout).toContain(chain)
})

test("a second sandbox at the port says that the first is there, and where", async () => {
  const { code, stderr } = await run("--port", String(port), "--chains", BASE ?? "")
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("[sandbox.running]"),
  })
  expect(stderr).toContain(`process ${sandbox.pid}`)
  expect(stderr).toContain("--port 0")
})

test.each([
  [["break", "solanna"], "did you mean solana?", 1],
  [["break"], "needs a part", 64],
  [["break", "solana", "--for", "soon"], "a duration such as 30s", 64],
  [["mend", "service", "--for", "3s"], "--for is for break", 64],
])("sandbox %j is refused: %s", async (args, message, code) => {
  const result = await run(...args)
  expect(result).toMatchObject({ code, stderr: expect.stringContaining(message) })
})

test.each([
  ["base", BASE, "eth_blockNumber", []],
  ["solana", SOLANA, "getSlot", []],
  ["starknet", STARKNET, "starknet_blockNumber", []],
])(
  "break %s lets the chain hang for the time, and it goes on without a restart",
  { timeout: 60_000 },
  async (part, chain = "", method, params) => {
    expect(await callNode(chain, method, params)).toBeDefined()
    expect((await run("break", part, "--for", "8s")).code).toBe(0)
    await expect(callNode(chain, method, params)).rejects.toThrow(/aborted|timeout/i)
    await until("it is mended", async () => (await restartsOf(chain)) === 0, 40_000)
    expect(await callNode(chain, method, params)).toBeDefined()
  },
)

test("break service answers 503 until it is mended", async () => {
  const quote = () =>
    fetch(`http://127.0.0.1:${port}/v2/chains`, {
      headers: { "service-app-id": "ballast-sandbox" },
    })
  const listed = () =>
    fetch(
      `http://127.0.0.1:${port}/v2/quote?from=${BASE}:wbtc&to=${ETHEREUM}:wbtc&from_amount=100000`,
      {
        headers: { "service-app-id": "ballast-sandbox" },
      },
    )
  expect((await quote()).status).toBe(200)
  expect((await listed()).status).toBe(200)
  expect((await run("break", "service")).stdout).toMatch(/service\s+broken/)
  expect((await listed()).status).toBe(503)
  expect((await run("mend")).stdout).toMatch(/service\s+up/)
  expect((await listed()).status).toBe(200)
})

test("a chain whose process dies is started again at its address with funded wallets, and the " +
  "terminal says so", {
  timeout: 120_000,
}, async () => {
  const [validator] = findChildren(mustExist(sandbox.pid, "the sandbox"), "run-validator")
  const anvils = findChildren(mustExist(sandbox.pid, "the sandbox"), "anvil")
  expect(validator).toBeDefined()
  expect(anvils).toHaveLength(2)
  for (const pid of [validator ?? 0, ...anvils]) process.kill(pid, "SIGKILL")
  for (const chain of [SOLANA, BASE, ETHEREUM])
    await until(`${chain} runs again`, async () => (await restartsOf(chain ?? "")) === 1, 90_000)
  const units = (await callNode(SOLANA ?? "", "getBalance", [SANDBOX_WALLETS.solana])) as {
    value: number
  }
  expect(units.value).toBe(100_000_000_000)
  expect(
    BigInt(
      (await callNode(BASE ?? "", "eth_getBalance", [SANDBOX_WALLETS.evm, "latest"])) as string,
    ),
  ).toBe(10n ** 20n)
  expect(errors).toMatch(
    /A local chain died \((?!no answer within).+\); the sandbox starts it again/,
  )
  expect(errors).toMatch(/runs again, anew: all its blocks/)
  expect((await readStatus()).chains.find(({ chain }) => chain === STARKNET)?.restarts).toBe(0)
})

test("ballast init writes a configuration that observes on this sandbox", {
  timeout: 120_000,
}, async () => {
  const cwd = mkdtempSync(join(TMP, "treasury-"))
  const env = { ...ENV, BALLAST_KEYSTORE_PASSWORD: "correct-horse-battery" }
  const chains = [BASE, ETHEREUM].map((chain = "") => `${chain}=${urls.get(chain)}`).join(",")
  const service = ["--service", `http://127.0.0.1:${port}`, "--app-id", "ballast-sandbox"]
  const hold = ["--hold", `0.5 ${BASE}:wbtc from ${ETHEREUM}:wbtc`]
  const made = await runBallast(["init", "--yes", "--chains", chains, ...service, ...hold], {
    env,
    cwd,
  })
  expect(made, made.stderr).toMatchObject({ code: 0 })
  expect(made.stdout).toMatch(/base_sepolia .*ok|ok .*base_sepolia/i)
  const daemon = startDaemonProcess(
    { file: join(cwd, "ballast.yaml"), port: 0 },
    { ...env, BALLAST_OPS_TOKEN: TOKEN },
  )
  try {
    await until(
      "the daemon observes",
      async () => {
        const { stdout } = await runBallast(["status", "--json"], { env, cwd })
        return (
          stdout.startsWith("{") &&
          JSON.parse(stdout).answers === true &&
          JSON.parse(stdout).mode === "observe"
        )
      },
      60_000,
    )
    expect((await runBallast(["orders", "--json"], { env, cwd })).stdout).toMatch(/"orders": \[\]/)
  } finally {
    await daemon.stop()
  }
})

test("Ctrl-C leaves a summary, and no process, folder or note", { timeout: 60_000 }, async () => {
  const children = execFileSync("ps", ["-eo", "pid,ppid"], { encoding: "utf8" })
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, parent]) => (parent === sandbox.pid ? [pid] : []))
  expect(children.length).toBeGreaterThan(2)
  sandbox.kill("SIGINT")
  const [code] = (await once(sandbox, "exit")) as [number]
  expect(code).toBe(0)
  expect(output).toMatch(
    /The sandbox ran for .*: 0 orders, 0 of them completed\.\nStarted again: .*solana_testnet once/,
  )
  await until(
    "every process has ended",
    async () => children.every((pid) => !isRunning(pid)),
    10_000,
  )
  expect(readdirSync(TMP).filter((name) => name.startsWith("ballast-sandbox-"))).toEqual([])
  expect(existsSync(join(TMP, `ballast-sandboxes-${process.getuid?.() ?? 0}`))).toBe(false)
})

/** A zombie that its new parent has not collected yet has ended. */
function isRunning(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  return existsSync(file) && !/\) Z /.test(readFileSync(file, "utf8"))
}
