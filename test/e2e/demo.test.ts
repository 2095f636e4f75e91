import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { OrderView } from "../../src/core/order/view.ts"
import { SANDBOX_WALLETS } from "../../src/lab/sandbox/sandbox-wallets.ts"
import { chainOf, readBalances } from "../support/e2e-chain.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { readNetworkFee, readPaidTo } from "../support/e2e-network-fee.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
} from "../support/sandbox-process.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

const CHAINS = ["--chains", "bitcoin_testnet,base_sepolia"]
const BTC = "bitcoin_testnet:btc"
const WBTC = "base_sepolia:wbtc"
const ETH = "base_sepolia:eth"

test("ballast demo --orders 6 --json completes both directions, token and native coin", {
  timeout: 150_000,
}, async () => {
  const cwd = temporaryFolder("ballast-e2e-cwd")
  const result = await runBallast(["demo", "--orders", "6", "--json", ...CHAINS], {
    cwd,
    timeoutMs: 140_000,
  })
  expect(result.code, result.stderr).toBe(0)
  // CAST: the test checks the shape of the summary of `demo --json`.
  const { orders } = JSON.parse(result.stdout) as { orders: Record<string, unknown>[] }
  expect(orders).toHaveLength(6)
  for (const order of orders) {
    expect(order).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      state: "completed",
      deposit: expect.stringMatching(/^(onchain|gasless)$/),
      seconds: expect.any(Number),
      costBps: expect.any(Number),
    })
  }
  const routes = new Set(orders.map(({ from, to }) => `${String(from)} ${String(to)}`))
  expect(routes).toEqual(
    new Set([`${BTC} ${WBTC}`, `${WBTC} ${BTC}`, `${BTC} ${ETH}`, `${ETH} ${BTC}`]),
  )
  expect(readdirSync(cwd), "nothing is left in the working directory").toEqual([])
})

test("Ctrl-C, which reaches the daemon too, leaves a summary that counts the orders", {
  timeout: 120_000,
}, async () => {
  const args = ["bin/ballast.cjs", "demo", ...CHAINS]
  const demo = spawn(process.execPath, args, {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  })
  let shown = ""
  demo.stdout.on("data", (chunk) => {
    shown += String(chunk)
  })
  const ended = once(demo, "exit")
  await until("a first order is completed", async () => /^[1-9]\d* completed/m.test(shown), 100_000)
  const [, file = ""] = /In another terminal: .*ballast.* status --config (\S+)/.exec(shown) ?? []
  const asked = await runBallast(["balances", "--config", file], { env: { BALLAST_OPS_TOKEN: "" } })
  expect(asked, "another terminal needs no variable of this one").toMatchObject({ code: 0 })
  process.kill(-(demo.pid ?? 0), "SIGINT")
  expect((await ended)[0]).toBe(0)
  expect(shown).toMatch(/The demo ran for .*: [1-9]\d* orders, [1-9]\d* of them completed\./)
})

describe("four swaps at once", () => {
  let sandbox: SandboxProcess
  let daemon: DaemonProcess
  let before: Record<string, bigint>
  let after: Record<string, bigint>
  const done = new Map<string, OrderView>()

  beforeAll(async () => {
    sandbox = await startSandboxProcess(CHAINS)
    daemon = startDaemonProcess(await writeE2eConfig(sandbox, "four"))
    await daemon.ready()
    before = await readBalances(sandbox)
    const swaps = [
      { from: BTC, to: WBTC, amount: "0.00201" },
      { from: WBTC, to: BTC, amount: "0.00102" },
      { from: BTC, to: ETH, amount: "0.00103" },
      { from: ETH, to: BTC, amount: "0.0254" },
    ]
    await Promise.all(
      swaps.map(async (swap) => {
        const id = await acceptSwap(daemon, swap)
        done.set(`${swap.from} ${swap.to}`, await waitForOutcome(daemon, id, 90_000))
      }),
    )
    after = await readBalances(sandbox)
  }, 180_000)
  afterAll(() => stopAll(daemon, sandbox))

  test("complete with the requested amounts", () => {
    expect([...done.values()].map(({ outcome }) => outcome)).toEqual(Array(4).fill("completed"))
    expect(find(BTC, WBTC)).toMatchObject({ amountUnits: "201000", deposit: "onchain" })
    expect(find(WBTC, BTC)).toMatchObject({ amountUnits: "102000", deposit: "gasless" })
    expect(find(BTC, ETH)).toMatchObject({ amountUnits: "103000", deposit: "onchain" })
    expect(find(ETH, BTC)).toMatchObject({ amountUnits: "25400000000000000", deposit: "onchain" })
  })

  test("report the network fees that the nodes show for their transactions", async () => {
    for (const { from, transactions, networkFeeUnits } of done.values()) {
      const chain = chainOf(sandbox, from)
      const fees = await Promise.all(transactions.map(({ tx }) => readNetworkFee(chain, tx)))
      // A replaced attempt is not mined and costs no fee.
      expect(BigInt(networkFeeUnits)).toBe(fees.reduce((sum: bigint, fee) => sum + (fee ?? 0n), 0n))
      expect(BigInt(networkFeeUnits)).toBeGreaterThan(0n)
    }
  })

  test("change the wallets' balances by the exact amounts of the orders", () => {
    const toWbtc = find(BTC, WBTC)
    const fromWbtc = find(WBTC, BTC)
    const toEth = find(BTC, ETH)
    const fromEth = find(ETH, BTC)
    expect(changeOf(BTC)).toBe(
      received(fromWbtc) +
        received(fromEth) -
        sent(toWbtc) -
        fee(toWbtc) -
        sent(toEth) -
        fee(toEth),
    )
    expect(changeOf(WBTC)).toBe(received(toWbtc) - sent(fromWbtc))
    // The approval for a token deposit costs a fee in the native coin.
    expect(changeOf(ETH)).toBe(received(toEth) - sent(fromEth) - fee(fromEth) - fee(fromWbtc))
  })

  test("are paid on Bitcoin by the transactions that the orders name", async () => {
    for (const order of [find(WBTC, BTC), find(ETH, BTC)]) {
      const tx = order.destinationTx ?? "none"
      expect(await readPaidTo(chainOf(sandbox, BTC), tx, SANDBOX_WALLETS.bitcoin)).toBe(
        received(order),
      )
    }
  })

  function find(from: string, to: string): OrderView {
    const order = done.get(`${from} ${to}`)
    if (!order) throw new Error(`no order ${from} → ${to}`)
    return order
  }

  function changeOf(asset: string): bigint {
    const was = before[asset]
    const is = after[asset]
    if (was === undefined || is === undefined) throw new Error(`${asset} was not read`)
    return is - was
  }
})

function sent({ amountUnits }: OrderView): bigint {
  return BigInt(amountUnits)
}

function received({ destinationAmountUnits }: OrderView): bigint {
  if (destinationAmountUnits === null) throw new Error("an order without a destination amount")
  return BigInt(destinationAmountUnits)
}

function fee({ networkFeeUnits }: OrderView): bigint {
  return BigInt(networkFeeUnits)
}
