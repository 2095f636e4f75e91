import { execFileSync } from "node:child_process"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { OrderView } from "../../src/order/view.ts"
import { readBalance } from "../support/read-balance.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  LAUNCHER,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  TOKEN,
  until,
  writeDaemonConfig,
} from "../support/sandbox-process.ts"

/** Each family with each kind of deposit that it has. Distinct amounts identify the orders. */
const ROUTES = [
  { from: "bitcoin_testnet:btc", to: "base_sepolia:wbtc", amount: "0.00101", units: 101_000n, deposit: "onchain" },
  { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.00102", units: 102_000n, deposit: "onchain" },
  { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.00103", units: 103_000n, deposit: "gasless" },
  {
    from: "base_sepolia:eth",
    to: "bitcoin_testnet:btc",
    amount: "0.0254",
    units: 25_400_000_000_000_000n,
    deposit: "onchain",
  },
  { from: "solana_testnet:sol", to: "base_sepolia:wbtc", amount: "0.505", units: 505_000_000n, deposit: "onchain" },
  { from: "solana_testnet:usdc", to: "base_sepolia:wbtc", amount: "101.5", units: 101_500_000n, deposit: "onchain" },
  { from: "base_sepolia:wbtc", to: "solana_testnet:usdc", amount: "0.00108", units: 108_000n, deposit: "gasless" },
  { from: "starknet_sepolia:wbtc", to: "base_sepolia:wbtc", amount: "0.00106", units: 106_000n, deposit: "onchain" },
  { from: "starknet_sepolia:wbtc", to: "base_sepolia:wbtc", amount: "0.00107", units: 107_000n, deposit: "gasless" },
] as const
type CrashRoute = (typeof ROUTES)[number]

const ONE_COMMIT = { BALLAST_CRASH_AFTER_COMMITS: "1" }
/** The network fees of tokens are paid in another coin, so a token balance decreases by the exact amount. */
const NATIVE_FEES: Record<string, bigint> = {
  "bitcoin_testnet:btc": 20_000n,
  "base_sepolia:eth": 10n ** 16n,
  "solana_testnet:sol": 5_000_000n,
}

describe("a daemon that is killed after every journal commit of an order", () => {
  let sandbox: SandboxProcess
  beforeAll(async () => {
    sandbox = await startSandboxProcess()
    expect(sandbox.missing).toEqual([])
  }, 180_000)
  afterAll(() => sandbox?.stop())

  test.for(ROUTES)("completes $from → $to ($deposit) with one deposit", { timeout: 300_000 }, async (route) => {
    const only = [route.from, route.to].map((asset) => asset.split(":")[0] ?? "")
    const config = await writeDaemonConfig(
      sandbox,
      `crash-${ROUTES.indexOf(route)}`,
      {},
      { deposit: route.deposit, only },
    )
    const before = await balance(route.from)
    const id = await acceptAndDie(config, route)
    const { order, deaths } = await restartUntilDone(config, id)
    expect(order).toMatchObject({
      outcome: "completed",
      deposit: route.deposit,
      deposited: true,
      amountUnits: route.units.toString(),
    })
    expect(deaths).toBeGreaterThan(8)
    expect(await countFunded(route)).toBe(1)
    const fees = before - (await balance(route.from)) - route.units
    expect(fees).toBeGreaterThanOrEqual(0n)
    expect(fees).toBeLessThanOrEqual(NATIVE_FEES[route.from] ?? 0n)
  })

  /** The process dies at the order's first commit, before it can answer, so the test reads the id from the journal. */
  async function acceptAndDie(
    config: { file: string; port: number },
    { from, to, amount }: CrashRoute,
  ): Promise<string> {
    const daemon = startDaemonProcess(config, ONE_COMMIT)
    await daemon.ready()
    await daemon.call("POST", "/api/v1/swap", { from, to, amount }).catch(() => undefined)
    expect((await daemon.exited).signal).toBe("SIGKILL")
    const env = bareEnvironment({ BALLAST_OPS_TOKEN: TOKEN })
    const text = execFileSync(process.execPath, [LAUNCHER, "orders", "--json", "--config", config.file], {
      env,
      encoding: "utf8",
    })
    const { orders } = JSON.parse(text) as { orders: OrderView[] }
    expect(orders).toHaveLength(1)
    return orders[0]?.id ?? ""
  }

  async function restartUntilDone(
    config: { file: string; port: number },
    id: string,
  ): Promise<{ order: OrderView; deaths: number }> {
    for (let deaths = 1; deaths < 60; deaths++) {
      const daemon = startDaemonProcess(config, ONE_COMMIT)
      const order = await Promise.race([daemon.exited.then(() => null), waitForOutcome(daemon, id)])
      if (order !== null) {
        await daemon.stop()
        return { order, deaths }
      }
      expect((await daemon.exited).signal, daemon.output().slice(-2000)).toBe("SIGKILL")
    }
    throw new Error("the order did not end within 60 deaths")
  }

  /** Never resolves while the daemon is dead, so the caller races it against the exit. */
  async function waitForOutcome(daemon: DaemonProcess, id: string): Promise<OrderView> {
    let order: OrderView | null = null
    await until(
      "the order has an outcome",
      async () => {
        order = await daemon.order(id).catch(() => null)
        return (
          order?.outcome != null || (daemon.child.signalCode !== null && (await new Promise<never>(() => undefined)))
        )
      },
      120_000,
    )
    return order ?? (await daemon.order(id))
  }

  async function balance(asset: string): Promise<bigint> {
    const chain = sandbox.chains.find(({ name }) => name === asset.split(":")[0])
    if (!chain) throw new Error(`no chain for ${asset}`)
    return readBalance(chain, asset)
  }

  /** The number of funded orders of this amount in the records of the service. */
  async function countFunded({ from, units }: CrashRoute): Promise<number> {
    const answer = await fetch(`${sandbox.service}/sandbox/orders`)
    type Stored = { source: { swap: { asset: string; units: string }; seen: { initiated: unknown } } }
    const { orders } = (await answer.json()) as { orders: Stored[] }
    return orders.filter(
      ({ source }) =>
        source.swap.asset === from && source.swap.units === units.toString() && source.seen.initiated !== null,
    ).length
  }
})
