import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { PAUSE_FLAG } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import { entryOf } from "#engine/orders/work-table.ts"
import { createWorker } from "#engine/orders/worker.ts"
import { AppError, type Disposition } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import type { StateName } from "#order/states.ts"
import { encodeOrder } from "#order/step.ts"
import type { Work } from "#order/work.ts"
import type { StepRow } from "#ports/journal/orders.ts"
import type { WorkRow } from "#ports/journal/outbox.ts"
import { settle } from "../../support/manual-clock.ts"
import { ORDER_ROW } from "../../support/order-row.ts"
import { SAMPLE, samplePlan } from "../../support/order-sample.ts"
import { sampleData, sampleJob } from "../../support/sample-job.ts"

const NOW = 1_000_000
const PLAN: Work = { kind: "planTransaction", purpose: "refund" }

type Scene = {
  readonly state?: StateName
  readonly work?: Work
  readonly over?: Partial<OrderData>
  readonly row?: Partial<WorkRow>
  /** What planning fails with. */
  readonly error?: unknown
  readonly commits?: () => void
  readonly isPaused?: boolean
  readonly gate?: () => readonly Reason[]
  readonly isGone?: boolean
  readonly isOrderGone?: boolean
  /** Fails where work cannot be set aside. */
  readonly postpones?: () => void
}

function scene(given: Scene) {
  const { state = "refund-planning", work = PLAN, over = {} } = given
  const clock = { nowMs: NOW }
  const data = sampleData({}, { serviceOrder: SAMPLE.order, ...over })
  const { from, to } = data.request
  const row: WorkRow = {
    id: 7,
    orderId: data.id,
    from,
    to,
    service: "main",
    body: encodeJson(work),
    dueAtMs: NOW,
    begun: 0,
    isAhead: false,
    ...given.row,
  } as WorkRow
  const steps: StepRow[] = []
  const asked: string[] = []
  const state_ = { refused: 0, rows: [row] as WorkRow[], locks: new Set<string>() }
  const journal = {
    countRefused: () => state_.refused,
    listDueWork: (untilMs: number) => state_.rows.filter(({ dueAtMs }) => dueAtMs <= untilMs),
    findOrder: () =>
      given.isOrderGone
        ? null
        : { ...ORDER_ROW, id: data.id, snapshot: encodeOrder({ state, data }), updatedAtMs: NOW },
    hasWork: () => given.isGone !== true,
    beginWork: () => void asked.push("begin"),
    commit: (step: StepRow) => {
      given.commits?.()
      steps.push(step)
    },
    restWork: () => undefined,
    postponeWork: (id: number, atMs: number) => {
      given.postpones?.()
      asked.push(`postpone ${id} ${atMs - NOW}`)
    },
    raiseAlert: (_: number, { code }: Reason) => void asked.push(code),
    listReserved: () => state_.locks,
    listSigners: () => [],
    readFlag: (key: string) => (given.isPaused && key === PAUSE_FLAG ? "now" : null),
    listEvents: () => [],
    listRouteSummaries: () => [],
  }
  const planTransaction = async () => {
    asked.push("plan")
    if (given.error !== undefined) throw given.error
    return samplePlan("refund", 0)
  }
  const { context } = sampleJob(data, {
    chain: { traits: familyNamed("evm").traits, planTransaction },
    journal: journal as never,
  })
  Object.assign(context, {
    clock: { now: () => clock.nowMs, sleep: () => new Promise(() => undefined) },
    log: silentLogger,
  })
  const heads = { noteObserved: () => void asked.push("observed"), covers: () => false }
  let woken = 0
  const gate = { findReasons: given.gate ?? (() => []) }
  const worker = createWorker(context, gate, heads, () => {
    woken += 1
  })
  const poll = async (passMs = 0): Promise<number | null> => {
    clock.nowMs += passMs
    const nextMs = worker.poll()
    await settle()
    await worker.idle()
    await settle()
    return nextMs
  }
  const plans = (): number => asked.filter((one) => one === "plan").length
  const { memory } = context
  return { worker, poll, steps, asked, state: state_, plans, memory, woken: () => woken }
}

