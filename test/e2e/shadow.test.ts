import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  LAUNCHER,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

const ONLY = { only: ["base_sepolia", "ethereum_sepolia"] }
const ASSET = "base_sepolia:wbtc"
const HOT = {
  id: "hot",
  kind: "band",
  asset: ASSET,
  sources: ["ethereum_sepolia:wbtc"],
  every: "2s",
}

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
let shadow: ReturnType<typeof spawn>
let log = ""

beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", ONLY.only.join(",")])
  // The wallet holds one bitcoin, so the daemon has nothing to do, and its shadow has.
  const calm = [{ ...HOT, min: "0.5", target: "1", max: "2" }]
  config = await writeE2eConfig(sandbox, "followed", { rules: calm }, ONLY)
  daemon = startDaemonProcess(config)
  await daemon.ready()
  const eager = [{ ...HOT, min: "1.1", target: "1.2", max: "1.3" }]
  const other = await writeE2eConfig(sandbox, "other", { rules: eager }, ONLY)
  const args = [LAUNCHER, "run", "--config", config.file, "--shadow", other.file]
  shadow = spawn(process.execPath, args, { env: bareEnvironment(config.env) })
  for (const stream of [shadow.stdout, shadow.stderr])
    stream?.on("data", (chunk: Buffer) => {
      log += chunk.toString()
    })
}, 240_000)
afterAll(async () => {
  shadow?.kill("SIGKILL")
  await daemon?.stop()
  await sandbox?.stop()
})

type Line = { orders: number; costFiat: string; outsideMs: number; knownMs: number }
async function compare(): Promise<{ daemon: Line; shadow: Line } | null> {
  const args = ["report", "--against", "shadow", "--json", "--config", config.file]
  const { code, stdout } = await runBallast(args, { env: config.env })
  return code === 0 ? JSON.parse(stdout) : null
}

test("a shadow decides by another configuration on paper, and asks for no deposit", async () => {
  await until(
    `the shadow has a move and is inside its band again: ${log}`,
    async () => {
      const line = (await compare())?.shadow
      return line !== undefined && line.orders > 0 && line.knownMs > line.outsideMs
    },
    120_000,
  )
  const lines = await compare()
  expect(lines?.shadow).toMatchObject({ orders: 1 })
  expect(Number(lines?.shadow.costFiat)).toBeGreaterThan(0)
  expect(lines?.daemon).toMatchObject({ orders: 0, outsideMs: 0 })
  expect(existsSync(join(sandbox.dir, "other"))).toBe(false)
  expect(log).not.toContain("books.difference")
  const args = ["report", "--against", "shadow", "--config", config.file]
  const { stdout } = await runBallast(args, { env: config.env })
  expect(stdout).toMatch(/daemon +0 /)
  expect(stdout).toMatch(/shadow +1 /)
}, 180_000)
