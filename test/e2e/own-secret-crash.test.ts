import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import type { OrderView } from "#order/view.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import {
  mentions,
  type NetworkRecorder,
  startNetworkRecorder,
} from "../support/network-recorder.ts"
import {
  findStored,
  listStored,
  OWN_SECRETS,
  SECRETS_ENV,
  SECRETS_KEY,
  secretOf,
} from "../support/own-secret-orders.ts"
import {
  expectNoEarlyTelling,
  expectToldAfterPayout,
  findTelling,
  hasSeenNoPayout,
  keepSolverWaiting,
  letSolverPay,
} from "../support/own-secret-wire.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"

/*
 * Orders with our own secret under a daemon that is killed again and again, on real chains. A
 * recorder stands between the daemon and everything else. The solver pays late, after the daemon
 * has observed the deposit without a payout. The service takes the secret and does nothing with it,
 * so each paid order also goes through our own redemption. Or the solver never pays: then the order
 * is refunded, and the secret never leaves.
 */

/** Each family once as source and once as destination. */
const ROUTES = [
  {
    from: "bitcoin_testnet:btc",
    to: "starknet_sepolia:wbtc",
    deposit: "onchain",
    amount: "0.00121",
  },
  {
    from: "starknet_sepolia:wbtc",
    to: "solana_testnet:usdc",
    deposit: "gasless",
    amount: "0.00122",
  },
  { from: "solana_testnet:sol", to: "base_sepolia:wbtc", deposit: "onchain", amount: "0.523" },
  { from: "base_sepolia:wbtc", to: "bitcoin_testnet:btc", deposit: "gasless", amount: "0.00124" },
] as const
type Route = {
  readonly from: string
  readonly to: string
  readonly deposit: string
  readonly amount: string
}

/** The EVM source is Ethereum, because its timelock has the fewest blocks. */
const REFUNDS: readonly Route[] = ROUTES.map((route) =>
  route.from === "base_sepolia:wbtc" ? { ...route, from: "ethereum_sepolia:wbtc" } : route,
)

/**
 * A refund shares its way up to the deposit with a payout, so its kills after commits begin with
 * the funded deposit.
 */
const CASES = [
  {
    at: 0,
    moment: "commit",
    each: "every commit",
    outcome: "completed",
    begin: "creation",
    leastDeaths: 10,
  },
  {
    at: 1,
    moment: "send",
    each: "every send",
    outcome: "completed",
    begin: "creation",
    leastDeaths: 2,
  },
  {
    at: 2,
    moment: "commit",
    each: "every commit",
    outcome: "refunded",
    begin: "funding",
    leastDeaths: 6,
  },
  {
    at: 3,
    moment: "send",
    each: "every send",
    outcome: "refunded",
    begin: "creation",
    leastDeaths: 2,
  },
] as const

/**
 * Every kind of kill on every route takes about nine minutes, so a run takes a fourth of them: both
 * endings and all families. `npm run campaign -- kills` makes every one.
 */
const ALL = process.env["BALLAST_ALL_KILLS"] === "1"
const routesOf = (at: number, routes: readonly Route[]): readonly Route[] =>
  ALL ? routes : routes.filter((_route, index) => index === at % routes.length)

let sandbox: SandboxProcess
beforeAll(async () => {
  // A daemon that dies every second must not outlast the payout's lock of twelve blocks.
  sandbox = await startSandboxProcess(["--bitcoin-block", "4"])
  expect(sandbox.missing).toEqual([])
}, 180_000)
afterAll(() => sandbox?.stop())