const failing = (disposition: Disposition, details: object = {}, code = "test.fails") =>
  new AppError({ code, disposition, message: "it fails", details: { ...details } })

/** The event that the order gets, with its wait. */
async function eventOf(given: Scene): Promise<readonly [string, unknown]> {
  const { poll, steps } = scene(given)
  await poll()
  const body: unknown = JSON.parse(steps[0]?.event.body ?? "{}")
  // CAST: an event is an object.
  const { waitMs = null } = body as { waitMs?: unknown }
  return [steps[0]?.event.type ?? "none", waitMs]
}

describe("an error of a piece of work", () => {
  // A plan that cannot be read is observed again after four tries, so these are the first ones.
  test.each<[Disposition, string]>([
    ["transient", "work.deferred"],
    ["uncertain", "work.deferred"],
    ["aborted", "work.deferred"],
    ["refused", "order.held"],
    ["fatal", "order.held"],
    ["hold", "order.held"],
    ["bug", "order.held"],
  ])("that is %s becomes %s", async (disposition, type) => {
    expect((await eventOf({ error: failing(disposition) }))[0]).toBe(type)
  })

  test("of an unknown kind counts as transient", async () => {
    expect((await eventOf({ error: new Error("a mistake") }))[0]).toBe("work.deferred")
  })

  test("ends an order that has nothing at stake", async () => {
    const verify = { state: "verifying", work: { kind: "verifyOrder" } } as const
    // Without the created order the work meets a broken promise of ours.
    const early = { ...verify, over: { created: null, deposit: null } }
    expect((await eventOf(early))[0]).toBe("order.declined")
  })

  test.each<[string, object, number | null]>([
    ["as long as it says", { retryAfterMs: 7 }, 7],
    ["at most a minute", { retryAfterMs: 60_001 }, 60_000],
    ["a whole minute", { retryAfterMs: 60_000 }, 60_000],
    ["as long as the order waits, where it says nothing", {}, null],
    ["as long as the order waits, where it says no number", { retryAfterMs: "7" }, null],
  ])("is tried again after %s", async (_what, details, waitMs) => {
    expect(await eventOf({ error: failing("transient", details) })).toEqual([
      "work.deferred",
      waitMs,
    ])
  })

  test.each<[string, object, number]>([
    ["half a second for a nonce", { resource: "base/wallet/nonce:1" }, 500],
    ["its release for a lock", { resource: "lock/x" }, 0],
  ])("of a taken resource waits for %s", async (_what, details, waitMs) => {
    const error = failing("transient", details, "journal.resource_taken")
    expect((await eventOf({ error }))[1]).toBe(waitMs)
  })
})

describe("work whose order needs a lock of another one", () => {
  const error = failing("transient", { resource: "lock/x" }, "journal.resource_taken")
  test("is tried once, then after its release, and else every half a minute", async () => {
    const { poll, plans, state } = scene({ error })
    state.locks = new Set([""])
    await poll()
    await poll()
    await poll(29_999)
    expect(plans()).toBe(1)
    await poll(1)
    expect(plans()).toBe(2)
    state.locks = new Set(["other"])
    await poll()
    expect(plans()).toBe(3)
  })
})

