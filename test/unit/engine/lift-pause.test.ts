import { describe, expect, test } from "vitest"
import { toChainId } from "#domain/asset.ts"
import { ALARMS_FLAG, PAUSE_FLAG, type PauseAlarm, ruleAlarmsFlag } from "#domain/pause.ts"
import {
  createStopFileWatch,
  liftPause,
  type PauseScope,
  writePause,
} from "#engine/watches/pause.ts"
import { encodeJson } from "#lib/json.ts"
import { silentLogger } from "#lib/log.ts"

const NOW = 5_000
const ALL: PauseScope = { kind: "all" }
const CHAIN: PauseScope = { kind: "chain", chain: toChainId("base") }
const RULE: PauseScope = { kind: "rule", rule: "dca" }
const alarm = (id: string, order: string | null = null): PauseAlarm =>
  // CAST: an alarm is shown by these parts.
  ({ id, code: "alarm.payout_short", order, message: "short" }) as PauseAlarm

function scene(alarms: readonly PauseAlarm[] = [], file: string | null = null) {
  const flags = new Map<string, string | null>()
  let text = file
  const context = {
    journal: {
      readFlag: (name: string) => flags.get(name) ?? null,
      writeFlag: (name: string, value: string | null) => void flags.set(name, value),
    },
    clock: { now: () => NOW },
    log: silentLogger,
    readStopFile: () => text,
    // CAST: a pause needs only these parts.
  } as unknown as Parameters<typeof liftPause>[0]
  for (const scope of [ALL, CHAIN, RULE])
    writePause(context, scope, { by: "operator", reason: "look" })
  flags.set(ALARMS_FLAG, encodeJson(alarms))
  flags.set(ruleAlarmsFlag("dca"), encodeJson(alarms))
  const setFile = (value: string | null): void => {
    text = value
  }
  const standing = (): readonly string[] =>
    [...flags].flatMap(([name, value]) => (value === null ? [] : [name]))
  return { context, flags, standing, setFile }
}

const PAUSES = [PAUSE_FLAG, "pause/chain/base", "pause/rule/dca"]

describe("a pause", () => {
  test("has a flag for its scope", () => {
    const { standing } = scene()
    expect(standing()).toEqual(expect.arrayContaining(PAUSES))
  })

  test.each<[string, PauseScope, string]>([
    ["of everything", ALL, PAUSE_FLAG],
    ["of a chain", CHAIN, "pause/chain/base"],
    ["of a rule", RULE, "pause/rule/dca"],
  ])("%s ends alone where no alarm is open", (_name, scope, flag) => {
    const { context, standing } = scene()
    const before = standing()
    expect(liftPause(context, scope, [])).toEqual({ ok: true })
    expect(standing()).toEqual(before.filter((name) => name !== flag))
  })

  test.each([
    ["everything", ALL, PAUSE_FLAG, ALARMS_FLAG, ""],
    ["a rule", RULE, "pause/rule/dca", ruleAlarmsFlag("dca"), " --rule dca"],
  ] as const)(
    "of %s ends once each alarm is acknowledged",
    (_name, scope, flag, alarms, option) => {
      const { context, standing } = scene([alarm("1"), alarm("2", "order-7")])
      const refused = liftPause(context, scope, ["1"])
      expect(refused).toMatchObject({
        ok: false,
        reasons: [{ code: "pause.alarm", alarm: "2", alarms: "2", order: "order-7" }],
      })
      const [reason] = refused.ok ? [] : refused.reasons
      expect(reason?.message).toContain("Alarm 2 (alarm.payout_short, order order-7)")
      expect(reason?.message).toContain(`\`ballast resume${option} --acknowledge 1,2\``)
      expect(standing()).toEqual(expect.arrayContaining([flag, alarms]))
      const none = liftPause(context, scope, [])
      expect(none).toMatchObject({
        reasons: [
          { alarm: "1", alarms: "1,2", order: "" },
          { alarm: "2", alarms: "1,2" },
        ],
      })
      expect(liftPause(context, scope, ["2", "1"])).toEqual({ ok: true })
      expect(standing()).not.toContain(flag)
      expect(standing()).not.toContain(alarms)
    },
  )

  test("of a chain has no alarms", () => {
    const { context, standing } = scene([alarm("1")])
    expect(liftPause(context, CHAIN, [])).toEqual({ ok: true })
    expect(standing()).toEqual(expect.arrayContaining([PAUSE_FLAG, ALARMS_FLAG]))
  })

  test("of everything outlasts its file, and no other pause does", () => {
    const { context, setFile } = scene([], "please")
    for (const scope of [CHAIN, RULE]) expect(liftPause(context, scope, [])).toEqual({ ok: true })
    expect(liftPause(context, ALL, [])).toMatchObject({
      ok: false,
      reasons: [{ code: "pause.file" }],
    })
    setFile(null)
    expect(liftPause(context, ALL, [])).toEqual({ ok: true })
  })

  test("by a file is written once, over that of a person", async () => {
    const { context, flags, setFile } = scene()
    const watch = createStopFileWatch(context)
    if (!("run" in watch)) throw new Error("no watch of everything")
    const before = flags.get(PAUSE_FLAG)
    await watch.run()
    expect(flags.get(PAUSE_FLAG)).toBe(before)
    setFile("please")
    await watch.run()
    expect(flags.get(PAUSE_FLAG)).toContain("please")
    setFile("another text")
    await watch.run()
    expect(flags.get(PAUSE_FLAG)).toContain("please")
  })
})
