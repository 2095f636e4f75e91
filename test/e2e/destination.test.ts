import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseUnits } from "../../src/core/domain/amount.ts"
import type { AnswerOf } from "../../src/core/schema/answers/answers.ts"
import { runBallast } from "../support/e2e-cli.ts"
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

  test("can be a wallet that the daemon only watches: it is paid, and sells nothing", {
    timeout: 90_000,
  }, async () => {
    await daemon.stop()
    const to = "ethereum_sepolia:wbtc"
    const key = `watch:${OUTSIDE[to]}`
    const only = ["base_sepolia", "ethereum_sepolia"]
    const patch = { chains: { ethereum_sepolia: { key } }, guards: { max_cost: "10%" } }
    const watching = await writeE2eConfig(sandbox, "watching", patch, { only })
    daemon = startDaemonProcess(watching)
    await daemon.ready()
    const before = await unitsOf(to)
    const { body, status } = await daemon.call("POST", "/api/v1/swap", {
      from: FROM,
      to,
      amount: "0.005",
    })
    expect(status).toBe(202)
    await until("the order ended", async () => (await daemon.order(idOf(body))).outcome !== null)
    const order = await daemon.order(idOf(body))
    expect(order).toMatchObject({ outcome: "completed", destinationOwner: OUTSIDE[to] })
    expect(await unitsOf(to)).toBe(before + BigInt(order.destinationAmountUnits ?? 0))
    const back = { from: to, to: FROM, amount: "0.001" }
    expect(await daemon.call("POST", "/api/v1/swap", back)).toMatchObject({
      status: 409,
      body: { reasons: [{ code: "wallet.watch_only", asset: to }] },
    })
    const run = (...args: string[]) => runBallast([...args, "--config", watching.file], watching)
    expect((await run("wallet")).stdout).toMatch(/ethereum_sepolia .*watched only/)
    expect((await run("doctor")).stdout).toMatch(/ethereum_sepolia key +watches only 0x/)
    const rule = { id: "back", kind: "sweep", from: to, to: FROM, every: "1h" }
    const bad = await writeE2eConfig(sandbox, "selling", { ...patch, rules: [rule] }, { only })
    const check = await runBallast(["check", "--config", bad.file], bad)
    expect(check).toMatchObject({ code: 78, stdout: expect.stringContaining("config.watch_only") })
  })

  async function unitsOf(asset: string): Promise<bigint> {
    const { body } = await daemon.call("GET", "/api/v1/balances")
    // CAST: the daemon's own answer.
    const { balances } = body as AnswerOf<"Balances">
    return parseUnits(balances.find((one) => one.asset === asset)?.amount ?? "", 8)
  }
})

function idOf(body: unknown): string {
  return typeof body === "object" && body !== null && "id" in body ? String(body.id) : ""
}
