import { afterAll, beforeAll, expect, test } from "vitest"
import type { OrderView } from "../../src/core/order/view.ts"
import { readBalances } from "../support/e2e-chain.ts"
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

/**
 * The real thing once: real local chains, a real daemon and signer, a kill and a lost service. The
 * other folders ask each question in depth.
 */

const EVM = "ethereum_sepolia:wbtc"
const BITCOIN = "bitcoin_testnet:btc"
const SOLANA = "solana_testnet:sol"
const STARKNET = "starknet_sepolia:wbtc"

/** Each family pays once and is paid once. */
const SWAPS = [
  { from: BITCOIN, to: STARKNET, amount: "0.003" },
  { from: EVM, to: SOLANA, amount: "0.004" },
  { from: SOLANA, to: BITCOIN, amount: "2" },
  { from: STARKNET, to: EVM, amount: "0.005" },
]
const REFUND = { from: EVM, to: STARKNET, amount: "0.006" }

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess

beforeAll(async () => {
  const chains = [BITCOIN, EVM, SOLANA, STARKNET].map((asset) => asset.split(":")[0]).join(",")
  sandbox = await startSandboxProcess(["--chains", chains])
  expect(sandbox.missing).toEqual([])
  config = await writeE2eConfig(sandbox, "smoke")
  daemon = startDaemonProcess(config)
  await daemon.ready()
}, 90_000)

afterAll(() => stopAll(daemon, sandbox))

test("a swap of each family completes, although the daemon is killed in the middle", {
  timeout: 120_000,
}, async () => {
  const before = await readBalances(sandbox)
  const ids: string[] = []
  for (const swap of SWAPS) ids.push(await acceptSwap(daemon, swap))
  await until("the first deposits are on chain", async () => {
    const orders = await Promise.all(ids.map((id) => daemon.order(id)))
    return orders.filter(({ deposited }) => deposited).length >= 2
  })
  await killDaemon()
  await restartDaemon()
  const orders: OrderView[] = []
  for (const id of ids) orders.push(await waitForOutcome(daemon, id, 90_000))
  expect(orders.map(({ outcome }) => outcome)).toEqual(SWAPS.map(() => "completed"))
  const after = await readBalances(sandbox)
  for (const { from: asset, amountUnits } of orders) {
    const received = BigInt(orders.find(({ to }) => to === asset)?.destinationAmountUnits ?? 0)
    const expected = received - BigInt(amountUnits)
    const change = (after[asset] ?? 0n) - (before[asset] ?? 0n)
    expect(change, `one deposit and one payout of ${asset}, less fees`).toBeLessThanOrEqual(
      expected,
    )
    expect(change, `one deposit and one payout of ${asset}, less fees`).toBeGreaterThan(
      expected - MOST_FEES,
    )
    expect(MOST_FEES, `a second deposit of ${asset} would show`).toBeLessThan(BigInt(amountUnits))
  }
})

test("a deposit comes back, although the service is gone and the daemon was killed", {
  timeout: 120_000,
}, async () => {
  await setFaults(sandbox, { lapse: true })
  const before = (await readBalances(sandbox))[EVM]
  const id = await acceptSwap(daemon, REFUND)
  await until("the deposit is on chain", async () => (await daemon.order(id)).deposited)
  await setFaults(sandbox, { lapse: true }, { drop: true })
  await killDaemon()
  expect((await readBalances(sandbox))[EVM]).toBe((before ?? 0n) - 600_000n)
  await restartDaemon()
  await passTheLock()
  expect(await waitForOutcome(daemon, id, 90_000)).toMatchObject({ outcome: "refunded" })
  expect((await readBalances(sandbox))[EVM]).toBe(before)
})

/**
 * More than the network's fees of an order in the smallest unit of any of these assets, and less
 * than any deposit.
 */
const MOST_FEES = 200_000n

async function killDaemon(): Promise<void> {
  daemon.child.kill("SIGKILL")
  await daemon.exited
}

async function restartDaemon(): Promise<void> {
  daemon = startDaemonProcess(config)
  await daemon.ready()
}

async function passTheLock(): Promise<void> {
  const name = EVM.split(":")[0]
  const answer = await fetch(`${sandbox.service}/sandbox/info`)
  // CAST: the sandbox's own route.
  const { chains } = (await answer.json()) as {
    chains: { name: string; timelocks: { source: number } }[]
  }
  const blocks = (chains.find((chain) => chain.name === name)?.timelocks.source ?? 0) + 5
  const body = JSON.stringify({ chain: name, blocks })
  const advanced = await fetch(`${sandbox.service}/sandbox/advance`, { method: "POST", body })
  expect(advanced.status).toBe(200)
}
