import { describe, expect, test } from "vitest"
import { createMemory } from "#engine/memory.ts"
import {
  acceptClock,
  createLimitClock,
  findClockAlarm,
  findClockJump,
} from "#engine/rules/limit-clock.ts"
import { awaitsPayout, noteRouteWait } from "#engine/rules/route-waits.ts"
import { type CountingContext, readUsage } from "#engine/rules/usage.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import type { OrderData, OwnSecret } from "#order/data.ts"
import { createManualClock } from "../../support/manual-clock.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const { from, to } = SAMPLE.input.request
const NOW = 100_000_000
const MINUTE = 60_000

describe("a pair and its rules cool down", () => {
  type Failed = Readonly<Record<string, readonly [count: number, agoMs: number]>>
  /** The rest of the cool-down, by the failures of `pair` and of each rule. */
  const rest = (failed: Failed, query: object = {}, settings: object = {}): number | null => {
    const readFailures = (scope: { rule?: string }) => {
      const [count, agoMs] = failed[scope.rule ?? "pair"] ?? [0, null]
      return { count, lastMs: agoMs === null ? null : NOW - agoMs }
    }
    const context = {
      journal: {
        sumWindow: () => ({ fiat: 0n, units: 0n, feesFiat: 0n, count: 0 }),
        countInFlight: () => 0,
        readFailures,
        readFlag: () => null,
      },
      settings: { limits: { windows: [] }, cooldownMs: null, ...settings },
      clock: { now: () => NOW },
      memory: createMemory(),
      // CAST: counting uses only this part of the context.
    } as unknown as CountingContext
    const asked = { from, to, rule: "a", exceptOrder: null, ...query }
    const until = readUsage(context, asked).cooldownUntilMs
    return until === null ? null : until - NOW
  }

  test.each<[string, Failed, object, object, number | null]>([
    ["for a minute after a failure", { a: [1, 0] }, {}, {}, MINUTE],
    ["twice as long after the next", { a: [2, 0] }, {}, {}, 2 * MINUTE],
    ["sixteen minutes at most", { a: [9, 0] }, {}, {}, 16 * MINUTE],
    ["as long as it is set", { a: [9, 0] }, {}, { cooldownMs: 7, cooldownMaxMs: 9 }, 9],
    ["as long as the last of them does", { a: [1, 1], pair: [1, 0] }, {}, {}, MINUTE],
    ["as long as the first of them does", { a: [1, 0], pair: [1, 1] }, {}, {}, MINUTE],
    ["for the second rule too", { b: [1, 0] }, { secondRule: "b" }, {}, MINUTE],
    ["not for a rule that it does not serve", { b: [1, 0] }, {}, {}, null],
    ["not for a request by hand", { manual: [1, 0], pair: [1, 0] }, { rule: "manual" }, {}, 0],
    [
      "for a request by hand where it is set",
      { pair: [1, 0] },
      { rule: "manual" },
      { cooldownMs: 7 },
      7,
    ],
    ["not without a failure", {}, {}, {}, null],
  ])("%s: %#", (_what, failed, query, settings, expected) => {
    expect(rest(failed, query, settings)).toBe(expected)
  })
})

describe("what is in flight", () => {
  test("counts both rules, the pair and each chain once", () => {
    const asked: object[] = []
    const context = {
      journal: {
        sumWindow: () => ({}),
        countInFlight: (query: object = {}) => asked.push(query),
        readFailures: () => ({ count: 0, lastMs: null }),
        readFlag: () => null,
      },
      settings: { limits: { windows: [] }, cooldownMs: null },
      clock: { now: () => NOW },
      memory: createMemory(),
    } as unknown as CountingContext
    const usage = readUsage(context, { from, to, rule: "a", secondRule: "b", exceptOrder: null })
    const chains = [from, to].map((asset) => ({ chain: asset.split(":")[0] }))
    expect(asked).toEqual([{}, { rule: "a" }, { rule: "b" }, { from, to }, ...chains])
    expect(usage.inFlightOf).toMatchObject({
      rule: 2,
      secondRule: { rule: "b", count: 3 },
      pair: 4,
    })
    asked.length = 0
    const same = { from, to: from, rule: "a", exceptOrder: null }
    expect(readUsage(context, same).inFlightOf.chains).toHaveLength(1)
    expect(readUsage(context, same).inFlightOf).not.toHaveProperty("secondRule")
  })
})

