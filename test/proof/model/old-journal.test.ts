import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pino } from "pino"
import { afterAll, describe, expect, test } from "vitest"
import { type ChainId, chainOf, type Family } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { createEngine } from "#engine/engine.ts"
import { replayDecision } from "#engine/rules/tick/decision.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import type { Logger } from "#lib/log.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { isFinal, STATES } from "#order/states.ts"
import { decodeOrder, step } from "#order/step.ts"
import { viewOrder } from "#order/view.ts"
import type { DecisionRow, Journal } from "#ports/journal.ts"
import { accountOf, createFakeChain } from "../../support/fake-chain.ts"
import { createFakeLedger } from "../../support/fake-ledger.ts"
import { createFakeService } from "../../support/fake-service.ts"
import { ARB, BTC, ETH, POLICY, SOL, STRK } from "../../support/fake-world.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"
import { OLD_JOURNALS, readOldOrders, restoreOldJournal } from "../../support/old-journal.ts"
import { ASSETS } from "../fault-sim/simulated-assets.ts"

/** The state words of Ballast 0.1: they are part of its API. */
const OLD_STATES = [
  "quoting",
  "creating",
  "verifying",
  "awaiting-approval",
  "allowing",
  "approve-signing",
  "approve-sending",
  "approve-confirming",
  "approve-bumping",
  "gasless-signing",
  "gasless-submitting",
  "gasless-confirming",
  "deposit-planning",
  "deposit-signing",
  "deposit-sending",
  "deposit-confirming",
  "deposit-bumping",
  "void-planning",
  "void-signing",
  "void-sending",
  "void-confirming",
  "void-bumping",
  "funded",
  "redeem-reported",
  "refund-watch",
  "refund-planning",
  "refund-signing",
  "refund-sending",
  "refund-confirming",
  "refund-bumping",
  "revoke-planning",
  "revoke-signing",
  "revoke-sending",
  "revoke-confirming",
  "revoke-bumping",
  "held",
  "disarmed",
  "closing",
  "completed",
  "refunded",
  "rejected",
  "abandoned",
].sort()

/** The same events that the fixture tells the next state for. */
const EVENTS: readonly UntimedOrderEvent[] = [
  { type: "work.deferred", reasons: [{ code: "fixture.later", message: "later" }] },
  { type: "order.held", reasons: [{ code: "fixture.held", message: "held" }] },
  { type: "operator.approved", by: "fixture", intent: null },
  { type: "operator.rejected", by: "fixture" },
  { type: "operator.abandoned", by: "fixture" },
  { type: "operator.retried", by: "fixture", nonce: "424242" },
  { type: "operator.refunded", by: "fixture" },
  { type: "approval.expired" },
]

const DECIMALS = new Map(ASSETS.map(({ id, decimals }) => [id, decimals]))
/** Longer than any work of an order waits. */
const RUN_MS = 11 * 60_000
const TURN_MS = 2_500

const COUNTS = { replayable: 166, declined: 120, entries: 173, alerts: 42, reconciliations: 4 }
const OLD_ORDERS = readOldOrders()
/** In memory where there is such a place: these tests wait for no disk. */
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "old-journal-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the journals of Ballast 0.1", () => {
  test("hold an order in each state, and each state word is still known", () => {
    expect([...new Set(OLD_ORDERS.map(({ state }) => state))].sort()).toEqual(OLD_STATES)
    expect(Object.keys(STATES)).toEqual(expect.arrayContaining(OLD_STATES))
  })

  test("hold an order in each state that a real run wrote, except `closing`", () => {
    const written = OLD_ORDERS.filter(({ journal }) => journal !== "crafted-closing").map(
      ({ state }) => state,
    )
    expect(OLD_STATES.filter((state) => !written.includes(state))).toEqual(["closing"])
  })

  test("hold orders of every chain family, in both ways of depositing", () => {
    const sources = OLD_ORDERS.map(
      ({ view }) => `${String(view["from"]).split("_")[0]} ${view["deposit"]}`,
    )
    expect([...new Set(sources)].sort()).toEqual([
      "arbitrum onchain",
      "base gasless",
      "base onchain",
      "bitcoin onchain",
      "solana onchain",
      "starknet gasless",
      "starknet onchain",
    ])
  })
})

