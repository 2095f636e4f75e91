import { beforeEach, describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import {
  findPairRest,
  findRest,
  noteConduct,
  noteFailure,
  noteLie,
  noteObstacle,
} from "#engine/watches/service-conduct.ts"
import { AppError, type Disposition } from "#lib/app-error.ts"
import { silentLogger } from "#lib/log.ts"
import type { Order } from "#order/step.ts"

type Context = Parameters<typeof noteConduct>[0]

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const START_MS = Date.parse("2026-03-04T13:00:00Z")
const CAUSE = { code: "service.http", message: "no answer" }
const ORDER = { service: "one" }

let nowMs: number
let flags: Map<string, string>
beforeEach(() => {
  nowMs = START_MS
  flags = new Map()
})

function contextOf(names: readonly string[], settings: { serviceRestMs?: number } = {}): Context {
  const parts = {
    journal: {
      readFlag: (key: string) => flags.get(key) ?? null,
      writeFlag: (key: string, value: string | null) => {
        if (value === null) flags.delete(key)
        else flags.set(key, value)
      },
    },
    services: new Map(names.map((name) => [name, {}])),
    settings,
    clock: { now: () => nowMs },
    log: silentLogger,
  }
  // CAST: the conduct of services reads only these parts.
  return parts as unknown as Context
}

const TWO = contextOf(["one", "two"])
const failWith = (code: string, disposition: Disposition = "transient", context = TWO): void =>
  noteFailure(context, ORDER, new AppError({ code, disposition, message: "no" }))
const restMs = (name = "one", context = TWO): number =>
  Math.max(0, (findRest(context, name)?.untilMs ?? nowMs) - nowMs)

describe("a service rests", () => {
  test("after each failure twice as long, up to ten minutes, counted from the end of its rest", () => {
    const lengths = Array.from({ length: 9 }, () => {
      failWith("service.http")
      const lengthMs = restMs()
      nowMs += lengthMs
      return lengthMs / SECOND_MS
    })
    expect(lengths).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600])
  })

  test("once for a limit of requests, not for each call that was not sent because of it", () => {
    failWith("service.rate_limited")
    const lengthMs = restMs()
    nowMs += lengthMs
    const details = { unasked: true }
    const disposition = "transient"
    const unsent = { code: "service.rate_limited", disposition, message: "no", details } as const
    noteFailure(TWO, ORDER, new AppError(unsent))
    expect(restMs()).toBe(0)
  })

  test("after a lie twelve times as long, up to six hours, and also during a rest", () => {
    noteLie(TWO, ORDER, CAUSE)
    expect(restMs()).toBe(MINUTE_MS)
    for (let lie = 0; lie < 12; lie += 1) noteLie(TWO, ORDER, CAUSE)
    expect(restMs()).toBe(6 * HOUR_MS)
    expect(findRest(TWO, "one")).toMatchObject({ failures: 13, cause: CAUSE })
    expect(restMs("two")).toBe(0)
  })

  test("no longer for a failure of a request that began before the rest", () => {
    failWith("service.http")
    nowMs += SECOND_MS
    failWith("service.http")
    expect(restMs()).toBe(4 * SECOND_MS)
  })

  test("as long as its settings say", () => {
    const context = contextOf(["one", "two"], { serviceRestMs: 700 })
    failWith("service.http", "transient", context)
    expect(restMs("one", context)).toBe(700)
  })

  test("as if for the first time after a day of peace", () => {
    failWith("service.http")
    nowMs += restMs() + 24 * HOUR_MS - 1
    failWith("service.http")
    expect(restMs()).toBe(10 * SECOND_MS)
    nowMs += restMs() + 24 * HOUR_MS
    failWith("service.http")
    expect(restMs()).toBe(5 * SECOND_MS)
  })

  test("not before the clock, when that was set back by more than a minute", () => {
    failWith("service.http")
    nowMs -= MINUTE_MS
    expect(findRest(TWO, "one")).not.toBeNull()
    nowMs -= 1
    expect(findRest(TWO, "one")).toBeNull()
  })
})

describe("a service does not rest", () => {
  test.each([
    "service.no_pair",
    "service.no_liquidity",
    "service.amount_bounds",
    "service.affiliate_sum",
    "chain.unreachable",
  ])("after %s, which is no failure of its own", (code) => {
    failWith(code)
    expect(flags.size).toBe(0)
  })

  test("after a call that we ended, an error of another kind, or an order without a service", () => {
    failWith("service.http", "aborted")
    noteFailure(TWO, ORDER, new Error("service.http"))
    noteFailure(TWO, { service: null }, new AppError({ ...CAUSE, disposition: "transient" }))
    noteLie(TWO, { service: null }, CAUSE)
    noteLie(TWO, { service: "three" }, CAUSE)
    expect(flags.size).toBe(0)
  })

  test("without another one that could take its place", () => {
    const alone = contextOf(["one"])
    failWith("service.http", "transient", alone)
    noteConduct(alone, orderOf("funded"), orderOf("refund-watch"))
    expect(flags.size).toBe(0)
    failWith("service.http")
    expect(findRest(alone, "one")).toBeNull()
  })
})

