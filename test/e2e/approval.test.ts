import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { OrderView } from "../../src/core/order/view.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

const SWAP = { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.002" }

/** Prices in dollars by path: one of three sources of the sold asset is 10 times too high. */
const PRICES: Readonly<Record<string, string>> = {
  "/a": "100000",
  "/b": "100000",
  "/high": "1000000",
  "/to": "100000",
}
let prices: Server
let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess

beforeAll(async () => {
  prices = createServer(({ url = "" }, response) => {
    response.setHeader("content-type", "application/json").end(`{"price":${PRICES[url]}}`)
  })
  await new Promise<void>((resolve) => prices.listen(0, "127.0.0.1", resolve))
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  const sources = Object.keys(PRICES).map((path) => ({
    asset: path === "/to" ? SWAP.to : SWAP.from,
    url: `http://${priceHost()}${path}`,
    path: "price",
  }))
  config = await writeE2eConfig(sandbox, "approval", {
    guards: { approve_above: "0.001", max_order: "0.1" },
    prices: { sources },
  })
  daemon = startDaemonProcess(config)
  await daemon.ready()
}, 90_000)
afterAll(async () => {
  await daemon?.stop()
  await sandbox?.stop()
  prices?.close()
})

function priceHost(): string {
  // CAST: a server on TCP has an address with a port.
  return `127.0.0.1:${(prices.address() as AddressInfo).port}`
}

test("an order above the limit waits over a SIGKILL, accepts only the approval of its intent, and " +
  "executes that intent", {
  timeout: 90_000,
}, async () => {
  const { body } = await daemon.call("POST", "/api/v1/swap", SWAP)
  const id = typeof body === "object" && body !== null && "id" in body ? String(body.id) : ""
  await until("the order waits", async () => (await daemon.order(id)).state === "awaiting-approval")
  daemon.child.kill("SIGKILL")
  await daemon.exited
  daemon = startDaemonProcess(config)
  await daemon.ready()

  const waiting = await daemon.order(id)
  expect(waiting).toMatchObject({ state: "awaiting-approval", deposited: false, approval: null })
  expect(waiting.intentFields).toMatchObject({
    units: "200000",
    asset: SWAP.from,
    destinationAsset: SWAP.to,
  })
  expect((await ballast("order", id)).stdout).toContain(
    `intent    ${waiting.intent}, to be approved before`,
  )
  // Both assets have one price and the same decimals, so the deviation is that of the amounts.
  const lost = BigInt(waiting.amountUnits) - BigInt(waiting.destinationAmountUnits ?? 0)
  const costBps = Math.ceil((Number(lost) * 10_000) / Number(waiting.amountUnits))
  expect(costBps).toBeGreaterThan(0)
  const high = { price: "1000000", agreed: "100000", deviationBps: 90_000 }
  expect(waiting.reference).toEqual({
    costBps,
    outliers: [{ asset: SWAP.from, source: priceHost(), ...high }],
  })
  const shown = (await ballast("order", id)).stdout
  expect(shown).toContain(`the quote pays ${costBps / 100} % less than it takes`)
  expect(shown).toContain(`${priceHost()} gives 1000000 for ${SWAP.from}, 900 % above the 100000`)

  const wrong = await ballast("approve", id, "--intent", "0".repeat(64))
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("[approval.intent]") })
  const path = `/api/v1/orders/${id}/approve`
  expect(await daemon.call("POST", path, { intent: 7 })).toMatchObject({ status: 400 })
  expect(await daemon.call("POST", path, { intent: "1".repeat(64) })).toMatchObject({ status: 409 })
  expect((await daemon.order(id)).state).toBe("awaiting-approval")

  expect(await ballast("approve", id, "--intent", String(waiting.intent))).toMatchObject({
    code: 0,
  })
  await until("the order ended", async () => (await daemon.order(id)).outcome !== null)
  const done: OrderView = await daemon.order(id)
  expect(done).toMatchObject({
    outcome: "completed",
    intent: waiting.intent,
    approval: { by: "ops.socket" },
  })
})

function ballast(...args: readonly string[]): ReturnType<typeof runBallast> {
  return runBallast([...args, "--config", config.file], { env: config.env })
}
