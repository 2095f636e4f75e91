import { describe, expect, test } from "vitest"
import { conclude, concludeMissed } from "#engine/rules/tick/conclude.ts"
import type { DueEntry } from "#engine/rules/tick/due-list.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"

const NOW = 100_000_000
const MINUTE_MS = 60_000
const OCCURRENCE = { id: "dca@1", rule: "dca", atMs: NOW - 5_000 }
const at = { ...OCCURRENCE, dueMs: NOW - 5_000, closesMs: NOW + 10 * MINUTE_MS }
const reason = (code: string) => ({ code, message: code })

type Scene = {
  readonly isOccurrence?: boolean
  readonly closesMs?: number
  readonly reasons?: readonly object[]
  readonly outcomes?: readonly object[] | null
  /** The time of an earlier decision about the same entry. */
  readonly firstMs?: number
  /** As an unknown version wrote it. */
  readonly isUnread?: boolean
}

function run(scene: Scene) {
  const { isOccurrence = true, reasons = [], outcomes = [], isUnread = false } = scene
  const done: unknown[] = []
  const body = {
    version: isUnread ? 99 : 1,
    occurrence: null,
    decided: { proposals: [], reasons, plan: null },
    outcomes,
  }
  const journal = {
    findDecision: () => (scene.firstMs === undefined ? null : { atMs: scene.firstMs }),
    recordDecision: ({ id }: { id: string }) => {
      done.push(["record", id])
      return true
    },
    settleOccurrence: (of: object, text: string) => {
      done.push(["settle", of, decodeJson(text)])
    },
  }
  const dueList = { putOff: (_entry: object, ms: number) => done.push(["put off", ms - NOW]) }
  const occurrence = { ...at, closesMs: scene.closesMs ?? at.closesMs }
  const entry = {
    rule: "dca",
    occurrence: isOccurrence ? "dca@1" : null,
    at: isOccurrence ? occurrence : null,
    of: { id: "dca", kind: "band", everyMs: 5 * MINUTE_MS },
  }
  // CAST: a conclusion reads these parts alone.
  const context = { journal, log: silentLogger } as never
  // CAST: as above.
  const decision = { id: "d", body: encodeJson(body) } as never
  conclude(context, dueList as never, entry as unknown as DueEntry, decision, NOW)
  expect(done[0]).toEqual(["record", "d"])
  return done.slice(1)
}

describe("the decision of a rule", () => {
  test.each<[string, Scene, readonly unknown[]]>([
    [
      "settles an occurrence that is over, with its reasons",
      {
        closesMs: NOW,
        reasons: [reason("limit.order")],
      },
      [["settle", OCCURRENCE, [reason("limit.order")]]],
    ],
    ["tries an open occurrence again", { reasons: [reason("limit.order")] }, [["put off", 30_000]]],
    ["leaves an occurrence alone that got an order", { outcomes: [{ order: "order-1" }] }, []],
    [
      "leaves one alone that got one of two",
      {
        closesMs: NOW,
        outcomes: [{ refused: [reason("limit.order")] }, { order: "order-1" }],
      },
      [],
    ],
    [
      "tries soon again after a failed read",
      {
        reasons: [reason("policy.view_incomplete")],
      },
      [["put off", 10_000]],
    ],
    [
      "counts the reasons of admission",
      {
        outcomes: [{ refused: [reason("policy.view_incomplete")] }],
      },
      [["put off", 10_000]],
    ],
    [
      "waits for a failed read from the first try on",
      {
        closesMs: NOW - 99 * MINUTE_MS,
        firstMs: NOW - 99 * MINUTE_MS,
        reasons: [reason("policy.view_incomplete")],
      },
      [["settle", OCCURRENCE, [reason("policy.view_incomplete")]]],
    ],
    [
      "begins that wait now where it is the first",
      {
        closesMs: NOW - 99 * MINUTE_MS,
        reasons: [reason("policy.view_incomplete")],
      },
      [["put off", 10_000]],
    ],
    [
      "without an occurrence only waits",
      { isOccurrence: false, firstMs: 1 },
      [["put off", 5 * MINUTE_MS]],
    ],
    [
      "of an unknown version has no reasons",
      {
        isUnread: true,
        closesMs: NOW,
        reasons: [reason("policy.view_incomplete")],
      },
      [["settle", OCCURRENCE, []]],
    ],
  ])("%s", (_name, scene, done) => {
    expect(run(scene)).toEqual(done)
  })
})

test("a missed occurrence is settled together with its decision", () => {
  const done: unknown[] = []
  const settle = (configHash?: string) => {
    const context = {
      journal: {
        settleOccurrence: (of: object, text: string, { body, ...decision }: { body: string }) => {
          done.push([of, decodeJson(text), decodeJson(body), decision])
        },
      },
      clock: { now: () => NOW },
      log: silentLogger,
      settings: { configHash },
    }
    // CAST: a conclusion reads these parts alone.
    concludeMissed(context as never, at as never)
  }
  settle()
  settle("hash")
  const reasons = [
    {
      ...reason("policy.missed"),
      message: expect.any(String),
      at: new Date(at.atMs).toISOString(),
    },
  ]
  const body = {
    version: 1,
    occurrence: "dca@1",
    decided: { proposals: [], reasons, plan: null },
    outcomes: [],
  }
  const decision = { id: "dca@1", atMs: NOW, rule: "dca", verdict: "declined", inputs: null }
  expect(done).toEqual([
    [OCCURRENCE, reasons, body, { ...decision, configHash: null }],
    [OCCURRENCE, reasons, body, { ...decision, configHash: "hash" }],
  ])
})
