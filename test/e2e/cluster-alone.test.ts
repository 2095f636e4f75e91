import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { setFaults } from "../support/e2e-faults.ts"
import { listInitiations } from "../support/e2e-initiations.ts"
import { acceptSwap } from "../support/e2e-orders.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"
import { hasPostgres, type PostgresPair, startPostgres } from "../support/start-postgres.ts"

const FROM = "base_sepolia:wbtc"
const TO = "ethereum_sepolia:wbtc"
/** A few more than the source's timelock. */
const LOCK_BLOCKS = 43_300

describe.skipIf(!hasPostgres())("a leader whose PostgreSQL is gone", () => {
  let pair: PostgresPair
  let sandbox: SandboxProcess
  let config: E2eConfig
  let daemon: DaemonProcess
  beforeAll(async () => {
    pair = await startPostgres()
    sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
    const cluster = {
      treasury: "alone",
      journal: pair.url,
      guards: { approve_above: "0.001", max_order: "0.1" },
    }
    config = await writeE2eConfig(sandbox, "alone", cluster, { deposit: "onchain" })
    daemon = startDaemonProcess(config)
    await daemon.ready()
  }, 180_000)
  afterAll(async () => {
    daemon?.child.kill("SIGKILL")
    await sandbox?.stop()
    pair?.stop()
  })

  test("refunds after the timelock, and makes no new order and no new deposit", {
    timeout: 420_000,
  }, async () => {
    await setFaults(sandbox, { lapse: true })
    const funded = await acceptSwap(daemon, { from: FROM, to: TO, amount: "0.0009" })
    await untilState(funded, "funded")
    // Accepted and verified, and not deposited.
    const waiting = await acceptSwap(daemon, { from: FROM, to: TO, amount: "0.002" })
    await untilState(waiting, "awaiting-approval")
    const before = await countOrders()

    pair.stopPrimary()
    const { body } = await daemon.call("GET", `/api/v1/orders/${waiting}`)
    expect(body).toMatchObject({ state: "awaiting-approval" })
    await until("the silence of PostgreSQL is a problem", isSilent, 60_000)
    const { intent } = await daemon.order(waiting)
    // Neither call gets an answer, because an answer promises that the log has it.
    void daemon
      .call("POST", "/api/v1/swap", { from: FROM, to: TO, amount: "0.0008" })
      .catch(() => undefined)
    void daemon.call("POST", `/api/v1/orders/${waiting}/approve`, { intent }).catch(() => undefined)
    const advanced = await fetch(`${sandbox.service}/sandbox/advance`, {
      method: "POST",
      body: JSON.stringify({ chain: "base_sepolia", blocks: LOCK_BLOCKS }),
    })
    expect(advanced.status).toBe(200)
    await until(
      "the refund is on chain",
      async () => (await daemon.order(funded)).outcome === "refunded",
      90_000,
    )
    expect(await countDeposits()).toBe(1)
    expect(await countOrders()).toBe(before)
    expect(daemon.child.exitCode).toBeNull()

    // The lease has ended meanwhile, so the process ends with it once PostgreSQL is back.
    pair.startPrimary()
    expect((await daemon.exited).code).toBe(75)
    daemon = startDaemonProcess(config)
    await daemon.ready()
    // The rebuilt journal lacks the refund's signature, and the chain shows the refund.
    await until(
      "the next leader sees the refund",
      async () => (await daemon.order(funded)).outcome === "refunded",
      60_000,
    )
    expect(await daemon.call("GET", "/api/v1/status")).toMatchObject({ body: { paused: false } })
    await daemon.stop()
  })

  async function isSilent(): Promise<boolean> {
    const { body } = await daemon.call("GET", "/api/v1/overview")
    // CAST: our own interface.
    return (body as { problems: { code: string }[] }).problems.some(
      ({ code }) => code === "cluster.silent",
    )
  }

  async function untilState(id: string, state: string): Promise<void> {
    await until(
      `the order is ${state}`,
      async () => (await daemon.order(id)).state === state,
      60_000,
    )
  }

  async function countDeposits(): Promise<number> {
    const chain = sandbox.chains.find(({ name }) => FROM.startsWith(`${name}:`))
    if (chain === undefined) throw new Error("no chain")
    return (await listInitiations(chain, FROM)).length
  }

  /** At the service, for every owner. */
  async function countOrders(): Promise<number> {
    const answer = await fetch(`${sandbox.service}/sandbox/orders`)
    // CAST: the sandbox's own route.
    return ((await answer.json()) as { orders: unknown[] }).orders.length
  }
})