describe("work that ends in an error of the journal", () => {
  test("rests for five seconds", async () => {
    let fails = true
    const { poll, plans, steps } = scene({
      commits: () => {
        if (fails) throw new Error("the journal fails")
      },
    })
    await poll()
    fails = false
    await poll(4_999)
    expect([plans(), steps.length]).toEqual([1, 0])
    await poll(1)
    expect([plans(), steps.length]).toEqual([2, 1])
  })

  test("is not tried at once after the disk has refused its step", async () => {
    const { poll, plans, state } = scene({})
    state.refused = 1
    await poll()
    await poll(4_999)
    expect(plans()).toBe(0)
    await poll(1)
    expect(plans()).toBe(1)
  })

  test("whose result is stale is over without a word", async () => {
    const stale = failing("aborted", {}, "journal.stale_work")
    const { poll, steps, plans } = scene({ error: stale })
    await poll()
    expect([plans(), steps.length]).toEqual([1, 0])
    const late = scene({
      commits: () => {
        throw stale
      },
    })
    await late.poll()
    await late.poll()
    expect([late.plans(), late.steps.length]).toEqual([2, 0])
  })

  test.each(["journal.damaged", "journal.snapshot"])(
    "of a damaged order (%s) is set aside for ten minutes, with one alert",
    async (code) => {
      const { poll, asked } = scene({
        commits: () => {
          throw failing("fatal", {}, code)
        },
        error: undefined,
      })
      await poll()
      expect(asked).toContain("postpone 7 600000")
      expect(asked).toContain("journal.order_damaged")
    },
  )

  test("whose step cannot be written is remembered with its error until it can", async () => {
    let isBroken = true
    const commits = (): void => {
      if (isBroken) throw new Error("no such table")
    }
    const { poll, memory } = scene({ commits })
    await poll()
    expect([...memory.faults]).toEqual([
      [`order ${sampleData().id}`, { sinceMs: NOW, times: 1, error: "no such table" }],
    ])
    isBroken = false
    await poll(60_000)
    expect(memory.faults.size).toBe(0)
  })

  test.each<[string, Scene]>([
    // CAST: a kind of another version.
    ["its row", { work: { kind: "dance" } as unknown as Work }],
    [
      "its order",
      {
        commits: () => {
          throw failing("fatal", {}, "journal.damaged")
        },
      },
    ],
  ])("rests where it is damaged and cannot be set aside: %s", async (_what, given) => {
    let isFull = true
    const { poll, asked, memory } = scene({
      ...given,
      postpones: () => {
        if (isFull) throw new Error("database or disk is full")
      },
    })
    await poll()
    expect(memory.faults.size).toBe(1)
    isFull = false
    await poll(4_999)
    expect(asked).not.toContain("journal.order_damaged")
    await poll(1)
    expect(asked).toContain("journal.order_damaged")
  })

  test("of an unknown kind is set aside too", async () => {
    // CAST: a kind of another version.
    const { poll, asked, steps } = scene({ work: { kind: "dance" } as unknown as Work })
    await poll()
    expect(asked).toEqual(["postpone 7 600000", "journal.order_damaged"])
    expect(steps).toEqual([])
  })
})

describe("work that is gone meanwhile", () => {
  test.each<[string, Scene]>([
    ["its row", { isGone: true }],
    ["its order", { isOrderGone: true }],
  ])("%s is not performed", async (_what, given) => {
    const { poll, plans, steps } = scene(given)
    await poll()
    expect([plans(), steps.length]).toEqual([0, 0])
  })
})

describe("due work", () => {
  test("is what is due now or that no order waits for, and the next time is within a second", async () => {
    const later = scene({ row: { dueAtMs: NOW + 1_000 } })
    expect([await later.poll(), later.plans()]).toEqual([NOW + 1_000, 0])
    const far = scene({ row: { dueAtMs: NOW + 1_001 } })
    expect([await far.poll(), far.plans()]).toEqual([null, 0])
    const ahead = scene({ row: { dueAtMs: NOW + 1_000, isAhead: true } })
    expect([await ahead.poll(), ahead.plans()]).toEqual([null, 1])
  })

  test("has one run at a time, and its end wakes the engine", async () => {
    const { worker, plans, steps, woken } = scene({})
    worker.poll()
    worker.poll()
    await worker.idle()
    await settle()
    expect([plans(), steps.length]).toEqual([1, 1])
    expect(woken()).toBeGreaterThan(0)
  })

  test("that may sign is waited for by a pause, and no other", async () => {
    for (const [work, spends] of [
      [{ kind: "signTransaction", purpose: "refund" }, true],
      [PLAN, false],
    ] as const) {
      const { worker } = scene({ work })
      worker.poll()
      let isIdle = false
      const idle = worker.spendingIdle().then(() => {
        isIdle = true
      })
      await Promise.resolve()
      await Promise.resolve()
      await Promise.resolve()
      expect(isIdle, work.kind).toBe(!spends)
      await idle
    }
  })
})

