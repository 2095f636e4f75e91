import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { chainOf, parseAssetId } from "#domain/asset.ts"
import { type Counted, createOpenOrders } from "#journal/open-orders.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { ORDER_ROW, PLAIN_STEP } from "../../support/order-row.ts"

const ETH = parseAssetId("base_sepolia:eth")
const BTC = parseAssetId("bitcoin_testnet:btc")
const IDS = ["a", "b", "c"]
const EVER = Number.MAX_SAFE_INTEGER

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

const ORDER: Counted = {
  id: "a",
  state: "funded",
  outcome: null,
  rule: "one",
  secondRule: null,
  from: ETH,
  to: BTC,
  sourceUnits: 5n,
  sourceFiat: 7n,
  feeFiat: 3n,
  feeUnits: 2n,
  deposited: false,
  service: "main",
  countedAtMs: 1,
  updatedAtMs: 1,
  secretHash: null,
  payoutTx: null,
}

test.each([
  ["the fee units", { feeUnits: 9n }],
  ["the deposit", { deposited: true }],
  ["the value", { sourceFiat: 8n }],
  ["the fees", { feeFiat: 4n }],
  ["the amount", { sourceUnits: 6n }],
  ["the second rule", { secondRule: "two" }],
  ["the service", { service: "other" }],
  ["the place in flight", { state: "settling" }],
] as const)("a change of %s alone changes the sums", (_what, change: Partial<Counted>) => {
  const sumsOf = (...rows: readonly Counted[]) => {
    const open = createOpenOrders()
    for (const row of rows) open.put(row)
    return {
      fees: open.sumFees(chainOf(ETH)),
      committed: open.sumCommitted(ETH),
      underWay: open.sumUnderWay(ETH),
      all: open.countInFlight(),
      second: open.countInFlight({ rule: "two" }),
      other: open.countInFlight({ service: "other" }),
    }
  }
  const changed = { ...ORDER, ...change }
  expect(sumsOf(ORDER, changed)).toEqual(sumsOf(changed))
  expect(sumsOf(changed)).not.toEqual(sumsOf(ORDER))
})

/** One thing that happens to a journal with groups. */
const actions = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("step" as const),
      id: fc.nat(2),
      of: fc.nat(5),
      at: fc.nat(9),
    }),
  },
  fc.record({
    do: fc.constantFrom("stale" as const, "begin" as const, "postpone" as const),
    id: fc.nat(2),
    at: fc.nat(9),
  }),
  fc.record({
    do: fc.constantFrom(
      "commit" as const,
      "refuse" as const,
      "abandon" as const,
      "foreign" as const,
    ),
  }),
)
/** The columns of an order after a step. */
const COLUMNS: readonly Partial<OrderRow>[] = [
  { state: "funded" },
  { state: "settling", deposited: true, feeUnits: 9n, secretHash: null, payoutTx: "0x1" },
  { state: "held", sourceFiat: 7n, feeFiat: 3n, service: "main" },
  { state: "completed", outcome: "completed", countedAtMs: 5 },
  { state: "disarmed", countedAtMs: 8 },
  { state: "rejected", outcome: "rejected", feeUnits: 0n },
]

test(
  "the open orders in memory are those of the tables after every step, also when steps are " +
    "undone",
  () => {
    fc.assert(
      fc.property(fc.array(actions, { minLength: 1, maxLength: 14 }), (given) => {
        const directory = mkdtempSync(join(tmpdir(), "open-orders-"))
        directories.push(directory)
        const file = join(directory, "journal.db")
        let flush = (): void => undefined
        let isRefused = false
        const schedule = (due: () => void): void => {
          flush = due
        }
        const beforeCommit = (): void => {
          if (isRefused) throw new Error("database or disk is full")
        }
        const journal = openJournal(file, {
          group: { schedule, beforeCommit, onFailure: () => undefined },
        })
        const known = new Set<string>()
        const commit = (refused: boolean): void => {
          isRefused = refused
          flush()
          isRefused = false
          flush = () => undefined
        }
        const expectSame = (): void => {
          const fresh = openJournal(file)
          expect(answers(journal)).toEqual(answers(fresh))
          known.clear()
          for (const id of IDS) if (fresh.findOrder(id) !== null) known.add(id)
          fresh.close()
        }
        for (const action of given) {
          if ("id" in action) act(journal, known, action)
          else {
            // Reads between the steps fill the memory, so that a later mistake shows.
            answers(journal)
            if (action.do === "abandon") journal.abandon()
            else commit(action.do === "refuse")
            if (action.do === "foreign") changeFromOutside(file)
            expectSame()
          }
        }
        commit(false)
        expectSame()
        journal.close()
      }),
      { numRuns: 20 },
    )
  },
)

