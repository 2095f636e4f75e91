import { describe, expect, test } from "vitest"
import { createMemory } from "#engine/memory.ts"
import {
  acceptClock,
  createLimitClock,
  findClockAlarm,
  findClockJump,
  readLimitTime,
} from "#engine/rules/limit-clock.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"
import { createManualClock } from "../../support/manual-clock.ts"

const MINUTE_MS = 60_000
const MOST_MS = 5 * MINUTE_MS
const NOW = 100 * MINUTE_MS
const SLACK_MS = 2 * MINUTE_MS

type Confirmed = { readonly ms: number; readonly byOperator: boolean; readonly alarmed: boolean }
/** Relative to `NOW`; `null` for a chain without an answer, `undefined` for one that tells none. */
type Time = number | null | undefined

function scene(known: Partial<Confirmed> | null, times: readonly Time[]) {
  const flags = new Map<string, string | null>()
  if (known !== null) {
    const { ms = 0, byOperator = false, alarmed = false } = known
    flags.set("limits/clock", encodeJson({ ms: NOW + ms, byOperator, alarmed }))
  }
  const alerts: string[] = []
  const journal = {
    readFlag: (name: string) => flags.get(name) ?? null,
    writeFlag: (name: string, text: string | null) => void flags.set(name, text),
    raiseAlert: (_atMs: number, { code }: { code: string }) => void alerts.push(code),
  }
  const chains = times.map((time, index) => {
    const blockTime = {
      fetchBlockTime: async () => {
        if (time === null) throw new Error("no answer")
        return { ms: NOW + (time ?? 0), slackMs: SLACK_MS }
      },
    }
    return [
      `c${index}`,
      { chain: `c${index}`, ...(time === undefined ? {} : { blockTime }) },
    ] as const
  })
  const clock = createManualClock(NOW)
  const memory = createMemory()
  const context = { journal, clock, memory, log: silentLogger, chains: new Map(chains) }
  const stored = (): Confirmed | null => {
    const text = flags.get("limits/clock") ?? null
    // CAST: the clock wrote it.
    return text === null ? null : (decodeJson(text) as Confirmed)
  }
  // CAST: the clock reads only these parts.
  return { context: context as never, journal: journal as never, stored, alerts }
}

async function compare(known: Partial<Confirmed> | null, times: readonly Time[]) {
  const { context, stored, alerts } = scene(known, times)
  const watch = createLimitClock(context)
  if (!("run" in watch)) throw new Error("no watch of everything")
  await watch.run()
  const found = stored()
  return { alerts, ...(found === null ? { ms: null } : { ...found, ms: found.ms - NOW }) }
}

describe("the confirmed time after a comparison", () => {
  const jump = -MOST_MS - 1

  test.each<[string, Partial<Confirmed> | null, readonly Time[], object]>([
    ["is the clock at first, without an answer", null, [null], { ms: 0 }],
    ["stays, without an answer", { ms: -MINUTE_MS }, [null], { ms: -MINUTE_MS }],
    ["is the clock, within the slack of a block", { ms: -9 }, [-SLACK_MS], { ms: 0 }],
    [
      "stays, a moment beyond the slack",
      { ms: -MOST_MS },
      [-SLACK_MS - 1],
      {
        ms: -SLACK_MS - 1,
      },
    ],
    ["is bounded by the newest block", { ms: -9 }, [-SLACK_MS - 1, -SLACK_MS], { ms: 0 }],
    [
      "is bounded by the newest block, whichever comes first",
      { ms: -9 },
      [-SLACK_MS, -SLACK_MS - 1],
      {
        ms: 0,
      },
    ],
    ["is the clock, where a chain alone is ahead", { ms: -9 }, [MINUTE_MS], { ms: 0 }],
    ["is what two chains have reached", { ms: -9 }, [2 * MINUTE_MS, MINUTE_MS], { ms: MINUTE_MS }],
    ["goes back for no chain", { ms: MINUTE_MS }, [0], { ms: MINUTE_MS }],
    ["at first is what a chain tells", null, [jump], { ms: jump, alarmed: true }],
    ["follows no jump, and alarms", { ms: jump }, [jump], { ms: jump, alarmed: true }],
    [
      "waits five minutes with its alarm",
      { ms: -MOST_MS },
      [-MOST_MS],
      {
        ms: -MOST_MS,
        alarmed: false,
      },
    ],
    [
      "goes on from what an operator confirmed",
      { ms: -MOST_MS, byOperator: true },
      [jump],
      {
        ms: 0,
        byOperator: true,
      },
    ],
    [
      "does not go on after another jump",
      { ms: jump, byOperator: true },
      [jump],
      {
        ms: jump,
        byOperator: false,
        alarmed: true,
      },
    ],
    [
      "needs no operator once a chain agrees",
      { ms: -9, byOperator: true },
      [0],
      {
        ms: 0,
        byOperator: false,
      },
    ],
    ["ends the alarm with the jump", { ms: jump, alarmed: true }, [0], { ms: 0, alarmed: false }],
    ["is not asked of a chain that tells none", { ms: -9 }, [undefined, -SLACK_MS], { ms: 0 }],
  ])("%s", async (_name, known, times, expected) => {
    const found = await compare(known, times)
    const whole = { byOperator: false, alarmed: false, ...expected }
    const alerts = whole.alarmed ? ["clock.jump"] : []
    expect(found).toEqual({ ...whole, alerts })
  })

  test("alarms of a jump once", async () => {
    const again = await compare({ ms: jump, alarmed: true }, [jump])
    expect(again).toMatchObject({ ms: jump, alarmed: true, alerts: [] })
  })

  test("is none where no chain tells its time any more", async () => {
    expect(await compare({ ms: jump }, [undefined])).toEqual({ ms: null, alerts: [] })
    expect(await compare(null, [])).toEqual({ ms: null, alerts: [] })
  })
})

describe("a clock", () => {
  const at = (ms: number | null, over: Partial<Confirmed> = {}) =>
    scene(ms === null ? null : { ms, ...over }, []).journal

  test("counts up to five minutes beyond the confirmed time", () => {
    const times = [null, 0, MINUTE_MS, -MOST_MS, -MOST_MS - 1].map((ms) => {
      return readLimitTime(at(ms), NOW) - NOW
    })
    expect(times).toEqual([0, 0, MINUTE_MS, 0, -MOST_MS - 1])
  })

  test("has jumped beyond that, and alarms once the chains were asked", () => {
    expect(findClockJump(at(null), NOW)).toBeNull()
    expect(findClockJump(at(-MOST_MS), NOW)).toBeNull()
    expect(findClockJump(at(-MOST_MS - 1), NOW)).toMatchObject({
      code: "clock.jump",
      clock: new Date(NOW).toISOString(),
      confirmed: new Date(NOW - MOST_MS - 1).toISOString(),
    })
    expect(findClockAlarm(at(null), NOW)).toBeNull()
    expect(findClockAlarm(at(-MOST_MS - 1), NOW)).toBeNull()
    expect(findClockAlarm(at(-MOST_MS - 1, { alarmed: true }), NOW)).not.toBeNull()
    expect(findClockAlarm(at(-MOST_MS, { alarmed: true }), NOW)).toBeNull()
  })

  test("is confirmed by an operator only where a chain has told a time", () => {
    const none = scene(null, [])
    acceptClock(none.context)
    expect(none.stored()).toBeNull()
    const some = scene({ ms: -9 * MOST_MS, alarmed: true }, [])
    acceptClock(some.context)
    expect(some.stored()).toEqual({ ms: NOW, byOperator: true, alarmed: false })
  })
})
