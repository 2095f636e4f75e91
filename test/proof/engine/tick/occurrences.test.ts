import { beforeEach, describe, expect, test } from "vitest"
import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
import {
  BTC,
  createWorld,
  type Daemon,
  ETH,
  type StartOptions,
  type World,
} from "../../../support/fake-world.ts"
import { failure } from "../../../support/faults.ts"
import { lostUnits } from "../../../support/money.ts"

const HOUR_MS = 3_600_000
const RULE: RecurringRule = {
  id: "dca",
  kind: "recurring",
  schedule: "0 * * * *",
  timezone: "Europe/Zurich",
  from: ETH,
  to: BTC,
  amount: { kind: "units", units: 1_000n },
  catchUp: "skip",
}

let world: World
let daemon: Daemon
beforeEach(() => {
  // Half past the hour.
  world = createWorld()
  world.clock.set(world.clock.now() + HOUR_MS / 2)
})

function start(rule: Partial<RecurringRule> = {}, dies?: StartOptions["dies"]): void {
  daemon = world.start({ settings: { rules: [{ ...RULE, ...rule }] }, ...(dies ? { dies } : {}) })
}
const orders = (): number => daemon.context.journal.listOrders({ limit: 999 }).length

/** Sets the clock forward by this time and a few seconds, in one jump. */
async function hop(ms: number): Promise<void> {
  world.clock.set(world.clock.now() + ms - 5_000)
  await world.pass(15_000)
}

/** The machine is off for this time. */
function sleep(ms: number): void {
  daemon.kill()
  world.clock.set(world.clock.now() + ms)
}

