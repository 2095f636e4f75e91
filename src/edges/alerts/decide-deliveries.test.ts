import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Problem, problem } from "#health/problem.ts"
import { Secret } from "#lib/secret.ts"
import { acknowledgeAlerts } from "./acknowledge.ts"
import { decideDeliveries } from "./decide-deliveries.ts"
import { type DeliveryState, NO_DELIVERIES } from "./delivery-state.ts"
import type { AlertsConfig, Receiver } from "./port.ts"
import { isBeyondAnyWait, recordResult } from "./record-result.ts"

const SECOND = 1_000
const HOUR = 3_600_000

const receiver = (
  name: string,
  least: Receiver["least"] = "attention",
  tellsEnd = true,
): Receiver => ({
  name,
  least,
  tellsEnd,
  events: [],
  kind: "slack",
  url: new Secret("https://hooks.example/x", "env:X"),
})
const config: AlertsConfig = {
  receivers: [receiver("desk")],
  groupMs: 10 * SECOND,
  overAfterMs: 60 * SECOND,
  repeatMs: 6 * HOUR,
  escalateAfterMs: null,
  escalateTo: [],
  daily: { at: "07:00", timezone: "UTC" },
  dashboard: null,
  heartbeat: null,
}
const node = (about: string, level: "attention" | "trouble" = "attention"): Problem =>
  problem({ level, code: "node.silent", about, sentence: `${about} is silent`, todo: "Repair it." })

/** Plays the problems of each moment; every due message is delivered at once, and listed. */
function play(
  moments: readonly (readonly [number, readonly Problem[]])[],
  given: AlertsConfig = config,
  start: DeliveryState = NO_DELIVERIES,
): { readonly told: readonly string[]; readonly state: DeliveryState } {
  let state = start
  const told: string[] = []
  for (const [atMs, problems] of moments) {
    state = decideDeliveries(state, problems, given, atMs)
    for (const { id, receiver: to, reason, notes } of state.deliveries) {
      told.push(
        `${atMs / SECOND} ${to} ${reason} ` +
          `${notes.map(({ sentence }) => sentence.split(" ")[0]).join("+")}`,
      )
      state = recordResult(state, id, { ok: true, answer: "ok" }, atMs)
    }
  }
  return { told, state }
}

describe("a message", () => {
  test("waits for the group, tells each alert once, and tells its end once", () => {
    const { told, state } = play([
      [0, [node("a")]],
      [5 * SECOND, [node("a"), node("b")]],
      [10 * SECOND, [node("a"), node("b")]],
      [20 * SECOND, [node("a"), node("b")]],
      [30 * SECOND, []],
      [80 * SECOND, []],
      [90 * SECOND, []],
      [200 * SECOND, []],
    ])
    expect(told).toEqual(["10 desk open a+b", "90 desk over a+b"])
    expect(state.records).toEqual([])
  })

  test("names no cause that is gone before its time", () => {
    expect(
      play([
        [0, [node("a")]],
        [9 * SECOND, []],
        [15 * SECOND, []],
      ]).told,
    ).toEqual([])
  })

  test("of a flapping cause is sent once", () => {
    const flaps = Array.from(
      { length: 40 },
      (_, index) => [index * 20 * SECOND, index % 2 === 0 ? [node("a")] : []] as const,
    )
    expect(play(flaps).told).toEqual(["40 desk open a"])
  })

  test("of a cause that comes back after its end was told is news", () => {
    const { told } = play([
      [0, [node("a")]],
      [10e3, [node("a")]],
      [20e3, []],
      [80e3, []],
      [90e3, [node("a")]],
      [100e3, [node("a")]],
    ])
    expect(told).toEqual(["10 desk open a", "80 desk over a", "100 desk open a"])
  })

  test("is sent again when the cause becomes graver", () => {
    const receivers = [receiver("desk"), receiver("phone", "trouble")]
    const { told } = play(
      [
        [0, [node("a")]],
        [10e3, [node("a")]],
        [20e3, [node("a", "trouble")]],
      ],
      { ...config, receivers },
    )
    expect(told).toEqual(["10 desk open a", "20 desk open a", "20 phone open a"])
  })

  test("repeats after its time, and not after a person acknowledged it", () => {
    const first = play([
      [0, [node("a")]],
      [10e3, [node("a")]],
      [5 * HOUR, [node("a")]],
      [7 * HOUR, [node("a")]],
    ])
    expect(first.told).toEqual(["10 desk open a", "25200 desk repeat a"])
    const [record] = first.state.records
    expect(acknowledgeAlerts(first.state, "other", "me", 0).count).toBe(0)
    const { state, count } = acknowledgeAlerts(first.state, record?.id ?? "", "me", 7 * HOUR)
    expect(count).toBe(1)
    expect(
      play(
        [
          [20 * HOUR, [node("a")]],
          [21 * HOUR, []],
          [22 * HOUR, []],
        ],
        config,
        state,
      ).told,
    ).toEqual(["79200 desk over a"])
  })
})

