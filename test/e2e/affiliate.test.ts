import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import { readTokenBalance } from "../support/read-balance.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
} from "../support/sandbox-process.ts"

const SWAP = { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.01234567" }
const USDC = { asset: "base_sepolia:usdc", address: `0x${"a1".repeat(20)}`, fee_bps: 10 }
const CBBTC = { asset: "ethereum_sepolia:cbbtc", address: `0x${"b2".repeat(20)}`, fee_bps: 20 }
/** The fees of 1234.567 dollars: 10 bps in dollars, and 20 bps in coins of 100 000 dollars each. */
const EARNED = { usdc: 1_234_567n, cbbtc: 2_469n }

let sandbox: SandboxProcess
let daemon: DaemonProcess
let config: Awaited<ReturnType<typeof writeE2eConfig>>

beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  config = await writeE2eConfig(sandbox, "affiliate", { affiliate: [USDC, CBBTC] })
  daemon = startDaemonProcess(config)
  await daemon.ready()
})
afterAll(() => stopAll(daemon, sandbox))

describe("affiliate fees in two assets on two chains, over two weeks", () => {
  test("are part of the order's quote and of the order that the service records", async () => {
    const id = await acceptSwap(daemon, SWAP)
    const order = await waitForOutcome(daemon, id)
    expect(order.outcome).toBe("completed")
    expect(order.destinationAmountUnits).toBe(await bestQuote(30))
    expect(BigInt(order.destinationAmountUnits ?? 0)).toBeLessThan(BigInt(await bestQuote(0)))
    expect(order.affiliateFees).toEqual([
      {
        asset: USDC.asset,
        address: USDC.address,
        feeBps: 10,
        amount: "1.234567",
        amountUnits: "1234567",
      },
      {
        asset: CBBTC.asset,
        address: CBBTC.address,
        feeBps: 20,
        amount: "0.00002469",
        amountUnits: "2469",
      },
    ])
  })

  test("arrive at the end of each week in the exact amounts of the report", async () => {
    await waitForOutcome(daemon, await acceptSwap(daemon, SWAP))
    expect(await readPaid()).toEqual({ usdc: 0n, cbbtc: 0n })
    await endWeek(2)
    expect(await readPaid()).toEqual(times(2n))
    expect(await readReport()).toEqual(times(2n))

    await waitForOutcome(daemon, await acceptSwap(daemon, SWAP))
    expect(await readReport()).toEqual(times(3n))
    expect(await readPaid()).toEqual(times(2n))
    await endWeek(1)
    expect(await readPaid()).toEqual(times(3n))
    expect(await readEarnings()).toEqual({ code: 0, verdicts: ["same", "same"] })
    // The service does not pay a fee twice.
    await endWeek(0)
    expect(await readPaid()).toEqual(times(3n))
  })
})

/** The service's own list of claims, beside the sums of our orders. */
async function readEarnings(): Promise<{ code: number | string; verdicts: readonly string[] }> {
  const { code, stdout } = await runBallast(["earnings", "--json", "--config", config.file])
  // CAST: the documented shape of the answer.
  const { assets } = JSON.parse(stdout) as { assets: { verdict: string }[] }
  return { code, verdicts: assets.map(({ verdict }) => verdict) }
}

type Sums = { readonly usdc: bigint; readonly cbbtc: bigint }

function times(orders: bigint): Sums {
  return { usdc: orders * EARNED.usdc, cbbtc: orders * EARNED.cbbtc }
}

async function bestQuote(bps: number): Promise<string> {
  const fee = bps === 0 ? "" : `&affiliate_fee=${bps}`
  const answer = await fetch(
    `${sandbox.service}/v2/quote?from=${SWAP.from}&to=${SWAP.to}&from_amount=1234567${fee}`,
    {
      headers: { "service-app-id": "ballast-sandbox" },
    },
  )
  // CAST: the interface's answer to a quote (service interface §2).
  const { result } = (await answer.json()) as { result: { destination: { amount: string } }[] }
  const amounts = result.map(({ destination }) => BigInt(destination.amount))
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n).toString()
}

/**
 * Our node can see a redemption before the service does, so wait until the service has accrued all
 * fees.
 */
async function endWeek(orders: number): Promise<void> {
  await until("the service counts the orders", async () => {
    const state = await fetch(`${sandbox.service}/sandbox/payouts`)
    // CAST: the sandbox's own answer, see sandbox-routes.ts.
    const { accrued } = (await state.json()) as { accrued: { orders: string[] }[] }
    return new Set(accrued.flatMap((due) => due.orders)).size === orders
  })
  const answer = await fetch(`${sandbox.service}/sandbox/payouts`, { method: "POST" })
  // CAST: the sandbox's own answer, see sandbox-routes.ts.
  const { payouts } = (await answer.json()) as {
    payouts: { tx: string | null; reason: string | null }[]
  }
  expect(payouts.filter(({ tx }) => tx === null)).toEqual([])
}

/** Reads by plain RPC of the chains. */
async function readPaid(): Promise<Sums> {
  const [usdc, cbbtc] = await Promise.all(
    [USDC, CBBTC].map(({ asset, address }) => readTokenBalance(sandbox, asset, address)),
  )
  return { usdc: usdc ?? 0n, cbbtc: cbbtc ?? 0n }
}

async function readReport(): Promise<Sums> {
  const { code, stdout } = await runBallast([
    "report",
    "--affiliate",
    "--json",
    "--config",
    config.file,
  ])
  expect(code).toBe(0)
  // CAST: the documented shape of the report.
  const { weeks } = JSON.parse(stdout) as {
    weeks: { asset: string; address: string; amountUnits: string }[]
  }
  const sumOf = ({ asset, address }: typeof USDC): bigint =>
    weeks
      .filter((week) => week.asset === asset && week.address === address)
      .reduce((sum, week) => sum + BigInt(week.amountUnits), 0n)
  return { usdc: sumOf(USDC), cbbtc: sumOf(CBBTC) }
}
