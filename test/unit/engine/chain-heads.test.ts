import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import { createMemory } from "#engine/memory.ts"
import { createHeadWatch } from "#engine/watches/head-watch.ts"
import { silentLogger } from "#lib/log.ts"
import type { OrderData } from "#order/data.ts"
import type { Order } from "#order/step.ts"
import type { TouchedLegs } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"
import { sampleData } from "../../support/sample-job.ts"

const START_MS = 10_000_000
const SOURCE = chainOf(SAMPLE.input.request.from)
const TARGET = chainOf(SAMPLE.input.request.to)
const POLL_MIN_MS = 2_000

type Answer = Partial<TouchedLegs> | Error | "never"

function scene({ events = [SOURCE, TARGET] as readonly string[], isDue = true } = {}) {
  const clock = createManualClock(START_MS)
  const hastened: (readonly [string, number])[] = []
  const asked: unknown[] = []
  let answer: Answer = {}
  let height = 100n
  const read = async (since: bigint | null, legs: readonly object[]): Promise<TouchedLegs> => {
    asked.push([since, legs.length])
    if (answer === "never") return new Promise(() => undefined)
    if (answer instanceof Error) throw answer
    return { height, secretHashes: [], ...answer }
  }
  const ports = [SOURCE, TARGET].map((chain) => ({
    chain,
    traits: familyNamed(chain === SOURCE ? "evm" : "bitcoin").traits,
    fetchHeight: async () => height,
    ...(events.includes(chain) ? { touched: { listTouchedLegs: read } } : {}),
  }))
  const memory = createMemory()
  const context = {
    clock,
    memory,
    log: silentLogger,
    chains: new Map(ports.map((port) => [port.chain, port])),
    journal: {
      hastenWork: (id: string, dueMs: number) => {
        hastened.push([id, dueMs - clock.now()])
        return isDue
      },
    },
  }
  // CAST: a head asks for these parts alone.
  const heads = createHeadWatch(context as never)
  if (!("ask" in heads.watch)) throw new Error("no watch of chains")
  const { ask, ports: listPorts } = heads.watch
  /** One question to the chain; returns the wait before the next one. */
  const poll = async (chain = SOURCE, to: Answer = {}, at: bigint = height): Promise<unknown> => {
    answer = to
    height = at
    // CAST: as above.
    return ask(ports.find((port) => port.chain === chain) as unknown as ChainPort)
  }
  const pass = (ms: number): void => clock.set(clock.now() + ms)
  const waiting = (): string[] => [...listPorts()].map(({ chain }) => chain)
  return { heads, poll, pass, hastened, asked, waiting, clock, memory }
}

function orderOf(id = "a", over: Partial<OrderData> = {}, state: Order["state"] = "funded"): Order {
  const data = sampleData({}, { id, ...over })
  const deposit = over.deposit === null ? null : { ...SAMPLE.deposit, secretHash: `secret-${id}` }
  return { state, data: { ...data, deposit, policy: { ...data.policy, pollMinMs: POLL_MIN_MS } } }
}

describe("the wait between two questions to a head", () => {
  test.each<[string, readonly Answer[], readonly number[]]>([
    ["is two seconds while its blocks are unknown", [{}, {}], [2_000, 2_000]],
    ["is half of the time of a block", [{ blockMs: 6_000 }], [3_000]],
    ["is two seconds at least", [{ blockMs: 1_000 }], [2_000]],
    ["is four seconds at most", [{ blockMs: 600_000 }], [4_000]],
    [
      "doubles after failures, up to half a minute",
      Array.from({ length: 7 }, () => new Error("none")),
      [4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000],
    ],
    [
      "is as before after a success",
      [new Error("none"), {}, new Error("none")],
      [4_000, 2_000, 4_000],
    ],
    [
      "keeps the time that it was told first",
      [{ blockMs: 6_000 }, { blockMs: 8_000 }],
      [3_000, 3_000],
    ],
  ])("%s", async (_name, answers, waits) => {
    const { poll } = scene()
    const found: unknown[] = []
    for (const answer of answers) found.push(await poll(SOURCE, answer))
    expect(found).toEqual(waits)
  })

  test("follows the blocks that come, the newest one by a fifth", async () => {
    const { poll, pass } = scene()
    await poll(SOURCE, {}, 100n)
    pass(10_000)
    expect(await poll(SOURCE, {}, 102n)).toBe(2_500)
    pass(10_000)
    expect(await poll(SOURCE, {}, 103n)).toBe(3_000)
    pass(50_000)
    expect(await poll(SOURCE, {}, 103n)).toBe(3_000)
    pass(-100_000)
    expect(await poll(SOURCE, {}, 104n)).toBe(2_400)
  })

  test("counts an answer that takes ten seconds as none", async () => {
    const { poll, clock } = scene()
    let wait: unknown = null
    void poll(SOURCE, "never").then((ms) => {
      wait = ms
    })
    await settle()
    clock.set(START_MS + 9_999)
    await settle()
    expect(wait).toBeNull()
    clock.set(START_MS + 10_000)
    await settle()
    expect(wait).toBe(4_000)
  })
})

