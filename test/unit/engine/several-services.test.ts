import { beforeEach, describe, expect, test } from "vitest"
import type { Admission } from "#engine/rules/admission.ts"
import { readBestQuote } from "#engine/rules/offer.ts"
import type { Limits } from "#guards/limits.ts"
import type { FakeService } from "../../support/fake-service.ts"
import { BTC, createWorld, type Daemon, ETH, WBTC, type World } from "../../support/fake-world.ts"
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

const request = { from: ETH, to: BTC, sourceUnits: 1_000n }
const submit = (): Promise<Admission> => daemon.engine.submit(request)
const codes = (admission: Admission): string[] =>
  admission.ok ? [] : admission.reasons.map(({ code }) => code)
async function accept(): Promise<string> {
  const admission = await submit()
  if (!admission.ok) throw new Error(JSON.stringify(admission.reasons))
  return admission.id
}
const serviceOf = (id: string): string | null | undefined => daemon.order(id).data.service
const end = (id: string, state: string): Promise<void> => daemon.reach(state, id)
const limit = (limits: Partial<Limits>): void => {
  daemon.kill()
  daemon = world.start({
    settings: { limits: { maxOrder: null, maxInFlight: 8, windows: [], ...limits } },
  })
}

describe("the choice", () => {
  test("the best quote wins, and the order keeps all quotes", async () => {
    const id = await accept()
    await end(id, "completed")
    expect([serviceOf(id), beta.orders.length, world.service.orders.length]).toEqual(["beta", 1, 0])
    expect(daemon.order(id).data.considered).toEqual([
      { service: "beta", solverId: "solver-beta", destinationUnits: 999n, reasons: [] },
      { service: "main", solverId: "solver", destinationUnits: 997n, reasons: [] },
    ])
  })

  test("a service that promises half as much again loses, and the order tells why", async () => {
    beta.conduct.costBps = -5_000n
    const id = await accept()
    await end(id, "completed")
    expect([serviceOf(id), beta.orders.length]).toEqual(["main", 0])
    expect(daemon.order(id).data.considered).toMatchObject([
      { service: "beta", reasons: [{ code: "quote.too_good" }, { code: "quote.too_good" }] },
      { service: "main", reasons: [] },
    ])
  })

  test("a service that overcharges loses", async () => {
    beta.conduct.costBps = 900n
    const id = await accept()
    await end(id, "completed")
    expect(serviceOf(id)).toBe("main")
  })

  test("a refusal of all quotes names the service of each reason", async () => {
    beta.conduct.costBps = 900n
    world.service.conduct.costBps = 300n
    expect(await submit()).toMatchObject({
      ok: false,
      reasons: [
        { code: "price.cost", service: "main" },
        { code: "price.cost", service: "beta" },
      ],
    })
  })
})

test("of quotes that are all refused, the best one that is not too good stands for the pair", async () => {
  beta.conduct.costBps = -5_000n
  world.service.conduct.costBps = 300n
  expect(codes(await submit())).toContain("quote.too_good")
  const asked = { ...request, affiliateFees: [] }
  expect(await readBestQuote(daemon.context, asked)).toMatchObject({
    solverId: "solver",
    destinationUnits: 970n,
  })
})

