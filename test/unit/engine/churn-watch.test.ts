import { describe, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { type RuleOrder, readWalletsFiat, watchChurn } from "#engine/watches/churn-watch.ts"
import type { TimedRule } from "#policy/rules/registry.ts"
import { ARB, BTC, WBTC } from "../../support/fake-world.ts"

const SWEEP: TimedRule = {
  id: "sweep",
  kind: "sweep",
  from: ARB,
  keepUnits: 300_000n,
  to: WBTC,
  everyMs: 5_000,
}
const MIX: TimedRule = {
  id: "mix",
  kind: "weights",
  toleranceBps: 500n,
  everyMs: 5_000,
  weights: [
    { asset: WBTC, bps: 5_000n },
    { asset: ARB, bps: 5_000n },
  ],
}

const NOTHING = (): null => null
const HOUR_MS = 60 * 60_000

/** The alarms of at most five rounds of two rules, each of which sells the payout of the other. */
function alarmsOf(rules: readonly [TimedRule, TimedRule], halfRoundMs: number): string[] {
  const raised: string[] = []
  const placed: RuleOrder[] = []
  let nowMs = Date.UTC(2026, 0, 5, 9)
  const context = {
    journal: {
      readFlag: () => null,
      writeFlag: () => undefined,
      raiseAlert: (_: number, { rules: names }: Reason) => void raised.push(names ?? ""),
    },
    settings: { rules },
    clock: { now: () => nowMs },
    log: { error: () => undefined },
  }
  const order = { feeFiat: 1_000_000n, outcome: "completed", isOurs: () => true }
  for (let round = 0; round < 5 && raised.length === 0; round += 1) {
    for (const [rule, from, to] of [
      [rules[0].id, WBTC, ARB],
      [rules[1].id, ARB, WBTC],
    ] as const) {
      placed.push({ ...order, rule, from, to, createdAtMs: nowMs })
      watchChurn(
        context,
        (sinceMs) => placed.filter(({ createdAtMs }) => createdAtMs > sinceMs),
        NOTHING,
      )
      nowMs += halfRoundMs
    }
  }
  return raised
}

test(
  "weights that are evaluated once a day are given more than a day for three rounds, and a " +
    "fast rule is not",
  () => {
    const alarms = (everyMs: number): string[] =>
      alarmsOf(
        [
          { ...MIX, everyMs },
          { ...SWEEP, everyMs: HOUR_MS },
        ],
        12 * HOUR_MS,
      )
    expect(alarms(24 * HOUR_MS)).toEqual(["mix, sweep"])
    expect(alarms(HOUR_MS)).toEqual([])
  },
)

test("a rule with a schedule is given the time of its occurrences for three rounds", () => {
  const alarms = (schedule: string, halfRoundMs: number): string[] => {
    const bill: TimedRule = {
      id: "bill",
      kind: "recurring",
      schedule,
      timezone: "UTC",
      from: WBTC,
      to: ARB,
      amount: { kind: "units", units: 1n },
      catchUp: "skip",
      jitterMs: 0,
      windowMs: HOUR_MS,
    }
    return alarmsOf([bill, { ...SWEEP, everyMs: HOUR_MS }], halfRoundMs)
  }
  expect(alarms("0 9 * * *", 12 * HOUR_MS)).toEqual(["bill, sweep"])
  expect(alarms("0 9 * * 1", 84 * HOUR_MS)).toEqual(["bill, sweep"])
  expect(alarms("0 9 1 * *", 360 * HOUR_MS)).toEqual(["bill, sweep"])
  expect(alarms("0 * * * *", 84 * HOUR_MS)).toEqual([])
})

test("both rules of an order that serves two are part of the circle", async () => {
  const raised: string[] = []
  const journal = {
    readFlag: () => null,
    writeFlag: () => undefined,
    raiseAlert: (_: number, { rules }: Reason) => void raised.push(rules ?? ""),
  }
  const context = {
    journal,
    settings: {},
    clock: { now: () => 10_000 },
    log: { error: () => undefined },
  }
  const order = { feeFiat: 1n, outcome: "completed", isOurs: () => true }
  const orders = [1, 2, 3].flatMap((at): RuleOrder[] => [
    { ...order, rule: "a", secondRule: "b", from: WBTC, to: ARB, createdAtMs: at * 10 },
    { ...order, rule: "c", from: ARB, to: WBTC, createdAtMs: at * 10 + 5 },
  ])
  watchChurn(context, () => orders, NOTHING)
  expect(raised).toEqual(["a, b, c"])
})

test("a circle that is too slow for three rounds has its alarm by its fees of two weeks", () => {
  const raised: Reason[] = []
  const placed: RuleOrder[] = []
  const DAY_MS = 24 * HOUR_MS
  let nowMs = Date.UTC(2026, 0, 5)
  const context = {
    journal: {
      readFlag: () => null,
      writeFlag: () => undefined,
      raiseAlert: (_: number, reason: Reason) => void raised.push(reason),
    },
    settings: {},
    clock: { now: () => nowMs },
    log: { error: () => undefined },
  }
  const order = { outcome: "completed", isOurs: () => true }
  const place = (rule: string, from: AssetId, to: AssetId): void => {
    const values = { sourceFiat: 1_000_000_000n, feeFiat: 3_000_000n }
    placed.push({ ...order, ...values, rule, from, to, createdAtMs: nowMs })
    const since = (sinceMs: number) => placed.filter(({ createdAtMs }) => createdAtMs > sinceMs)
    watchChurn(context, since, () => 5_000_000_000n)
  }
  place("a", WBTC, ARB)
  nowMs += 6 * DAY_MS
  place("a", WBTC, ARB)
  nowMs += 6 * DAY_MS
  place("b", ARB, WBTC)
  expect(raised).toEqual([])
  nowMs += DAY_MS
  place("b", ARB, WBTC)
  expect(raised).toMatchObject([
    { code: "alarm.churn", rules: "a, b", fees: "12", volume: "4000", treasury: "5000" },
  ])
  expect(raised[0]?.message).toContain("within 14 days")
})

describe("three rounds of a day", () => {
  const NOW = Date.UTC(2026, 0, 5)
  const DAY_MS = 24 * HOUR_MS
  const written = new Map<string, string>()
  const raised: Reason[] = []

  /** The rules of the alarm about three rounds of `a` and `b` that end now. */
  function watch(
    over: Partial<RuleOrder> = {},
    { startMs = NOW - 5, since = {}, settings = {} }: Scene = {},
  ): string {
    raised.length = 0
    written.clear()
    const order = { feeFiat: 1_000_000n, sourceFiat: 1n, outcome: "completed", isOurs: () => true }
    const orders = [0, 1, 2].flatMap((at): RuleOrder[] => [
      { ...order, rule: "a", from: WBTC, to: ARB, createdAtMs: startMs + at, ...over },
      { ...order, rule: "b", from: ARB, to: WBTC, createdAtMs: startMs + at },
    ])
    const context = {
      journal: {
        readFlag: (name: string) => since[name] ?? null,
        writeFlag: (name: string, text: string) => void written.set(name, text),
        raiseAlert: (_: number, reason: Reason) => void raised.push(reason),
      },
      settings,
      clock: { now: () => NOW },
      log: { error: () => undefined },
    }
    watchChurn(context, () => orders.toReversed(), NOTHING)
    return raised.map(({ rules }) => rules).join()
  }
  type Scene = {
    readonly startMs?: number
    readonly since?: Readonly<Record<string, string>>
    readonly settings?: { readonly onAlarm?: "continue" }
  }

  test.each<[string, string, Partial<RuleOrder>, Scene?]>([
    ["of two rules", "a, b", {}],
    ["that are open", "a, b", { outcome: null }],
    ["that came back", "", { outcome: "refunded" }],
    ["that an operator asked for", "", { rule: "manual" }],
    ["to another wallet", "", { isOurs: () => false }],
    ["without fees on one side", "a, b", { feeFiat: 0n }],
    ["of which one begins with the day", "", {}, { startMs: NOW - DAY_MS }],
    ["within the day", "a, b", {}, { startMs: NOW - DAY_MS + 1 }],
    [
      "of which one begins with the last alarm",
      "",
      {},
      { since: { "churn/since/a": String(NOW - 5) } },
    ],
    ["after the last alarm", "a, b", {}, { since: { "churn/since/a": String(NOW - 6) } }],
  ])("%s: '%s'", (_name, expected, over, scene) => {
    expect(watch(over, scene)).toBe(expected)
  })

  test("pause both rules with an alarm, which says what happened", () => {
    watch()
    expect(raised).toMatchObject([
      { code: "alarm.churn", circle: `${ARB} → ${WBTC} → ${ARB}`, times: "3", fees: "6" },
    ])
    expect(raised[0]?.message).toContain("3 times within a day")
    expect([...written.keys()].sort()).toEqual(
      ["a", "b"]
        .flatMap((rule) => [
          `pause/alarms/rule/${rule}`,
          `churn/since/${rule}`,
          `pause/rule/${rule}`,
        ])
        .sort(),
    )
    expect(written.get("churn/since/a")).toBe(String(NOW))
    expect(written.get("pause/rule/a")).toContain('"by":"alarm"')
    watch({}, { settings: { onAlarm: "continue" } })
    expect([...written.keys()].sort()).toEqual(["churn/since/a", "churn/since/b"])
  })
})

describe("money that goes round slowly", () => {
  const NOW = Date.UTC(2026, 0, 15)
  const FIAT = 1_000_000n

  /** The alarm about two orders of a thousand that cost three each. */
  function watch(
    treasury: bigint | null,
    ...over: readonly Partial<RuleOrder>[]
  ): Partial<Reason> | null {
    const raised: Reason[] = []
    const context = {
      journal: {
        readFlag: () => null,
        writeFlag: () => undefined,
        raiseAlert: (_: number, reason: Reason) => void raised.push(reason),
      },
      settings: {},
      clock: { now: () => NOW },
      log: { error: () => undefined },
    }
    const order = {
      feeFiat: 3n * FIAT,
      sourceFiat: 1_000n * FIAT,
      outcome: "completed",
      createdAtMs: NOW - 1,
      isOurs: () => true,
    }
    const orders: RuleOrder[] = [
      { ...order, rule: "a", from: WBTC, to: ARB, ...over[0] },
      { ...order, rule: "b", from: ARB, to: WBTC, ...over[1] },
      ...over
        .slice(2)
        .map(
          (more): RuleOrder => ({ ...order, rule: "c", from: ARB, to: BTC, feeFiat: 0n, ...more }),
        ),
    ]
    watchChurn(
      context,
      () => orders,
      () => treasury,
    )
    return raised[0] ?? null
  }

  test.each<[string, string | null, bigint | null, readonly Partial<RuleOrder>[]]>([
    ["of a treasury that is not known", null, null, []],
    ["that costs more than a fifth of a percent", "2999", 2_999n, []],
    ["that costs just that", null, 3_000n, []],
    ["with an order under way", null, 2_000n, [{ outcome: null }]],
    ["with an order under way, of a smaller treasury", "2999", 1_999n, [{ outcome: null }]],
    [
      "of a treasury whose largest order was larger",
      null,
      100n,
      [{}, {}, { sourceFiat: 3_000n * FIAT }],
    ],
    [
      "of a treasury with orders of unknown value",
      "1000",
      100n,
      [{}, {}, { sourceFiat: null, outcome: null }],
    ],
    ["that leaves the treasury", null, 100n, [{ isOurs: () => false }]],
  ])("%s: %s", (_name, expected, treasury, over) => {
    const found = watch(treasury === null ? null : treasury * FIAT, ...over)
    expect(found?.["treasury"] ?? null).toBe(expected)
  })
})

test("the wallets are worth their latest known readings", () => {
  const samples: Record<string, readonly { value: bigint | null }[]> = {
    "balance/a": [{ value: 1n }, { value: 250n }, { value: null }],
    "price/a": [{ value: 4n }, { value: 3n }],
    "balance/b": [{ value: 70n }],
    "price/b": [{ value: null }],
    "balance/c": [{ value: 7n }],
    "price/c": [{ value: 11n }],
  }
  const worth = (...ids: readonly string[]): bigint | null => {
    const assets = new Map(ids.map((id) => [id, { id, decimals: id === "a" ? 2 : 0 }]))
    // CAST: only these parts are used.
    return readWalletsFiat({
      journal: { listSamples: (series: string) => samples[series] ?? [] },
      settings: { assets },
      clock: { now: () => 1 },
    } as unknown as Parameters<typeof readWalletsFiat>[0])
  }
  expect(worth("a", "b", "c")).toBe(84n)
  expect(worth("b", "d")).toBeNull()
})
