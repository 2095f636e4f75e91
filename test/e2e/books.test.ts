import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { allRoutes, amountFor, type Route } from "../../src/app/cli/demo/demo-config.ts"
import { openJournal } from "../../src/edges/journal/sqlite-journal.ts"
import { findLedgerFaults } from "../support/check-ledger.ts"
import { readBalances } from "../support/e2e-chain.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap } from "../support/e2e-orders.ts"
import { parseLedger } from "../support/parse-ledger.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
} from "../support/sandbox-process.ts"

/**
 * The service never fills these orders, so their deposits are refunded: one of each family, and a
 * token of Solana.
 */
const REFUNDED = [
  { from: "bitcoin_testnet:btc", to: "ethereum_sepolia:wbtc", amount: "0.002" },
  { from: "ethereum_sepolia:eth", to: "bitcoin_testnet:btc", amount: "0.04" },
  { from: "solana_testnet:sol", to: "ethereum_sepolia:wbtc", amount: "0.7" },
  { from: "solana_testnet:usdc", to: "ethereum_sepolia:wbtc", amount: "150" },
  { from: "starknet_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.002" },
] as const

/** A native coin that is no configured asset: the books still contain its fees. */
const STRK = "starknet_sepolia:strk"

describe("the books, after more than twenty orders over all families", () => {
  let sandbox: SandboxProcess
  let daemon: DaemonProcess
  let config: E2eConfig
  let wallets: Record<string, bigint>

  beforeAll(async () => {
    sandbox = await startSandboxProcess()
    expect(sandbox.missing).toEqual([])
    const patch = {
      books: { reconcile_every: "2s" },
      guards: { max_in_flight: 40 },
      assets: { [STRK]: null },
    }
    config = await writeE2eConfig(sandbox, "books", patch)
    daemon = startDaemonProcess(config)
    await daemon.ready()
    await until("the books are open", async () =>
      (await listStates()).every((state) => state === "agrees"),
    )
    await swapAround()
    await until(
      "books and chains agree",
      async () => (await listStates()).every((state) => state === "agrees"),
      30_000,
    ).catch(async (error: unknown) => {
      throw new Error(JSON.stringify((await daemon.call("GET", "/api/v1/reconciliation")).body), {
        cause: error,
      })
    })
    wallets = await readBalances(sandbox)
  }, 200_000)
  afterAll(() => stopAll(daemon, sandbox))

  test("equal the balances of the nodes to the unit, with network fees", () => {
    const journal = openJournal(join(sandbox.dir, "books", "journal.db"))
    const booked = journal
      .listAccounts("assets:wallet:")
      .map(({ asset, units }) => [asset, units] as const)
    const named = booked.map(
      ([asset, units]) => [asset === "starknet_sepolia:native" ? STRK : asset, units] as const,
    )
    expect(Object.fromEntries(named)).toEqual(wallets)
    expect(findLedgerFaults(journal)).toEqual([])
    // No funds are in transit or locked, and no entry comes only from a comparison of balances.
    for (const account of [
      "assets:in-transit:",
      "assets:rent:",
      "equity:outside",
      "expenses:payout",
    ]) {
      expect(journal.listAccounts(account), account).toEqual([])
    }
    const fees = new Set(
      journal.listAccounts("expenses:network:").map(({ account, asset }) => `${account} ${asset}`),
    )
    for (const fee of [
      "approve base_sepolia:eth",
      "deposit solana_testnet:sol",
      "deposit starknet_sepolia:native",
    ]) {
      expect(fees).toContain(`expenses:network:${fee}`)
    }
    for (const asset of [
      "bitcoin_testnet:btc",
      "ethereum_sepolia:eth",
      "solana_testnet:sol",
      "starknet_sepolia:native",
    ]) {
      expect(fees).toContain(`expenses:network:refund ${asset}`)
    }
    journal.close()
  })

  test("export plain-text accounting in which every transaction balances", async () => {
    const { balances, transactions } = parseLedger(await ballast("export", "--format", "ledger"))
    expect(transactions).toBeGreaterThan(60)
    for (const chain of sandbox.chains) {
      for (const { id, decimals } of chain.assets) {
        const commodity = id === STRK ? "starknet_sepolia:native" : id
        const units = balances.get(`assets:wallet:${chain.name} ${commodity}`)
        expect(units, id).toBe((wallets[id] ?? 0n) * 10n ** BigInt(18 - decimals))
      }
    }
  })

  test("export one row for each swap that transferred funds, with or without the daemon", async () => {
    const read = async (): Promise<Record<string, string>[]> =>
      (
        JSON.parse(await ballast("export", "--format", "json")) as {
          swaps: Record<string, string>[]
        }
      ).swaps
    const running = await read()
    const count = (outcome: string): number =>
      running.filter((row) => row["outcome"] === outcome).length
    expect([count("completed") >= 20, count("refunded"), count("rejected")]).toEqual([
      true,
      REFUNDED.length,
      0,
    ])
    const csv = await ballast("export")
    expect(csv.trim().split("\r\n")).toHaveLength(running.length + 1)
    const report = JSON.parse(await ballast("report", "--period", "day", "--by", "pair", "--json"))
    expect(report.total.counts).toMatchObject({
      completed: count("completed"),
      refunded: REFUNDED.length,
      rejected: 1,
    })
    await daemon.stop()
    expect(await read()).toEqual(running)
    expect(await ballast("report")).toContain("total")
  })

  /**
   * Makes refunds, a refusal, and swaps between all ordered pairs of chains with each kind of
   * deposit.
   */
  async function swapAround(): Promise<void> {
    await setFaults(sandbox, { lapse: true })
    const lapsing = await Promise.all(REFUNDED.map((swap) => acceptSwap(daemon, swap)))
    for (const id of lapsing)
      await until("it is deposited", async () => (await daemon.order(id)).deposited)
    const serviceIds = await Promise.all(
      lapsing.map(async (id) => (await daemon.order(id)).serviceOrderId ?? ""),
    )
    const lapses = serviceIds.map((orderId) => ({ lapse: true, orderId }))
    // The service then reports an order that differs from the request, so the daemon makes no
    // deposit.
    await setFaults(sandbox, ...lapses, { mutateOrder: { source_swap: { amount: "1" } } })
    const refused = await acceptSwap(daemon, {
      from: "base_sepolia:wbtc",
      to: "bitcoin_testnet:btc",
      amount: "0.001",
    })
    await untilEnded(refused, "rejected")
    await setFaults(sandbox, ...lapses)
    const tokens = [
      { from: "solana_testnet:usdc", to: "base_sepolia:wbtc" },
      { from: "starknet_sepolia:wbtc", to: "solana_testnet:usdc" },
    ] as const
    const routes: Route[] = [...allRoutes(sandbox), ...tokens]
    expect(routes.length).toBeGreaterThanOrEqual(20)
    const paid = await Promise.all(
      routes.map(({ from, to, deposit = "auto" }, index) =>
        open({ from, to, amount: amountFor(from), deposit: index % 3 === 0 ? "onchain" : deposit }),
      ),
    )
    for (const id of paid) await untilEnded(id, "completed")
    await advance()
    for (const id of lapsing) await untilEnded(id, "refunded")
  }

  async function listStates(): Promise<string[]> {
    const { body } = await daemon.call("GET", "/api/v1/reconciliation")
    const { assets } = body as { assets: { asset: string; state: string }[] }
    return assets.length === 0 ? ["none"] : assets.map(({ state }) => state)
  }

  async function open(swap: {
    from: string
    to: string
    amount: string
    deposit: string
  }): Promise<string> {
    const { status, body } = await daemon.call("POST", "/api/v1/swap", swap)
    expect(status, JSON.stringify(body)).toBe(202)
    return (body as { id: string }).id
  }

  async function untilEnded(id: string, outcome: string): Promise<void> {
    const ended = async (): Promise<boolean> => {
      const order = await daemon.order(id)
      if (order.outcome !== null && order.outcome !== outcome) {
        throw new Error(
          `${order.from} → ${order.to} is ${order.outcome}: ${JSON.stringify(order.reasons)}`,
        )
      }
      return order.outcome === outcome
    }
    await until(`order ${id} is ${outcome}`, ended, 120_000)
  }

  /**
   * Advances every chain beyond its source timelock except Base. So many blocks of Base would fill
   * the memory, and no order is refunded there.
   */
  async function advance(): Promise<void> {
    const answer = await fetch(`${sandbox.service}/sandbox/info`)
    const { chains } = (await answer.json()) as {
      chains: { name: string; timelocks: { source: number } }[]
    }
    for (const { name, timelocks } of chains.filter((chain) => chain.name !== "base_sepolia")) {
      const body = JSON.stringify({ chain: name, blocks: Math.ceil(timelocks.source * 1.05) })
      const answer = await fetch(`${sandbox.service}/sandbox/advance`, { method: "POST", body })
      expect(answer.status, await answer.clone().text()).toBe(200)
    }
  }

  async function ballast(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runBallast([...args, "--config", config.file], {
      env: config.env,
    })
    expect(code, stderr).toBe(0)
    return stdout
  }
})