describe("the clock of the limits", () => {
  type Told = { readonly agoMs: number; readonly slackMs?: number } | null
  const scene = (tellers: readonly Told[], known: object | null = null) => {
    const flags = new Map<string, string>()
    if (known !== null) flags.set("limits/clock", encodeJson(known))
    const alerts: string[] = []
    const clock = createManualClock(NOW)
    const chains = tellers.map((told, index) => {
      const fetchBlockTime = async () => {
        if (told === null) throw new Error("silent")
        return { ms: clock.now() - told.agoMs, slackMs: told.slackMs ?? 20_000 }
      }
      return [`c${index}`, { chain: `c${index}`, blockTime: { fetchBlockTime } }] as const
    })
    const journal = {
      readFlag: (key: string) => flags.get(key) ?? null,
      writeFlag: (key: string, value: string | null) => {
        if (value === null) flags.delete(key)
        else flags.set(key, value)
      },
      raiseAlert: (_: number, { code }: { code: string }) => void alerts.push(code),
    }
    const context = {
      journal,
      clock,
      chains: new Map(chains),
      log: silentLogger,
      memory: createMemory(),
    } as unknown as Parameters<typeof createLimitClock>[0]
    const compare = async () => {
      const watch = createLimitClock(context)
      if ("run" in watch) await watch.run()
      const text = flags.get("limits/clock")
      return text === undefined
        ? null
        : (decodeJson(text) as { ms: number; byOperator: boolean; alarmed: boolean })
    }
    return { compare, journal, alerts, clock, context }
  }
  const known = (ms: number, over: object = {}) => {
    return { ms, byOperator: false, alarmed: false, ...over }
  }

  test.each<[string, readonly Told[], object | null, number]>([
    ["follows the clock within the slack of the newest block", [{ agoMs: 20_000 }], known(1), 0],
    ["follows no clock beyond it", [{ agoMs: 20_001 }], known(1), -20_001],
    ["begins with the clock where no chain answers", [null], null, 0],
    ["begins with a block where one does", [{ agoMs: 90_000 }], null, -90_000],
    ["goes no further while no chain answers", [null], known(NOW - 5), -5],
    ["never goes back", [{ agoMs: 90_000 }], known(NOW - 7), -7],
    ["takes the newest of several blocks", [{ agoMs: 90_000 }, { agoMs: 9 }], known(1), 0],
    ["follows no chain alone ahead of the clock", [{ agoMs: -MINUTE }], known(1), 0],
    ["follows two of them", [{ agoMs: -MINUTE }, { agoMs: -2 * MINUTE }], known(1), MINUTE],
    ["goes on from an operator's word", [null], known(NOW - 5 * MINUTE, { byOperator: true }), 0],
    [
      "goes on for five minutes",
      [null],
      known(NOW - 5 * MINUTE - 1, { byOperator: true }),
      -5 * MINUTE - 1,
    ],
  ])("%s", async (_what, tellers, before, offsetMs) => {
    expect((await scene(tellers, before).compare())?.ms).toBe(NOW + offsetMs)
  })

  test("is no more than the clock without a chain that tells its time", async () => {
    const { compare, journal } = scene([], known(NOW - MINUTE))
    expect(await compare()).toBeNull()
    expect(journal.readFlag("limits/clock")).toBeNull()
  })

  test("knows an operator's word only until a chain agrees", async () => {
    const before = known(NOW - 5, { byOperator: true })
    expect(await scene([null], before).compare()).toMatchObject({ byOperator: true })
    expect(await scene([{ agoMs: 0 }], before).compare()).toMatchObject({ byOperator: false })
    expect(await scene([null], known(NOW - 5)).compare()).toMatchObject({ byOperator: false })
  })

  test("raises an alarm for a jump of more than five minutes, once", async () => {
    const jump = scene([{ agoMs: 5 * MINUTE + 1 }], known(1))
    expect(await jump.compare()).toMatchObject({ alarmed: true })
    await jump.compare()
    expect(jump.alerts).toEqual(["clock.jump"])
    expect(findClockAlarm(jump.journal, NOW)).toMatchObject({ code: "clock.jump" })
    const near = scene([{ agoMs: 5 * MINUTE }], known(1))
    expect(await near.compare()).toMatchObject({ alarmed: false })
    expect(near.alerts).toEqual([])
    expect(findClockJump(near.journal, NOW)).toBeNull()
    expect(findClockJump(near.journal, NOW + 1)).toMatchObject({ code: "clock.jump" })
    expect(findClockAlarm(near.journal, NOW + 1)).toBeNull()
  })

  test("is over its jump once the chains agree, and the next one has its own alarm", async () => {
    const { compare, alerts } = scene([{ agoMs: 0 }], known(1, { alarmed: true }))
    expect(await compare()).toMatchObject({ alarmed: false })
    expect(alerts).toEqual([])
  })

  test("is set by an operator only where a chain has told a time", () => {
    const { context, journal } = scene([], known(1, { alarmed: true }))
    acceptClock(context)
    const text = journal.readFlag("limits/clock") ?? ""
    expect(decodeJson(text)).toEqual({ ms: NOW, byOperator: true, alarmed: false })
    const none = scene([])
    acceptClock(none.context)
    expect(none.journal.readFlag("limits/clock")).toBeNull()
  })
})