describe("a route whose contracts refuse a deposit", () => {
  const from = parseAssetId("base:usdc")
  const to = parseAssetId("arbitrum:usdc")
  const other = parseAssetId("solana:usdc")
  const request = { from, to }
  const paused = { code: "cctp.paused", message: "paused", contracts: "minter" }
  // CAST: only these parts of an order are read.
  const order = { ...ORDER, request } as Parameters<typeof noteObstacle>[1]
  const note = () => noteObstacle(TWO, order, paused)
  const pairRest = (payee = to) => findPairRest(TWO, "one", { from, to: payee })

  test("rests for this pair alone, twice as long each time, up to ten minutes", () => {
    const lengths = Array.from({ length: 4 }, () => {
      note()
      const { lengthMs = 0 } = pairRest() ?? {}
      // Another order of the same time tells nothing new.
      note()
      expect(pairRest()).toMatchObject({ lengthMs, cause: { code: "cctp.paused" } })
      expect([pairRest(other), findRest(TWO, "one")]).toEqual([null, null])
      nowMs += lengthMs
      return lengthMs / SECOND_MS
    })
    expect(lengths).toEqual([120, 240, 480, 600])
  })

  test("has no failures any more once an order of the pair is completed", () => {
    note()
    nowMs += 120 * SECOND_MS
    const { state, data } = orderOf("completed")
    // CAST: as above.
    const done = { state, data: { ...data, request, quote: { kind: "cctp" } } } as Order
    noteConduct(TWO, orderOf("settling"), done)
    expect(flags.size).toBe(0)
  })
})

function orderOf(state: Order["state"], alerted: readonly string[] = [], service = "one"): Order {
  const reasons = alerted.map((code) => ({ code, message: `because of ${code}` }))
  // CAST: the conduct of services reads only these parts.
  return { state, data: { service, alerted, reasons } } as unknown as Order
}

describe("a step of an order", () => {
  test.each([
    "alarm.payout_short",
    "alarm.source_redeemed",
    "alarm.report_unproven",
    "alarm.refund_watch",
  ])("with a new %s counts as a lie, and later steps of the order do not", (code) => {
    const after = orderOf("funded", [code])
    noteConduct(TWO, orderOf("funded"), after)
    expect(findRest(TWO, "one")).toMatchObject({ lengthMs: MINUTE_MS, cause: { code } })
    noteConduct(TWO, after, orderOf("held", [code]))
    expect(findRest(TWO, "one")?.failures).toBe(1)
  })

  test("into the watch for a refund counts as a lie, into disarmed as a failure, each once", () => {
    noteConduct(TWO, orderOf("funded"), orderOf("refund-watch"))
    expect(findRest(TWO, "one")?.failures).toBe(1)
    noteConduct(TWO, orderOf("refund-watch"), orderOf("refund-watch"))
    expect(findRest(TWO, "one")).toMatchObject({
      lengthMs: MINUTE_MS,
      failures: 1,
      cause: { code: "service.unfilled" },
    })
    noteConduct(TWO, orderOf("funded"), orderOf("disarmed", [], "two"))
    expect(findRest(TWO, "two")?.failures).toBe(1)
    nowMs += restMs("two")
    noteConduct(TWO, orderOf("disarmed"), orderOf("disarmed", [], "two"))
    expect(findRest(TWO, "two")).toBeNull()
    expect(flags.get("service/two/rest")).toContain("service.unrelayed")
  })

  test("with another alarm or state says nothing about the service", () => {
    noteConduct(TWO, orderOf("funded"), orderOf("held", ["alarm.churn"]))
    noteConduct(TWO, orderOf("held", ["alarm.payout_short"]), orderOf("held"))
    expect(flags.size).toBe(0)
  })

  test("to its completion ends the count of failures, and no rest", () => {
    failWith("service.http")
    noteConduct(TWO, orderOf("funded"), orderOf("completed"))
    expect(restMs()).toBe(5 * SECOND_MS)
    nowMs += restMs()
    noteConduct(TWO, orderOf("completed"), orderOf("completed"))
    expect(flags.size).toBe(1)
    noteConduct(TWO, orderOf("funded"), orderOf("completed"))
    expect(flags.size).toBe(0)
  })
})
