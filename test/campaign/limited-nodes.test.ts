import { afterAll, beforeAll, expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import { type NetworkRecorder, startNetworkRecorder } from "../support/network-recorder.ts"
import { OWN_SECRETS, SECRETS_ENV } from "../support/own-secret-orders.ts"
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

const ROUTES = [
  { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.001" },
  { from: "bitcoin_testnet:btc", to: "base_sepolia:wbtc", amount: "0.001" },
  { from: "base_sepolia:eth", to: "solana_testnet:sol", amount: "0.02" },
  { from: "starknet_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.0012" },
] as const
const ORDERS = [ROUTES, ROUTES, ROUTES, ROUTES].flat()

/** Says of a request's body whether the node refuses it. */
type Refuse = (body: string) => boolean

function perSecond(most: number): () => Refuse {
  return () => {
    const limit = createRequestLimit(systemClock, most)
    return (body) => refuses(limit, body)
  }
}

/** The same dice in each run. */
function byChance(part: number): () => Refuse {
  let state = 1
  return () => () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 < part
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
    recorder.isRefused = (target, body) => refusals.get(target)?.(body) ?? false
    const file = `limited-${name.replace(/\W/g, "")}`
    const daemon = startDaemonProcess(
      await writeE2eConfig(recorder.sandbox, file, OWN_SECRETS),
      SECRETS_ENV,
    )
    try {
      await daemon.ready()
      const ids = await Promise.all(ORDERS.map((swap) => acceptSwap(daemon, swap)))
      const said = saidBy(daemon, /rate limited/)
      // One after another: sixteen readers at once are more than the daemon answers.
      for (const id of ids)
        expect(await waitForOutcome(daemon, id, 500_000)).toMatchObject({
          outcome: "completed",
          ownSecret: { status: "revealed" },
        })
      expect(await said).toBe(true)
    } finally {
      recorder.isRefused = null
      await daemon.stop()
    }
  },
  600_000,
)

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
