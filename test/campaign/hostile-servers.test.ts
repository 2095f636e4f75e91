import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import { type Clock, systemClock } from "#lib/clock.ts"
import { createPaces } from "#nodes/paces.ts"
import { KINDS } from "../support/hostile-answers.ts"
import { FAMILIES, OTHERS, PROBES } from "../unit/nodes/askers.ts"
import { FURTHER } from "../unit/nodes/further-askers.ts"

/*
 * Hostile servers at the place of each node, probe, service, price source and receiver. What counts
 * is the processor time between two turns of the event loop, which does not depend on other work of
 * the machine, and the memory of the whole process: this file needs a process of its own.
 */

const MOST_STILL_MS = 50
const MIB = 1024 * 1024
const MOST_GROWTH_BYTES = 150 * MIB
const MOST_BYTES = 300 * MIB
const ASKERS = Object.entries({ ...FAMILIES, ...PROBES, ...OTHERS, ...FURTHER })
/** They answer nothing, slowly or without end: all can wait at the same time. */
const SLOW = new Set(["silent", "a byte now and then", "another protocol"])

let url = ""
let servers: ChildProcess
beforeAll(async () => {
  servers = fork(new URL("../support/hostile-answers.ts", import.meta.url))
  // CAST: the address of a TCP server.
  const [{ port }] = (await once(servers, "message")) as [AddressInfo]
  url = `http://127.0.0.1:${port}`
})
afterAll(() => servers?.kill())

/** Waits of our own are short here; those of exchanges are real. */
const clock: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 50), signal),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
}

/** The longest processor time of one turn while `act` is under way. */
async function longestTurnMs(act: () => Promise<unknown>): Promise<number> {
  let most = 0
  let isOver = false
  let last = process.threadCpuUsage()
  const note = (): void => {
    const now = process.threadCpuUsage()
    most = Math.max(most, now.user + now.system - last.user - last.system)
    last = now
    if (!isOver) setImmediate(note)
  }
  setImmediate(note)
  await act()
  await clock.turn?.()
  isOver = true
  return most / 1_000
}

const ask = ([, asker]: (typeof ASKERS)[number], kind: string): Promise<unknown> =>
  asker(`${url}/${encodeURIComponent(kind)}`, { clock, paces: createPaces(clock) }).catch(
    (error: unknown) => error,
  )

// First, because a process keeps the memory of what is over for a while.
test("all servers at once fill no memory", async () => {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 10)
  await Promise.all(
    Object.keys(KINDS).map((kind, at) =>
      ask(mustExist(ASKERS[at % ASKERS.length], "a client"), kind),
    ),
  )
  clearInterval(timer)
  expect(most).toBeLessThan(MOST_BYTES)
}, 120_000)

test.each(Object.keys(KINDS).filter((kind) => !SLOW.has(kind)))(
  "%s stops no client and fills no memory",
  async (kind) => {
    const before = process.memoryUsage.rss()
    for (const asker of ASKERS) {
      const stillMs = await longestTurnMs(() => ask(asker, kind))
      expect.soft(stillMs, asker[0]).toBeLessThan(MOST_STILL_MS)
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_GROWTH_BYTES)
  },
  120_000,
)

test("no client waits for ever", async () => {
  const asked = [...SLOW].flatMap((kind) => ASKERS.map((asker) => ask(asker, kind)))
  for (const answer of await Promise.all(asked)) expect(answer).toBeInstanceOf(Error)
}, 120_000)