describe("a service that quotes too little under false values", () => {
  /** One of the currency for each smallest unit. */
  const prices = { fetchPrice: async () => ({ fiat: 10n ** 14n, sources: 1 }) }

  beforeEach(() => {
    Object.assign(beta.conduct, { costBps: 900n, valueCostBps: 10n })
  })

  test("does not win by making the other look too good: without a proof no order is made", async () => {
    const admission = await submit()
    expect(codes(admission)).toEqual(["quote.too_good", "quote.unproven"])
    expect([beta.orders, world.service.orders]).toEqual([[], []])
  })

  test("is refused by reference prices, and the order goes to the other", async () => {
    daemon.kill()
    // The quote of `main` costs 30 bps, and its network fee of 10 on an order of 1000 comes on top.
    daemon = world.start({ prices, policy: { maxCost: { kind: "share", bps: 140n } } })
    expect(serviceOf(await accept())).toBe("main")
  })

  test("is outvoted by a third service", async () => {
    daemon.kill()
    world.addService("gamma").conduct.costBps = 20n
    daemon = world.start()
    expect(serviceOf(await accept())).toBe("gamma")
  })

  test("does not win while the other may take no further order", async () => {
    world.autoMine = false
    beta.conduct.costBps = 900n
    beta.conduct.valueCostBps = null
    limit({ maxInFlightPerService: 1 })
    expect(serviceOf(await accept())).toBe("main")
    beta.conduct.valueCostBps = 10n
    expect(codes(await submit())).toContain("quote.unproven")
  })
})

test("a service that floods Ballast with quotes delays no decision, and fills no journal", async () => {
  const { fetchQuotes } = beta.port
  Object.assign(beta.port, {
    fetchQuotes: async (asked: Parameters<typeof fetchQuotes>[0]) => {
      const [quote] = await fetchQuotes(asked)
      return Array.from({ length: 20_000 }, (_, index) => ({
        ...quote,
        solverId: `solver-${index}`,
      }))
    },
  })
  const beganMs = performance.now()
  const id = await accept()
  expect(performance.now() - beganMs).toBeLessThan(2_000)
  expect(daemon.order(id).data.considered).toHaveLength(20)
})

describe("one service does not serve the pair", () => {
  beforeEach(() => {
    world.faults.inject(
      "beta.fetchQuotes",
      { before: failure("refused", "service.no_pair") },
      1_000,
    )
  })

  test("an order waits while the other has no solver at this moment, and then goes there", async () => {
    world.service.conduct.quotes = false
    world.faults.inject("service.fetchQuotes", {
      before: failure("transient", "service.unavailable"),
    })
    const id = await accept()
    await world.pass(30_000)
    expect(daemon.reasons(id)).toEqual(["quote.none"])
    world.service.conduct.quotes = true
    await end(id, "completed")
    expect(serviceOf(id)).toBe("main")
  })

  test("an order waits while the other rests, and then goes there", async () => {
    world.faults.inject(
      "service.fetchQuotes",
      { before: failure("transient", "service.unavailable") },
      2,
    )
    const id = await accept()
    await world.pass(4_000)
    expect(daemon.reasons(id)).toEqual(["service.resting"])
    await end(id, "completed")
    expect(serviceOf(id)).toBe("main")
  })

  test("an order ends when all refuse", async () => {
    world.faults.inject(
      "service.fetchQuotes",
      { before: failure("refused", "service.no_pair") },
      1_000,
    )
    expect(codes(await submit())).toEqual(["service.no_pair"])
  })
})

test("an approved order does not count against the limit of its own service", async () => {
  daemon.kill()
  const limits = { maxOrder: null, maxInFlight: 8, windows: [], maxInFlightPerService: 1 }
  daemon = world.start({
    settings: { limits },
    policy: { approveAbove: { kind: "units", units: 1n }, approvalTtlMs: 30 * MINUTE_MS },
  })
  const orders = [await accept(), await accept()]
  expect(orders.map(serviceOf)).toEqual(["beta", "main"])
  for (const id of orders) await end(id, "awaiting-approval")
  for (const id of orders) {
    const hash = daemon.order(id).data.intent?.hash ?? ""
    expect(daemon.engine.operate(id, "approve", "anna", hash)).toMatchObject({ ok: true })
    await end(id, "completed")
  }
})

