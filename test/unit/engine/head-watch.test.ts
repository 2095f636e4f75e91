import { expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { type ChainId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { createMemory } from "#engine/memory.ts"
import { createHeadWatch } from "#engine/watches/head-watch.ts"
import { createRounds } from "#engine/watches/watch.ts"
import type { Order } from "#order/step.ts"
import type { TouchedLegs, TouchReader, WaitingLeg } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createManualClock, settle } from "../../support/manual-clock.ts"

const FROM = parseAssetId("evm_chain:eth")
const TO = parseAssetId("bitcoin_testnet:btc")
const START_MS = 1_000_000

test("makes an order due at once when an event touches its HTLC, and no other order", async () => {
  const scene = createScene()
  scene.watch.noteObserved(orderOf("a"), START_MS)
  scene.watch.noteObserved(orderOf("b"), START_MS)
  await scene.turn()
  await scene.pass(2_000)
  expect(scene.hastened).toEqual([])
  scene.answer.evm = async (since) => ({ height: (since ?? 0n) + 1n, secretHashes: ["secret-b"] })
  await scene.pass(4_000)
  expect(new Set(scene.hastened)).toEqual(new Set(["b"]))
})

test("makes every order due that one answer names", async () => {
  const scene = createScene()
  for (const id of ["a", "b", "c", "d"]) scene.watch.noteObserved(orderOf(id), START_MS)
  await scene.turn()
  await scene.pass(2_000)
  scene.answer.evm = async (since) => ({
    height: (since ?? 0n) + 1n,
    secretHashes: ["secret-d", "of another order", "secret-b", "secret-a"],
  })
  await scene.pass(4_000)
  expect(new Set(scene.hastened)).toEqual(new Set(["a", "b", "d"]))
})

test("asks for the blocks above the last answer, so that no block is left out after a failure", async () => {
  const scene = createScene()
  const asked: (bigint | null)[] = []
  scene.answer.evm = async (since) => {
    asked.push(since)
    if (asked.length === 2) throw new Error("no answer")
    return { height: 100n + BigInt(asked.length), secretHashes: [] }
  }
  scene.watch.noteObserved(orderOf("a"), START_MS)
  await scene.pass(20_000)
  expect(asked.slice(0, 4)).toEqual([null, 101n, 101n, 103n])
})

test("observes again at once after a hint that came during the observation", async () => {
  const scene = createScene()
  scene.watch.noteObserved(orderOf("a"), START_MS)
  await scene.turn()
  scene.answer.evm = async (since) => ({ height: (since ?? 0n) + 1n, secretHashes: ["secret-a"] })
  const askedAtMs = scene.clock.now()
  await scene.pass(4_000)
  scene.answer.evm = async (since) => ({ height: since ?? 0n, secretHashes: [] })
  scene.hastened.length = 0
  scene.watch.noteObserved(orderOf("a"), askedAtMs)
  expect(scene.hastened).toEqual(["a"])
  scene.hastened.length = 0
  scene.watch.noteObserved(orderOf("a"), scene.clock.now() + 1)
  expect(scene.hastened).toEqual([])
})

test("makes all orders of a chain with slow blocks due at a new block", async () => {
  const scene = createScene()
  scene.watch.noteObserved(orderOf("a"), START_MS)
  await scene.pass(60_000)
  scene.heights.bitcoin = 2n
  await scene.pass(4_000)
  expect(scene.hastened).toEqual(["a"])
})

test(
  "a whole answer about a block makes the orders due that it names, and those that wait for " +
    "depth",
  async () => {
    const scene = createScene({ scansBitcoin: true })
    const shown = { txid: "x", height: 1n, final: false, at: 1 }
    for (const order of [
      orderOf("a"),
      orderOf("b"),
      orderOf("c", { destinationRedeemed: shown }),
      orderOf("d"),
    ])
      scene.watch.noteObserved(order, START_MS)
    scene.answer.bitcoin = async (since) => ({
      height: since ?? 1n,
      secretHashes: [],
      isWhole: true,
      blockMs: 600_000,
    })
    await scene.pass(60_000)
    scene.answer.bitcoin = async (since) => ({
      height: (since ?? 0n) + 1n,
      secretHashes: ["secret-b"],
      unasked: ["secret-d"],
      isWhole: true,
    })
    await scene.pass(4_000)
    expect(new Set(scene.hastened)).toEqual(new Set(["b", "c", "d"]))
    scene.hastened.length = 0
    scene.answer.bitcoin = async (since) => ({
      height: (since ?? 0n) + 1n,
      secretHashes: ["secret-a"],
    })
    await scene.pass(4_000)
    // An answer that is not whole leaves the others to the block.
    expect(new Set(scene.hastened)).toEqual(new Set(["a", "b", "c", "d"]))
  },
)

test("gives the question the transaction that opened a leg, so that its spend is found", async () => {
  const scene = createScene({ scansBitcoin: true })
  const initiated = { txid: "opened", height: 1n, final: false, at: 1 }
  scene.watch.noteObserved(orderOf("a", { destinationInitiated: initiated }), START_MS)
  scene.watch.noteObserved(orderOf("b"), START_MS)
  await scene.pass(4_000)
  expect(scene.askedBitcoin.at(-1)?.map(({ openedBy }) => openedBy)).toEqual(["opened", null])
})

test("covers an order before the first block where the usual block time is known", async () => {
  const scene = createScene({ scansBitcoin: true })
  const follow = async (): Promise<boolean> => {
    let height = 0n
    scene.answer.evm = async () => ({ height: ++height, secretHashes: [] })
    scene.watch.noteObserved(orderOf("a"), scene.clock.now())
    for (let minute = 0; minute < 5; minute++) {
      await scene.pass(60_000)
      scene.watch.noteObserved(orderOf("a"), scene.clock.now())
    }
    return scene.watch.covers(orderOf("a"))
  }
  scene.answer.bitcoin = async (since) => ({ height: since ?? 1n, secretHashes: [], isWhole: true })
  expect(await follow()).toBe(false)
  scene.answer.bitcoin = async (since) => ({
    height: since ?? 1n,
    secretHashes: [],
    isWhole: true,
    blockMs: 600_000,
  })
  expect(await follow()).toBe(true)
})

test("covers an order only while both heads move, and not once an ending is shown", async () => {
  const scene = createScene()
  scene.watch.noteObserved(orderOf("a"), START_MS)
  expect(scene.watch.covers(orderOf("a"))).toBe(false)
  for (let block = 1n; block < 4n; block++) {
    scene.heights.bitcoin = block
    scene.answer.evm = async () => ({
      height: 1_000n * block + BigInt(scene.clock.now()),
      secretHashes: [],
    })
    await scene.pass(600_000)
    scene.watch.noteObserved(orderOf("a"), scene.clock.now())
  }
  expect(scene.watch.covers(orderOf("a"))).toBe(true)
  const shown = { txid: "x", height: 1n, final: false, at: 1 }
  expect(scene.watch.covers(orderOf("a", { destinationRedeemed: shown }))).toBe(false)
  scene.answer.evm = async (since) => ({ height: since ?? 0n, secretHashes: [] })
  for (let minute = 0; minute < 3; minute++) {
    await scene.pass(60_000)
    scene.watch.noteObserved(orderOf("a"), scene.clock.now())
  }
  expect(scene.watch.covers(orderOf("a"))).toBe(false)
})

test.each([
  ["EVM", 2_000],
  ["Solana", 400],
  ["Starknet", 4_000],
])(
  "an order waits for poll.max while the blocks of %s come, and polls again once they stand still",
  async (_name, blockMs) => {
    const scene = createScene()
    const follow = async (ms: number, answer: () => Promise<TouchedLegs>): Promise<boolean> => {
      scene.answer.evm = answer
      await scene.pass(ms)
      scene.watch.noteObserved(orderOf("a"), scene.clock.now())
      // Bitcoin's next block would only come later.
      scene.heights.bitcoin += 1n
      return scene.watch.covers(orderOf("a"))
    }
    const heightNow = (): bigint => BigInt(Math.floor(scene.clock.now() / blockMs))
    const moving = async () => ({ height: heightNow(), secretHashes: [] })
    scene.watch.noteObserved(orderOf("a"), START_MS)
    for (let minute = 0; minute < 12; minute++) await follow(60_000, moving)
    expect(await follow(60_000, moving)).toBe(true)
    const last = heightNow()
    const still = async () => ({ height: last, secretHashes: [] })
    expect(await follow(20_000, still)).toBe(true)
    expect(await follow(60_000 + 20 * blockMs, still)).toBe(false)
    expect(await follow(20_000, moving)).toBe(true)
    expect(await follow(20_000, () => Promise.reject(new Error("no answer")))).toBe(false)
  },
)

test(
  "gives the question both legs of each waiting order as it knows them, and those of no other " +
    "chain",
  async () => {
    const scene = createScene()
    const landed = { txid: "x", height: 1n, final: true, at: 1 }
    scene.watch.noteObserved(orderOf("a"), START_MS)
    scene.watch.noteObserved(orderOf("b", { sourceInitiated: landed }), START_MS)
    scene.watch.noteObserved(
      orderOf("c", { sourceInitiated: landed, sourceRefunded: landed }),
      START_MS,
    )
    await scene.turn()
    // The observation has just read the chain.
    expect(scene.asked).toEqual([])
    await scene.pass(2_000)
    expect(scene.asked.at(-1)).toMatchObject([
      {
        query: { side: "source", secretHash: "secret-a", asset: FROM, initiator: "us" },
        isOpen: false,
      },
      { query: { side: "source", secretHash: "secret-b" }, isOpen: true },
      { query: { side: "source", secretHash: "secret-c" }, isOpen: false },
    ])
    const both = createScene()
    both.watch.noteObserved(orderOf("d", { destinationInitiated: landed }, FROM), START_MS)
    await both.pass(3_000)
    expect(both.asked.at(-1)).toMatchObject([
      { query: { side: "source" }, isOpen: false },
      { query: { side: "destination", initiator: "solver", owner: "our address" }, isOpen: true },
    ])
  },
)

test("covers no order that the question says nothing about", async () => {
  const scene = createScene()
  for (const id of ["a", "b"]) scene.watch.noteObserved(orderOf(id, {}, FROM), START_MS)
  let height = 5n
  scene.answer.evm = async () => ({ height: height++, secretHashes: [], unasked: ["secret-b"] })
  await scene.pass(10_000)
  expect([
    scene.watch.covers(orderOf("a", {}, FROM)),
    scene.watch.covers(orderOf("b", {}, FROM)),
  ]).toEqual([true, false])
})

test("asks a chain with fast blocks no more than once in two seconds", async () => {
  const scene = createScene()
  let asked = 0
  scene.answer.evm = async () => {
    asked++
    return { height: BigInt(Math.floor(scene.clock.now() / 400)), secretHashes: [] }
  }
  scene.watch.noteObserved(orderOf("a", {}, FROM), START_MS)
  await scene.pass(20_000)
  const before = asked
  await scene.pass(60_000)
  expect(asked - before).toBe(30)
})

test("asks no chain without a waiting order", async () => {
  const scene = createScene()
  expect(scene.rounds.poll()).toBe(null)
  scene.watch.noteObserved(orderOf("a"), START_MS)
  expect(scene.rounds.poll()).not.toBe(undefined)
  scene.watch.noteObserved({ ...orderOf("a"), state: "completed" }, START_MS)
  await settle()
  expect(scene.rounds.poll()).toBe(null)
})

test("leaves out an order whose payout has no configured chain any more", async () => {
  const scene = createScene()
  scene.watch.noteObserved(orderOf("a"), START_MS)
  const gone = parseAssetId("gone_chain:btc")
  scene.watch.noteObserved(orderOf("a", {}, gone), START_MS)
  expect(scene.rounds.poll()).toBe(null)
})

/** `scansBitcoin`: the blocks of Bitcoin are read; otherwise the chain has a height alone. */
function createScene({ scansBitcoin = false } = {}) {
  const clock = createManualClock(START_MS)
  const hastened: string[] = []
  const heights = { bitcoin: 1n }
  type Answer = (since: bigint | null) => Promise<TouchedLegs>
  const answer: { evm: Answer; bitcoin: Answer } = {
    evm: async () => ({ height: 5n, secretHashes: [] }),
    bitcoin: async (since) => ({ height: since ?? 1n, secretHashes: [] }),
  }
  const asked: (readonly WaitingLeg[])[] = []
  const listTouchedLegs: TouchReader["listTouchedLegs"] = (since, waiting) => {
    asked.push(waiting)
    return answer.evm(since)
  }
  const askedBitcoin: (readonly WaitingLeg[])[] = []
  const scan: TouchReader["listTouchedLegs"] = (since, waiting) => {
    askedBitcoin.push(waiting)
    return answer.bitcoin(since)
  }
  const evm = familyNamed("evm")
  const bitcoin = familyNamed("bitcoin")
  type Port = Pick<ChainPort, "chain" | "fetchHeight" | "touched" | "traits">
  const source = { chain: chainOf(FROM), traits: evm.traits, fetchHeight: async () => 0n }
  const chains = new Map<ChainId, Port>([
    [chainOf(FROM), { ...source, touched: { listTouchedLegs } }],
    [
      chainOf(TO),
      {
        chain: chainOf(TO),
        traits: bitcoin.traits,
        fetchHeight: async () => heights.bitcoin,
        ...(scansBitcoin && { touched: { listTouchedLegs: scan } }),
      },
    ],
  ])
  const journal = { hastenWork: (id: string) => hastened.push(id) > 0 }
  // CAST: the watch reads these parts of the context only.
  const context = {
    clock,
    journal,
    chains,
    memory: createMemory(),
    log: { debug: () => undefined },
  } as unknown as EngineContext
  const watch = createHeadWatch(context)
  const rounds = createRounds(context, [watch.watch], () => undefined)
  const turn = async (): Promise<void> => {
    rounds.poll()
    await settle()
  }
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      clock.set(clock.now() + 1_000)
      await turn()
    }
  }
  return { clock, hastened, heights, answer, asked, askedBitcoin, watch, rounds, turn, pass }
}

function orderOf(id: string, seen: object = {}, to = TO): Order {
  const leg = { swapId: "address", initiator: "solver", redeemer: "us", timelock: 9n }
  const noHashes = { initiateTx: null, redeemTx: null, refundTx: null }
  const data = {
    id,
    request: { from: FROM, to, sourceOwner: "us", destinationOwner: "our address" },
    gasless: null,
    deposit: {
      secretHash: `secret-${id}`,
      htlc: "htlc",
      units: 10n,
      redeemer: "solver",
      timelock: 9n,
    },
    serviceOrder: { source: noHashes, destination: { ...leg, ...noHashes } },
    terms: { destinationUnits: 9n },
    transactions: { refund: { mined: null, settled: true, signed: [] } },
    fromHeights: {},
    value: null,
    quote: null,
    policy: { pollMinMs: 1_000, pollMaxMs: 60_000 },
    seen: { ...NONE_SEEN, ...seen },
    ownSecret: null,
  }
  // CAST: the watch reads these fields only.
  return { state: "funded", data } as unknown as Order
}

const NONE_SEEN = {
  sourceInitiated: null,
  sourceRedeemed: null,
  sourceRefunded: null,
  destinationInitiated: null,
  destinationRedeemed: null,
}