describe("a pause", () => {
  const deposit: Scene = {
    state: "deposit-planning",
    work: { kind: "planTransaction", purpose: "deposit" },
    isPaused: true,
  }
  test("holds the work of a new deposit back, and no refund", async () => {
    const held = scene(deposit)
    await held.poll()
    expect([held.plans(), held.steps.length]).toEqual([0, 0])
    const refund = scene({ isPaused: true })
    await refund.poll()
    expect([refund.plans(), refund.steps.length]).toEqual([1, 1])
  })

  test("is asked again after half a minute, or as soon as it ends", async () => {
    const open = { ...deposit, isPaused: false }
    const { poll, plans } = scene({ ...open, over: { sendUntilMs: NOW + 60_000 } })
    await poll()
    expect(plans()).toBe(1)
  })
})

describe("a gate that is closed", () => {
  const reason: Reason = { code: "gate.closed", message: "wait" }
  test("tells its reasons once, and lets the work go on when it opens", async () => {
    let reasons: readonly Reason[] = [reason]
    const { poll, steps, plans } = scene({ gate: () => reasons })
    await poll()
    expect(steps.map(({ event }) => event.type)).toEqual(["work.deferred"])
    expect(plans()).toBe(0)
    reasons = []
    await poll()
    expect(plans()).toBe(1)
  })

  test("tells nothing that the order knows already", async () => {
    const { poll, steps, plans } = scene({ gate: () => [reason], over: { reasons: [reason] } })
    await poll()
    expect([steps.length, plans()]).toEqual([0, 0])
    const other = { ...reason, code: "other" }
    const changed = scene({ gate: () => [reason], over: { reasons: [other] } })
    await changed.poll()
    expect(changed.steps).toHaveLength(1)
  })
})

describe("a kind of work", () => {
  const first = { data: sampleData(), isFirstTry: true }
  const WAITS = "waits waits"
  const RUNS = "runs runs"
  type Traits = readonly [lane: "account" | null, spends: boolean, pause: string, refused: string]
  const READS: Traits = [null, false, RUNS, "order.declined"]
  const HELD: Traits = ["account", false, RUNS, "order.held"]
  const SENDS: Traits = [null, true, RUNS, "order.declined"]

  test.each<[string, TransactionPurpose | null, ...Traits]>([
    ["fetchQuote", null, null, false, WAITS, "order.declined"],
    ["createOrder", null, null, false, WAITS, "order.declined"],
    ["verifyOrder", null, null, false, WAITS, "order.declined"],
    ["checkAllowance", null, "account", false, WAITS, "order.declined"],
    ["signTypedData", null, null, true, WAITS, "order.declined"],
    ["submitSignature", null, null, true, RUNS, "work.deferred"],
    ["revealSecret", null, null, true, RUNS, "order.held"],
    ["expireApproval", null, ...READS],
    ["observeInitiation", null, ...READS],
    ["observeOrder", null, ...READS],
    ["proveUnfunded", null, ...READS],
    ["observeTransaction", "deposit", ...READS],
    ["observeTransaction", "refund", ...READS],
    ["planTransaction", "deposit", "account", false, WAITS, "order.declined"],
    ["planTransaction", "void", ...HELD],
    ["planTransaction", "refund", ...HELD],
    ["planTransaction", "revoke", ...HELD],
    ["planTransaction", "redeem", ...HELD],
    ["broadcastTransaction", "deposit", null, true, "waits runs", "order.declined"],
    ["broadcastTransaction", "void", ...SENDS],
    ["broadcastTransaction", "refund", ...SENDS],
    ["broadcastTransaction", "redeem", ...SENDS],
    ["bumpTransaction", "deposit", "account", false, RUNS, "order.declined"],
    ["bumpTransaction", "redeem", "account", false, RUNS, "order.declined"],
  ])("has its traits: %s %s", (kind, purpose, lane, spends, pause, refused) => {
    // CAST: the kinds and purposes of the table exist.
    const work = (purpose === null ? { kind } : { kind, purpose }) as Work
    const entry = entryOf(work)
    const again = { ...first, isFirstTry: false }
    const paused = [entry.whilePaused(work, first), entry.whilePaused(work, again)]
    expect([entry.lane, entry.spends, paused.join(" "), entry.onRefused(work)]).toEqual([
      lane,
      spends,
      pause,
      refused,
    ])
  })
})
