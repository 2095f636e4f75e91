import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync, StatementSync } from "node:sqlite"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { ACCOUNTS, WALLET_PREFIX } from "#books/accounts.ts"
import type { Period } from "#books/period.ts"
import { readSwap, type Swap } from "#books/read-swap.ts"
import type { Config } from "#config/config.ts"
import { type Asset, type AssetId, chainOf } from "#domain/asset.ts"
import type { Booking, LedgerEntry } from "#domain/ledger.ts"
import { nativeAssetId } from "#domain/native-coin.ts"
import type { EngineContext } from "#engine/context.ts"
import { summarizeOrder } from "#engine/orders/summarize-order.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { silentLogger } from "#lib/log.ts"
import type { OrderData } from "#order/data.ts"
import { isFinal, type StateName } from "#order/states.ts"
import { decodeOrder, encodeOrder, type Order } from "#order/step.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { readSwaps } from "../../../src/app/daemon/views/read-swaps.ts"
import { ASSETS, BTC, createWorld, ETH, type World } from "../../support/fake-world.ts"
import { ORDER_ROW, PLAIN_STEP } from "../../support/order-row.ts"
import { SAMPLE } from "../../support/order-sample.ts"
import { funded, seenFunded } from "../../support/order-steps.ts"

const ALL = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER }
const { from, to } = SAMPLE.terms

/** Without assets the coin of the network fees has another name than when the orders ended. */
function configOf(assets: readonly Asset[] = ASSETS): Config {
  // CAST: the books need these parts of a configuration.
  return { assets, chains: [], service: { name: "main" } } as unknown as Config
}

let directory: string
let file: string
let world: World | null
beforeEach(() => {
  world = null
  // In memory if possible: each run opens a journal of its own.
  directory = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "read-swaps-"))
  file = join(directory, "journal.db")
})
afterEach(() => {
  vi.restoreAllMocks()
  world?.close()
  rmSync(directory, { recursive: true })
})

/**
 * The swaps as they were read before the journal had summaries: each from its snapshot and from its
 * entries among all entries.
 */
function readFromOrders(
  journal: Journal,
  config: Config,
  { fromMs, untilMs }: Period,
): readonly Swap[] {
  const entries = journal.listEntries({})
  return journal
    .listOrders({})
    .filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < untilMs)
    .map((row) => {
      const own = entries.filter(({ orderId }) => orderId === row.id)
      const swap = readSwap(decodeOrder(row.snapshot), row.updatedAtMs, own, (chain) =>
        nativeAssetId(chain, config.assets, { token: null }),
      )
      const isUnnamed = row.service === "" && swap.service === null && swap.quoted !== null
      return isUnnamed ? { ...swap, service: config.service.name } : swap
    })
    .toReversed()
}

function expectSame(journal: Journal): void {
  for (const config of [configOf(), configOf([])])
    for (const period of [ALL, { fromMs: 2, untilMs: 3 }])
      expect([...readSwaps(journal, config, period)]).toEqual(
        readFromOrders(journal, config, period),
      )
}

function summariesIn(journal: Journal): readonly (string | null)[] {
  return [...journal.listSummaries(ALL)].map(({ summary }) => summary)
}

describe("the swaps of the engine's orders", () => {
  test.each(["completed", "refunded", "rejected", "abandoned"] as const)(
    "that are %s have a summary",
    async (end) => {
      world = createWorld()
      const daemon = world.start()
      const { service } = world
      service.conduct.fills = service.conduct.takesSource = end === "completed"
      if (end === "abandoned") world.autoMine = false
      await daemon.engine.submit({ from: ETH, to: BTC, sourceUnits: 10_000n })
      if (end === "abandoned" || end === "rejected")
        daemon.engine.operate("order-1", "abandon", "anna")
      await world.run(() => isFinal(daemon.order("order-1").state))
      const { journal } = daemon.context
      expect(summariesIn(journal)).not.toContain(null)
      expectSame(journal)
    },
  )
})

type Action = {
  readonly order: number
  readonly does: "step" | "end" | "book" | "summarize" | "forget"
  readonly end: StateName
  readonly key: number
  readonly reverses: boolean
  readonly kind: LedgerEntry["kind"]
  readonly account: number
  readonly asset: AssetId
  readonly units: bigint
  readonly isPriced: boolean
  readonly data: Partial<OrderData>
}

