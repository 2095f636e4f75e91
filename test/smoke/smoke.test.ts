import { afterAll, beforeAll, expect, test } from "vitest"
import { chainOf, readBalances } from "../support/e2e-chain.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { listInitiations } from "../support/e2e-initiations.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

/** The real thing once: real local chains, a real daemon and signer, a kill and a lost service. The other folders ask each question in depth. */

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

afterAll(async () => {
  await daemon?.stop()
  await sandbox?.stop()
})

test("a swap of each family completes, although the daemon is killed in the middle", { timeout: 120_000 }, async () => {
  const before = await readBalances(sandbox)
  const ids: string[] = []
  for (const swap of SWAPS) ids.push(await acceptSwap(daemon, swap))
  await until("the first deposits are on chain", async () => {
    const orders = await Promise.all(ids.map((id) => daemon.order(id)))
    return orders.filter(({ deposited }) => deposited).length >= 2
  })
  await killDaemon()
  await restartDaemon()
  for (const id of ids) expect(await waitForOutcome(daemon, id, 90_000)).toMatchObject({ outcome: "completed" })
  const after = await readBalances(sandbox)
  for (const { from, to, amount } of SWAPS) {
    expect(await countDeposits(from, amount), `deposits of ${from}`).toBe(1)
    expect(changeOf(before, after, from), `${from} pays`).toBeLessThan(0n)
    expect(changeOf(before, after, to), `${to} loses no more than its own deposit`).toBeGreaterThan(
      -depositOf(to) - FEES,
    )
  }
})

test("a deposit comes back, although the service is gone and the daemon was killed", { timeout: 120_000 }, async () => {
  await setFaults(sandbox, { lapse: true })
  const before = (await readBalances(sandbox))[EVM]
  const id = await acceptSwap(daemon, REFUND)
  await until("the deposit is on chain", async () => (await daemon.order(id)).deposited)
  await setFaults(sandbox, { drop: true })
  await killDaemon()
  expect((await readBalances(sandbox))[EVM]).toBe((before ?? 0n) - 600_000n)
  await restartDaemon()
  await passTheLock()
  expect(await waitForOutcome(daemon, id, 90_000)).toMatchObject({ outcome: "refunded" })
  expect((await readBalances(sandbox))[EVM]).toBe(before)
})

/** A bound for the network's fees in the smallest unit of any of these assets. */
const FEES = 20_000_000n

const changeOf = (before: Record<string, bigint>, after: Record<string, bigint>, asset: string): bigint =>
  (after[asset] ?? 0n) - (before[asset] ?? 0n)

function depositOf(asset: string): bigint {
  const swap = SWAPS.find(({ from }) => from === asset)
  return BigInt(Math.round(Number(swap?.amount) * (asset === SOLANA ? 1e9 : 1e8)))
}

/** Bitcoin and Solana have no log of initiations to count; there the balance is the proof. */
async function countDeposits(asset: string, amount: string): Promise<number> {
  const chain = chainOf(sandbox, asset)
  if (chain.family !== "evm" && chain.family !== "starknet") return 1
  const units = BigInt(Math.round(Number(amount) * 1e8))
  return (await listInitiations(chain, asset)).filter((initiation) => initiation.units === units).length
}

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
  const { chains } = (await answer.json()) as { chains: { name: string; timelocks: { source: number } }[] }
  const blocks = (chains.find((chain) => chain.name === name)?.timelocks.source ?? 0) + 5
  const body = JSON.stringify({ chain: name, blocks })
  const advanced = await fetch(`${sandbox.service}/sandbox/advance`, { method: "POST", body })
  expect(advanced.status).toBe(200)
}
