import { setImmediate } from "node:timers/promises"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"
import { lostUnits } from "../../support/money.ts"

const UNITS = 10_000n
const ID = "order-1"
const MINUTE_MS = 60_000

let world: World
let daemon: Daemon
beforeEach(() => {
  world = createWorld()
  world.service.conduct.deadlineAfterMs = null
})

const POLICY = {
  approveAbove: { kind: "units", units: UNITS - 1n },
  approvalTtlMs: 30 * MINUTE_MS,
  depositWindowMs: 4 * 60 * MINUTE_MS,
} as const

function start(policy: object = {}): void {
  daemon = world.start({ policy: { ...POLICY, ...policy } })
}

async function startWaiting(policy: object = {}): Promise<string> {
  start(policy)
  await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
  await daemon.reach("awaiting-approval")
  return intent()
}

const intent = (): string => daemon.order(ID).data.intent?.hash ?? ""

describe("an order above the limit", () => {
  test("waits, and deposits after its intent is approved", async () => {
    const hash = await startWaiting()
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(world.signatures).toEqual([])
    expect(daemon.engine.operate(ID, "approve", "anna", hash)).toEqual({
      ok: true,
      state: "verifying",
    })
    await daemon.reach("completed")
    const { deposit, approvedIntent, intent: signed } = daemon.order(ID).data
    expect(approvedIntent).toBe(hash)
    expect(signed?.fields).toMatchObject({
      secretHash: deposit?.secretHash,
      units: UNITS.toString(),
      redeemer: deposit?.redeemer,
      destinationOwner: "bitcoin_testnet/wallet",
    })
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })

  test(
    "is not approved without its intent's name before the intent is on disk: nobody can have " +
      "read it",
    async () => {
      start()
      const written = Promise.withResolvers<void>()
      const { journal } = daemon.context
      const isAsking = (): boolean => journal.findOrder(ID)?.state === "awaiting-approval"
      vi.spyOn(journal, "durable").mockImplementation(() =>
        isAsking() ? written.promise : Promise.resolve(),
      )
      await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
      await daemon.reach("awaiting-approval")
      expect(daemon.engine.operate(ID, "approve", "anna")).toMatchObject({
        ok: false,
        reasons: [{ code: "approval.intent_unread" }],
      })
      written.resolve()
      await setImmediate()
      // Other pending writes, such as the record of the operator's call, are no reason to refuse.
      vi.spyOn(journal, "isPending").mockReturnValue(true)
      expect(daemon.engine.operate(ID, "approve", "anna")).toMatchObject({ ok: true })
    },
  )

  test("is approved without its intent's name once the intent is on disk", async () => {
    await startWaiting()
    expect(daemon.engine.operate(ID, "approve", "anna")).toMatchObject({ ok: true })
  })

  test("of an asker waits for another person, also when the asker's answer comes first", async () => {
    start()
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS, askedBy: "anna" })
    await daemon.reach("awaiting-approval")
    expect(daemon.engine.operate(ID, "approve", "anna", intent())).toMatchObject({
      ok: false,
      reasons: [{ code: "approval.own_request" }],
    })
    expect(daemon.engine.operate(ID, "approve", "ben", intent())).toMatchObject({
      state: "verifying",
    })
    await daemon.reach("completed")
  })

  test("of an agent waits for a named person", async () => {
    start()
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS, askedBy: "agent.desk" })
    await daemon.reach("awaiting-approval")
    const callers = ["ops.socket", "ops.token", "agent.desk", "agent.other"]
    for (const by of callers)
      expect(daemon.engine.operate(ID, "approve", by, intent())).toMatchObject({
        reasons: [{ code: "approval.named_person" }],
      })
    expect(daemon.engine.operate(ID, "approve", "anna", intent()).ok).toBe(true)
    await daemon.reach("completed")
  })

  test("of exactly the limit does not wait", async () => {
    start({ approveAbove: { kind: "units", units: UNITS } })
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await daemon.reach("completed")
  })

  test("refuses the approval of another intent and names its own intent", async () => {
    const hash = await startWaiting()
    const answer = daemon.engine.operate(ID, "approve", "anna", "f".repeat(64))
    expect(answer).toMatchObject({ ok: false, reasons: [{ code: "approval.intent", found: hash }] })
    expect(daemon.state(ID)).toBe("awaiting-approval")
  })

  test("still waits after a restart, and accepts the approval then", async () => {
    const hash = await startWaiting()
    daemon.kill()
    start()
    await world.pass(MINUTE_MS)
    expect(daemon.state(ID)).toBe("awaiting-approval")
    expect(daemon.engine.operate(ID, "approve", "anna", hash).ok).toBe(true)
    await daemon.reach("completed")
  })

  test("keeps its approval when the process dies right after it", async () => {
    const hash = await startWaiting()
    daemon.engine.operate(ID, "approve", "anna", hash)
    daemon.kill()
    start()
    await daemon.reach("completed")
    expect(lostUnits(world, ETH)).toBe(UNITS)
  })

  test("ends without an approval in time, also across a restart", async () => {
    await startWaiting()
    await world.pass(POLICY.approvalTtlMs / 2)
    daemon.kill()
    world.clock.set(world.clock.now() + POLICY.approvalTtlMs / 2)
    start()
    await daemon.reach("rejected")
    expect(daemon.reasons()).toContain("approval.expired")
    expect(lostUnits(world, ETH)).toBe(0n)
  })
})