describe.for(CASES)(
  "a daemon that is killed after $each of an order with our own secret, from its $begin",
  ({ at, moment, outcome, begin, leastDeaths }) => {
    const isPaid = outcome === "completed"
    let recorder: NetworkRecorder
    beforeAll(async () => {
      recorder = await startNetworkRecorder(sandbox)
    })
    afterAll(() => recorder?.stop())

    test.for(routesOf(at, isPaid ? ROUTES : REFUNDS))(
      `is ${outcome}: $from → $to`,
      { timeout: 300_000 },
      async (route) => {
        const name = `own-${moment}-${outcome}-${route.from.split(":")[0]}`
        const only = [route.from, route.to].map((asset) => asset.split(":")[0] ?? "")
        const config = await writeE2eConfig(recorder.sandbox, name, OWN_SECRETS, {
          deposit: route.deposit,
          only,
        })
        await (isPaid
          ? keepSolverWaiting(sandbox, { neverRedeem: true })
          : setFaults(sandbox, { lapse: true }))
        const { order, deaths, sent, output, exchanges } = await killUntilDone(config, route)
        const status = isPaid ? "revealed" : "unknown"
        expect(order, JSON.stringify(order.reasons)).toMatchObject({
          outcome,
          ownSecret: { status },
        })
        if (moment === "send") expect(sent).toHaveLength(deaths)
        expect(deaths).toBeGreaterThan(leastDeaths)

        const stored = await findStored(sandbox, order.ownSecret?.hash)
        const secret = secretOf(stored)
        expect(mentions(output, secret)).toBe(false)
        expect(output.includes(SECRETS_KEY)).toBe(false)
        // A secret for Bitcoin is told by our redemption alone.
        const told = isPaid && moment === "send" && !route.to.startsWith("bitcoin") ? 1 : 0
        expect(sent.filter((what) => what === "redeem")).toHaveLength(told)
        if (!isPaid) {
          expect(findTelling(exchanges, stored)).toBe(-1)
          expect(stored.source.seen).toMatchObject({ redeemed: null })
          const env = { ...config.env, ...SECRETS_ENV }
          const rescue = await runBallast(["rescue", order.id, "--json", "--config", config.file], {
            env,
          })
          expect(rescue.stdout, rescue.stderr).toContain("not given")
          expect(mentions(rescue.stdout, secret)).toBe(false)
          return
        }
        expectToldAfterPayout(exchanges, sandbox, stored)
      },
    )

    /**
     * Kills the daemon at the moment under test until the order has its outcome; the journal is
     * read at each death.
     */
    async function killUntilDone(config: E2eConfig, { from, to, amount }: Route) {
      const first = recorder.exchanges.length
      const sent: string[] = []
      let output = ""
      let id: string | null = null
      let isLetGo = false
      for (let deaths = 0; deaths < 80; deaths++) {
        const kill = moment === "commit" && id !== null ? { BALLAST_CRASH_AFTER_COMMITS: "1" } : {}
        const daemon = startDaemonProcess(config, { ...SECRETS_ENV, ...kill })
        recorder.onSent =
          moment === "commit"
            ? null
            : (what) => {
                // After a lost answer Ballast asks for another order, and gives up after three of
                // them.
                if (what === "order" && sent.includes(what)) return false
                sent.push(what)
                return daemon.child.kill("SIGKILL")
              }
        if (id === null) {
          await daemon.ready()
          const { body } = await daemon.call("POST", "/api/v1/swap", { from, to, amount })
          const created = (body as { id: string }).id // CAST: our own interface.
          id = created
          if (begin === "funding")
            await until("the deposit is funded", () => isFunded(daemon, created))
          if (moment === "commit") daemon.child.kill("SIGKILL")
        }
        if (!isLetGo && (await waitForMoment(daemon, config, id))) {
          await (isPaid ? letSolverPay(sandbox, { neverRedeem: true }) : endLock(from))
          isLetGo = true
        }
        const order = await Promise.race([daemon.exited.then(() => null), untilOutcome(daemon, id)])
        if (order !== null) await daemon.stop()
        output += daemon.output()
        const exchanges = recorder.exchanges.slice(first)
        if (order !== null) return { order, deaths, sent, output, exchanges }
        expect((await daemon.exited).signal, daemon.output().slice(-2_000)).toBe("SIGKILL")
        await expectNoEarlyTelling(exchanges, sandbox)
        await expectNoEarlySecret(config.file.replace(/\.yaml$/, ""))
      }
      throw new Error("the order did not end within 80 deaths")
    }

    /**
     * Waits until the solver may pay, or the lock may end. False when the daemon dies before that.
     */
    async function waitForMoment(
      daemon: DaemonProcess,
      config: E2eConfig,
      id: string,
    ): Promise<boolean> {
      if (!isPaid) return begin === "funding" || waitForFunding(daemon, id)
      const isOver = async (): Promise<boolean> =>
        daemon.child.signalCode !== null || hasSeenNoPayout(config, id)
      await until("the daemon observed the deposit without a payout, or is dead", isOver)
      return hasSeenNoPayout(config, id)
    }

    /** The journal holds no secret before a node has shown the order's payout. */
    async function expectNoEarlySecret(directory: string): Promise<void> {
      const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile(),
      )
      const bytes = files.map((entry) =>
        readFileSync(join(entry.parentPath, entry.name)).toString("latin1"),
      )
      for (const stored of await listStored(sandbox)) {
        if (stored.destination.seen.initiated !== null) continue
        const secret = secretOf(stored)
        expect(bytes.some((text) => text.includes(secret))).toBe(false)
      }
    }
  },
)

async function isFunded(daemon: DaemonProcess, id: string): Promise<boolean> {
  return (await daemon.order(id).catch(() => null))?.state === "funded"
}

/** False when the daemon dies before its order is funded. */
async function waitForFunding(daemon: DaemonProcess, id: string): Promise<boolean> {
  const isOver = async (): Promise<boolean> =>
    daemon.child.signalCode !== null || (await isFunded(daemon, id))
  await until("the deposit is funded, or the daemon is dead", isOver)
  return daemon.child.signalCode === null
}

/** Ends the lock of every deposit on the chain of this asset. */
async function endLock(asset: string): Promise<void> {
  const chain = asset.split(":")[0]
  const answer = await fetch(`${sandbox.service}/sandbox/info`)
  // CAST: the sandbox's own answer.
  const { chains } = (await answer.json()) as {
    chains: { name: string; timelocks: { source: number } }[]
  }
  const { timelocks } = mustExist(
    chains.find(({ name }) => name === chain),
    "the chain of the deposit",
  )
  const body = JSON.stringify({ chain, blocks: timelocks.source + 1 })
  const { status } = await fetch(`${sandbox.service}/sandbox/advance`, { method: "POST", body })
  expect(status).toBe(200)
}

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
