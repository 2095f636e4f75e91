import { beforeEach, describe, expect, test } from "vitest"
import { viewServices } from "#daemon/views/view-services.ts"
import type { Admission } from "#engine/rules/admission.ts"
import { noteConduct, readRest } from "#engine/watches/service-conduct.ts"
import type { FakeService } from "../../support/fake-service.ts"
import { BTC, createWorld, type Daemon, ETH, type World } from "../../support/fake-world.ts"
import { failure } from "../../support/faults.ts"

const MINUTE_MS = 60_000
let world: World
let beta: FakeService
let daemon: Daemon

/** `main` takes 30 bps. `beta` takes 10 bps, so it wins while it is honest. */
beforeEach(() => {
  world = createWorld()
  beta = world.addService("beta")
  beta.conduct.costBps = 10n
  daemon = world.start()
})

const submit = (): Promise<Admission> =>
  daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 1_000n })
async function accept(): Promise<string> {
  const admission = await submit()
  if (!admission.ok) throw new Error(JSON.stringify(admission.reasons))
  return admission.id
}
const serviceOf = (id: string): string | null | undefined => daemon.order(id).data.service
const restOf = (name: string) => {
  const { context } = daemon
  const services = [...context.services.keys()].map((one) => ({ name: one }))
  return (
    viewServices(context.journal, services, context.clock.now()).find((view) => view.name === name)
      ?.rest ?? null
  )
}
const end = (id: string, state: string): Promise<void> => daemon.reach(state, id)

describe("a service that lies about its order", () => {
  beforeEach(() => {
    beta.conduct.sourceTimelock = 1n
  })

  test("is found out before anything is signed, rests, and the next order goes to the other", async () => {
    const lied = await accept()
    await end(lied, "rejected")
    expect(world.signatures).toEqual([])
    expect(restOf("beta")).toMatchObject({ failures: 1, cause: { code: "verify.timelock_source" } })
    const next = await accept()
    await end(next, "completed")
    expect(serviceOf(next)).toBe("main")
  })

  test("does not rest for a deadline that passed while Ballast stood still", async () => {
    Object.assign(beta.conduct, { sourceTimelock: 600n, deadlineAfterMs: 10 * MINUTE_MS })
    world.faults.inject("beta.fetchOrder", { before: failure("transient") }, 1)
    const id = await accept()
    await end(id, "verifying")
    await daemon.engine.pause({ kind: "all" })
    world.tickMs = 20_000
    await world.pass(20 * MINUTE_MS)
    await daemon.engine.resume({ kind: "all" })
    await end(id, "rejected")
    expect(daemon.reasons(id)).toEqual(["verify.deadline"])
    expect(restOf("beta")).toBe(null)
  })

  test("rests for an order whose deadline has passed already", async () => {
    Object.assign(beta.conduct, { sourceTimelock: 600n, deadlineAfterMs: -MINUTE_MS })
    await end(await accept(), "rejected")
    expect(restOf("beta")).toMatchObject({ cause: { code: "verify.deadline" } })
  })

  test("rests twice as long each time, also across restarts, and is asked again afterwards", async () => {
    const lengths: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      const beganMs = world.clock.now()
      await end(await accept(), "rejected")
      lengths.push(Math.round((Date.parse(restOf("beta")?.until ?? "") - beganMs) / MINUTE_MS))
      daemon.kill()
      daemon = world.start()
      const before = world.faults.countCalls("beta.fetchQuotes")
      await end(await accept(), "completed")
      expect(world.faults.countCalls("beta.fetchQuotes")).toBe(before)
      world.tickMs = 10_000
      await world.run(() => restOf("beta") === null)
      world.tickMs = 1_000
    }
    expect(lengths).toEqual([1, 2, 4, 8])
  })

  test("rests no longer than it would have, if the clock was ahead at the beginning and is set back", async () => {
    const id = await accept()
    await end(id, "rejected")
    const { journal } = daemon.context
    const { untilMs = 0 } = readRest(journal, "beta", world.clock.now()) ?? {}
    const leftMs = untilMs - world.clock.now()
    expect(leftMs).toBeGreaterThan(0)
    // A small correction changes nothing.
    expect(readRest(journal, "beta", world.clock.now() - 1_000)).not.toBeNull()
    expect(readRest(journal, "beta", world.clock.now() - 2 * MINUTE_MS)).toBeNull()
  })

  test("goes on resting when an earlier order of it completes meanwhile", async () => {
    beta.conduct.sourceTimelock = 600n
    const earlier = await accept()
    await end(earlier, "funded")
    beta.conduct.sourceTimelock = 1n
    await end(await accept(), "rejected")
    await end(earlier, "completed")
    expect(restOf("beta")).toMatchObject({ failures: 1 })
  })

  test.each([
    "alarm.payout_short",
    "alarm.source_redeemed",
    "alarm.report_unproven",
    "alarm.refund_watch",
  ])("rests for a minute after the alarm %s", async (code) => {
    const { data } = daemon.order(await accept())
    const alarmed = { ...data, alerted: [code], reasons: [{ code, message: "seen" }] }
    noteConduct(daemon.context, { state: "held", data }, { state: "held", data: alarmed })
    const nowMs = daemon.context.clock.now()
    const rest = readRest(daemon.context.journal, "beta", nowMs)
    expect(rest).toMatchObject({ cause: { code }, failures: 1, untilMs: nowMs + MINUTE_MS })
  })

  test("is forgiven when it completes an order", async () => {
    await end(await accept(), "rejected")
    await world.run(() => restOf("beta") === null)
    beta.conduct.sourceTimelock = 600n
    await end(await accept(), "completed")
    beta.conduct.sourceTimelock = 1n
    await end(await accept(), "rejected")
    expect(restOf("beta")).toMatchObject({ failures: 1 })
  })
})

