import { randomBytes } from "node:crypto"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { OrderView } from "#order/view.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
} from "../support/sandbox-process.ts"

/*
 * The data directory is lost while orders with our own secret are open: keys, the service's listing
 * and the chains bring them back.
 */

const SECRET_ENV = { TEST_SECRETS_KEY: randomBytes(32).toString("hex") }

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
beforeAll(async () => {
  sandbox = await startSandboxProcess(["--bitcoin-block", "5"])
  const patch = { treasury: "test", secrets: { key: "env:TEST_SECRETS_KEY" } }
  config = await writeE2eConfig(sandbox, "recover", patch)
  daemon = startDaemonProcess(config, SECRET_ENV)
  await daemon.ready()
}, 180_000)
afterAll(() => stopAll(daemon, sandbox))

test("a journal that is lost after the reveal: every payout is redeemed", {
  timeout: 300_000,
}, async () => {
  await setFaults(sandbox, { neverRedeem: true })
  const pairs = [
    ["bitcoin_testnet:btc", "base_sepolia:wbtc", "0.00131"],
    ["base_sepolia:eth", "ethereum_sepolia:wbtc", "0.0332"],
    ["solana_testnet:usdc", "starknet_sepolia:wbtc", "133.5"],
    ["starknet_sepolia:wbtc", "solana_testnet:sol", "0.00134"],
  ] as const
  const ids = await Promise.all(
    pairs.map(([from, to, amount]) => acceptSwap(daemon, { from, to, amount })),
  )
  await untilEach(ids, (order) => order.ownSecret?.status === "revealed")
  const recovered = await loseAndRecover()
  expect(recovered.map(({ from, hasOwnSecret }) => `${from} ${hasOwnSecret}`).sort()).toEqual(
    pairs.map(([from]) => `${from} true`).sort(),
  )
  for (const { id } of recovered) {
    const order = await waitForOutcome(daemon, id ?? "", 60_000)
    expect(order).toMatchObject({
      outcome: "completed",
      rule: "recovered",
      ownSecret: { status: "revealed" },
    })
    expect(order.transactions.filter(({ purpose }) => purpose === "redeem")).not.toHaveLength(0)
  }
  // A second run finds nothing, and writes nothing.
  expect(await recover()).toEqual([])
})

test("a journal that is lost before the reveal: the payout is proven, told and paid", {
  timeout: 300_000,
}, async () => {
  await setFaults(sandbox, { solverSilent: true })
  const id = await acceptSwap(daemon, {
    from: "base_sepolia:wbtc",
    to: "ethereum_sepolia:wbtc",
    amount: "0.00135",
  })
  await untilEach([id], (order) => order.state === "funded")
  const [recovered] = await loseAndRecover()
  await setFaults(sandbox)
  const order = await waitForOutcome(daemon, recovered?.id ?? "", 60_000)
  expect(order).toMatchObject({ outcome: "completed", ownSecret: { status: "revealed" } })
})

test("a journal that is lost and a payout that never comes: the deposit is refunded", {
  timeout: 300_000,
}, async () => {
  await setFaults(sandbox, { lapse: true })
  const id = await acceptSwap(daemon, {
    from: "base_sepolia:wbtc",
    to: "ethereum_sepolia:wbtc",
    amount: "0.00136",
  })
  await untilEach([id], (order) => order.state === "funded")
  const [recovered] = await loseAndRecover()
  const advanced = await fetch(`${sandbox.service}/sandbox/advance`, {
    method: "POST",
    body: JSON.stringify({ chain: "base_sepolia", blocks: 43_300 }),
  })
  expect(advanced.status).toBe(200)
  const order = await waitForOutcome(daemon, recovered?.id ?? "", 60_000)
  expect(order).toMatchObject({ outcome: "refunded", ownSecret: { status: "unknown" } })
})

type Recovered = {
  readonly id: string | null
  readonly from: string
  readonly hasOwnSecret: boolean
  readonly status: string
}

/**
 * Kills the daemon, deletes its data directory, and follows the manual: pause, start, recover,
 * resume.
 */
async function loseAndRecover(): Promise<readonly Recovered[]> {
  daemon.child.kill("SIGKILL")
  await daemon.exited
  const dataDir = join(sandbox.dir, "recover")
  rmSync(dataDir, { recursive: true })
  mkdirSync(dataDir, { mode: 0o700 })
  writeFileSync(join(dataDir, "PAUSE"), "")
  daemon = startDaemonProcess(config, SECRET_ENV)
  await daemon.serves()
  const recovered = await recover()
  rmSync(join(dataDir, "PAUSE"))
  expect((await daemon.call("POST", "/api/v1/resume", {})).status).toBe(200)
  return recovered
}

/** The orders that the command goes on with. */
async function recover(): Promise<readonly Recovered[]> {
  const { code, stdout, stderr } = await ballast("recover", "--yes", "--json")
  expect(code, `${stdout} ${stderr}`).toBe(0)
  // CAST: our own interface.
  const { orders } = JSON.parse(stdout) as { orders: Recovered[] }
  return orders.filter(({ status }) => status === "adopted")
}

function ballast(...args: readonly string[]) {
  return runBallast([...args, "--config", config.file], { env: { ...config.env, ...SECRET_ENV } })
}

async function untilEach(
  ids: readonly string[],
  holds: (order: OrderView) => boolean,
): Promise<void> {
  await until(
    "each order is that far",
    async () => (await Promise.all(ids.map((id) => daemon.order(id)))).every(holds),
    120_000,
  )
}