describe("a scheduled swap", () => {
  test("is placed once at its time, and not for times before the rule existed", async () => {
    start()
    await hop(HOUR_MS / 2 - 20_000)
    expect(orders()).toBe(0)
    await world.pass(30_000)
    expect(orders()).toBe(1)
    await hop(HOUR_MS)
    expect(orders()).toBe(2)
  })

  test.each([
    ["skip", 0],
    ["once", 1],
    ["all", 3],
  ] as const)(
    "that was missed three times is made up for as catch_up says: %s",
    async (catchUp, expected) => {
      start({ catchUp })
      await world.pass(1_000)
      sleep(3 * HOUR_MS)
      start({ catchUp })
      await world.pass(60_000)
      expect(orders()).toBe(expected)
      expect(lostUnits(world, ETH)).toBe(1_000n * BigInt(expected))
    },
  )

  test.each(["after", "before"] as const)(
    "that was missed stays missed, whichever write the process dies %s",
    async (when) => {
      for (let at = 1; at <= 8; at++) {
        world.close()
        world = createWorld()
        world.clock.set(world.clock.now() + HOUR_MS / 2)
        start()
        await world.pass(1_000)
        sleep(HOUR_MS / 2 + 120_000)
        start({}, { at, when })
        await world.pass(1_000)
        daemon.kill()
        start()
        await world.pass(60_000)
        expect(orders(), `death at ${at}`).toBe(0)
      }
    },
  )

  test("with more missed occurrences than one evaluation settles is placed once", async () => {
    start({ catchUp: "once", schedule: "* * * * *" })
    await world.pass(1_000)
    sleep(2_500 * 60_000)
    start({ catchUp: "once", schedule: "* * * * *" })
    await world.pass(20_000)
    expect(orders()).toBe(1)
  })

  test("is placed once when the clock goes back over its time", async () => {
    start()
    await hop(HOUR_MS / 2)
    world.clock.set(world.clock.now() - HOUR_MS / 2)
    await hop(HOUR_MS / 2)
    expect(orders()).toBe(1)
    await hop(HOUR_MS)
    expect(orders()).toBe(2)
  })

  test.each(["after", "before"] as const)(
    "is placed exactly once when the process dies %s any write",
    async (when) => {
      for (let at = 1; at <= 12; at++) {
        world.close()
        world = createWorld()
        world.clock.set(world.clock.now() + HOUR_MS / 2)
        start()
        await world.pass(1_000)
        daemon.kill()
        world.clock.set(world.clock.now() + HOUR_MS / 2 + 1_000)
        start({ catchUp: "all" }, { at, when })
        await world.run(
          () => !daemon.isAlive() || daemon.state("order-1") === "completed",
          HOUR_MS / 4,
        )
        daemon.kill()
        start({ catchUp: "all" })
        await world.run(
          () => orders() > 0 && daemon.context.journal.countInFlight() === 0,
          HOUR_MS / 4,
        )
        await world.pass(60_000)
        expect(orders(), `death at ${at}`).toBe(1)
        expect(lostUnits(world, ETH)).toBe(1_000n)
        await hop(HOUR_MS - 80_000)
        await world.pass(80_000)
        expect(orders(), `the next one after a death at ${at}`).toBe(2)
      }
    },
  )

  test("is retried while its balance is unreadable, and placed when it becomes readable", async () => {
    start({ amount: { kind: "share", bps: 1_000n } })
    world.faults.inject("base.fetchBalance", { before: failure("transient") }, 1_000)
    await hop(HOUR_MS / 2)
    await world.pass(120_000)
    expect(orders()).toBe(0)
    expect(daemon.context.journal.listDecisions({ rule: "dca", limit: 9 })).toMatchObject([
      { verdict: "declined" },
    ])
    expect(daemon.context.journal.listDecisions({ rule: "dca", limit: 1 })[0]?.body).toContain(
      "policy.view_incomplete",
    )
    daemon.kill()
    world.faults.clear("base.fetchBalance")
    start({ amount: { kind: "share", bps: 1_000n } })
    await world.pass(30_000)
    expect(orders()).toBe(1)
    await hop(HOUR_MS - 3 * 60_000)
    await world.pass(60_000)
    expect(orders()).toBe(2)
  })

  test("that came due during a slow evaluation of earlier rules was not missed", async () => {
    const slow = Array.from({ length: 12 }, (_, n): RecurringRule => ({ ...RULE, id: `slow-${n}` }))
    const rules = [...slow, { ...RULE, id: "later", schedule: "10 0 * * * *" }]
    daemon = world.start({
      settings: { rules, limits: { maxOrder: null, maxInFlight: 99, windows: [] } },
    })
    await world.pass(1_000)
    world.clock.set(Math.ceil(world.clock.now() / HOUR_MS) * HOUR_MS - 500)
    world.faults.inject("service.fetchQuotes", { hang: true }, 1_000)
    await world.run(
      () => daemon.context.journal.listDecisions({ rule: "later", limit: 1 }).length > 0,
      10 * 60_000,
    )
    const [later] = daemon.context.journal.listDecisions({ rule: "later", limit: 1 })
    expect(later?.lastAtMs).toBeGreaterThan(
      Date.parse(later?.id.slice("later@".length) ?? "") + 60_000,
    )
    expect(later).toMatchObject({ verdict: "proposed", orders: [expect.any(String)] })
  })

  test("waits for a free place while the most orders are in flight", async () => {
    const limits = { maxOrder: null, maxInFlight: 2, windows: [] }
    const catchUp = "all"
    daemon = world.start({ settings: { rules: [{ ...RULE, catchUp }], limits } })
    await world.pass(1_000)
    sleep(5 * HOUR_MS)
    daemon = world.start({ settings: { rules: [{ ...RULE, catchUp }], limits } })
    await world.run(
      () => orders() === 5 && daemon.context.journal.countInFlight() === 0,
      10 * 60_000,
    )
    expect(lostUnits(world, ETH)).toBe(5_000n)
  })

  test("ends with a reason when its balance stays unreadable for too long", async () => {
    // A tick rarely starts at a full second.
    world.clock.set(world.clock.now() + 300)
    start()
    world.faults.inject("base.fetchBalance", { before: failure("transient") }, 100_000)
    await hop(HOUR_MS / 2)
    await world.pass(11 * 60_000)
    world.faults.clear("base.fetchBalance")
    await world.pass(60_000)
    expect(orders()).toBe(0)
    const [decision] = daemon.context.journal.listDecisions({ rule: "dca", limit: 1 })
    expect(daemon.context.journal.findOccurrence(decision?.id ?? "")).toMatchObject({
      orderId: null,
    })
    expect(decision?.body).toContain("policy.view_incomplete")
  })

  test("with a window waits for a quote within its cost limit", async () => {
    const window = { windowMs: 20 * 60_000, maxCost: { kind: "share", bps: 20n } } as const
    start(window)
    await hop(HOUR_MS / 2)
    await world.pass(5 * 60_000)
    expect(orders()).toBe(0)
    expect(daemon.context.journal.listDecisions({ rule: "dca", limit: 1 })[0]?.body).toContain(
      "policy.too_dear",
    )
    daemon.kill()
    world.service.conduct.costBps = 10n
    start(window)
    await world.pass(60_000)
    expect(orders()).toBe(1)
  })

  test("with an expired window ends with a reason, and the next occurrence is tried again", async () => {
    start({ windowMs: 20 * 60_000, maxCost: { kind: "share", bps: 20n } })
    await hop(HOUR_MS / 2)
    await world.pass(22 * 60_000)
    world.service.conduct.costBps = 10n
    await world.pass(60_000)
    expect(orders()).toBe(0)
    await hop(HOUR_MS - 23 * 60_000)
    await world.pass(60_000)
    expect(orders()).toBe(1)
  })

  test(
    "without a quote waits in its window, and does not become an order that requests the quote " +
      "itself",
    async () => {
      start({ windowMs: 20 * 60_000 })
      world.faults.inject("service.fetchQuotes", { before: failure("transient") }, 100_000)
      await hop(HOUR_MS / 2)
      await world.pass(60_000)
      expect(orders()).toBe(0)
      world.faults.clear("service.fetchQuotes")
      await world.pass(60_000)
      expect(orders()).toBe(1)
    },
  )

  test(
    "with jitter begins later, with the same delay after a restart and another delay for the " +
      "next occurrence",
    async () => {
      const jitterMs = 8 * 60_000
      const begun: number[] = []
      for (const life of [1, 2]) {
        world.close()
        world = createWorld()
        world.clock.set(world.clock.now() + HOUR_MS / 2)
        start({ jitterMs })
        await world.pass(1_000)
        for (const hour of [0, 1]) {
          world.clock.set(Math.ceil(world.clock.now() / HOUR_MS) * HOUR_MS)
          if (life === 2) {
            daemon.kill()
            start({ jitterMs })
          }
          await world.run(() => orders() > hour, 2 * jitterMs)
          begun.push(
            (daemon.context.journal.listOrders({ limit: 1 })[0]?.createdAtMs ?? 0) % HOUR_MS,
          )
        }
      }
      const [first = 0, second = 0, third = 0, fourth = 0] = begun
      expect(begun.every((ms) => ms <= jitterMs + 2_000)).toBe(true)
      expect(Math.abs(first - second)).toBeGreaterThan(5_000)
      expect(Math.abs(first - third)).toBeLessThan(2_000)
      expect(Math.abs(second - fourth)).toBeLessThan(2_000)
    },
  )

  test("of an amount in fiat sells that value", async () => {
    start({ amount: { kind: "fiat", fiat: 2_500n * 1_000_000n } })
    await hop(HOUR_MS / 2)
    await world.pass(30_000)
    // One smallest unit is worth one dollar.
    expect(lostUnits(world, ETH)).toBe(2_500n)
  })

  test("of a share sells that share of the balance above the fees of a deposit and its refund", async () => {
    start({ amount: { kind: "share", bps: 1_000n } })
    await hop(HOUR_MS / 2)
    await world.pass(30_000)
    expect(lostUnits(world, ETH)).toBe((1_000_000n - 20n) / 10n)
  })

  test("with another decision before a crash than after it does not stop the rule", async () => {
    start()
    await world.pass(1_000)
    const at = new Date(world.clock.now() + HOUR_MS / 2 - 1_000).toISOString().slice(0, 13)
    const id = `dca@${at}:00:00.000Z`
    const half = {
      id,
      atMs: 0,
      rule: "dca",
      verdict: "declined",
      body: "{}",
      inputs: null,
      configHash: null,
    } as const
    daemon.context.journal.recordDecision(half)
    await hop(HOUR_MS / 2)
    await hop(HOUR_MS)
    expect(orders()).toBe(2)
    expect(daemon.context.journal.findOccurrence(id)?.orderId).toBe("order-1")
  })
})