describe("a service that stalls", () => {
  test("delays a decision by its own time at most, rests, and delays the next one not at all", async () => {
    world.faults.inject("beta.fetchQuotes", { hang: true }, 1_000)
    const beganMs = world.clock.now()
    let admission: Admission | null = null
    void submit().then((answer) => {
      admission = answer
    })
    await world.run(() => admission !== null)
    expect(world.clock.now() - beganMs).toBe(5_000)
    expect(admission).toMatchObject({ ok: true })
    expect(serviceOf("order-1")).toBe("main")
    expect(restOf("beta")).toMatchObject({ cause: { code: "service.silent" } })
    expect(serviceOf(await accept())).toBe("main")
  })

  test("after the deposit: the order is refunded, and the service rests", async () => {
    Object.assign(beta.conduct, { fills: false, takesSource: false })
    const id = await accept()
    await world.run(() => restOf("beta") !== null)
    expect(restOf("beta")).toMatchObject({ failures: 1, cause: { code: "alarm.refund_watch" } })
    expect(serviceOf(await accept())).toBe("main")
    await end(id, "refunded")
  })
})

test("an order that the service refuses goes to another service", async () => {
  world.faults.inject("beta.submitOrder", { before: failure("refused", "service.refused") }, 1_000)
  const id = await accept()
  await end(id, "completed")
  expect([serviceOf(id), world.service.orders.length]).toEqual(["main", 1])
})

test("while all services rest an order waits, and goes on when the first rest ends", async () => {
  for (const name of ["service", "beta"]) {
    world.faults.inject(
      `${name}.fetchQuotes`,
      { before: failure("transient", "service.unavailable") },
      1_000,
    )
  }
  const id = await accept()
  await world.run(() =>
    daemon.order(id).data.reasons.some(({ code }) => code === "service.resting"),
  )
  const asked = world.faults.countCalls("beta.fetchQuotes")
  await world.pass(10 * MINUTE_MS)
  // 5 s, 10 s, 20 s … up to 10 minutes.
  expect(world.faults.countCalls("beta.fetchQuotes") - asked).toBeLessThan(10)
  for (const name of ["service", "beta"]) world.faults.clear(`${name}.fetchQuotes`)
  await end(id, "completed")
})

test("the only service never rests", async () => {
  daemon.kill()
  world.services.delete("beta")
  daemon = world.start()
  world.faults.inject(
    "service.fetchQuotes",
    { before: failure("transient", "service.unavailable") },
    2,
  )
  const id = await accept()
  await end(id, "completed")
  expect(daemon.context.journal.readFlag("service/main/rest")).toBe(null)
  expect(daemon.order(id).data.considered).toEqual([])
})