test("an order ends as soon as the service's deadline passes without an approval", async () => {
  world.service.conduct.deadlineAfterMs = 10 * MINUTE_MS
  const askedMs = world.clock.now()
  await startWaiting()
  await daemon.reach("rejected")
  expect(daemon.reasons()).toContain("approval.expired")
  expect(world.clock.now() - askedMs).toBeLessThanOrEqual(10 * MINUTE_MS)
})

describe("an approval", () => {
  test("is void when the order's intent has changed; the order waits again", async () => {
    const hash = await startWaiting()
    const order = await world.service.port.fetchOrder(daemon.order(ID).data.created?.orderId ?? "")
    const destination = { ...order.destination, timelock: order.destination.timelock - 1n }
    world.faults.inject("service.fetchOrder", { lie: () => ({ ...order, destination }) })
    expect(daemon.engine.operate(ID, "approve", "anna", hash).ok).toBe(true)
    await daemon.reach("awaiting-approval")
    expect(daemon.reasons()).toEqual(["approval.void"])
    expect(intent()).not.toBe(hash)
    expect(world.signatures).toEqual([])
    expect(daemon.engine.operate(ID, "approve", "anna", hash)).toMatchObject({ ok: false })
    expect(daemon.engine.operate(ID, "approve", "anna", intent()).ok).toBe(true)
    // The service reports the true order again, which has another intent than the approved one.
    await daemon.reach("awaiting-approval")
    expect(intent()).toBe(hash)
    expect(world.signatures).toEqual([])
  })

  test("is void when it is too old at the time of use", async () => {
    const hash = await startWaiting({ patienceMs: 10 * POLICY.approvalTtlMs })
    world.faults.inject("service.fetchOrder", { before: failure("transient") }, 1_000)
    expect(daemon.engine.operate(ID, "approve", "anna", hash).ok).toBe(true)
    daemon.kill()
    world.clock.set(world.clock.now() + POLICY.approvalTtlMs + 1)
    world.faults.clear("service.fetchOrder")
    start()
    await daemon.reach("awaiting-approval")
    expect(daemon.reasons()).toEqual(["approval.void"])
    expect(daemon.engine.operate(ID, "approve", "anna", hash).ok).toBe(true)
    await daemon.reach("completed")
  })

  test("ends when the order's price has become worse", async () => {
    const hash = await startWaiting()
    const [quote] = await world.service.port.fetchQuotes({
      from: ETH,
      to: BTC,
      sourceUnits: UNITS,
      affiliateBps: 0,
    })
    // The source is worth more by now, and the destination amount is fixed.
    const risen = { ...quote, sourceFiat: ((quote?.sourceFiat ?? 0n) * 10_031n) / 10_000n }
    world.faults.inject("service.fetchQuotes", { lie: () => [risen] })
    expect(daemon.engine.operate(ID, "approve", "anna", hash).ok).toBe(true)
    await daemon.reach("rejected")
    expect(daemon.reasons()).toEqual(["approval.worse", "price.cost"])
    expect(world.signatures).toEqual([])
  })

  test("of an order that does not wait is refused", async () => {
    start({ approveAbove: null })
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS })
    await daemon.reach("completed")
    expect(daemon.engine.operate(ID, "approve", "anna", intent())).toMatchObject({ ok: false })
  })
})

describe("an order that two people must approve", () => {
  const two = { approveSteps: [{ over: { kind: "units", units: UNITS - 1n }, people: 2 }] }
  const approve = (by: string, hash: string | null = intent()): string => {
    const answer = daemon.engine.operate(ID, "approve", by, hash)
    return answer.ok ? answer.state : (answer.reasons[0]?.code ?? "")
  }

  test("deposits after the second one, over a restart, and names both", async () => {
    await startWaiting(two)
    expect(approve("anna")).toBe("awaiting-approval")
    daemon.kill()
    start(two)
    expect(approve("anna")).toBe("approval.repeated")
    expect(approve("ops.socket")).toBe("approval.named_person")
    expect(approve("ops.token")).toBe("approval.named_person")
    expect(approve("ben", null)).toBe("approval.intent_unnamed")
    expect(daemon.state(ID)).toBe("awaiting-approval")
    expect(world.signatures).toEqual([])
    expect(approve("ben")).toBe("verifying")
    await daemon.reach("completed")
    expect(daemon.order(ID).data.approvedBy).toBe("anna, ben")
  })

  test("expires with one of them, not later than without", async () => {
    await startWaiting(two)
    await world.pass(29 * MINUTE_MS)
    expect(approve("anna")).toBe("awaiting-approval")
    await world.pass(2 * MINUTE_MS)
    expect(daemon.reasons()).toContain("approval.expired")
    expect(world.signatures).toEqual([])
  })

  test("of exactly the higher limit needs one", async () => {
    await startWaiting({ approveSteps: [{ over: { kind: "units", units: UNITS }, people: 2 }] })
    expect(approve("anna")).toBe("verifying")
  })

  test("ends by one rejection, also by the asker's", async () => {
    start(two)
    await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: UNITS, askedBy: "anna" })
    await daemon.reach("awaiting-approval")
    expect(approve("anna")).toBe("approval.own_request")
    expect(daemon.engine.operate(ID, "reject", "anna").ok).toBe(true)
    await daemon.reach("rejected")
  })
})