const FEES = [{ asset: to, address: "0xAB", feeBps: 10 }]
const action: fc.Arbitrary<Action> = fc.record({
  order: fc.nat(2),
  does: fc.constantFrom("step", "end", "end", "book", "summarize", "forget"),
  end: fc.constantFrom("completed", "refunded", "rejected", "abandoned"),
  key: fc.nat(2),
  reverses: fc.boolean(),
  kind: fc.constantFrom("deposit", "payout", "refund", "fee", "rent"),
  account: fc.nat(5),
  asset: fc.constantFrom(from, to, ETH),
  units: fc.oneof(fc.bigInt(-9n, 9n), fc.bigInt(-(10n ** 30n), 10n ** 30n)),
  isPriced: fc.boolean(),
  data: fc.record(
    {
      quote: fc.constantFrom(null, SAMPLE.quote),
      service: fc.constantFrom(null, "main", "other"),
      created: fc.constantFrom(null, SAMPLE.created),
      prices: fc.constantFrom(
        { from: 1n, to: null, native: null },
        { from: 10n ** 20n, to: 3n, native: null },
      ),
      receipt: fc.constantFrom(null, { txid: "r", units: 7n }),
      seen: fc.boolean().map((isFinalSeen) => ({
        ...seenFunded(true),
        destinationRedeemed: { txid: "p", height: 1n, final: isFinalSeen, at: 55 },
      })),
      policy: fc.constantFrom(SAMPLE.input.policy, { ...SAMPLE.input.policy, affiliateFees: FEES }),
      serviceOrder: fc.constantFrom(null, {
        ...SAMPLE.order,
        affiliateFees: [
          ...FEES.map((fee) => ({ ...fee, address: "0xab", units: 10n ** 18n })),
          { ...FEES[0], units: null },
        ],
      }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Partial<OrderData>>,
})

function bookingOf(
  { key, reverses, kind, account, asset, units, isPriced }: Action,
  id: string,
): Booking {
  if (reverses) return { reversedKeys: [`k${key}`], add: [] }
  const accounts = [
    ACCOUNTS.inTransit(id),
    ACCOUNTS.swap,
    ACCOUNTS.affiliate,
    ACCOUNTS.payout,
    ACCOUNTS.outside,
  ]
  const line = (name: string, sign: bigint) => ({
    account: name,
    asset,
    units: sign * units,
    fiat: isPriced ? sign * units * 3n : null,
  })
  const other = accounts[account] ?? ACCOUNTS.network("deposit")
  const postings = [line(`${WALLET_PREFIX}${chainOf(asset)}`, -1n), line(other, 1n)]
  return {
    reversedKeys: [],
    add: [{ key: `k${key}`, kind, tx: `tx-${key}`, note: null, postings }],
  }
}

// CAST: a summary needs these parts of a context.
const CONTEXT = {
  log: silentLogger,
  chains: new Map(),
  settings: { assets: new Map(ASSETS.map((asset) => [asset.id, asset])) },
} as unknown as EngineContext

function rowOf({ state, data }: Order, updatedAtMs: number): OrderRow {
  return {
    ...ORDER_ROW,
    id: data.id,
    state,
    outcome: isFinal(state) ? state : null,
    rule: data.rule,
    from,
    to,
    countedAtMs: 0,
    deposited: true,
    createdAtMs: data.createdAt,
    updatedAtMs,
    snapshot: encodeOrder({ state, data }),
    service: data.service === undefined && data.quote !== null ? "" : (data.service ?? null),
  }
}

function carryOut(journal: Journal, one: Action, atMs: number): void {
  const id = `order-${one.order}`
  const event = { atMs, type: "any", state: "any", body: "{}" }
  const stored = journal.findOrder(id)
  if (stored === null) {
    const data = { ...funded({}), id, createdAt: one.order + 1, quote: SAMPLE.quote }
    journal.openOrder(rowOf({ state: "funded", data }, atMs), event, null, null)
    return
  }
  const before = decodeOrder(stored.snapshot)
  if (one.does === "forget") {
    const db = new DatabaseSync(file)
    db.prepare("update orders set summary = null where id = ?").run(id)
    db.close()
  } else if (one.does === "book" || one.does === "summarize") {
    const isEnded = isFinal(before.state) && one.does === "summarize"
    const summarize = isEnded
      ? { summarize: summarizeOrder(CONTEXT, before, stored.updatedAtMs) }
      : {}
    journal.book(bookingOf(one, id), { orderId: id, atMs, ...summarize })
  } else {
    const state = one.does === "end" ? one.end : "funded"
    const order: Order = { state, data: { ...before.data, ...one.data } }
    const step: StepRow = {
      ...PLAIN_STEP,
      order: rowOf(order, atMs),
      event,
      booking: bookingOf(one, id),
      ...(isFinal(state) ? { summarize: summarizeOrder(CONTEXT, order, atMs) } : {}),
    }
    journal.commit(step)
  }
}

describe("the swaps of a journal", () => {
  test("with any steps, ends, late bookings, reversals and reopened orders are those of its orders", () => {
    let kept = 0
    fc.assert(
      fc.property(fc.array(action, { maxLength: 14 }), (actions) => {
        const journal = openJournal(file)
        for (const [index, one] of actions.entries()) carryOut(journal, one, index + 1)
        expectSame(journal)
        kept += summariesIn(journal).filter((summary) => summary !== null).length
        journal.close()
        rmSync(file)
      }),
      { numRuns: 100 },
    )
    expect(kept).toBeGreaterThan(10)
  })

  test("with a summary that this version does not know are those of its orders", () => {
    const journal = openJournal(file)
    for (const does of ["step", "end"] as const) carryOut(journal, { ...SAMPLED, does }, 1)
    for (const text of ["[2]", "{}", "no list", "null"]) {
      const db = new DatabaseSync(file)
      db.prepare("update orders set summary = ?").run(text)
      db.close()
      expectSame(journal)
    }
    journal.close()
  })

  test("take no more statements for many ended orders than for few, and read no snapshot", () => {
    const journal = openJournal(file)
    const count = (orders: number): number => {
      for (let order = 0; order < orders; order++) {
        carryOut(journal, { ...SAMPLED, order, does: "step" }, 1)
        carryOut(journal, { ...SAMPLED, order, does: "end" }, 2)
      }
      const spies = (["all", "get", "iterate"] as const).map((way) =>
        vi.spyOn(StatementSync.prototype, way),
      )
      const swaps = [...readSwaps(journal, configOf(), ALL)]
      const calls = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
      vi.restoreAllMocks()
      expect(swaps).toHaveLength(orders)
      return calls
    }
    expect([count(3), count(60)]).toEqual([1, 1])
    journal.close()
  })
})

const SAMPLED: Action = {
  order: 0,
  does: "step",
  end: "completed",
  key: 0,
  reverses: false,
  kind: "payout",
  account: 1,
  asset: from,
  units: 5n,
  isPriced: true,
  data: {},
}
