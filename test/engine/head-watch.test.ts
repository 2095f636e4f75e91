import { expect, test } from "vitest"
import type { ChainPort, TouchedLegs } from "#chains/port.ts"
import { type ChainId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { createHeadWatch } from "#engine/head-watch.ts"
import type { Order } from "#order/step.ts"
import { createManualClock, settle } from "../support/manual-clock.ts"

const [FROM, TO] = [parseAssetId("evm_chain:eth"), parseAssetId("bitcoin_testnet:btc")]
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

test("covers an order only while both heads move, and not once an ending is shown", async () => {
  const scene = createScene()
  scene.watch.noteObserved(orderOf("a"), START_MS)
  expect(scene.watch.covers(orderOf("a"))).toBe(false)
  for (let block = 1n; block < 4n; block++) {
    scene.heights.bitcoin = block
    scene.answer.evm = async () => ({ height: 1_000n * block + BigInt(scene.clock.now()), secretHashes: [] })
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

test("asks no chain without a waiting order", async () => {
  const scene = createScene()
  expect(scene.watch.poll()).toBe(null)
  scene.watch.noteObserved(orderOf("a"), START_MS)
  expect(scene.watch.poll()).not.toBe(undefined)
  scene.watch.noteObserved({ ...orderOf("a"), state: "completed" }, START_MS)
  await settle()
  expect(scene.watch.poll()).toBe(null)
})

function createScene() {
  const clock = createManualClock(START_MS)
  const hastened: string[] = []
  const heights = { bitcoin: 1n }
  const answer: { evm: (since: bigint | null) => Promise<TouchedLegs> } = {
    evm: async () => ({ height: 5n, secretHashes: [] }),
  }
  const chains = new Map<ChainId, Pick<ChainPort, "fetchHeight" | "listTouchedLegs">>([
    [chainOf(FROM), { fetchHeight: async () => 0n, listTouchedLegs: (since) => answer.evm(since) }],
    [chainOf(TO), { fetchHeight: async () => heights.bitcoin }],
  ])
  const journal = { hastenWork: (id: string) => hastened.push(id) > 0 }
  // CAST: the watch reads these parts of the context only.
  const context = { clock, journal, chains, log: { debug: () => undefined } } as unknown as EngineContext
  const watch = createHeadWatch(context, () => undefined)
  const turn = async (): Promise<void> => {
    watch.poll()
    await settle()
  }
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      clock.set(clock.now() + 1_000)
      await turn()
    }
  }
  return { clock, hastened, heights, answer, watch, turn, pass }
}

function orderOf(id: string, seen: object = {}): Order {
  const none = { sourceRedeemed: null, sourceRefunded: null, destinationRedeemed: null, destinationInitiated: null }
  const data = {
    ...{ id, request: { from: FROM, to: TO }, deposit: { secretHash: `secret-${id}` }, gasless: null },
    ...{ policy: { pollMinMs: 1_000, pollMaxMs: 60_000 }, seen: { ...none, ...seen }, ownSecret: null },
  }
  // CAST: the watch reads these fields only.
  return { state: "funded", data } as unknown as Order
}
