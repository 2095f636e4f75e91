import { expect, test } from "vitest"
import type { Reason } from "#domain/reason.ts"
import { silentLogger } from "#lib/log.ts"
import { createPegWatch } from "./peg-watch.ts"

type Context = Parameters<typeof createPegWatch>[0]

const BROKEN = "prices.peg_broken"
const broken = (lowest: string, highest: string): Reason => {
  return { code: BROKEN, message: "apart", lowest, highest }
}
const SILENT: Reason = { code: "prices.silent", message: "no answer" }

test("an alarm of a peg is raised once until it holds again, whatever its prices and their order", async () => {
  const flags = new Map<string, string | null>()
  const raised: (readonly [number, Reason])[] = []
  let reasons: readonly Reason[] = []
  // CAST: the watch uses only this part of its context.
  const context = {
    journal: {
      readFlag: (name: string) => flags.get(name) ?? null,
      writeFlag: (name: string, value: string | null) => flags.set(name, value),
      raiseAlert: (atMs: number, reason: Reason) => raised.push([atMs, reason]),
    },
    prices: { checkPegs: async () => reasons },
    clock: { now: () => 7 },
    log: silentLogger,
  } as unknown as Context
  const watch = createPegWatch(context)
  const alarmsOf = async (next: readonly Reason[]): Promise<readonly unknown[]> => {
    reasons = next
    raised.length = 0
    if ("run" in watch) await watch.run()
    return raised.map(([atMs, { lowest }]) => [atMs, lowest])
  }
  const wbtc = broken("a:wbtc 99", "b:btc 101")
  expect(await alarmsOf([SILENT])).toEqual([])
  expect(await alarmsOf([SILENT, wbtc])).toEqual([[7, "a:wbtc 99"]])
  expect(await alarmsOf([broken("b:btc 98", "a:wbtc 102")])).toEqual([])
  expect(await alarmsOf([broken("c:usdc 1", "d:usdt 2"), wbtc])).toEqual([[7, "c:usdc 1"]])
  expect(await alarmsOf([wbtc, broken("c:usdc 1", "d:usdt 2")])).toEqual([])
  expect(await alarmsOf([wbtc])).toEqual([])
  expect(await alarmsOf([])).toEqual([])
  expect([...flags.values()]).toEqual([null])
  expect(await alarmsOf([wbtc])).toEqual([[7, "a:wbtc 99"]])
})