describe("an order is covered", () => {
  type Step = (of: ReturnType<typeof scene>) => unknown
  const both =
    (answer: Answer = {}): Step =>
    async ({ poll }) => {
      await poll(SOURCE, answer)
      await poll(TARGET, answer)
    }
  const shown = { txid: "x", height: 1n, final: false, at: 1 }

  test.each<[string, boolean, readonly Step[], Partial<OrderData>?, (readonly string[])?]>([
    ["by two heads that are read", true, [both()]],
    ["by none", false, []],
    ["by one alone", false, [({ poll }) => poll(SOURCE)]],
    ["not where one failed", false, [both(), ({ poll }) => poll(TARGET, new Error("none"))]],
    ["again after a success", true, [({ poll }) => poll(SOURCE, new Error("none")), both()]],
    ["not where the answer says nothing about it", false, [both({ unasked: ["secret-a"] })]],
    ["where the answer says nothing about another one", true, [both({ unasked: ["secret-b"] })]],
    ["for a minute without a block", true, [both(), ({ pass }) => pass(60_000)]],
    ["no longer than that", false, [both(), ({ pass }) => pass(60_001)]],
    ["for twenty slow blocks", true, [both({ blockMs: 6_000 }), ({ pass }) => pass(120_000)]],
    ["no longer than twenty", false, [both({ blockMs: 6_000 }), ({ pass }) => pass(120_001)]],
    ["not without its deposit", false, [both()], { deposit: null }],
    [
      "not while it waits for depth",
      false,
      [both()],
      { seen: { ...NOTHING_SEEN, sourceRedeemed: shown } },
    ],
    ["not by a head without events", false, [both()], {}, [SOURCE]],
  ])("%s: %s", async (_name, expected, steps, over = {}, events = [SOURCE, TARGET]) => {
    const of = scene({ events })
    for (const step of steps) await step(of)
    expect(of.heads.covers(orderOf("a", over))).toBe(expected)
  })

  test("by a head without events where its blocks are slow", async () => {
    const learn = async (ms: number): Promise<boolean> => {
      const of = scene({ events: [SOURCE] })
      await of.poll(SOURCE)
      await of.poll(TARGET, {}, 100n)
      of.pass(ms)
      await of.poll(TARGET, {}, 101n)
      return of.heads.covers(orderOf())
    }
    expect([await learn(9_999), await learn(10_000)]).toEqual([false, true])
  })
})

