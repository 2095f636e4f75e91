import fc from "fast-check"
import { expect, test } from "vitest"
import { pendingOf } from "#books/pending.ts"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import { type EngineContext, walletsOf } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { listFigures, refreshFigures } from "#engine/orders/order-figures.ts"
import { toFlight } from "#engine/rules/tick/flight.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { encodeOrder, type Order } from "#order/step.ts"
import type { OrderRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import { BTC, ETH } from "../../support/fake-world.ts"
import { ORDER_ROW, PLAIN_STEP } from "../../support/order-row.ts"
import { sampleData } from "../../support/sample-job.ts"

/** More than a list passes over at once, so that also the look-up by id is used. */
const MANY_GONE = 300

type Act =
  | { readonly act: "open" | "undo" | "durable" | "refresh" | "reload" | "end many" }
  | { readonly act: "step" | "end" | "disarm" | "damage"; readonly at: number }

const ACTS = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ act: fc.constant("open" as const) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        act: fc.constantFrom("step" as const, "end" as const, "disarm" as const, "damage" as const),
        at: fc.nat({ max: 500 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constantFrom("undo", "durable", "refresh", "reload", "end many"),
      }),
    },
    // CAST: the names of the acts are those of the type.
  ) as fc.Arbitrary<Act>,
  { minLength: 5, maxLength: 60 },
)

test(
  "after any steps, undone steps and reloads the figures of the open orders are those of a " +
    "full reading",
  async () => {
    let ended = 0
    let undone = 0
    await fc.assert(
      fc.asyncProperty(ACTS, fc.integer({ min: 0, max: MANY_GONE + 40 }), async (acts, count) => {
        const world = openWorld()
        for (let n = 0; n < count; n++) world.open()
        for (const act of acts) {
          await perform(world, act)
          if (act.act === "end many") ended++
          if (act.act === "undo") undone++
          expect(listed(world.context())).toEqual(recount(world.context()))
        }
        world.journal.close()
      }),
      { numRuns: 25 },
    )
    expect(ended).toBeGreaterThan(0)
    expect(undone).toBeGreaterThan(0)
  },
)

type TestWorld = ReturnType<typeof openWorld>

function openWorld() {
  let flush = (): void => undefined
  const schedule = (next: () => void): void => {
    flush = next
  }
  const group = { schedule, onFailure: () => undefined }
  const journal = openJournal(":memory:", { group })
  const memory = createMemory()
  const chain = {
    traits: familyNamed("evm").traits,
    account: "us",
    sameAddress: (a: string, b: string) => a === b,
  }
  const chains = new Map([chainOf(ETH), chainOf(BTC)].map((id) => [id, { ...chain, chain: id }]))
  let assets = new Map()
  let orders = 0
  const open = (): void => {
    const id = `order-${++orders}`
    journal.openOrder(rowOf(id, "quoting", orders), EVENT, null, null)
  }
  const reload = (): void => {
    assets = new Map()
  }
  return {
    journal,
    open,
    reload,
    durable: () => flush(),
    // CAST: the figures need only these parts.
    context: () =>
      ({
        journal,
        memory,
        chains,
        settings: { assets },
        clock: { now: () => NOW },
      }) as unknown as EngineContext,
    next: () => ++orders,
  }
}

async function perform(world: TestWorld, act: Act): Promise<void> {
  const { journal } = world
  const open = journal.listOpenRefs()
  const write = (
    id: string,
    state: Order["state"],
    outcome: string | null,
    snapshot?: string,
  ): void => {
    const row = {
      ...rowOf(id, state, world.next()),
      outcome,
      ...(snapshot === undefined ? {} : { snapshot }),
    }
    journal.commit({ ...PLAIN_STEP, order: row, event: EVENT })
  }
  switch (act.act) {
    case "open":
      return world.open()
    case "undo":
      // The process goes on after a disk that refused the group.
      return journal.abandon()
    case "durable":
      return world.durable()
    case "refresh":
      return refreshFigures(world.context())
    case "reload":
      return world.reload()
    case "end many":
      for (const { id } of open.slice(1, MANY_GONE)) write(id, "completed", "completed")
      return
    default: {
      if (open.length === 0) return
      const { id } = mustExist(open[act.at % open.length], "an open order")
      if (act.act === "step") write(id, "funded", null)
      else if (act.act === "end") write(id, "completed", "completed")
      else if (act.act === "disarm") write(id, "disarmed", null)
      else write(id, "funded", null, "{damaged")
    }
  }
}

function listed(context: EngineContext): unknown {
  const { refs, figures } = listFigures(context)
  expect(figures.length).toBe(refs.length)
  return refs.map(({ id }, index) => {
    const known = figures[index] ?? null
    const pending = known && new Map(known.pending.map(({ asset, ...sums }) => [asset, sums]))
    return { id, flight: known?.flight ?? null, pending }
  })
}

/** Decodes every open order of the table. */
function recount(context: EngineContext): unknown {
  const { journal, chains } = context
  return journal.listOpenRefs().map(({ id, to }) => {
    const order = decodeOrNull(mustExist(journal.findOrder(id), "the listed order").snapshot)
    if (order === null) return { id, flight: null, pending: null }
    const flight = toFlight(order, mustExist(chains.get(chainOf(to)), "the chain").traits)
    return { id, flight, pending: pendingOf([order], walletsOf(context)) }
  })
}

const NOW = 1_000_000
const EVENT = { atMs: NOW, type: "test.event", state: "quoting", body: "{}" } satisfies Parameters<
  Journal["openOrder"]
>[1]

/** `units`: what tells one step from another. */
function rowOf(id: string, state: Order["state"], units: number): OrderRow {
  const data = { ...sampleData(), id }
  const request = { ...data.request, sourceUnits: BigInt(units) }
  return {
    ...ORDER_ROW,
    id,
    state,
    from: request.from,
    to: request.to,
    sourceUnits: BigInt(units),
    updatedAtMs: NOW,
    snapshot: encodeOrder({ state, data: { ...data, request } }),
  }
}