/** Counts that keep the loops below from passing over nothing. */
describe("the journals of Ballast 0.1 together", () => {
  test("hold decisions that can be made again, entries, alerts and balance comparisons", async () => {
    const found = { replayable: 0, declined: 0, entries: 0, alerts: 0, reconciliations: 0 }
    for (const name of OLD_JOURNALS) {
      await withJournal(name, (journal) => {
        const decisions = journal.listDecisions({ rule: null, limit: 1_000 })
        found.replayable += decisions.filter(
          (decision) => replay(journal, decision) !== null,
        ).length
        found.declined += decisions.filter(({ verdict }) => verdict === "declined").length
        found.entries += journal.listEntries({}).length
        found.alerts += journal.listAlerts(1_000).length
        found.reconciliations += journal.listReconciliations().length
      })
    }
    expect(found).toEqual(COUNTS)
  })
})

describe.each(OLD_JOURNALS)("the journal %s", (name) => {
  const orders = OLD_ORDERS.filter(({ journal }) => journal === name)

  test("opens, and each order is read as 0.1 read it", async () => {
    await withJournal(name, (journal) => {
      expect(journal.listOrders({ limit: 1_000 })).toHaveLength(orders.length)
      for (const { id, state, view } of orders) {
        const row = present(journal.findOrder(id), "a row for each order")
        const order = decodeOrder(row.snapshot)
        expect([id, row.state, order.state]).toEqual([id, state, state])
        expect(viewOrder(order, DECIMALS, row.updatedAtMs)).toMatchObject(view)
      }
    })
  })

  test("each order takes an event to the state that 0.1 took it to", async () => {
    await withJournal(name, (journal) => {
      for (const { id, state, next } of orders) {
        const row = present(journal.findOrder(id), "a row for each order")
        const taken = EVENTS.map((event) => {
          const after = step(decodeOrder(row.snapshot), { ...event, at: row.updatedAtMs + 1_000 })
          return [
            event.type,
            after.changed ? `${after.order.state} ${after.next?.delayMs ?? "-"}` : null,
          ]
        })
        expect({ id, state, next: Object.fromEntries(taken) }).toEqual({
          id,
          state,
          next: provenFirst(next, taken),
        })
      }
    })
  })

  test("each decision that was made from balances agrees with its stored inputs", async () => {
    await withJournal(name, (journal) => {
      for (const decision of journal.listDecisions({ rule: null, limit: 1_000 })) {
        const replayed = replay(journal, decision)
        if (replayed !== null)
          expect(replayed).toMatchObject({ same: true, policy: 1, findings: [] })
      }
    })
  })

  test("an engine takes up the work of each order, and meets no error without a code", async () => {
    await withJournal(name, async (journal) => {
      const known = new Map(orders.map(({ id }) => [id, journal.listEvents(id).length]))
      const working = journal
        .listDueWork(Number.MAX_SAFE_INTEGER, 1_000)
        .map(({ orderId }) => orderId)
      const open = orders.filter(({ state }) => !isFinal(state) && state !== "closing")
      expect(working.sort()).toEqual(open.map(({ id }) => id).sort())

      const errors = await runEngine(journal)
      expect(errors.filter(isDefect)).toEqual([])
      for (const { id, state } of orders) {
        const row = present(journal.findOrder(id), "a row for each order")
        expect(decodeOrder(row.snapshot).state).toBe(row.state)
        if (isFinal(state)) expect(row.state).toBe(state)
        const fresh = journal.listEvents(id).slice(known.get(id))
        expect({ id, isIdle: fresh.length === 0 }).toEqual({ id, isIdle: !working.includes(id) })
        expect(fresh.filter(({ body }) => body.includes("engine.unexpected"))).toEqual([])
      }
    })
  })
})

/**
 * The states that 0.1 took, except that an order which signed something for its deposit is proven
 * unfunded before it ends.
 */
function provenFirst(
  next: Readonly<Record<string, string | null>>,
  taken: readonly (readonly (string | null)[])[],
): Readonly<Record<string, string | null>> {
  const proving = taken.filter(([, state]) => state === "proving-unfunded 0").map(([type]) => type)
  const isEnd = (state: string | null): boolean => state === "abandoned -" || state === "rejected -"
  return Object.fromEntries(
    Object.entries(next).map(([type, state]) =>
      proving.includes(type) && isEnd(state) ? [type, "proving-unfunded 0"] : [type, state],
    ),
  )
}