describe("an order that waits", () => {
  test("is due at once by an event, but not before its least wait", async () => {
    const { heads, poll, pass, hastened } = scene()
    heads.noteObserved(orderOf("a"), START_MS)
    heads.noteObserved(orderOf("b"), START_MS)
    pass(500)
    await poll(SOURCE, { secretHashes: ["secret-a", "secret-unknown"] })
    pass(5_000)
    await poll(SOURCE, { secretHashes: ["secret-a"] })
    expect(hastened).toEqual([
      ["a", 1_500],
      ["a", 0],
    ])
  })

  test("is looked at anew after an event, whatever was looked at before", async () => {
    const { heads, poll, memory } = scene()
    for (const id of ["a", "b"]) memory.legReads.set(id, START_MS)
    for (const id of ["a", "b"]) heads.noteObserved(orderOf(id), START_MS)
    await poll(SOURCE, { secretHashes: ["secret-a"] })
    expect([...memory.legReads.keys()]).toEqual(["b"])
  })

  test("at equal times is not waited for, because no head makes it due earlier", () => {
    const { heads, waiting } = scene()
    const { state, data } = orderOf("a")
    const policy = { ...data.policy, pollMaxMs: POLL_MIN_MS }
    heads.noteObserved({ state, data: { ...data, policy } }, START_MS)
    expect(waiting()).toEqual([])
  })

  test("is asked about on its own chains, with what the last answer knew", async () => {
    const { heads, poll, asked, waiting } = scene()
    expect(waiting()).toEqual([])
    heads.noteObserved(orderOf("a"), START_MS)
    heads.noteObserved(orderOf("b"), START_MS)
    heads.noteObserved(orderOf("b"), START_MS)
    expect(waiting()).toEqual([SOURCE, TARGET])
    await poll(SOURCE, {}, 100n)
    await poll(SOURCE, {}, 101n)
    expect(asked).toEqual([
      [null, 2],
      [100n, 2],
    ])
  })

  test("waits no more in a state that observes nothing", () => {
    const { heads, waiting } = scene()
    heads.noteObserved(orderOf("a"), START_MS)
    heads.noteObserved(orderOf("a", {}, "refund-sending"), START_MS)
    expect(waiting()).toEqual([])
  })

  test.each<[string, Order]>([
    ["without a deposit", orderOf("a", { deposit: null })],
    ["without terms", orderOf("a", { terms: null })],
  ])("never waited %s", (_name, order) => {
    const { heads, waiting } = scene()
    heads.noteObserved(order, START_MS)
    expect(waiting()).toEqual([])
  })

  test("is forgotten where its work is gone, and a quarter of an hour after its last word", async () => {
    const gone = scene({ isDue: false })
    gone.heads.noteObserved(orderOf("a"), START_MS)
    await gone.poll(SOURCE, { secretHashes: ["secret-a"] })
    expect(gone.waiting()).toEqual([])
    const { heads, waiting, pass } = scene()
    heads.noteObserved(orderOf("a"), START_MS)
    pass(15 * 60_000)
    expect(waiting()).toHaveLength(2)
    pass(59_999)
    expect(waiting()).toHaveLength(2)
    pass(1)
    expect(waiting()).toEqual([])
  })

  test("is observed again where a hint came after its reads began", async () => {
    const { heads, poll, pass, hastened } = scene()
    heads.noteObserved(orderOf("a"), START_MS)
    pass(5_000)
    await poll(SOURCE, { secretHashes: ["secret-a"] })
    hastened.length = 0
    heads.noteObserved(orderOf("a"), START_MS + 5_001)
    expect(hastened).toEqual([])
    heads.noteObserved(orderOf("a"), START_MS + 5_000)
    expect(hastened).toEqual([["a", POLL_MIN_MS]])
  })
})

describe("a new block", () => {
  const names = (hastened: readonly (readonly [string, number])[]) => hastened.map(([id]) => id)
  const shown = { txid: "x", height: 1n, final: false, at: 1 }

  test.each<[string, readonly string[], Partial<TouchedLegs>, bigint, readonly string[]]>([
    ["wakes nothing where events tell more", [SOURCE, TARGET], {}, 101n, []],
    ["wakes all where no event does, and blocks are slow", [TARGET], {}, 101n, ["a", "b"]],
    ["wakes all where blocks are slow", [SOURCE, TARGET], { blockMs: 10_000 }, 101n, ["a", "b"]],
    ["wakes none where they are not", [SOURCE, TARGET], { blockMs: 9_999 }, 101n, []],
    ["that is the old one wakes none", [SOURCE, TARGET], { blockMs: 10_000 }, 100n, []],
    ["below the last one wakes none", [SOURCE, TARGET], { blockMs: 10_000 }, 99n, []],
    [
      "with a whole answer wakes those that wait for depth",
      [SOURCE, TARGET],
      { blockMs: 10_000, isWhole: true },
      101n,
      ["b"],
    ],
    [
      "with a whole answer wakes those that it says nothing about",
      [SOURCE, TARGET],
      { blockMs: 10_000, isWhole: true, unasked: ["secret-a"] },
      101n,
      ["a", "b"],
    ],
  ])("%s", async (_name, events, answer, height, woken) => {
    const { heads, poll, hastened, pass } = scene({ events })
    heads.noteObserved(orderOf("a"), START_MS)
    const seen = { ...NOTHING_SEEN, sourceRedeemed: shown }
    heads.noteObserved(orderOf("b", { seen }), START_MS)
    await poll(SOURCE, {}, 100n)
    expect(hastened).toEqual([])
    // The learnt time of a block is at most the one that an answer tells.
    const { blockMs = events.includes(SOURCE) ? 0 : 10_000 }: Partial<TouchedLegs> = answer
    pass(blockMs)
    await poll(SOURCE, answer, height)
    expect(names(hastened)).toEqual(woken)
  })
})
