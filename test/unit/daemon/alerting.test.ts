import { expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { createAlerting } from "../../../src/app/daemon/watch/alerting.ts"
import { startHttpReceiver } from "../../support/alert-receivers.ts"
import { until } from "../../support/sandbox-process.ts"

test("the heartbeat stops when the outbox stands still for a minute, or the rules for ten", async () => {
  const http = await startHttpReceiver()
  const heartbeat = { url: new Secret(http.url, "env:X"), everyMs: 20, method: "GET" }
  const config = { alerts: { receivers: [], groupMs: 1_000, heartbeat }, treasury: "desk" }
  const journal = {
    readFlag: () => null,
    writeFlag: () => undefined,
    durableHere: async () => undefined,
  }
  let workAgeMs: number | null = 0
  let rulesAgeMs: number | null = 0
  const timeOf = (ageMs: number | null): number | null =>
    ageMs === null ? null : Date.now() - ageMs
  const lastTurns = () => ({
    workMs: timeOf(workAgeMs ?? null),
    rulesMs: timeOf(rulesAgeMs ?? null),
  })
  const context = { journal, clock: systemClock, log: silentLogger }
  const alerting = createAlerting(
    context as never,
    { lastTurns, operate: () => ({ ok: false, reasons: [] }) },
    { config: () => config as never, findProblems: () => [] },
  )
  const stop = new AbortController()
  const running = alerting.run(stop.signal)

  async function beatsWith(work: number | null, rules: number | null): Promise<boolean> {
    ;[workAgeMs, rulesAgeMs] = [work, rules]
    await systemClock.sleep(60)
    const before = http.calls.length
    for (let beat = 0; beat < 8 && http.calls.length === before; beat++) await systemClock.sleep(20)
    return http.calls.length > before
  }
  await until("the heart beats", async () => http.calls.length > 0)
  expect(await beatsWith(59_000, 590_000)).toBe(true)
  expect(await beatsWith(61_000, 0)).toBe(false)
  expect(await beatsWith(0, 601_000)).toBe(false)
  expect(await beatsWith(null, null)).toBe(false)
  expect(await beatsWith(0, 0)).toBe(true)
  stop.abort()
  await running
  await http.close()
})
