import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { present } from "#lib/assert.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { OrderView } from "#order/view.ts"
import type { StoredOrder } from "#sandbox/service/stored-order.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { mentions, type NetworkRecorder, startNetworkRecorder } from "../support/network-recorder.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
} from "../support/sandbox-process.ts"

/*
 * Orders with our own secret under a daemon that is killed again and again, on real chains. The service takes the secret and does nothing with it, so
 * each order also goes through our own redemption. A recorder stands between the daemon and everything else.
 */

const KEY = randomBytes(32).toString("hex")
const keeper = createSecretKeeper(new Secret(KEY, "env:TEST_SECRETS_KEY"), "test")

/** Each family once as source and once as destination. */
const ROUTES = [
  { from: "bitcoin_testnet:btc", to: "starknet_sepolia:wbtc", deposit: "onchain", amount: "0.00121" },
  { from: "starknet_sepolia:wbtc", to: "solana_testnet:usdc", deposit: "gasless", amount: "0.00122" },
  { from: "solana_testnet:sol", to: "base_sepolia:wbtc", deposit: "onchain", amount: "0.523" },
  { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc", deposit: "gasless", amount: "0.00124" },
] as const
type Route = (typeof ROUTES)[number]

let sandbox: SandboxProcess
beforeAll(async () => {
  // A daemon that dies every second must not outlast the payout's lock of twelve blocks.
  sandbox = await startSandboxProcess(["--bitcoin-block", "4"])
  expect(sandbox.missing).toEqual([])
  await setFaults(sandbox, { neverRedeem: true })
}, 180_000)
afterAll(() => sandbox?.stop())

describe.for(["commit", "send"] as const)(
  "a daemon that is killed after every %s of an order with our own secret",
  (moment) => {
    let recorder: NetworkRecorder
    beforeAll(async () => {
      recorder = await startNetworkRecorder(sandbox)
    })
    afterAll(() => recorder?.stop())

    test.for(ROUTES)("is paid: $from → $to", { timeout: 300_000 }, async (route) => {
      const name = `own-${moment}-${ROUTES.indexOf(route)}`
      const only = [route.from, route.to].map((asset) => asset.split(":")[0] ?? "")
      const patch = { treasury: "test", secrets: { key: "env:TEST_SECRETS_KEY" }, log: { level: "trace" } }
      const config = await writeE2eConfig(recorder.sandbox, name, patch, { deposit: route.deposit, only })
      const first = recorder.exchanges.length
      const { order, deaths, sent, output } = await killUntilDone(config, route)
      expect(order, JSON.stringify(order.reasons)).toMatchObject({
        outcome: "completed",
        ownSecret: { status: "revealed" },
      })
      // A secret for Bitcoin is told by our redemption alone.
      const told = route.to.startsWith("bitcoin") ? 0 : 1
      if (moment === "send") expect(sent).toHaveLength(deaths)
      expect(sent.filter((what) => what === "redeem")).toHaveLength(moment === "send" ? told : 0)
      expect(deaths).toBeGreaterThan(moment === "send" ? 2 : 10)

      const stored = await findStored(order)
      const secret = keeper.derive({ service: "main", nonce: stored.nonce }).reveal()
      const funding = present(stored.destination.seen.initiated, "the payout's funding")
      // On Bitcoin the service adds the height.
      const [fundingTx = ""] = funding.tx.split(":")
      const exchanges = recorder.exchanges.slice(first)
      const toldAt = exchanges.findIndex(({ request }) => mentions(request, secret))
      const provenAt = exchanges.findIndex(
        ({ target, answer }) => target !== sandbox.service && answer?.includes(fundingTx),
      )
      expect(toldAt).toBeGreaterThan(-1)
      expect(provenAt).toBeGreaterThan(-1)
      // A node of the destination chain had shown the payout's transaction before the secret left.
      expect(provenAt).toBeLessThan(toldAt)
      expect(mentions(output, secret)).toBe(false)
      expect(output.includes(KEY)).toBe(false)
    })

    /** Kills the daemon at the moment under test until the order has its outcome; the journal is read at each death. */
    async function killUntilDone(config: E2eConfig, { from, to, amount }: Route) {
      const sent: string[] = []
      let output = ""
      let id: string | null = null
      for (let deaths = 0; deaths < 80; deaths++) {
        const kill = moment === "commit" && id !== null ? { BALLAST_CRASH_AFTER_COMMITS: "1" } : {}
        const daemon = startDaemonProcess(config, { TEST_SECRETS_KEY: KEY, ...kill })
        recorder.onSent =
          moment === "commit"
            ? null
            : (what) => {
                // After a lost answer Ballast asks for another order, and gives up after three of them.
                if (what === "order" && sent.includes(what)) return false
                sent.push(what)
                return daemon.child.kill("SIGKILL")
              }
        if (id === null) {
          await daemon.ready()
          const { body } = await daemon.call("POST", "/api/v1/swap", { from, to, amount })
          id = (body as { id: string }).id // CAST: our own interface.
          if (moment === "commit") daemon.child.kill("SIGKILL")
        }
        const order = await Promise.race([daemon.exited.then(() => null), untilOutcome(daemon, id)])
        if (order !== null) await daemon.stop()
        output += daemon.output()
        if (order !== null) return { order, deaths, sent, output }
        expect((await daemon.exited).signal, daemon.output().slice(-2_000)).toBe("SIGKILL")
        await expectNoEarlySecret(config.file.replace(/\.yaml$/, ""))
      }
      throw new Error("the order did not end within 80 deaths")
    }

    /** The journal holds no secret of an order whose payout no node has shown yet. */
    async function expectNoEarlySecret(directory: string): Promise<void> {
      const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const bytes = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString("latin1"))
      for (const { nonce, destination } of await listStored()) {
        if (destination.seen.initiated !== null) continue
        const secret = keeper.derive({ service: "main", nonce }).reveal()
        expect(bytes.some((text) => text.includes(secret))).toBe(false)
      }
    }
  },
)

/** Never resolves while the daemon is dead, so the caller races it against the exit. */
async function untilOutcome(daemon: DaemonProcess, id: string): Promise<OrderView> {
  const end = Date.now() + 150_000
  for (;;) {
    const order = await daemon.order(id).catch(() => null)
    if (order?.outcome != null) return order
    if (order?.held === true || Date.now() > end)
      throw new Error(`no outcome: ${JSON.stringify(order)}\n${daemon.output().slice(-4_000)}`)
    if (daemon.child.signalCode !== null) await new Promise<never>(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function findStored(order: OrderView): Promise<StoredOrder> {
  const hash = order.ownSecret?.hash
  return present(
    (await listStored()).find(({ source }) => source.swap.secretHash === hash),
    "the service's order",
  )
}

async function listStored(): Promise<readonly StoredOrder[]> {
  const answer = await fetch(`${sandbox.service}/sandbox/orders`)
  // CAST: the sandbox's own answer.
  return ((await answer.json()) as { orders: StoredOrder[] }).orders
}