describe("an order whose payout alone is missing", () => {
  const seenAt = { txid: "in", height: 1n, final: true, at: 5 }
  const IN = { ...NOTHING_SEEN, sourceInitiated: seenAt }
  const own = { status: "unknown" } as OwnSecret
  test.each<[string, string, Partial<OrderData>, boolean]>([
    ["is funded", "funded", {}, true],
    ["is not in another state", "refund-watch", {}, false],
    ["has a deposit", "funded", { seen: NOTHING_SEEN }, false],
    ["has no secret of ours", "funded", { ownSecret: own }, false],
    ["has no ending", "funded", { seen: { ...IN, sourceRedeemed: seenAt } }, false],
    ["has legs", "funded", { terms: null }, false],
  ])("%s", (_what, state, over, expected) => {
    expect(awaitsPayout(state, sampleData({}, { seen: IN, ...over }))).toBe(expected)
  })

  test("adds its own wait to those of its route, newest first, a dozen at most", () => {
    const { request } = sampleData()
    const key = `${request.from} ${request.to}`
    const note = (state: string, seen: object, known: readonly number[] | null) => {
      const memory = createMemory()
      if (known !== null) memory.routeWaits.set(key, known)
      noteRouteWait({ memory }, {
        state,
        data: sampleData({}, { seen: { ...NOTHING_SEEN, ...seen } }),
      } as never)
      return memory.routeWaits.get(key)
    }
    const paid = { sourceInitiated: seenAt, destinationRedeemed: { ...seenAt, at: 12 } }
    expect(note("completed", paid, [1, 2])).toEqual([7, 1, 2])
    expect(note("completed", paid, Array(12).fill(1))).toEqual([7, ...Array(11).fill(1)])
    expect(note("completed", paid, null)).toBeUndefined()
    expect(note("refunded", paid, [1])).toEqual([1])
    expect(note("completed", { sourceInitiated: seenAt }, [1])).toEqual([1])
    expect(note("completed", { destinationRedeemed: seenAt }, [1])).toEqual([1])
  })
})