function replay(journal: Journal, decision: DecisionRow): ReturnType<typeof replayDecision> {
  const inputs = decision.inputs === null ? null : journal.findInputs(decision.inputs)
  return inputs === null ? null : replayDecision(decision, inputs)
}

async function withJournal(
  name: string,
  use: (journal: Journal) => void | Promise<void>,
): Promise<void> {
  const journal = restore(name)
  try {
    await use(journal)
  } finally {
    journal.close()
  }
}

let copies = 0

/** A fresh copy of the journal. Pauses are lifted, so that the engine does all work. */
function restore(name: string): Journal {
  const file = join(folder, `${++copies}.db`)
  restoreOldJournal(name, file)
  const db = new DatabaseSync(file)
  const pauses = db.prepare("select key from flags where key like 'pause%'").all()
  db.close()
  const journal = openJournal(file)
  for (const { key } of pauses) journal.writeFlag(String(key), null)
  return journal
}

/**
 * Runs an engine on new chains and a new service, which know nothing of the orders. Answers the
 * errors that it logged.
 */
async function runEngine(journal: Journal): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  const updates = journal.listOrders({ limit: 1_000 }).map(({ updatedAtMs }) => updatedAtMs)
  const clock = createManualClock(Math.max(...updates) + 1_000)
  const stopping = new AbortController()
  const engine = createEngine({
    journal,
    clock,
    log: recordErrors(errors),
    ...createPorts(clock.now),
    ...SETTINGS,
  })
  const running = engine.run(stopping.signal)
  const untilMs = clock.now() + RUN_MS
  while (clock.now() < untilMs) {
    await settle()
    await settle()
    clock.set(clock.now() + TURN_MS)
  }
  stopping.abort()
  for (let turn = 0; turn < 50; turn++) {
    await settle()
    clock.set(clock.now() + TURN_MS)
  }
  await running
  return errors
}

function createPorts(now: () => number): Pick<EngineContext, "services" | "chains" | "prices"> {
  const families = new Map<ChainId, Family>([[chainOf(STRK), "starknet"]])
  const kinds = [
    [ETH, "account"],
    [ARB, "account"],
    [BTC, "utxo"],
    [SOL, "slots"],
    [STRK, "account"],
  ] as const
  const ledgers = new Map(
    kinds.map(([native, kind]) => {
      const assets = ASSETS.filter(({ chain }) => chain === chainOf(native))
      const balances = Object.fromEntries(assets.map(({ id }) => [id, 1_000_000n]))
      const outpoints = kind === "utxo" ? Array.from({ length: 20 }, () => 50_000n) : []
      return [chainOf(native), createFakeLedger(kind, native, { balances, outpoints })]
    }),
  )
  const isToken = (id: string): boolean =>
    ASSETS.some((asset) => asset.id === id && asset.token !== null)
  const chains = [...ledgers].map(([chain, ledger]) => {
    const family = families.get(chain)
    const shared = { chain, ledger, assets: ASSETS, confirmations: 2, signatures: [] }
    return [
      chain,
      createFakeChain({ ...shared, ...(family === undefined ? {} : { family }) }),
    ] as const
  })
  return {
    chains: new Map(chains),
    services: new Map([["main", createFakeService({ now, ledgers, isToken, families }).port]]),
    prices: { fetchPrice: async () => null },
  }
}

let ids = 0
const SETTINGS: Pick<EngineContext, "settings" | "newOrderId" | "newNonce"> = {
  settings: {
    assets: new Map(ASSETS.map((asset) => [asset.id, asset])),
    limits: { maxOrder: null, maxInFlight: 8, windows: [] },
    cooldownMs: null,
    minNative: new Map(),
    priceToleranceBps: 0n,
    affiliateFees: [],
    rules: [],
    policyFor: () => POLICY,
    destinationFor: (to) => accountOf(chainOf(to)),
    mode: "live",
  },
  newOrderId: () => `new-order-${++ids}`,
  newNonce: () => String(900_000 + ++ids),
}

/** Every `err` that is logged, at any level. */
function recordErrors(errors: unknown[]): Logger {
  return pino({
    level: "trace",
    hooks: {
      logMethod: ([fields]) => {
        if (typeof fields === "object" && fields !== null && "err" in fields)
          errors.push(fields.err)
      },
    },
  })
}

function isDefect(error: unknown): boolean {
  return (
    !(error instanceof AppError) ||
    error.disposition === "bug" ||
    error.code === "engine.unexpected"
  )
}
