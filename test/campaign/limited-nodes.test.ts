import { afterAll, beforeAll, expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import { type NetworkRecorder, startNetworkRecorder } from "../support/network-recorder.ts"
import { findStored, OWN_SECRETS, SECRETS_ENV } from "../support/own-secret-orders.ts"
import { createRequestLimit, refuses } from "../support/request-limit.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
} from "../support/sandbox-process.ts"

/*
 * Every family with one node that refuses calls, from the daemon's start to the end of sixteen
 * orders at once. The service keeps each secret to itself, so that an order completes only by our
 * own redemption. `test/e2e/limited-nodes.test.ts` has four orders.
 */

/** Each family is the source of four orders and pays out four others. */
const ROUTES = [
  { from: "bitcoin_testnet:btc", to: "ethereum_sepolia:wbtc", amount: "0.001" },
  { from: "base_sepolia:wbtc", to: "solana_testnet:sol", amount: "0.001" },
  { from: "solana_testnet:sol", to: "starknet_sepolia:wbtc", amount: "1" },
  { from: "starknet_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.0012" },
] as const
const ORDERS = [ROUTES, ROUTES, ROUTES, ROUTES].flat()

/** The part of its lock that is left when a told secret's payout is redeemed, in percent. */
const LEAST_LEFT = 50

/** Says of a request's body whether the node refuses it, and counts. */
type Refusing = { asked: number; refused: number; readonly refuse: (body: string) => boolean }

function perSecond(most: number): () => Refusing {
  return () => {
    const limit = createRequestLimit(systemClock, most)
    return Object.assign(limit, { refuse: (body: string) => refuses(limit, body) })
  }
}

/** The same dice in each run. */
function byChance(part: number): () => Refusing {
  let state = 1
  return () => {
    const counts: Refusing = {
      asked: 0,
      refused: 0,
      refuse: () => {
        state = (state * 48_271) % 2_147_483_647
        const isRefused = state / 2_147_483_647 < part
        counts.asked += 1
        counts.refused += isRefused ? 1 : 0
        return isRefused
      },
    }
    return counts
  }
}

let sandbox: SandboxProcess
let recorder: NetworkRecorder
beforeAll(async () => {
  // A lock of twelve blocks must be longer than minutes of waiting for calls.
  sandbox = await startSandboxProcess(["--bitcoin-block", "30"])
  recorder = await startNetworkRecorder(sandbox)
}, 180_000)
afterAll(() => stopAll(recorder, sandbox))

test.each([
  ["20 calls a second", perSecond(20)],
  ["10 calls a second", perSecond(10)],
  ["5 calls a second", perSecond(5)],
  ["all but 10 % of the requests", byChance(0.1)],
  ["all but 20 % of the requests", byChance(0.2)],
  ["all but 33 % of the requests", byChance(0.33)],
])(
  "sixteen orders complete with nodes that take %s",
  async (name, createRefuse) => {
    await setFaults(sandbox, { neverRedeem: true })
    const refusals = new Map(sandbox.chains.map(({ url }) => [url, createRefuse()]))
    recorder.isRefused = (target, body) => refusals.get(target)?.refuse(body) ?? false
    const file = `limited-${name.replace(/\W/g, "")}`
    const daemon = startDaemonProcess(
      await writeE2eConfig(recorder.sandbox, file, OWN_SECRETS),
      SECRETS_ENV,
    )
    try {
      const startMs = systemClock.now()
      await daemon.ready()
      const readyMs = systemClock.now() - startMs
      const ids = await Promise.all(ORDERS.map((swap) => acceptSwap(daemon, swap)))
      const said = saidBy(daemon, /rate limited/)
      const left: { readonly to: string; readonly percent: number }[] = []
      // One after another: sixteen readers at once are more than the daemon answers.
      for (const id of ids) {
        const order = await waitForOutcome(daemon, id, 500_000)
        expect(order, JSON.stringify(order.reasons)).toMatchObject({
          outcome: "completed",
          ownSecret: { status: "revealed" },
        })
        left.push(await readLeft(order.ownSecret?.hash))
      }
      expect(await said).toBe(true)
      const counts = [...refusals.values()]
      const asked = counts.reduce((sum, one) => sum + one.asked, 0)
      const refused = counts.reduce((sum, one) => sum + one.refused, 0)
      const allMs = systemClock.now() - startMs
      console.info(JSON.stringify({ name, readyMs, allMs, asked, refused, left }))
      expect(refused).toBeGreaterThan(0)
      expect(left.filter(({ percent }) => percent < LEAST_LEFT)).toEqual([])
    } finally {
      recorder.isRefused = null
      await daemon.stop()
    }
  },
  600_000,
)

/** The part of the payout's lock that its redemption has left, by the blocks of both. */
async function readLeft(hash: string | undefined) {
  const { destination } = await findStored(sandbox, hash)
  const { initiated, redeemed } = destination.seen
  const passed = Number(redeemed?.block) - Number(initiated?.block)
  const lock = Number(destination.swap.timelock)
  return { to: destination.swap.chain, percent: Math.floor((100 * (lock - passed)) / lock) }
}

/** Whether `status` has these words at any time of the next minutes. */
async function saidBy(
  daemon: ReturnType<typeof startDaemonProcess>,
  words: RegExp,
): Promise<boolean> {
  for (let round = 1; round <= 100; round++) {
    const { body } = await daemon.call("GET", "/api/v1/status")
    if (words.test(JSON.stringify(body))) return true
    await systemClock.sleep(1_000)
  }
  return false
}
