import { beforeEach, describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { ALARMS_FLAG, encodePause, PAUSE_FLAG, type PauseAlarm } from "#domain/pause.ts"
import { findOrderStops, type findStops, isPaused, listPausing } from "#engine/watches/pause.ts"
import { encodeJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"

type Context = Parameters<typeof findStops>[0]

const ETH = parseAssetId("base_sepolia:eth")
let flags: Map<string, string>
beforeEach(() => {
  flags = new Map()
})

function contextOf(settings: object = { mode: "live" }): Context {
  const parts = {
    journal: {
      readFlag: (key: string) => flags.get(key) ?? null,
      writeFlag: (key: string, value: string) => void flags.set(key, value),
    },
    settings,
    clock: { now: () => 0 },
    log: silentLogger,
    readStopFile: () => null,
  }
  // CAST: a pause reads only these parts.
  return parts as unknown as Context
}

const order = (secondRule?: string) => ({
  rule: "band",
  ...(secondRule === undefined ? {} : { secondRule }),
  request: { from: ETH },
})
const stopsOf = (secondRule?: string): readonly string[] =>
  findOrderStops(contextOf(), order(secondRule)).map(({ code }) => code)

describe("a pause", () => {
  test.each([
    [PAUSE_FLAG, true, true],
    ["pause/chain/base_sepolia", true, true],
    ["pause/chain/bitcoin_testnet", false, false],
    ["pause/rule/band", true, true],
    ["pause/rule/sweep", false, true],
  ])("in %s stops an order of the rule: %s, and one of two rules: %s", (flag, one, both) => {
    flags.set(flag, encodePause({ by: "operator", reason: null }, 0))
    expect(stopsOf()).toEqual(one ? ["paused"] : [])
    expect(stopsOf("sweep")).toEqual(both ? ["paused"] : [])
    expect(isPaused(contextOf(), "band", ETH)).toBe(one)
  })

  test("of a chain does not pause a rule without a source", () => {
    flags.set("pause/chain/base_sepolia", encodePause({ by: "operator", reason: null }, 0))
    expect(isPaused(contextOf(), "band", null)).toBe(false)
  })

  test("stands beside observe mode", () => {
    flags.set(PAUSE_FLAG, encodePause({ by: "operator", reason: null }, 0))
    const stops = findOrderStops(contextOf({ mode: "observe" }), order())
    expect(stops.map(({ code }) => code)).toEqual(["mode.observe", "paused"])
  })

  test("says its reason and the alarms to acknowledge, where it has them", () => {
    const messageOf = (): string => findOrderStops(contextOf(), order())[0]?.message ?? ""
    flags.set("pause/rule/band", encodePause({ by: "operator", reason: null }, 0))
    expect(messageOf()).toBe("Paused: nothing is sent; `ballast resume` lifts it")
    flags.set(PAUSE_FLAG, encodePause({ by: "operator", reason: null }, 0))
    expect(messageOf()).toBe("Paused: nothing is sent; `ballast resume` lifts it")
    flags.set(PAUSE_FLAG, encodePause({ by: "operator", reason: "a new node" }, 0))
    expect(messageOf()).toBe("Paused (a new node): nothing is sent; `ballast resume` lifts it")
    flags.set(PAUSE_FLAG, encodePause({ by: "alarm", reason: null }, 0))
    const alarm: PauseAlarm = { id: "x1", code: "c", order: null, message: "m", at: "" }
    flags.set(ALARMS_FLAG, encodeJson([alarm, { ...alarm, id: "x2" }]))
    expect(findOrderStops(contextOf(), order())).toMatchObject([{ alarms: "x1,x2" }])
    expect(messageOf()).toBe(
      "Paused (alarm): nothing is sent; `ballast resume --acknowledge x1,x2` lifts it",
    )
  })
})

describe("an alarm pauses everything", () => {
  const alarms = [
    "alarm.source_redeemed",
    "alarm.payout_short",
    "alarm.refund_short",
    "alarm.contract_changed",
    "verify.contract_changed",
    "transaction.foreign_rival",
    "books.foreign_transaction",
  ].map((code) => ({ code, message: code }))
  const told = { code: "alarm.leg_unreadable", message: "unread", hides: "told payout" }

  test("where money may be lost by every further deposit, or a told payout is not read", () => {
    const others = [
      { code: "alarm.churn", message: "" },
      { code: "alarm.leg_unreadable", message: "" },
      { code: "alarm.leg_unreadable", message: "", hides: "deposit" },
      { code: "alarm.churn", message: "", hides: "told payout" },
    ]
    expect(listPausing(contextOf(), [...alarms, told, ...others])).toEqual([...alarms, told])
  })

  test("unless the guards say that it goes on", () => {
    expect(listPausing(contextOf({ onAlarm: "continue" }), [...alarms, told])).toEqual([])
  })
})
