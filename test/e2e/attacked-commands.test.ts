import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { StoredOrder } from "#sandbox/service/stored-order.ts"
import { advanceChain } from "../support/dead-daemon.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, type Swap, waitForOutcome } from "../support/e2e-orders.ts"
import { type NetworkRecorder, startNetworkRecorder } from "../support/network-recorder.ts"
import { findStored, OWN_SECRETS, SECRETS_ENV } from "../support/own-secret-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
} from "../support/sandbox-process.ts"

/*
 * `ballast redeem ID` and `ballast refund ID` over the real modules of each family, while no node
 * gives the history of any HTLC: strangers may fill it. The state of contract, account or outpoint
 * is enough for both.
 */

/** The reads of a history, in the words of each family's nodes. */
const HISTORIES = ["eth_getLogs", "getSignaturesForAddress", "starknet_getEvents"]
/** A path of an Esplora server. */
const ADDRESS = /^GET \/address\/\w+\/txs/

let sandbox: SandboxProcess
let recorder: NetworkRecorder
let config: E2eConfig
let daemon: DaemonProcess
let isHidden = false
const hidden = new Set<string>()

beforeAll(async () => {
  sandbox = await startSandboxProcess()
  recorder = await startNetworkRecorder(sandbox)
  recorder.isRefused = (_, body) => {
    const method = HISTORIES.find((name) => body.includes(`"${name}"`))
    if (!isHidden || method === undefined) return false
    hidden.add(method)
    return true
  }
  recorder.adapt = (_, request, text) => {
    if (!isHidden || !ADDRESS.test(request)) return text
    hidden.add("address")
    return "spam"
  }
  config = await writeE2eConfig(recorder.sandbox, "attacked", OWN_SECRETS, { deposit: "onchain" })
  daemon = startDaemonProcess(config, SECRETS_ENV)
  await daemon.ready()
}, 180_000)
afterAll(() => stopAll(daemon, recorder, sandbox))

async function stored(id: string): Promise<StoredOrder> {
  return findStored(sandbox, (await daemon.order(id)).ownSecret?.hash)
}

/** Types the command until it is obeyed, or says that our own transaction is on its way. */
async function type(verb: "redeem" | "refund", id: string): Promise<void> {
  await until(`${verb} is obeyed`, async () => {
    const { code, stderr } = await runBallast([verb, id, "--yes", "--config", config.file], {
      env: config.env,
    })
    return code === 0 || /operator\.not_now|already/.test(stderr)
  })
}

const isDone = (verb: "redeem" | "refund", { source, destination }: StoredOrder): boolean =>
  (verb === "redeem" ? destination.seen.redeemed : source.seen.refunded) !== null

/** Hides the histories, types the command for each order, and waits until each is obeyed. */
async function obeyBlindly(verb: "redeem" | "refund", ids: readonly string[]): Promise<void> {
  isHidden = true
  try {
    await Promise.all(ids.map((id) => type(verb, id)))
    for (const id of ids)
      await until(`${verb} in a block`, async () => isDone(verb, await stored(id)), 90_000)
  } finally {
    isHidden = false
  }
}

const PAYOUTS: readonly Swap[] = [
  { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.00111" },
  { from: "base_sepolia:wbtc", to: "solana_testnet:sol", amount: "0.00112" },
  { from: "base_sepolia:wbtc", to: "starknet_sepolia:wbtc", amount: "0.00113" },
  { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.00114" },
]
const DEPOSITS: readonly Swap[] = [
  { from: "ethereum_sepolia:wbtc", to: "base_sepolia:wbtc", amount: "0.00115" },
  { from: "solana_testnet:sol", to: "base_sepolia:wbtc", amount: "1" },
  { from: "starknet_sepolia:wbtc", to: "base_sepolia:wbtc", amount: "0.00116" },
  { from: "bitcoin_testnet:btc", to: "base_sepolia:wbtc", amount: "0.00117" },
]

describe("without any history", () => {
  test("`ballast redeem` brings each family's payout of a told secret", async () => {
    await setFaults(sandbox, { neverRedeem: true })
    const ids = await Promise.all(PAYOUTS.map((swap) => acceptSwap(daemon, swap)))
    const isTold = async (id: string): Promise<boolean> =>
      (await daemon.order(id)).ownSecret?.status === "revealed"
    for (const id of ids) await until("the secret is told", () => isTold(id), 120_000)
    await obeyBlindly("redeem", ids)
    for (const id of ids)
      expect(await waitForOutcome(daemon, id, 120_000)).toMatchObject({ outcome: "completed" })
  }, 480_000)

  test("`ballast refund` brings each family's deposit back", async () => {
    await setFaults(sandbox, { lapse: true })
    const ids = await Promise.all(DEPOSITS.map((swap) => acceptSwap(daemon, swap)))
    const isFunded = async (id: string): Promise<boolean> =>
      (await daemon.order(id)).state === "funded"
    for (const id of ids) await until("the deposit is funded", () => isFunded(id), 120_000)
    for (const [index, id] of ids.entries()) {
      const chain = DEPOSITS[index]?.from.split(":")[0] ?? ""
      await advanceChain(sandbox, chain, (await stored(id)).source.swap.timelock + 5)
    }
    await obeyBlindly("refund", ids)
    for (const id of ids)
      expect(await waitForOutcome(daemon, id, 120_000)).toMatchObject({ outcome: "refunded" })
    expect([...hidden].toSorted()).toEqual(["address", ...HISTORIES].toSorted())
  }, 480_000)
})
