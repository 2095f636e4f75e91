import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import type { OrderView } from "../../src/core/order/view.ts"
import { readBalance } from "../support/read-balance.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
  writeDaemonConfig,
} from "../support/sandbox-process.ts"

const BASE = "base_sepolia:usdc"
const ETHEREUM = "ethereum_sepolia:usdc"

let sandbox: SandboxProcess

beforeAll(async () => {
  const chains = "base_sepolia,ethereum_sepolia"
  sandbox = await startSandboxProcess(["--chains", chains, "--routes", "all"])
  expect(sandbox.missing).toEqual([])
}, 120_000)
afterAll(() => sandbox?.stop())

function balanceOf(asset: string): Promise<bigint> {
  const chain = sandbox.chains.find(({ name }) => name === asset.split(":")[0])
  return readBalance(mustExist(chain, asset), asset)
}

async function breakAttester(fault: string): Promise<void> {
  const { attester } = mustExist(sandbox.cctp, "the attester")
  await fetch(`${attester}/sandbox/fault/${fault}`, { method: "POST" })
}

async function submit(daemon: DaemonProcess, from: string, to: string, amount: string) {
  const { body } = await daemon.call("POST", "/api/v1/swap", { from, to, amount })
  const { id } = body as { id?: string }
  return mustExist(id, JSON.stringify(body))
}

async function outcomeOf(daemon: DaemonProcess, id: string): Promise<OrderView> {
  await until(
    "the order ends",
    async () => (await daemon.order(id)).outcome !== null,
    90_000,
  ).catch(async (error: unknown) => {
    const order = JSON.stringify(await daemon.order(id))
    throw new Error(`${String(error)}: ${order}\n${daemon.output().slice(-8_000)}`)
  })
  return daemon.order(id)
}

describe("USDC over both kinds of routes", () => {
  let daemon: DaemonProcess
  beforeAll(async () => {
    daemon = startDaemonProcess(await writeDaemonConfig(sandbox, "both"))
    await daemon.ready()
  }, 60_000)
  afterAll(() => daemon?.stop())

  test("a burn is minted by our own transaction, and costs what Circle takes", async () => {
    const before = [await balanceOf(BASE), await balanceOf(ETHEREUM)] as const
    const order = await outcomeOf(daemon, await submit(daemon, BASE, ETHEREUM, "100"))
    expect(order).toMatchObject({ outcome: "completed", service: "cctp" })
    expect(before[0] - (await balanceOf(BASE))).toBe(100_000_000n)
    const paid = (await balanceOf(ETHEREUM)) - before[1]
    expect([100_000_000n, 99_987_000n]).toContain(paid)
  }, 120_000)

  test("the service takes the order while the attester is down", async () => {
    await breakAttester("down")
    try {
      const order = await outcomeOf(daemon, await submit(daemon, ETHEREUM, BASE, "100"))
      expect(order).toMatchObject({ outcome: "completed", service: "main" })
    } finally {
      await breakAttester("none")
    }
  }, 120_000)
})
