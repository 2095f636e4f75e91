import { randomBytes } from "node:crypto"
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { request } from "undici"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { createHeaderFile, createHeaderMemory } from "#chains/bitcoin/proof/header-file.ts"
import type { HeaderServer } from "#chains/bitcoin/proof/header-source.ts"
import { createHeaderSync, type HeaderSyncOptions } from "#chains/bitcoin/proof/header-sync.ts"
import { proveInclusion } from "#chains/bitcoin/proof/inclusion.ts"
import { parseRawTransaction } from "#chains/bitcoin/spend/raw-transaction.ts"
import { type Clock, systemClock } from "#lib/clock.ts"
import type { LocalBitcoinChain } from "#sandbox/bitcoin/bitcoin-chain.ts"
import { openBitcoin } from "../../local-chains.ts"

type Ask = (path: string) => Promise<string>

/*
 * bitcoind makes the blocks. Its regtest work is no proof of anything; the tests of main-network
 * headers cover work.
 */

const dir = mkdtempSync(join(tmpdir(), "inclusion-"))
const regtest = { limit: (1n << 255n) - 1n, retargets: false }
let chain: LocalBitcoinChain
let ask: Ask
let checkpoint: HeaderSyncOptions["checkpoint"]

vi.setConfig({ testTimeout: 60_000 })