describe("an order", () => {
  test("stays with its service: every call for it goes there", async () => {
    const id = await accept()
    await end(id, "completed")
    const used = world.faults.calls.filter(({ method }) =>
      /^(service|beta)\.(submit|fetchO)/.test(method),
    )
    expect(new Set(used.map(({ method }) => method.split(".")[0]))).toEqual(new Set(["beta"]))
  })

  test("completes by the chains alone when the configuration has lost its service, and says so", async () => {
    const id = await accept()
    await end(id, "funded")
    daemon.kill()
    world.services.delete("beta")
    daemon = world.start()
    // The service itself goes on, although the daemon does not know it any more.
    await world.run(() => {
      beta.act()
      return daemon.state(id) === "completed"
    })
    const alerts = daemon.alerts()
    expect(alerts).toEqual(["config.service_missing"])
  })

  test("of which nothing is signed yet ends when the configuration has lost its service", async () => {
    world.faults.inject("beta.fetchOrder", { before: failure("transient") }, 1_000)
    const id = await accept()
    await end(id, "verifying")
    daemon.kill()
    world.services.delete("beta")
    daemon = world.start()
    await end(id, "rejected")
    expect(daemon.order(id).data.reasons).toMatchObject([{ code: "config.service_missing" }])
    expect(world.signatures).toEqual([])
  })

  test("is held with its reason when the relay of its signature is no longer configured", async () => {
    daemon.kill()
    daemon = world.start({ policy: { way: "gasless" } })
    world.faults.inject("beta.submitSignature", { hang: true })
    expect(await daemon.engine.submit({ ...request, from: WBTC })).toMatchObject({ ok: true })
    await world.run(() => world.faults.countCalls("beta.submitSignature") > 0)
    daemon.kill()
    world.services.delete("beta")
    daemon = world.start({ policy: { way: "gasless" } })
    await end("order-1", "held")
    expect(daemon.order("order-1").data.reasons).toMatchObject([{ code: "config.service_missing" }])
    expect(world.faults.countCalls("service.submitSignature")).toBe(0)
  })
})

describe("limits", () => {
  test(
    "max_in_flight_per_service: the next order goes to the other service, and a further one " +
      "nowhere",
    async () => {
      world.autoMine = false
      limit({ maxInFlightPerService: 2 })
      const admitted = [await accept(), await accept(), await accept(), await accept()]
      expect(admitted.map(serviceOf)).toEqual(["beta", "beta", "main", "main"])
      expect(codes(await submit())).toEqual(["limit.in_flight_service", "limit.in_flight_service"])
    },
  )

  test("max_in_flight_per_service holds for requests of the same moment", async () => {
    world.autoMine = false
    limit({ maxInFlightPerService: 1 })
    const admissions = await Promise.all([submit(), submit(), submit()])
    const services = admissions.flatMap((admission) =>
      admission.ok ? [serviceOf(admission.id)] : [],
    )
    expect(services).toEqual(["beta"])
  })

  test("max_in_flight_per_service counts orders without a name for the first service", async () => {
    world.autoMine = false
    world.services.delete("beta")
    limit({ maxInFlightPerService: 1 })
    expect(serviceOf(await accept())).toBe("main")
    expect(codes(await submit())).toEqual(["limit.in_flight_service"])
    expect(daemon.context.journal.countInFlight({ service: "main" })).toBe(1)
    expect(daemon.context.journal.countInFlight({ service: "other" })).toBe(0)
  })

  test.each([
    { solvers: { allow: null, deny: ["solver-beta"] }, wins: "main" },
    { solvers: { allow: ["solver"], deny: [] }, wins: "main" },
    { solvers: { allow: ["solver-beta", "solver"], deny: [] }, wins: "beta" },
  ])("solvers $solvers", async ({ solvers, wins }) => {
    limit({ solvers })
    expect(serviceOf(await accept())).toBe(wins)
  })

  test("a solver that is not allowed is refused also where it is the only one", async () => {
    world.services.delete("beta")
    limit({ solvers: { allow: ["another"], deny: [] } })
    expect(codes(await submit())).toEqual(["limit.solver"])
  })
})
