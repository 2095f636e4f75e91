import { expect, test } from "vitest"
import { createFeed } from "#daemon/views/order-feed.ts"
import type { EngineContext } from "#engine/context.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { FeedEvent } from "#ops/operations.ts"
import { encodeOrder } from "#order/step.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"
import { ORDER_ROW } from "../../support/order-row.ts"
import { sampleData } from "../../support/sample-job.ts"

test("tells a change when it is on disk, and one that the disk refused never", async () => {
  const flushes: (() => void)[] = []
  let isFull = false
  const group = {
    schedule: (flush: () => void) => void flushes.push(flush),
    onFailure: () => undefined,
    beforeCommit: () => {
      if (isFull) throw new Error("database or disk is full")
    },
  }
  const journal = openJournal(":memory:", { group })
  const clock = createManualClock(10_000)
  const stopping = new AbortController()
  // CAST: the feed reads these parts of the context.
  const context = {
    journal,
    chains: new Map(),
    settings: { assets: new Map() },
  } as unknown as EngineContext
  const feed = createFeed(context, clock, stopping.signal)
  const told: string[] = []
  const note = ({ type, data }: FeedEvent): void => {
    if (type === "order" && "id" in data) told.push(String(data.id))
  }
  feed.subscribe(note)
  const open = (id: string): void => {
    const data = { ...sampleData({}), id }
    const snapshot = encodeOrder({ state: "quoting", data })
    journal.openOrder(
      {
        ...ORDER_ROW,
        id,
        from: data.request.from,
        to: data.request.to,
        sourceUnits: 5n,
        feeUnits: 4n,
        snapshot,
      },
      { atMs: 1, type: "test.event", state: "quoting", body: "{}" },
      { body: "{}", dueAtMs: 1 },
      null,
    )
  }
  const pass = async (ms: number): Promise<void> => {
    await settle()
    clock.set(clock.now() + ms)
    await settle()
  }
  const flush = async (): Promise<void> => {
    for (const one of flushes.splice(0)) one()
    await settle()
  }

  open("kept")
  await pass(600)
  expect(told).toEqual([])
  await flush()
  expect(told).toEqual(["kept"])

  open("refused")
  await pass(600)
  isFull = true
  await flush()
  await pass(2_000)
  expect(told).toEqual(["kept"])
  stopping.abort()
})

test("tells decisions and alarms, and to a reader that comes back what it missed", async () => {
  const journal = openJournal(":memory:")
  const clock = createManualClock(100_000)
  const stopping = new AbortController()
  // CAST: the feed reads these parts of the context.
  const context = {
    journal,
    chains: new Map(),
    settings: { assets: new Map() },
  } as unknown as EngineContext
  const feed = createFeed(context, clock, stopping.signal)
  const pass = async (): Promise<void> => {
    await settle()
    clock.set(clock.now() + 600)
    await settle()
  }
  const alarm = (code: string): void =>
    journal.raiseAlert(clock.now(), { code, message: "" }, "alert")
  const listen = (sinceMs: number | null) => {
    const told: string[] = []
    const note = ({ id, type, data }: FeedEvent): void => {
      const reason = "reason" in data ? data.reason : null
      told.push(`${id} ${type} ${JSON.stringify(reason ?? {})}`)
    }
    return { told, leave: feed.subscribe(note, sinceMs) }
  }
  const first = listen(null)
  await pass()
  alarm("test.first")
  await pass()
  await pass()
  const seen = '100600 alarm {"code":"test.first","message":""}'
  expect(first.told).toEqual([seen])
  first.leave()
  clock.set(200_000)
  alarm("test.missed")
  await pass()
  const missed = '200000 alarm {"code":"test.missed","message":""}'
  const second = listen(100_600)
  await pass()
  expect([...new Set(second.told)]).toEqual([seen, missed])
  clock.set(100_600 + 25 * 3_600_000)
  const third = listen(100_600)
  await pass()
  expect(third.told[0]).toMatch(/reset/)
  stopping.abort()
})