beforeAll(async () => {
  chain = await openBitcoin()
  ask = async (path) => {
    const answer = await request(`${chain.url}${path}`)
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`)
    return text
  }
  checkpoint = { height: 5, hash: await ask("/block-height/5"), leastBlocks: 20 }
}, 300_000)

afterAll(() => chain?.stop(), 30_000)

/** An observation goes on without headers after two seconds; here it waits until they are read. */
const PATIENT: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.max(ms, 60_000), signal),
}

function follow(asks: readonly Ask[], change: Partial<HeaderSyncOptions> = {}) {
  const servers = asks.map(serverOf)
  const store = createHeaderMemory()
  const sync = createHeaderSync({
    rules: regtest,
    checkpoint,
    store,
    servers,
    clock: PATIENT,
    ...change,
  })
  const findRaw = async (txid: string) =>
    parseRawTransaction((await ask(`/tx/${txid}/hex`)).trim(), txid)
  return { sync, servers, findRaw }
}

function serverOf(answer: Ask): HeaderServer {
  return { find: async (path, schema) => schema.parse(JSON.parse(await answer(path))) }
}

/** The place of a payment, by the honest node. */
async function placeOf(txid: string) {
  const height = Number(await ask("/blocks/tip/height"))
  return { txid, height: BigInt(height), blockHash: await ask(`/block-height/${height}`) }
}

/**
 * Pays an HTLC address and mines the payment together with a few others, so that the tree has
 * several levels.
 */
async function payInBlock(): Promise<string> {
  const pay = async (): Promise<string> => {
    const swap = await chain.describeDestination({
      assetId: "bitcoin_testnet:btc",
      units: 50_000n,
      owner: OWNER,
      secretHash: randomBytes(32).toString("hex"),
      timelock: 12,
    })
    return chain.initiate(swap)
  }
  const txid = await pay()
  for (let more = 0; more < 4; more++) await pay()
  await chain.advance(1)
  return txid
}

const OWNER = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"

test("proves a transaction in a block of bitcoind, and counts confirmations by its own headers", async () => {
  const following = follow([ask])
  const included = await placeOf(await payInBlock())
  await chain.advance(2)
  // A look waits two seconds for the headers, which a busy node may need longer for.
  await expect
    .poll(() => proveInclusion(following, included))
    .toEqual({ status: "proven", confirmations: 3 })
})

test(
  "proves nothing for a transaction of another block, and contradicts a block that is not in " +
    "the chain",
  async () => {
    const following = follow([ask])
    const included = await placeOf(await payInBlock())
    const { txid } = await placeOf(await payInBlock())
    expect(await proveInclusion(following, { ...included, txid })).toEqual({ status: "unproven" })
    expect(await proveInclusion(following, { ...included, blockHash: "ab".repeat(32) })).toEqual({
      status: "contradicted",
    })
    expect(await proveInclusion(following, { ...included, height: included.height + 9n })).toEqual({
      status: "unproven",
    })
  },
)

test("one honest server is enough beside servers that lie, lag or fail", async () => {
  const included = await placeOf(await payInBlock())
  const liar: Ask = async (path) =>
    path.includes("merkle") ? '{"block_height":3,"merkle":[],"pos":0}' : ask(path)
  const forger: Ask = async (path) =>
    path.startsWith("/blocks/") ? (await ask(path)).replaceAll('"nonce":', '"nonce":1') : ask(path)
  const dead: Ask = async () => {
    throw new Error("connection refused")
  }
  const lagging: Ask = async (path) => (path === "/blocks/tip/height" ? "4" : ask(path))
  const html: Ask = async () => "<html>Too many requests</html>"
  const following = follow([dead, html, forger, lagging, liar, ask])
  await expect.poll(() => proveInclusion(following, included)).toMatchObject({ status: "proven" })
  expect(await proveInclusion(follow([dead, html, liar]), included)).toMatchObject({
    status: "unproven",
  })
})

test("a server on a chain without the checkpoint proves nothing", async () => {
  const included = await placeOf(await payInBlock())
  const other = { checkpoint: { ...checkpoint, hash: "00".repeat(32) } }
  expect(await proveInclusion(follow([ask], other), included)).toEqual({ status: "unproven" })
})

test("an end of the chain that is too short proves nothing", async () => {
  const included = await placeOf(await payInBlock())
  const demanding = { checkpoint: { ...checkpoint, leastBlocks: 1_000_000 } }
  expect(await proveInclusion(follow([ask], demanding), included)).toMatchObject({
    status: "unproven",
  })
})

test("the file of headers is read again at the next start, and a damaged one is replaced", async () => {
  const path = join(dir, "headers", "bitcoin.bin")
  const included = await placeOf(await payInBlock())
  expect(
    await proveInclusion(follow([ask], { store: createHeaderFile(path) }), included),
  ).toMatchObject({
    status: "proven",
  })
  const known = readFileSync(path)
  const calls: string[] = []
  const counting: Ask = (path) => {
    calls.push(path)
    return ask(path)
  }
  await proveInclusion(follow([counting], { store: createHeaderFile(path) }), included)
  expect(calls.filter((call) => /^\/blocks\/\d+$/.test(call))).toEqual([])
  writeFileSync(
    path,
    Buffer.concat([known.subarray(0, 333), Buffer.alloc(80, 1), known.subarray(333)]),
  )
  expect(
    await proveInclusion(follow([ask], { store: createHeaderFile(path) }), included),
  ).toMatchObject({
    status: "proven",
  })
  expect(readFileSync(path).length).toBeGreaterThanOrEqual(known.length)
})

test("a reorganisation takes back a proof", async () => {
  const following = follow([ask])
  const included = await placeOf(await payInBlock())
  expect(await proveInclusion(following, included)).toMatchObject({
    status: "proven",
    confirmations: 1,
  })
  await chain.reorg(1)
  const again = await proveInclusion(following, included)
  expect(again.status).toBe("contradicted")
})

/** A first period of seven answers, and the rest of the chain. */
const later = async () => ({ height: 60, hash: await ask("/block-height/60"), leastBlocks: 20 })
const pagesOf = (calls: readonly string[]) => calls.filter((call) => /^\/blocks\/\d+$/.test(call))

test("a server that fails again and again loses no header that it gave", async () => {
  const included = await placeOf(await payInBlock())
  const calls: string[] = []
  const flaky: Ask = async (path) => {
    if (calls.push(path) % 3 === 0) throw new Error("429 Too Many Requests")
    return ask(path)
  }
  const path = join(dir, "headers", "flaky.bin")
  const following = follow([flaky], { checkpoint: await later(), store: createHeaderFile(path) })
  let found = await proveInclusion(following, included)
  for (let more = 0; more < 100 && found.status !== "proven"; more++)
    found = await proveInclusion(following, included)
  expect(found.status).toBe("proven")
  const height = Number(await ask("/blocks/tip/height"))
  expect(readFileSync(path).length).toBe((height + 1) * 80)
  expect(new Set(pagesOf(calls)).size).toBeGreaterThan(9)
})

test("a slow server is read in the background, and an observation does not wait for it", async () => {
  const included = await placeOf(await payInBlock())
  const slow: Ask = async (path) => {
    if (path.startsWith("/blocks/")) await systemClock.sleep(300)
    return ask(path)
  }
  const following = follow([slow], { checkpoint: await later(), clock: systemClock })
  const startMs = systemClock.now()
  expect(await proveInclusion(following, included)).toEqual({ status: "unproven" })
  expect(systemClock.now() - startMs).toBeLessThan(3_500)
  await vi.waitFor(() => expect(following.sync.height()).toBe(Number(included.height)), 30_000)
  expect(await proveInclusion(following, included)).toMatchObject({ status: "proven" })
})

test("headers that two processes wrote twice, and a write that was cut off, are repaired", async () => {
  const included = await placeOf(await payInBlock())
  const path = join(dir, "headers", "double.bin")
  await proveInclusion(follow([ask], { store: createHeaderFile(path) }), included)
  const sound = readFileSync(path)
  writeFileSync(path, Buffer.concat([sound.subarray(0, -400), sound.subarray(-800)]))
  appendFileSync(path, sound.subarray(-80, -40))
  const calls: string[] = []
  const counting: Ask = (path) => {
    calls.push(path)
    return ask(path)
  }
  expect(
    await proveInclusion(follow([counting], { store: createHeaderFile(path) }), included),
  ).toMatchObject({
    status: "proven",
  })
  expect(pagesOf(calls)).toEqual([])
  expect(readFileSync(path).equals(sound)).toBe(true)
})

test("a full disk keeps the headers in memory", async () => {
  const included = await placeOf(await payInBlock())
  const full = async () => {
    throw new Error("ENOSPC: no space left on device")
  }
  const store = { load: async () => [], append: full, replace: full }
  expect(
    await proveInclusion(follow([ask], { store, checkpoint: await later() }), included),
  ).toMatchObject({
    status: "proven",
  })
})
