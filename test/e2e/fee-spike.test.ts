import { afterAll, beforeAll, expect, test } from "vitest"
import { type BitcoinFeeMarket, startBitcoinFeeMarket } from "../support/bitcoin-fee-market.ts"
import { callRpc, chainOf } from "../support/e2e-chain.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import { OWN_SECRETS, SECRETS_ENV } from "../support/own-secret-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

/*
 * Fees rise fifty times in the last part of a payout's lock, after our redemption was sent, on real
 * nodes. The new fee is far above the configured cap. Only a replacement can land, and only because
 * the cap rises as the lock ends.
 */

const FACTOR = 50
const GWEI = 10n ** 9n
const USUAL_BASE = GWEI
const DEAR_BASE = BigInt(FACTOR) * USUAL_BASE
/** The sandbox's estimate for the next block, in sat/vB. */
const USUAL_RATE = 3
const BASE = "base_sepolia:wbtc"
const ETHEREUM = "ethereum_sepolia:wbtc"
const BITCOIN = "bitcoin_testnet:btc"

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
let market: BitcoinFeeMarket
beforeAll(async () => {
  const chains = ["--chains", "base_sepolia,ethereum_sepolia,bitcoin_testnet"]
  // Bitcoin's blocks come from the test alone.
  sandbox = await startSandboxProcess([...chains, "--bitcoin-block", "86400"])
  market = await startBitcoinFeeMarket(sandbox.dir, chainOf(sandbox, BITCOIN).url)
  config = await writeE2eConfig(sandbox, "fee-spike", {
    ...OWN_SECRETS,
    chains: {
      base_sepolia: { stuck_after: "2s" },
      ethereum_sepolia: {
        stuck_after: "2s",
        max_fee_per_gas: "4 gwei",
        max_priority_fee_per_gas: "1 gwei",
      },
      bitcoin_testnet: { stuck_after: "2s", max_fee_rate: 20, esplora: [market.url] },
    },
  })
  await setFaults(sandbox, { neverRedeem: true })
  daemon = startDaemonProcess(config, SECRETS_ENV)
  await daemon.ready()
}, 180_000)
afterAll(async () => {
  await daemon?.stop()
  market?.stop()
  await sandbox?.stop()
})

const redemptionsOf = async (id: string): Promise<string[]> =>
  (await daemon.order(id)).transactions
    .filter(({ purpose }) => purpose === "redeem")
    .map(({ tx }) => tx)

test("a redemption on an EVM chain lands at fifty times the base fee", {
  timeout: 200_000,
}, async () => {
  const { url } = chainOf(sandbox, ETHEREUM)
  const mineAt = async (base: bigint): Promise<void> => {
    await callRpc(url, "anvil_setNextBlockBaseFeePerGas", [`0x${base.toString(16)}`])
    await callRpc(url, "evm_mine", [])
  }
  const id = await acceptSwap(daemon, { from: BASE, to: ETHEREUM, amount: "0.0021" })
  await until(
    "the secret is told",
    async () => (await daemon.order(id)).ownSecret?.status === "revealed",
    90_000,
  )
  // Ballast gives the service half a minute, and meanwhile the lock gets into its second half.
  await callRpc(url, "evm_setIntervalMining", [0])
  await advance("ethereum_sepolia", 300)
  await mineAt(USUAL_BASE)
  await until("our redemption is sent", async () => (await redemptionsOf(id)).length > 0, 60_000)
  const [first = ""] = await redemptionsOf(id)
  // Less than a third of the lock is left, and then a block comes each second.
  for (let blocks = 0; blocks < 110; blocks++) await mineAt(DEAR_BASE)
  const isRedeemed = async (): Promise<boolean> => {
    await mineAt(DEAR_BASE)
    await new Promise((resolve) => setTimeout(resolve, 900))
    return (await daemon.order(id)).seen["destinationRedeemed"] != null
  }
  await untilOrder(id, "the payout is redeemed", isRedeemed, 120_000)
  await callRpc(url, "evm_setIntervalMining", [1])
  const order = await waitForOutcome(daemon, id, 60_000)
  expect(order).toMatchObject({ outcome: "completed", ownSecret: { status: "revealed" } })
  const redemptions = await redemptionsOf(id)
  expect(redemptions.length).toBeGreaterThan(1)
  const paid = order.seen["destinationRedeemed"]?.tx ?? ""
  expect(redemptions).toContain(paid)
  expect(paid).not.toBe(first)
  // CAST: the shape of a receipt.
  const receipt = (await callRpc(url, "eth_getTransactionReceipt", [paid])) as {
    effectiveGasPrice: string
  }
  expect(BigInt(receipt.effectiveGasPrice)).toBeGreaterThanOrEqual(DEAR_BASE)
})

test("a redemption on Bitcoin is replaced, and lands at fifty times the fee rate", {
  timeout: 200_000,
}, async () => {
  const id = await acceptSwap(daemon, { from: BASE, to: BITCOIN, amount: "0.02" })
  await until(
    "the payout waits for a block",
    async () => (await market.readMempool()).size > 0,
    90_000,
  )
  await advance("bitcoin_testnet", 1)
  const isSent = async (): Promise<boolean> => {
    const [first = ""] = await redemptionsOf(id)
    return (await market.readMempool()).has(first)
  }
  await untilOrder(id, "our redemption is sent", isSent, 90_000)
  const [first = ""] = await redemptionsOf(id)
  expect((await market.readMempool()).get(first)).toBeLessThan(20)
  market.set(FACTOR, FACTOR * USUAL_RATE)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  // Twelve blocks are the lock; three are left.
  await advance("bitcoin_testnet", 9)
  expect((await market.readMempool()).has(first)).toBe(true)
  const isReplaced = async (): Promise<boolean> => {
    const [[txid, rate] = ["", 0]] = [...(await market.readMempool())]
    return txid !== first && rate >= FACTOR * USUAL_RATE
  }
  await untilOrder(id, "a replacement pays fifty times as much", isReplaced, 90_000)
  const [replacement] = (await market.readMempool()).keys()
  await advance("bitcoin_testnet", 1)
  const order = await waitForOutcome(daemon, id, 60_000)
  expect(order).toMatchObject({ outcome: "completed", ownSecret: { status: "revealed" } })
  expect(order.seen["destinationRedeemed"]?.tx).toBe(replacement)
  expect(await redemptionsOf(id)).toContain(replacement)
})

/** Like `until`; a failure tells the order's state. */
async function untilOrder(
  id: string,
  condition: string,
  check: () => Promise<boolean>,
  timeoutMs: number,
) {
  await until(condition, check, timeoutMs).catch(async (error: unknown) => {
    const { state, reasons, transactions } = await daemon.order(id)
    const tries = transactions.map(({ purpose, attempt }) => `${purpose} ${attempt}`).join(", ")
    throw new Error(
      `${String(error)}; it is ${state} after ${tries} with ${JSON.stringify(reasons)}`,
    )
  })
}

async function advance(chain: string, blocks: number): Promise<void> {
  const body = JSON.stringify({ chain, blocks })
  expect((await fetch(`${sandbox.service}/sandbox/advance`, { method: "POST", body })).status).toBe(
    200,
  )
}
