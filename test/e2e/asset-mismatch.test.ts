import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { freePort } from "../support/free-port.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

let sandbox: SandboxProcess
beforeAll(async () => {
  sandbox = await startSandboxProcess()
}, 120_000)
afterAll(() => sandbox?.stop())

const NOWHERE = "0x000000000000000000000000000000000000dEaD"
const SOLANA_USDC = "solana_testnet:usdc"

describe("an asset that is not as its chain has it", () => {
  test.for<{ what: string; asset: string; change: Record<string, unknown>; says: string }>([
    {
      what: "decimals 9",
      asset: "base_sepolia:wbtc",
      change: { decimals: 9 },
      says: "on the chain: 8 decimals",
    },
    {
      what: "another token",
      asset: "base_sepolia:wbtc",
      change: { token: NOWHERE },
      says: `a contract at ${NOWHERE}`,
    },
    {
      what: "another HTLC",
      asset: "base_sepolia:wbtc",
      change: { htlc: [NOWHERE] },
      says: `a contract at ${NOWHERE}`,
    },
    { what: "decimals 9", asset: SOLANA_USDC, change: { decimals: 9 }, says: "6 decimals" },
    {
      what: "decimals 9",
      asset: "starknet_sepolia:wbtc",
      change: { decimals: 9 },
      says: "8 decimals",
    },
  ])(
    "$asset with $what fails `doctor`, and the daemon does not start",
    async ({ asset, change, says }) => {
      const [chain = ""] = asset.split(":")
      const config = await write(chain, { assets: { [asset]: change }, rules: [] })
      const doctor = await runBallast(["doctor", "--config", config.file, "--json"], {
        env: config.env,
      })
      expect(doctor.code).toBe(1)
      const { checks } = JSON.parse(doctor.stdout) as {
        checks: { check: string; status: string }[]
      }
      expect(checks.filter(({ status }) => status === "fail").map(({ check }) => check)).toContain(
        `asset ${asset}`,
      )
      const run = await runBallast(["run", "--config", config.file], { env: config.env })
      expect(run.code).toBe(78)
      expect(run.stderr).toContain("[asset.mismatch]")
      expect(run.stderr).toContain(says)
    },
  )

  test(
    "stops no start while its node does not answer: the daemon is not ready, and gets ready " +
      "with the node",
    async () => {
      const port = await freePort()
      const config = await write("base_sepolia", {
        chains: { base_sepolia: { rpc: [`http://127.0.0.1:${port}`] } },
      })
      const daemon = startDaemonProcess(config)
      await daemon.serves()
      expect(await daemon.call("GET", "/readyz")).toMatchObject({ status: 503 })
      const url = new URL(sandbox.chains.find(({ name }) => name === "base_sepolia")?.url ?? "")
      const { createServer, connect } = await import("node:net")
      const proxy = createServer((socket) => {
        const node = connect(Number(url.port), url.hostname)
        socket.pipe(node).pipe(socket)
        for (const each of [socket, node]) each.on("error", () => undefined)
      }).listen(port, "127.0.0.1")
      try {
        await until(
          "the daemon is ready",
          async () => (await daemon.call("GET", "/readyz")).status === 200,
        )
      } finally {
        await daemon.stop()
        proxy.close()
      }
    },
  )
})

let written = 0
function write(chain: string, patch: Record<string, unknown>): Promise<E2eConfig> {
  written += 1
  return writeE2eConfig(sandbox, `asset-mismatch-${written}`, patch, { only: [chain] })
}