function act(
  journal: Journal,
  known: Set<string>,
  action: {
    readonly do: "step" | "stale" | "begin" | "postpone"
    readonly id: number
    readonly at: number
    readonly of?: number
  },
): void {
  const id = IDS[action.id] ?? "a"
  const row = journal.listDueWork(EVER, 99).find(({ orderId }) => orderId === id)
  if (action.do === "begin") journal.beginWork(row?.id ?? -1)
  else if (action.do === "postpone") journal.postponeWork(row?.id ?? -1, action.at)
  else if (!known.has(id)) {
    known.add(id)
    journal.openOrder(
      orderOf(id, {}, action.at),
      eventOf(action.at),
      { body: "{}", dueAtMs: action.at },
      null,
    )
  } else {
    const step = stepOf(orderOf(id, COLUMNS[action.of ?? 0] ?? {}, action.at), action.at)
    if (action.do === "stale") expect(() => journal.commit({ ...step, cause: -1 })).toThrow()
    else journal.commit(step)
  }
}

function changeFromOutside(file: string): void {
  const other = new DatabaseSync(file)
  other.exec("update orders set work_due = work_due + 1, fee_units = '77' where outcome is null")
  other.close()
}

/** Everything that the memory answers. */
function answers(journal: Journal): unknown {
  const counts = [
    journal.countInFlight(),
    ...["dca", "other"].map((rule) => journal.countInFlight({ rule })),
    journal.countInFlight({ from: ETH, to: BTC }),
    journal.countInFlight({ chain: chainOf(BTC) }),
    journal.countInFlight({ service: "main" }),
  ]
  const sums = [null, ...IDS].flatMap((except) => [
    journal.sumReservedFees(chainOf(ETH), except),
    journal.sumCommitted(ETH, except),
    journal.sumWindow(4, ETH, except),
  ])
  const works = [0, 4, EVER].map((untilMs) => journal.listDueWork(untilMs, 99, 5))
  return { counts, sums, works: [...works, journal.listDueWork(EVER, 1)] }
}

function orderOf(id: string, columns: Partial<OrderRow>, atMs: number): OrderRow {
  return {
    ...ORDER_ROW,
    id,
    rule: "dca",
    from: ETH,
    to: BTC,
    sourceUnits: 5n,
    feeUnits: 4n,
    secondRule: id === "b" ? "other" : null,
    createdAtMs: 0,
    updatedAtMs: atMs,
    ...columns,
  }
}

function eventOf(atMs: number): { atMs: number; type: string; state: string; body: string } {
  return { atMs, type: "test.event", state: "quoting", body: "{}" }
}

function stepOf(order: OrderRow, atMs: number): StepRow {
  const isOver = order.outcome !== null
  return {
    ...PLAIN_STEP,
    order,
    event: eventOf(atMs),
    work: isOver ? null : { body: `{"at":${atMs}}`, dueAtMs: atMs },
  }
}

test("a step that is on disk counts, also when its caller gets an error after it", () => {
  let isKilled = false
  const afterCommit = (): void => {
    if (isKilled) throw new Error("killed")
  }
  const journal = openJournal(":memory:", { afterCommit })
  expect(journal.countInFlight()).toBe(0)
  isKilled = true
  const open = (): void =>
    journal.openOrder(orderOf("a", {}, 1), eventOf(1), { body: "{}", dueAtMs: 1 }, null)
  expect(open).toThrow("killed")
  expect([journal.countInFlight(), journal.listDueWork(EVER, 9).length]).toEqual([1, 1])
  journal.close()
})