describe("an escalation", () => {
  const receivers = [receiver("desk"), receiver("boss", "escalation", false)]
  const given = { ...config, receivers, escalateAfterMs: HOUR, escalateTo: ["boss"] }
  const grave = node("a", "trouble")

  test("goes to the other receiver once, when nobody acknowledges the alert", () => {
    const { told } = play(
      [
        [0, [grave, node("b")]],
        [10e3, [grave, node("b")]],
        [HOUR, [grave, node("b")]],
        [2 * HOUR, [grave]],
        [2 * HOUR + 100e3, [grave]],
      ],
      given,
    )
    expect(told).toEqual(["10 desk open a+b", "3600 boss escalation a", "7300 desk over b"])
  })

  test("is not sent for an acknowledged alert, and not for one that needs no person", () => {
    const { state } = play(
      [
        [0, [grave, node("b")]],
        [10e3, [grave, node("b")]],
      ],
      given,
    )
    const known = acknowledgeAlerts(state, "all", "me", 20e3)
    expect(known.count).toBe(2)
    expect(play([[HOUR, [grave, node("b")]]], given, known.state).told).toEqual([])
  })
})

describe("a failed delivery", () => {
  test("is tried again with a growing pause, keeps its id, and is given up after a day", () => {
    let state = decideDeliveries(NO_DELIVERIES, [node("a")], config, 0)
    state = decideDeliveries(state, [node("a")], config, 10e3)
    const id = state.deliveries[0]?.id ?? ""
    const waits: number[] = []
    for (let tries = 0, nowMs = 10e3; tries < 9; tries += 1) {
      state = recordResult(state, id, { ok: false, error: "HTTP 500", waitMs: null }, nowMs)
      waits.push(((state.deliveries[0]?.dueMs ?? 0) - nowMs) / SECOND)
      nowMs = state.deliveries[0]?.dueMs ?? 0
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600])
    expect(state.receivers["desk"]).toMatchObject({
      failingSinceMs: 10e3,
      error: "HTTP 500",
      deliveredMs: null,
    })
    expect(
      decideDeliveries(state, [node("a")], config, 23 * HOUR).deliveries.map((one) => one.id),
    ).toContain(id)
    expect(
      decideDeliveries(state, [node("a")], config, 25 * HOUR).deliveries.map((one) => one.id),
    ).not.toContain(id)
  })

  test("waits as long as the receiver asks", () => {
    const state = play([[0, [node("a")]]]).state
    const queued = decideDeliveries(state, [node("a")], config, 10e3)
    const later = recordResult(
      queued,
      queued.deliveries[0]?.id ?? "",
      { ok: false, error: "429", waitMs: 90e3 },
      10e3,
    )
    expect(later.deliveries[0]?.dueMs).toBe(100e3)
  })
})

test("every alert that lasts is told exactly once to each receiver, whatever else opens and closes", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"))
  fc.assert(
    fc.property(fc.array(names, { minLength: 1, maxLength: 30 }), (history) => {
      const steady = [...history, history.at(-1) ?? [], history.at(-1) ?? [], history.at(-1) ?? []]
      const given = {
        ...config,
        repeatMs: 1_000 * HOUR,
        receivers: [receiver("desk"), receiver("phone")],
      }
      const { told, state } = play(
        steady.map((open, index) => [index * 70 * SECOND, open.map((name) => node(name))] as const),
        given,
      )
      const last = history.at(-1) ?? []
      expect(
        state.records
          .filter(({ closedMs }) => closedMs === null)
          .map((one) => one.key.at(-1))
          .toSorted(),
      ).toEqual(last.toSorted())
      for (const to of ["desk", "phone"]) {
        const balance = (name: string): number =>
          told
            .filter(
              (line) =>
                line.includes(` ${to} `) && (line.split(" ")[3] ?? "").split("+").includes(name),
            )
            .reduce((sum, line) => sum + (line.includes(" over ") ? -1 : 1), 0)
        expect(["a", "b", "c", "d"].filter((name) => balance(name) === 1).toSorted()).toEqual(
          last.toSorted(),
        )
      }
    }),
  )
})

test(
  "a failed delivery whose next try a clock that was ahead put hours away is due, and one that " +
    "waits as long as any is not",
  () => {
    const [delivery] = decideDeliveries(
      NO_DELIVERIES,
      [node("a")],
      { ...config, groupMs: 0 },
      0,
    ).deliveries
    if (delivery === undefined) throw new Error("no delivery")
    const failing = { ...NO_DELIVERIES, deliveries: [{ ...delivery, tries: 30 }] }
    const [later] = recordResult(
      failing,
      delivery.id,
      { ok: false, error: "down", waitMs: null },
      HOUR,
    ).deliveries
    if (later === undefined) throw new Error("given up")
    expect(isBeyondAnyWait(later, HOUR)).toBe(false)
    expect(isBeyondAnyWait(later, HOUR - 1)).toBe(true)
  },
)
