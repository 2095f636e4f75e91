import { afterEach, beforeEach, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { acceptOrder } from "#engine/orders/stepper.ts"
import { createWorker, type Worker } from "#engine/orders/worker.ts"
import { draftOrder } from "#engine/rules/admission.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { silentLogger } from "#lib/log.ts"
import type { Work } from "#order/work.ts"
import type { Journal } from "#ports/journal.ts"
import { createFakeChain } from "../../support/fake-chain.ts"
import { createFakeLedger } from "../../support/fake-ledger.ts"
import { createFakeService, type FakeService } from "../../support/fake-service.ts"
import { ASSETS, BTC, defaultSettings, ETH } from "../../support/fake-world.ts"
import { createManualClock, type ManualClock, settle } from "../../support/manual-clock.ts"

/*
 * Two orders on a journal with groups that are written when the test says so. No port waits for the
 * disk by itself.
 */

let flush: () => void
let isRefused: boolean
let isAlive: boolean
let journal: Journal
let service: FakeService
let worker: Worker
let quoted: number
let created: number
let context: EngineContext
let started: string[]
let clock: ManualClock

beforeEach(() => {
  isRefused = false
  isAlive = true
  flush = () => undefined
  ;[quoted, created, started] = [0, 0, []]
  journal = openJournal(":memory:", {
    group: {
      schedule: (due) => {
        flush = due
      },
      beforeCommit: () => {
        if (isRefused) throw new Error("database or disk is full")
      },
      onFailure: () => undefined,
    },
  })
  const ledgers = new Map([
    [
      chainOf(ETH),
      createFakeLedger("account", ETH, { balances: { [ETH]: 10n ** 9n }, outpoints: [] }),
    ],
    [
      chainOf(BTC),
      createFakeLedger("utxo", BTC, { balances: { [BTC]: 10n ** 9n }, outpoints: [] }),
    ],
  ])
  clock = createManualClock(1_000_000)
  service = createFakeService({ now: clock.now, ledgers, isToken: () => false })
  const chains = [...ledgers].map(
    ([chain, ledger]) =>
      [
        chain,
        createFakeChain({
          chain,
          ledger,
          assets: ASSETS,
          confirmations: 1,
          signatures: [],
          codes: new Map(),
        }),
      ] as const,
  )
  let ids = 0
  const port = {
    ...service.port,
    fetchQuotes: (...asked: Parameters<typeof service.port.fetchQuotes>) => {
      quoted++
      return service.port.fetchQuotes(...asked)
    },
    submitOrder: (...asked: Parameters<typeof service.port.submitOrder>) => {
      created++
      return service.port.submitOrder(...asked)
    },
  }
  context = {
    journal,
    memory: createMemory(),
    clock,
    log: silentLogger,
    settings: defaultSettings(),
    prices: { fetchPrice: async () => null },
    services: new Map([["main", port]]),
    chains: new Map(chains),
    newOrderId: () => `order-${++ids}`,
    newNonce: () => String(ids),
  }
  const request = { rule: "manual", occurrence: null, from: BTC, to: ETH, sourceUnits: 1_000n }
  for (let n = 0; n < 2; n++) acceptOrder(context, draftOrder(context, request, null), null, {})
  flush()
  const gate = {
    findReasons: ({ kind }: Work) => {
      started.push(kind)
      return []
    },
  }
  worker = createWorker(
    context,
    gate,
    { noteObserved: () => undefined, covers: () => false },
    () => {
      if (isAlive) worker.poll()
    },
  )
})

afterEach(() => {
  isAlive = false
  isRefused = false
  flush()
  journal.close()
})

/** Turns of the event loop without the disk. */
async function turnsWithoutDisk(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await settle()
    worker.poll()
  }
}

test(
  "the order's next work begins at once, and its call waits until the disk has what it follows " +
    "from",
  async () => {
    worker.poll()
    await turnsWithoutDisk()
    expect(started).toEqual(["fetchQuote", "fetchQuote", "createOrder", "createOrder"])
    expect([quoted, created]).toEqual([2, 0])
    flush()
    await settle()
    expect(created).toBe(2)
  },
)

test("the account's lane is free as soon as a plan is in the journal", async () => {
  worker.poll()
  await settle()
  while (journal.listOrders({}).some(({ state }) => state !== "deposit-planning")) {
    started = []
    flush()
    await settle()
  }
  await turnsWithoutDisk()
  expect(started.filter((kind) => kind === "planTransaction")).toHaveLength(2)
})

test("no call follows from a result that the disk refused, and the work before it rests", async () => {
  worker.poll()
  await turnsWithoutDisk()
  isRefused = true
  flush()
  await turnsWithoutDisk()
  expect([created, journal.findOrder("order-1")?.state]).toEqual([0, "quoting"])
  expect([quoted, journal.countRefused()]).toEqual([2, 1])
  isRefused = false
  clock.set(clock.now() + 4_900)
  await turnsWithoutDisk()
  expect(quoted).toBe(2)
  clock.set(clock.now() + 200)
  await turnsWithoutDisk()
  expect(quoted).toBe(4)
  flush()
  await settle()
  expect(created).toBe(2)
})
