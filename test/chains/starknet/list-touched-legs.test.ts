import { afterAll, beforeAll, expect, test } from "vitest"
import { HASH_LAYOUTS, readSecretHash, SELECTORS, splitHash } from "#chains/starknet/htlc.ts"
import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import { initiateOf, openStarknetScene, type StarknetScene } from "./starknet-scene.ts"
import type { Meddling } from "./start-node-proxy.ts"

let scene: StarknetScene

beforeAll(async () => {
  scene = await openStarknetScene({ confirmations: 1, timeoutMs: 20_000 })
})

afterAll(() => scene.stop())

const withoutEvents: Meddling = ({ method }) =>
  method === "starknet_getEvents" ? { error: { code: -32_601, message: "Method not found" } } : null

async function touchedBy(port: ChainPort, since: bigint | null) {
  return mustExist(port.touched?.listTouchedLegs, "the list of touched HTLCs")(since, [])
}

test("takes the events of any endpoint, and throws the failure if none lists events", async () => {
  const mute = await scene.openProxy([scene.local.url], withoutEvents)
  const { height } = await touchedBy(scene.chain, null)
  const placed = await scene.place(700n)
  await scene.land(await scene.plan(initiateOf(placed)))
  const found = { height: height + 1n, secretHashes: [placed.swap.secretHash] }
  expect(await touchedBy(scene.portAt([mute.url, scene.local.url]), height)).toEqual(found)
  expect(await touchedBy(scene.portAt([scene.local.url, mute.url]), height)).toEqual(found)
  await expect(touchedBy(scene.portAt([mute.url]), height)).rejects.toMatchObject({
    disposition: "transient",
  })
  expect(await touchedBy(scene.portAt([mute.url]), null)).toEqual({
    height: height + 1n,
    secretHashes: [],
  })
})

test("does not take a block that a backend does not have for one without events", async () => {
  const { height } = await touchedBy(scene.chain, null)
  const placed = await scene.place(701n)
  await scene.land(await scene.plan(initiateOf(placed)))
  const lagging = await scene.openLagging(1)
  // The head comes from the newer backend, and the list of events from the older one, again and
  // again.
  const balanced = await scene.openProxy([scene.local.url], ({ method }) =>
    method === "starknet_getEvents" ? { error: { code: 24, message: "Block not found" } } : null,
  )
  await expect(touchedBy(scene.portAt([balanced.url]), height)).rejects.toMatchObject({
    disposition: "transient",
  })
  expect(
    balanced.asked.find(({ method }) => method === "starknet_getEvents")?.params,
  ).toMatchObject([{ to_block: { block_hash: expect.any(String) } }])
  expect(await touchedBy(scene.portAt([lagging]), height)).toEqual({ height, secretHashes: [] })
})

test("asks each contract once, and for no more than the last 500 blocks", async () => {
  const proxy = await scene.openProxy([scene.local.url])
  scene.mine(510)
  const port = scene.portAt([proxy.url])
  const { height } = await touchedBy(port, null)
  const before = proxy.asked.length
  await touchedBy(port, 1n)
  const asked = proxy.asked.slice(before)
  const contracts = new Set(scene.local.assets.flatMap(({ htlc }) => htlc ?? []))
  expect(asked.map(({ method }) => method)).toEqual([
    "starknet_chainId",
    "starknet_blockHashAndNumber",
    ...Array.from(contracts, () => "starknet_getEvents"),
  ])
  for (const { params } of asked.slice(2))
    expect(params).toMatchObject([{ from_block: { block_number: Number(height - 499n) } }])
})

test.each(HASH_LAYOUTS)("reads the secret hash of each event with the hash in %s", (layout) => {
  const hash = "00c1d2e3f4".padEnd(62, "7b").padEnd(64, "0")
  const felts = splitHash(hash, layout)
  const eventOf = (name: bigint, rest: readonly bigint[]) => ({
    from: 1n,
    keys: [name, 5n],
    data: [...felts, ...rest],
  })
  const secret = Array.from({ length: 8 }, (_, index) => BigInt(index))
  expect(readSecretHash(eventOf(SELECTORS.initiatedEvent, [700n, 0n]))).toBe(hash)
  expect(readSecretHash(eventOf(SELECTORS.initiatedWithDataEvent, [700n, 0n, 8n, ...secret]))).toBe(
    hash,
  )
  expect(readSecretHash(eventOf(SELECTORS.redeemedEvent, secret))).toBe(hash)
  expect(readSecretHash(eventOf(SELECTORS.redeemedEvent, [8n, ...secret]))).toBe(hash)
  expect(readSecretHash(eventOf(SELECTORS.refundedEvent, []))).toBeNull()
})
