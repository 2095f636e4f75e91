import fc from "fast-check"
import { expect, test } from "vitest"
import { changeAlarms, type WatchAlarm } from "./watch-alarms.ts"

const silent = (endpoint: string) => ({
  code: "node.silent",
  message: `${endpoint} is silent`,
  chain: "solana",
  endpoint,
})

test("a new cause opens one alarm, a lasting one keeps its time, and a gone one closes", () => {
  const first = changeAlarms([], [silent("a"), silent("b")], 1_000)
  expect(first.opened.map(({ key }) => key)).toEqual([
    "node.silent/solana/a",
    "node.silent/solana/b",
  ])
  const second = changeAlarms(first.alarms, [{ ...silent("b"), message: "newer words" }], 2_000)
  expect(second).toMatchObject({
    opened: [],
    closed: [{ key: "node.silent/solana/a", closedMs: 2_000 }],
  })
  expect(second.alarms).toMatchObject([
    {
      key: "node.silent/solana/b",
      atMs: 1_000,
      closedMs: null,
      reason: { message: "newer words" },
    },
    { key: "node.silent/solana/a", atMs: 1_000, closedMs: 2_000 },
  ])
  const third = changeAlarms(second.alarms, [silent("a")], 3_000)
  expect(third.opened).toMatchObject([{ key: "node.silent/solana/a", atMs: 3_000 }])
  expect(third.alarms.filter(({ closedMs }) => closedMs === null)).toHaveLength(1)
})

test("at any moment exactly the present causes are open, and the list stays small", () => {
  const causes = fc.array(fc.uniqueArray(fc.constantFrom("a", "b", "c", "d")), { maxLength: 80 })
  fc.assert(
    fc.property(causes, (history) => {
      let alarms: readonly WatchAlarm[] = []
      for (const [index, hosts] of history.entries()) {
        const change = changeAlarms(alarms, hosts.map(silent), index * 1_000)
        const open = change.alarms.filter(({ closedMs }) => closedMs === null)
        expect(open.map(({ reason }) => reason["endpoint"]).toSorted()).toEqual(hosts.toSorted())
        expect(
          change.opened.every(
            ({ key }) => !alarms.some((one) => one.key === key && one.closedMs === null),
          ),
        ).toBe(true)
        alarms = change.alarms
      }
      expect(alarms.length).toBeLessThanOrEqual(54)
    }),
  )
})
