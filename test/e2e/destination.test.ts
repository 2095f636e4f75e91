import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
} from "../support/sandbox-process.ts"

const FROM = "base_sepolia:wbtc"
/** Addresses without a key in the test. */
const OUTSIDE: Readonly<Record<string, string>> = {
  "ethereum_sepolia:wbtc": "0x00000000000000000000000000000000DeaDBeef",
  "bitcoin_testnet:btc": "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
  "solana_testnet:sol": "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin",
  "starknet_sepolia:wbtc": "0x0049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004d1",
}

describe("an allow-listed address outside the treasury", () => {
  let sandbox: SandboxProcess
  let config: E2eConfig
  let daemon: DaemonProcess

  beforeAll(async () => {
    sandbox = await startSandboxProcess()
    const guards = { destinations: ["own", ...Object.values(OUTSIDE)], max_cost: "10%" }
    config = await writeE2eConfig(sandbox, "outside", { guards })
    daemon = startDaemonProcess(config)
    await daemon.ready()
  }, 90_000)
  afterAll(() => stopAll(daemon, sandbox))

  test("is paid on each family's chain, and the observed payment completes the order", {
    timeout: 90_000,
  }, async () => {
    const swaps = Object.entries(OUTSIDE).map(async ([to, destination]) => {
      const answer = await daemon.call("POST", "/api/v1/swap", {
        from: FROM,
        to,
        amount: "0.005",
        destination,
      })
      expect(answer, to).toMatchObject({ status: 202 })
      return { to, destination, id: idOf(answer.body) }
    })
    for (const { to, destination, id } of await Promise.all(swaps)) {
      await until(
        `the order to ${to} ended`,
        async () => (await daemon.order(id)).outcome !== null,
        80_000,
      )
      const order = await daemon.order(id)
      expect(order, to).toMatchObject({ outcome: "completed", destinationOwner: destination })
      expect(order.seen["destinationRedeemed"]).toMatchObject({ final: true })
      expect(BigInt(order.destinationAmountUnits ?? 0)).toBeGreaterThan(0n)
    }
  })

  test("is refused if it is not listed or belongs to another chain", async () => {
    const swap = { from: FROM, to: "ethereum_sepolia:wbtc", amount: "0.001" }
    for (const destination of [
      "0x00000000000000000000000000000000DeaDBee0",
      OUTSIDE["bitcoin_testnet:btc"],
    ]) {
      expect(await daemon.call("POST", "/api/v1/swap", { ...swap, destination })).toMatchObject({
        status: 409,
        body: { reasons: [{ code: "request.destination", found: destination }] },
      })
    }
  })
})

function idOf(body: unknown): string {
  return typeof body === "object" && body !== null && "id" in body ? String(body.id) : ""
}
