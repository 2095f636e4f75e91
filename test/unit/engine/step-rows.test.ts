import { describe, expect, test } from "vitest"
import type { Reason } from "#domain/reason.ts"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { acceptOrder, adoptOrder, applyEvent, noteLostDeposit } from "#engine/orders/stepper.ts"
import {
  countTries,
  isUnchangedTry,
  keepLastTry,
  withLastTry,
} from "#engine/orders/unchanged-tries.ts"
import { encodeJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import type { OrderData } from "#order/data.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import type { StateName } from "#order/states.ts"
import { decodeOrder, encodeOrder, type Order } from "#order/step.ts"
import type { StepRow } from "#ports/journal/orders.ts"
import { ORDER_ROW } from "../../support/order-row.ts"
import { NOTHING_SEEN, SAMPLE, samplePlan, sampleTransaction } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const NOW = 10_000_000
const DEPOSIT = sampleTransaction(samplePlan("deposit", 0))
const APPROVE = sampleTransaction(samplePlan("approve", 0))
const SIGNED = sampleData({ deposit: [DEPOSIT] })
const seenAt = (txid: string, final = true) => ({ txid, height: 5n, final, at: 1 })
const IN = { ...NOTHING_SEEN, sourceInitiated: seenAt("in") }

type Scene = {
  readonly state: StateName
  readonly data?: OrderData
  readonly event: UntimedOrderEvent
  readonly covers?: boolean
  readonly cause?: number | null
  readonly reserve?: readonly string[]
  readonly updatedAtMs?: number
  readonly limitMs?: number | null
  readonly onAlarm?: "pause" | "continue"
}

function apply(given: Scene) {
  const { state, data = SIGNED, event, cause = null, reserve, updatedAtMs = NOW } = given
  const rows: StepRow[] = []
  const rests: unknown[] = []
  const memory = createMemory()
  const confirmed = { ms: given.limitMs, byOperator: false, alarmed: false }
  const context = {
    journal: {
      findOrder: () => ({
        ...ORDER_ROW,
        id: data.id,
        snapshot: encodeOrder({ state, data }),
        updatedAtMs,
      }),
      listRouteSummaries: () => [],
      readFlag: (key: string) =>
        key === "limits/clock" && given.limitMs != null ? encodeJson(confirmed) : null,
      writeFlag: () => undefined,
      commit: (row: StepRow) => void rows.push(row),
      restWork: (id: number, untilMs: number, atMs: number) =>
        void rests.push([id, untilMs - NOW, atMs - NOW]),
      isPending: () => false,
      durable: async () => undefined,
    },
    clock: { now: () => NOW },
    services: new Map(),
    settings: { assets: new Map(), onAlarm: given.onAlarm ?? "pause" },
    chains: new Map(),
    log: silentLogger,
    memory,
    // CAST: a step uses only this part of the context.
  } as unknown as EngineContext
  const result = {
    event,
    ...(reserve === undefined ? {} : { reserve }),
    ...(given.covers === undefined ? {} : { covers: () => given.covers === true }),
  }
  const applied = applyEvent(context, data.id, result, cause)
  return { row: rows[0] ?? null, rests, applied, memory, context }
}

const OBSERVED = {
  type: "order.observed",
  serviceOrder: SAMPLE.order,
  seen: IN,
  paidUnits: null,
  moved: { receipt: null, returned: null, rentReturned: null },
  agreed: true,
  settling: false,
  paid: false,
  refunded: false,
  lapsed: false,
  refundable: false,
  mayLag: false,
  alerts: [],
} as const satisfies UntimedOrderEvent
const alarm = (code: string, over: object = {}): Reason => ({ code, message: code, ...over })
const observed = (over: object = {}): UntimedOrderEvent =>
  ({ ...OBSERVED, ...over }) as UntimedOrderEvent
const FUNDED = { ...SIGNED, seen: IN }

describe("the alerts of a step", () => {
  const alertsOf = (event: UntimedOrderEvent, data: OrderData = FUNDED) =>
    (apply({ state: "funded", data, event }).row?.alerts ?? []).map(({ code }) => code)
  const SHORT = "alarm.payout_short"

  test("are those that are new, once each", () => {
    expect(alertsOf(observed({ alerts: [alarm(SHORT)] }))).toEqual([SHORT])
    expect(alertsOf(observed({ alerts: [alarm(SHORT)] }), { ...FUNDED, alerted: [SHORT] })).toEqual(
      [],
    )
    expect(alertsOf(observed())).toEqual([])
  })

  test("are also contradictions, each once, however many endpoints have it", () => {
    const doubt = alarm("chain.disagreement", { n: "1" })
    const same = alarm("chain.disagreement", { n: "2" })
    expect(alertsOf(observed({ doubts: [doubt, same] }))).toEqual([doubt.code])
    const known = { ...FUNDED, alerted: [doubt.code] }
    expect(alertsOf(observed({ doubts: [doubt] }), known)).toEqual([])
  })

  test("of unread legs are one for each leg", () => {
    const unread = (side: string) => alarm("alarm.leg_unreadable", { side })
    const alerts = [unread("source"), unread("destination")]
    expect(alertsOf(observed({ alerts }))).toHaveLength(2)
  })

  test("are a changed contract's also before a deposit, and once", () => {
    const changed = alarm("verify.contract_changed")
    const declined = { type: "order.declined", reasons: [changed] } as const
    const of = (data: OrderData) =>
      (apply({ state: "verifying", data, event: declined }).row?.alerts ?? []).length
    expect(of(sampleData())).toBe(1)
    expect(of(sampleData({}, { reasons: [changed] }))).toBe(0)
    expect(of(sampleData({}, { reasons: [alarm("other")] }))).toBe(1)
  })

  test("pause everything where they say that money was taken", () => {
    const of = (alerts: readonly Reason[], onAlarm?: "continue") =>
      apply({
        state: "funded",
        data: FUNDED,
        event: observed({ alerts }),
        ...(onAlarm && { onAlarm }),
      }).row?.pausing
    expect(of([alarm(SHORT)])).toHaveLength(1)
    expect(of([alarm("config.service_missing")])).toEqual([])
    expect(of([alarm(SHORT)], "continue")).toEqual([])
    const unread = alarm("alarm.leg_unreadable", { side: "destination" })
    expect(of([unread])).toEqual([])
    expect(of([{ ...unread, hides: "told payout" }])).toHaveLength(1)
  })
})

describe("what a step frees", () => {
  const held = { type: "order.held", reasons: [] } as const
  const approve = (over: object) => {
    const { transactions } = sampleData()
    const track = { ...transactions.approve, signed: [APPROVE], settled: true, ...over }
    return sampleData({}, { transactions: { ...transactions, approve: track } })
  }
  const release = (data: OrderData, state: StateName = "allowance-checking" as StateName) =>
    apply({ state, data, event: held }).row?.release
  const STATE: StateName = "approve-confirming"

  test("is the allowance's lock of a held order whose approval was excluded", () => {
    expect(release(approve({}), STATE)).toBe("lock/")
    expect(release(approve({ settled: false }), STATE)).toBeNull()
    const mined = { txid: "x", height: 5n, final: true }
    expect(release(approve({ mined }), STATE)).toBeNull()
    const gasless = { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false }
    expect(release({ ...approve({}), gasless }, STATE)).toBeNull()
  })

  test("is the lock once the deposit has used the allowance, and the order is past it", () => {
    const { transactions } = SIGNED
    const mined = { txid: DEPOSIT.txid, height: 5n, final: false }
    const used = { ...transactions, deposit: { ...transactions.deposit, mined } }
    const next = (data: OrderData) =>
      apply({ state: "funded", data, event: observed() }).row?.release
    expect(next({ ...SIGNED, transactions: used })).toBe("lock/")
    const young = observed({ seen: { ...NOTHING_SEEN, sourceInitiated: seenAt("in", false) } })
    expect(apply({ state: "funded", data: SIGNED, event: young }).row?.release).toBeNull()
    expect(apply({ state: "funded", data: SIGNED, event: observed() }).row?.release).toBe("lock/")
  })
})

describe("the wait for the next work", () => {
  const due = (given: Scene) => (apply(given).row?.work?.dueAtMs ?? 0) - NOW
  const { pollMaxMs } = SAMPLE.input.policy
  const waiting: OrderData = { ...FUNDED, tries: 0 }

  test("is what a deferral asks for, and ten minutes at most", () => {
    const defer = (waitMs: number) =>
      due({ state: "funded", data: waiting, event: { type: "work.deferred", reasons: [], waitMs } })
    expect(defer(7_000)).toBe(7_000)
    expect(defer(600_000)).toBe(600_000)
    expect(defer(600_001)).toBe(600_000)
  })

  test("is the longest poll where both heads show the next change, while the state is the same", () => {
    const event = observed({ alerts: [alarm("config.service_missing")] })
    const of = (covers: boolean) => due({ state: "funded", data: waiting, event, covers })
    expect(of(true)).toBe(pollMaxMs)
    expect(of(false)).toBeLessThan(pollMaxMs)
    const changed = observed({ refundable: true, lapsed: true })
    expect(due({ state: "funded", data: waiting, event: changed, covers: true })).toBe(0)
  })
})

describe("a try that finds nothing new", () => {
  const before: Order = { state: "funded", data: { ...FUNDED, serviceOrder: SAMPLE.order } }
  const work = { kind: "observeOrder" } as const
  const tried = (over: Partial<OrderData> = {}, state: StateName = "funded") => {
    const order: Order = { state, data: { ...before.data, tries: 1, waitMs: 9, ...over } }
    return { order, changed: true, next: { work, delayMs: 1 } } as Parameters<
      typeof isUnchangedTry
    >[1]
  }
  const MINUTE = 60_000
  const leg = SAMPLE.order.source

  test.each<[string, Partial<OrderData>, boolean]>([
    ["nothing", {}, true],
    ["a height", { seen: { ...IN, sourceHeight: 9n } }, true],
    [
      "a count of confirmations",
      { serviceOrder: { ...SAMPLE.order, source: { ...leg, currentConfirmations: 3 } } },
      true,
    ],
    [
      "a count of the payout's confirmations",
      {
        serviceOrder: {
          ...SAMPLE.order,
          destination: { ...SAMPLE.order.destination, currentConfirmations: 3 },
        },
      },
      true,
    ],
    ["a report", { serviceOrder: { ...SAMPLE.order, source: { ...leg, initiateTx: "x" } } }, false],
    ["an event", { seen: { ...IN, sourceRedeemed: seenAt("take") } }, false],
    ["a reason", { reasons: [alarm("x")] }, false],
    [
      "the end of a lock",
      { seen: { ...IN, payoutLock: { refundableAt: 9n, height: 1n, readAt: 1 } } },
      false,
    ],
    [
      "that a payout is due",
      { seen: { ...IN, payoutWait: { waitedMs: 0, height: 1n, sinceHeightMs: 0, readAt: 1 } } },
      false,
    ],
  ])("is one with %s: %#", (_what, over, expected) => {
    expect(isUnchangedTry(before, tried(over), NOW, NOW)).toBe(expected)
  })

  test("is none of another state, of a write, and without a next one", () => {
    expect(isUnchangedTry(before, tried({}, "refund-watch"), NOW, NOW)).toBe(false)
    const next = (kind: string) => ({ ...tried(), next: { work: { kind }, delayMs: 1 } }) as never
    for (const kind of ["observeOrder", "observeTransaction", "observeInitiation", "proveUnfunded"])
      expect(isUnchangedTry(before, next(kind), NOW, NOW), kind).toBe(true)
    for (const kind of ["planTransaction", "fetchQuote", "verifyOrder"])
      expect(isUnchangedTry(before, next(kind), NOW, NOW), kind).toBe(false)
    expect(isUnchangedTry(before, { ...tried(), next: null }, NOW, NOW)).toBe(false)
  })

  test("is written every ten minutes, and each minute while a payout is due", () => {
    const aged = (ageMs: number, over: Partial<OrderData> = {}) => {
      const known = { ...before, data: { ...before.data, ...over } }
      return isUnchangedTry(known, tried(over), NOW, NOW - ageMs)
    }
    expect([aged(10 * MINUTE - 1), aged(10 * MINUTE), aged(-1), aged(0)]).toEqual([
      true,
      false,
      false,
      true,
    ])
    const payoutWait = { waitedMs: 0, height: 1n, sinceHeightMs: 0, readAt: 1 }
    const due = { seen: { ...IN, payoutWait } }
    expect([aged(MINUTE - 1, due), aged(MINUTE, due)]).toEqual([true, false])
  })

  test("is kept in memory for its own work alone", () => {
    const context = { memory: createMemory() }
    const lock = { refundableAt: 9n, height: 1n, readAt: 1 }
    const last = { ...before.data, tries: 4, waitMs: 9, seen: { ...IN, payoutLock: lock } }
    keepLastTry(context, { state: "funded", data: last }, 7)
    expect(withLastTry(context, before, 7).data).toMatchObject({
      tries: 4,
      waitMs: 9,
      seen: { sourceHeight: null, payoutWait: null, payoutLock: lock },
    })
    expect(withLastTry(context, before, 8)).toBe(before)
    expect([countTries(context, before, 7), countTries(context, before, 8)]).toEqual([4, 0])
    expect(countTries({ memory: createMemory() }, before, 7)).toBe(0)
  })

  const same = { state: "funded", data: before.data, event: observed(), cause: 7 } as const
  test("rests its work and writes nothing", () => {
    const { row, rests } = apply(same)
    expect(row).toBeNull()
    expect(rests).toHaveLength(1)
    expect(apply({ ...same, reserve: ["x"] }).row).not.toBeNull()
    expect(apply({ ...same, cause: null }).row).not.toBeNull()
    expect(apply({ ...same, updatedAtMs: NOW - 10 * MINUTE }).row).not.toBeNull()
  })

  test("is written while the clock is behind the time of the limits", () => {
    expect(apply({ ...same, limitMs: NOW }).row).toBeNull()
    expect(apply({ ...same, limitMs: NOW + 1 }).row).not.toBeNull()
  })
})

describe("an order that ends", () => {
  test("has its summary, and no further work", () => {
    const declined = { type: "order.declined", reasons: [] } as const
    const ended = apply({ state: "verifying", data: sampleData(), event: declined }).row
    expect(ended).toMatchObject({ work: null, order: { outcome: "rejected" } })
    expect(ended).toHaveProperty("summarize")
    expect(
      apply({ state: "funded", data: FUNDED, event: observed({ refundable: true, lapsed: true }) })
        .row,
    ).not.toHaveProperty("summarize")
  })
})

describe("a new order", () => {
  test("is written with its first work, which is due at once", () => {
    const opened: unknown[][] = []
    const context = {
      journal: { openOrder: (...row: unknown[]) => void opened.push(row), readFlag: () => null },
      memory: createMemory(),
      log: silentLogger,
    } as unknown as EngineContext
    const occurrence = { id: "today", rule: "r" } as never
    const origin = { decisions: [], requestKey: null }
    const order = acceptOrder(context, SAMPLE.input, occurrence, origin)
    expect(order.state).toBe("quoting")
    expect(opened[0]?.slice(1)).toEqual([
      expect.objectContaining({ type: "order.opened", state: "quoting", atMs: 0 }),
      { body: encodeJson({ kind: "fetchQuote" }), dueAtMs: 0 },
      occurrence,
      origin,
    ])
    const found = adoptOrder(context, { state: "funded", data: { ...FUNDED, createdAt: 5 } })
    expect(found).toBe("order-1")
    expect(opened[1]?.slice(1)).toEqual([
      expect.objectContaining({ type: "order.opened", state: "funded", atMs: 5 }),
      { body: encodeJson({ kind: "observeOrder" }), dueAtMs: 5 },
      null,
    ])
  })

  test("whose signed deposit the journal has lost counts as one with an earlier deposit", () => {
    const rows: StepRow[] = []
    const reason = alarm("journal.restored")
    const context = {
      journal: {
        findOrder: () => ({
          ...ORDER_ROW,
          snapshot: encodeOrder({ state: "deposit-planning", data: sampleData() }),
        }),
        readFlag: () => null,
        commit: (row: StepRow) => void rows.push(row),
      },
      memory: createMemory(),
      clock: { now: () => NOW },
    } as unknown as EngineContext
    noteLostDeposit(context, "order-1", reason)
    const { data, state } = decodeOrder(rows[0]?.order.snapshot ?? "")
    expect([state, data.replans, data.reasons]).toEqual(["deposit-planning", 1, [reason]])
    expect(rows[0]).toMatchObject({
      event: { type: "deposit.lost", atMs: NOW },
      work: { body: encodeJson({ kind: "planTransaction", purpose: "deposit" }), dueAtMs: NOW },
      release: null,
    })
    Object.assign(context.journal, { findOrder: () => null })
    expect(() => noteLostDeposit(context, "gone", reason)).toThrow("There is no order gone")
    expect(() => applyEvent(context, "gone", { event: observed() }, null)).toThrow("no order gone")
  })
})
