import { afterAll, beforeAll, expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import { type NetworkRecorder, startNetworkRecorder } from "../support/network-recorder.ts"
import { findStored, OWN_SECRETS, SECRETS_ENV } from "../support/own-secret-orders.ts"
import { createRequestLimit, type RequestLimit, refuses } from "../support/request-limit.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
} from "../support/sandbox-process.ts"

/*
 * Free plans give five calls a second. Every node of a real daemon has this limit from its start to
 * the end of its orders, and the service keeps each secret to itself, so that only our own
 * redemption can get the payout.
 */

const PER_SECOND = 5
/** Each family is the source of one order and pays out another. */
const SWAPS = [
  { from: "bitcoin_testnet:btc", to: "ethereum_sepolia:wbtc", amount: "0.00112" },
  { from: "base_sepolia:wbtc", to: "solana_testnet:sol", amount: "0.00113" },
  { from: "solana_testnet:sol", to: "starknet_sepolia:wbtc", amount: "1" },
  { from: "starknet_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.00115" },
] as const

let sandbox: SandboxProcess
let recorder: NetworkRecorder
let daemon: DaemonProcess
const limits = new Map<string, RequestLimit>()

beforeAll(async () => {
  // A lock of twelve blocks must be longer than half a minute of waiting for calls.
  sandbox = await startSandboxProcess(["--bitcoin-block", "15"])
  recorder = await startNetworkRecorder(sandbox)
  for (const { url } of sandbox.chains) limits.set(url, createRequestLimit(systemClock, PER_SECOND))
  recorder.isRefused = (target, body) => {
    const limit = limits.get(target)
    return limit !== undefined && refuses(limit, body)
  }
  const config = await writeE2eConfig(recorder.sandbox, "limited", OWN_SECRETS)
  daemon = startDaemonProcess(config, SECRETS_ENV)
  await daemon.ready()
  await setFaults(sandbox, { neverRedeem: true })
}, 180_000)
afterAll(() => stopAll(daemon, recorder, sandbox))

test("every told secret's payout is redeemed within its lock, with five calls a second", async () => {
  const ids = await Promise.all(SWAPS.map((swap) => acceptSwap(daemon, swap)))
  for (const id of ids) {
    const order = await waitForOutcome(daemon, id, 400_000)
    expect(order).toMatchObject({ outcome: "completed", ownSecret: { status: "revealed" } })
    const { destination } = await findStored(sandbox, order.ownSecret?.hash)
    const { initiated, redeemed } = destination.seen
    const passed = Number(redeemed?.block) - Number(initiated?.block)
    expect(passed).toBeLessThan(Number(destination.swap.timelock))
    expect(order.transactions.filter(({ purpose }) => purpose === "redeem")).not.toHaveLength(0)
  }
  for (const [url, { refused }] of limits) expect(refused, url).toBeGreaterThan(0)
}, 480_000)
