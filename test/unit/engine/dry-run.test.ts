import { beforeEach, describe, expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { type DryRunAnswer, readDryRun } from "#daemon/views/view-dry-run.ts"
import { type DryRun, dryRunSwap } from "#engine/rules/dry-run.ts"
import { Secret } from "#lib/secret.ts"
import { createFakeRoute } from "../../support/fake-route.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  ETH,
  WBTC,
  type World,
} from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

const UNITS = 10_000n
const FILE = `service: { url: "http://127.0.0.1:1" }
chains:
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:2"], key: "env:A" }
assets: { base_sepolia:eth: { decimals: 18 } }
`

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld({ confirmations: 2 })
  world.autoMine = false
})

async function dryRun(from = WBTC, to = BTC, sourceUnits = UNITS): Promise<DryRun> {
  let result: DryRun | null = null
  const running = dryRunSwap(daemon.context, {
    rule: "manual",
    occurrence: null,
    from,
    to,
    sourceUnits,
  }).then((run) => {
    result = run
  })
  await world.run(() => result !== null)
  await running
  return result ?? (await Promise.reject(new Error("no result")))
}
const codes = (reasons: readonly { code: string }[] = []): string[] =>
  reasons.map(({ code }) => code)

describe("a dry run", () => {
  test("plans the allowance and the deposit of a token with different nonces, and signs neither", async () => {
    daemon = world.start()
    const run = await dryRun()
    expect(run).toMatchObject({ refused: [], verified: true, way: "onchain", needsApproval: false })
    expect(run.approval?.resources).toEqual(["nonce:0"])
    expect(run.decoded).toMatchObject({ asset: WBTC, units: UNITS })
    expect(run.fees).not.toBeNull()
    expect(run.deposit?.resources).toEqual(["nonce:1"])
  })

  test("stops at the typed data of a gasless deposit", async () => {
    daemon = world.start({ policy: { way: "auto" } })
    world.evm.state().allowances.set(`${WBTC}/0xhtlc`, UNITS)
    const run = await dryRun()
    expect(run).toMatchObject({ verified: true, way: "gasless", approval: null, deposit: null })
  })

  test.each([
    ["without a token", ETH, BTC],
    ["with an address of its own", BTC, ARB],
  ])("plans the one transaction of a deposit %s", async (_name, from, to) => {
    daemon = world.start()
    const run = await dryRun(from, to)
    expect(run).toMatchObject({ verified: true, approval: null, depositReasons: [] })
    expect(run.deposit?.spends).toEqual([{ asset: from, units: UNITS }])
  })

  test("shows the deposit that it verified, and asks the service for the order once", async () => {
    daemon = world.start()
    const run = await dryRun()
    const asked = world.faults.calls.filter(({ method }) => method === "service.fetchOrder")
    expect([run.verified, run.decoded?.units, asked.length]).toEqual([true, UNITS, 1])
  })

  test("leaves no order, no reservation and no signature behind", async () => {
    daemon = world.start()
    const commits = daemon.commits()
    for (const [from, to] of [
      [WBTC, BTC],
      [ETH, BTC],
      [BTC, ARB],
    ] as const)
      await dryRun(from, to)
    expect(daemon.commits()).toBe(commits)
    expect(daemon.context.journal.listOrders({ limit: 10 })).toEqual([])
    expect(daemon.context.journal.listReserved("")).toEqual(new Set())
    expect(world.signatures).toEqual([])
    expect(world.evm.mempool()).toEqual([])
    // Three unfunded orders at the service, which nothing will ever fund.
    expect(world.service.orders).toHaveLength(3)
  })

  test("shows the decoded deposit and every finding of an order that it refuses", async () => {
    daemon = world.start()
    world.service.conduct.sourceTimelock = 7n
    const run = await dryRun()
    expect(run).toMatchObject({ verified: false, approval: null, deposit: null })
    expect(codes(run.order?.data.reasons)).toContain("verify.timelock_source")
    expect(run.decoded?.timelock).toBe(7n)
  })

  test("shows what the guards refuse, and goes on", async () => {
    daemon = world.start({ settings: { limits: { maxOrder: null, maxInFlight: 0, windows: [] } } })
    const run = await dryRun()
    expect(codes(run.refused)).toEqual(["limit.in_flight"])
    expect(run.verified).toBe(true)
  })

  test("says that an order would wait for an operator's approval", async () => {
    daemon = world.start({ policy: { approveAbove: { kind: "units", units: 1n } } })
    expect(await dryRun()).toMatchObject({ needsApproval: true, verified: true })
  })

  test("works in observe mode and during a pause, because it signs nothing", async () => {
    daemon = world.start({ settings: { mode: "observe" } })
    await daemon.engine.pause({ kind: "all" })
    const run = await dryRun()
    expect(run).toMatchObject({ verified: true })
    expect(codes(run.refused)).toEqual(["paused"])
  })

  test("names the mode and the service in its answer", async () => {
    daemon = world.start({ settings: { mode: "observe" } })
    const asked = { rule: "manual", occurrence: null, from: WBTC, to: BTC, sourceUnits: UNITS }
    let answer: DryRunAnswer | null = null
    void readDryRun(daemon.context, [], asked).then((given) => {
      answer = given
    })
    await world.run(() => answer !== null)
    expect(answer).toMatchObject({
      ok: true,
      mode: "observe",
      quote: { service: "main", solver: "solver" },
    })
  })

  test("shows a route that nothing returns up to its signature", async () => {
    const route = createFakeRoute(world)
    daemon = world.start({ ...route.start })
    const { chains } = parseConfig(FILE, { file: "b.yaml", secrets: () => new Secret("", "") })
    const asked = { rule: "manual", occurrence: null, from: ETH, to: ARB, sourceUnits: UNITS }
    let answer: DryRunAnswer | null = null
    void readDryRun(daemon.context, chains, asked).then((given) => {
      answer = given
    })
    await world.run(() => answer !== null)
    expect(answer).toMatchObject({
      ok: true,
      serviceOrderId: null,
      quote: { service: "cctp" },
      worstCase: { refund: null },
    })
  })

  test("shows the fees of the route that it took, and none of a refund", async () => {
    const route = createFakeRoute(world)
    route.conduct.depositFeeUnits = 77n
    daemon = world.start({ ...route.start })
    expect((await dryRun(ETH, ARB)).fees).toEqual({ depositUnits: 77n, refundUnits: 0n })
    route.conduct.dropped = []
    expect((await dryRun(ETH, ARB)).fees).not.toMatchObject({ depositUnits: 77n })
  })

  test("asks the service for nothing when the assets are unknown", async () => {
    daemon = world.start()
    const run = await dryRun(WBTC, WBTC)
    expect(run).toMatchObject({ order: null, verified: false })
    expect(world.service.orders).toEqual([])
  })

  test("waits for a service that needs a moment to show the order", async () => {
    daemon = world.start()
    world.faults.inject("service.fetchOrder", { before: failure("transient") }, 2)
    expect(await dryRun()).toMatchObject({ verified: true })
  })

  test("ends with the reasons of a service that stays silent", async () => {
    daemon = world.start()
    world.faults.inject("service.fetchQuotes", { before: failure("transient") }, 1_000)
    const run = await dryRun()
    expect(run.verified).toBe(false)
    expect(run.order?.data.reasons).toHaveLength(1)
  })
})
