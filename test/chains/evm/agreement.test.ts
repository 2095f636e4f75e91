import { encodeAbiParameters, type Log, numberToHex } from "viem"
import { afterEach, expect, test } from "vitest"
import { createEvmChain, type EvmChainOptions } from "#chains/evm/create-chain.ts"
import { termsOf } from "#chains/evm/decode.ts"
import { everyDepth, finalityOf } from "#chains/evm/finality.ts"
import { deriveOrderIds, encodeRefund } from "#chains/evm/htlc.ts"
import { TOPICS } from "#chains/evm/legs/read-htlc-logs.ts"
import { hashOf } from "#chains/evm/legs/read-transaction.ts"
import { parseUnsigned } from "#chains/evm/spend/unsigned.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createSender } from "#sandbox/evm/create-sender.ts"
import {
  approve,
  assetOf,
  chain,
  faucet,
  inBlock,
  initiate,
  local,
  mint,
  NOTHING_RESERVED,
  newOrder,
  options,
  perform,
  plan,
  queryOf,
  UNITS,
  useLocalChain,
} from "./local-scene.ts"
import { eth, wbtc } from "./sample-order.ts"
import { type Backend, type BalancerOptions, startBalancer } from "./start-balancer.ts"
import { type NodeProxy, type ProxyAnswers, startProxy } from "./start-proxy.ts"

useLocalChain()

const started: NodeProxy[] = []
afterEach(async () => {
  for (const node of started.splice(0)) await node.stop()
})

async function balancer(balancing: BalancerOptions): Promise<string> {
  const node = await startBalancer(local.url, balancing)
  started.push(node)
  return node.url
}

const node = (backend: Backend): Promise<string> => balancer({ backends: [backend] })

async function liar(answer: ProxyAnswers): Promise<string> {
  const proxy = await startProxy(local.url, answer)
  started.push(proxy)
  return proxy.url
}

function portAt(rpc: readonly string[], change: Partial<EvmChainOptions> = {}): ChainPort {
  return createEvmChain({ ...options, rpc, ...change })
}

/** A clock without pauses between two tries. */
const hasty: Clock = { now: () => Date.now(), sleep: async () => undefined }

/** A small generator with a fixed seed, so that a failure repeats. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The value, or `null` for a failure that passes with time. */
async function orLater<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError && error.disposition === "transient") return null
    throw error
  }
}

const spender = () => assetOf(wbtc).htlc[0] ?? ""

test.each([
  ["taking turns", undefined],
  ["at random", 1],
  ["at random, again", 7],
])(
  "one URL with two backends a block apart, %s, never excludes or unfunds anything",
  { timeout: 60_000 },
  async (_how, seed) => {
    const random = seed === undefined ? undefined : seeded(seed)
    const choose = random === undefined ? {} : { choose: () => (random() < 0.5 ? 0 : 1) }
    const url = await balancer({ backends: [{}, { lag: 1n }], ...choose })
    const port = portAt([url], { finality: everyDepth(1), clock: hasty })
    const { swap, deposit } = await newOrder(wbtc)
    const approval = await approve()
    const transaction = await chain.signTransaction(await plan(initiate(deposit)))
    await chain.broadcastTransaction(transaction)
    await local.advance(1)
    const query: UnfundedQuery = { ...queryOf(swap), signed: [transaction] }
    const found: Record<string, number> = {}
    const count = (what: string): void => {
      found[what] = (found[what] ?? 0) + 1
    }
    for (let round = 0; round < 12; round++) {
      // Half of the looks meet the deposit in the newest block, which one backend lacks.
      if (round >= 6) await local.advance(1)
      const ours = await orLater(() => port.observeTransaction(transaction))
      count(`deposit ${ours?.status ?? "later"}`)
      const proof = await orLater(() => port.proveUnfunded(query))
      count(`proof ${proof?.status ?? "later"}`)
      const leg = await orLater(() => port.observeLeg(queryOf(swap)))
      count(`leg ${leg === null ? "later" : leg.initiated === null ? "empty" : "initiated"}`)
      expect(await orLater(() => port.observeTransaction(approval))).not.toMatchObject({
        status: "excluded",
      })
    }
    // A backend that lags may show the block before the deposit; an exclusion or a proof of
    // emptiness would be the loss.
    expect(Object.keys(found)).not.toContain("deposit excluded")
    expect(Object.keys(found)).not.toContain("proof unfunded")
    expect(found["deposit mined"]).toBeGreaterThan(2)
    expect(found["leg initiated"]).toBeGreaterThan(2)
  },
)

test("a report of a mined approval is followed by no older allowance", {
  timeout: 60_000,
}, async () => {
  const random = seeded(3)
  const url = await balancer({
    backends: [{}, { lag: 1n }],
    choose: () => (random() < 0.5 ? 0 : 1),
  })
  const port = portAt([url], { finality: everyDepth(1), clock: hasty })
  const approval = await approve()
  let seen = await orLater(() => port.observeTransaction(approval))
  for (let round = 0; round < 60 && seen?.status !== "mined"; round++) {
    seen = await orLater(() => port.observeTransaction(approval))
  }
  expect(seen).toMatchObject({ status: "mined", ok: true })
  const answers: unknown[] = []
  for (let round = 0; round < 40; round++)
    answers.push(
      await orLater(
        async () => (await port.findMissingApproval(wbtc, spender(), UNITS)) ?? "exact",
      ),
    )
  expect(new Set(answers.filter((answer) => answer !== null))).toEqual(new Set(["exact"]))
})

test.each([[10n ** 9n], [2n ** 47n]])(
  "an endpoint that claims head %i answers nothing, and is reported",
  async (pretends) => {
    const honest = local.url
    const lying = await node({ pretends })
    const head = await local.height()
    const three = portAt([lying, honest, honest])
    expect(await three.fetchHeight()).toBe(head)
    expect((await three.fetchBalance(wbtc, NOTHING_RESERVED)).units).toBe(10n * UNITS)
    const report = await three.fetchAgreement()
    expect(report).toMatchObject({ endpoints: 3, needed: 2, agreeing: 2 })
    expect(report.reasons).toMatchObject([
      { code: "chain.head_outlier", head: pretends.toString(), agreed: head.toString() },
    ])
    // With one honest endpoint there is no agreement: watching goes on, and deposits and endings
    // wait.
    const two = portAt([lying, honest])
    await expect(two.fetchBalance(wbtc, NOTHING_RESERVED)).rejects.toMatchObject({
      code: "evm.agreement_short",
      disposition: "transient",
    })
    expect(await two.fetchHeight()).toBe(head)
  },
)

test("a lie about the state is outvoted by two honest endpoints, and stops one", async () => {
  const rich = await liar((method) =>
    method === "eth_call" ? { result: `0x${"f".repeat(64)}` } : null,
  )
  expect(
    (await portAt([rich, local.url, local.url]).fetchBalance(wbtc, NOTHING_RESERVED)).units,
  ).toBe(10n * UNITS)
  const error = await portAt([rich, local.url])
    .fetchBalance(wbtc, NOTHING_RESERVED)
    .catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: "evm.disagreement", disposition: "transient" })
  expect(String((error as AppError).details["answers"])).toContain(new URL(local.url).host)
})

test.each([
  ["a page of a proxy", "<html>Just a moment...</html>"],
  ["a 403 page as 502", "Forbidden"],
  ["a JSON of another kind", { result: { hello: "world" } }],
  ["an error without a meaning", { error: { code: -32_600, message: "Unauthorized" } }],
] as const)(
  "%s is that endpoint's failure: the others go on, and nobody is held",
  async (_what, answer) => {
    const broken = await liar(() => answer)
    expect(
      (await portAt([broken, local.url, local.url]).fetchBalance(wbtc, NOTHING_RESERVED)).units,
    ).toBe(10n * UNITS)
    const { swap } = await newOrder(wbtc)
    const leg = await portAt([broken, local.url]).observeLeg(queryOf(swap))
    expect(leg).toMatchObject({
      agreed: false,
      initiated: null,
      doubts: [{ code: "chain.agreement_short" }],
    })
    await expect(portAt([broken]).observeLeg(queryOf(swap))).rejects.toMatchObject({
      disposition: "transient",
    })
  },
)

test("with one of two endpoints dead, facts are shown and nothing is final", async () => {
  await approve()
  const { swap, deposit, secret } = await newOrder(wbtc)
  const transaction = await perform(initiate(deposit))
  await inBlock(() => local.redeem(swap, secret))
  await local.advance(5)
  const port = portAt([local.url, "http://127.0.0.1:1"])
  const leg = await port.observeLeg(queryOf(swap))
  expect(leg).toMatchObject({
    agreed: false,
    initiated: { units: UNITS, seen: true, final: false, revealable: false },
    redeemed: { secret, final: false },
    doubts: [{ code: "chain.agreement_short", endpoint: "127.0.0.1:1" }],
  })
  expect(await port.observeTransaction(transaction)).toMatchObject({
    status: "mined",
    final: false,
  })
  expect(await port.fetchAgreement()).toMatchObject({ endpoints: 2, needed: 2, agreeing: 1 })
  expect(await port.proveUnfunded({ ...queryOf(swap), signed: [transaction] })).toMatchObject({
    status: "unsure",
  })
  // One of three may be dead.
  const three = portAt([local.url, "http://127.0.0.1:1", local.url])
  expect(await three.observeLeg(queryOf(swap))).toMatchObject({
    agreed: true,
    redeemed: { final: true },
  })
  await expect(port.planTransaction(initiate(deposit), NOTHING_RESERVED)).resolves.toMatchObject({
    refused: expect.anything(),
  })
})

test("an invented payout of one endpoint completes nothing", async () => {
  await approve()
  const { swap, deposit, secret } = await newOrder(wbtc)
  await perform(initiate(deposit))
  await local.advance(3)
  const before = await chain.observeLeg(queryOf(swap))
  expect(before).toMatchObject({ agreed: true, initiated: { final: true }, redeemed: null })
  // The liar marks the order as fulfilled, and invents the event with the true secret in a true
  // transaction.
  const lying = await liar(async (method, params) => {
    if (method === "eth_call" && JSON.stringify(params).includes("9c3f1e90")) {
      // CAST: our own call.
      const { data } = await local.client.call({ ...(params[0] as object), blockTag: "latest" })
      return { result: /^0x0+$/.test(data ?? "") ? data : data?.replace(/.$/, "1") }
    }
    if (method !== "eth_getLogs") return null
    const htlc = requireAddress(deposit.htlc)
    const opened = await local.client.getTransactionReceipt({
      hash: hashOf({ txid: before.initiated?.txid ?? "" }),
    })
    const [log] = opened.logs.filter((each: Log) => each.topics[0] === TOPICS.Initiated)
    const topics = [TOPICS.Redeemed, log?.topics[1], log?.topics[2]]
    const data = encodeAbiParameters([{ type: "bytes" }], [`0x${secret}`])
    const place = {
      blockNumber: numberToHex(opened.blockNumber),
      blockHash: opened.blockHash,
      removed: false,
    }
    const event = { address: htlc, topics, data, ...place, transactionHash: opened.transactionHash }
    // CAST: our own request, passed on.
    const raw = (await local.client.request({ method, params } as never)) as unknown[]
    return { result: [...raw, { ...event, transactionIndex: "0x0", logIndex: "0x63" }] }
  })
  const alone = await portAt([lying]).observeLeg(queryOf(swap))
  // One endpoint is believed: `check` says so.
  expect(alone).toMatchObject({ redeemed: { secret, final: true } })
  const two = await portAt([lying, local.url]).observeLeg(queryOf(swap))
  expect(two).toMatchObject({
    agreed: false,
    redeemed: null,
    refunded: null,
    initiated: { final: false },
  })
  expect(two.doubts?.[0]).toMatchObject({ code: "chain.disagreement" })
  expect(await portAt([lying, local.url, local.url]).observeLeg(queryOf(swap))).toMatchObject({
    agreed: true,
    initiated: { final: true },
    redeemed: null,
    doubts: [{ code: "chain.disagreement" }],
  })
  await inBlock(() => local.redeem(swap, secret))
  const silent = await liar((method) => (method === "eth_getLogs" ? { result: [] } : null))
  const later = await portAt([silent, local.url]).observeLeg(queryOf(swap))
  expect(later).toMatchObject({ agreed: false, redeemed: { final: false } })
})

test("a pruned node names no rival, and excludes nothing; a node with the state names it", async () => {
  const { deposit } = await newOrder(wbtc)
  await approve()
  const lost = await chain.signTransaction(await plan(initiate(deposit)))
  const rival = await chain.signTransaction(await plan({ action: "void", voids: lost.plan }))
  await inBlock(() => chain.broadcastTransaction(rival))
  await local.advance(20)
  const pruned = await node({ keeps: 4n })
  // A fresh process does not know the void: no candidate, no old state.
  await expect(portAt([pruned]).observeTransaction(lost)).rejects.toMatchObject({
    code: "evm.rival_unnamed",
  })
  expect(await portAt([local.url]).observeTransaction(lost)).toEqual({
    status: "excluded",
    by: rival.txid,
    final: true,
    isVoid: true,
  })
  // A process that has seen the void finds it by its hash, without the old state.
  const port = portAt([pruned])
  await port.observeTransaction(rival)
  const excluded = { status: "excluded", by: rival.txid, final: true, isVoid: true }
  expect(await port.observeTransaction(lost)).toEqual(excluded)
  // One of two agreeing endpoints is enough for the name, and not for an ending.
  expect(await portAt([pruned, local.url]).observeTransaction(lost)).toMatchObject({
    status: "excluded",
    final: false,
  })
})

test("every agreeing endpoint must show the exclusion: one alone makes nothing final", async () => {
  const { deposit } = await newOrder(wbtc)
  await approve()
  const ours = await chain.signTransaction(await plan(initiate(deposit)))
  const rival = await chain.signTransaction(await plan({ action: "void", voids: ours.plan }))
  const nonce = BigInt(parseUnsigned(ours.plan.unsigned).nonce)
  await inBlock(() => chain.broadcastTransaction(rival))
  await local.advance(3)
  // The second endpoint still counts the nonce as free.
  const late = await liar((method) => {
    if (method === "eth_getTransactionCount") return { result: `0x${nonce.toString(16)}` }
    return method === "eth_getTransactionReceipt" || method === "eth_getTransactionByHash"
      ? { result: null }
      : null
  })
  expect(await portAt([local.url, late]).observeTransaction(ours)).toEqual({ status: "unseen" })
  expect(await portAt([local.url, local.url]).observeTransaction(ours)).toMatchObject({
    final: true,
  })
})

test("a rival whose fields do not give its hash and our signature excludes nothing", async () => {
  const { deposit } = await newOrder(wbtc)
  await approve()
  const ours = await chain.signTransaction(await plan(initiate(deposit)))
  const rival = await chain.signTransaction(await plan({ action: "void", voids: ours.plan }))
  await inBlock(() => chain.broadcastTransaction(rival))
  await local.advance(3)
  const honest = await portAt([local.url]).observeTransaction(ours)
  expect(honest).toMatchObject({ status: "excluded", by: rival.txid, final: true })
  // A transaction of a stranger, with our address and nonce written over its own.
  const nonce = `0x${parseUnsigned(ours.plan.unsigned).nonce.toString(16)}`
  const foreign = await inBlock(() =>
    createSender(local.client, faucet()).send(mint(chain.account, 1n)),
  )
  const forged = await liar(async (method, params) => {
    const raw = async (name: string, of: unknown[]): Promise<Record<string, unknown>> =>
      // CAST: a raw request with our own method and parameters.
      (await local.client.request({ method: name, params: of } as never)) as Record<string, unknown>
    if (method === "eth_getTransactionReceipt" && params[0] === ours.txid) return { result: null }
    if (method === "eth_getTransactionByHash" && params[0] === ours.txid) return { result: null }
    if (method === "eth_getTransactionByHash") {
      const real = await raw(method, [foreign])
      return { result: { ...real, hash: params[0], from: chain.account, nonce } }
    }
    return null
  })
  await expect(portAt([forged]).observeTransaction(ours)).rejects.toMatchObject({
    code: "evm.rival_unnamed",
  })
})

test(
  "follows a reorganisation: a mined transaction that left the chain is unseen or pending, " +
    "never excluded",
  async () => {
    const approval = await approve()
    expect(await chain.observeTransaction(approval)).toMatchObject({
      status: "mined",
      confirmations: 1,
    })
    await local.reorg(1)
    await local.advance(1)
    const after = await portAt([local.url]).observeTransaction(approval)
    expect(["unseen", "pending"]).toContain(after.status)
  },
)

test("proves an HTLC unfunded only by the named rival of every signed deposit, at a final block", async () => {
  const { swap, deposit } = await newOrder(wbtc)
  await approve()
  const ours = await chain.signTransaction(await plan(initiate(deposit)))
  const query: UnfundedQuery = { ...queryOf(swap), signed: [ours] }
  // The nonce is free: the deposit may land.
  expect(await chain.proveUnfunded(query)).toMatchObject({
    status: "unsure",
    reasons: [{ code: "evm.deposit_may_land" }],
  })
  const rival = await chain.signTransaction(await plan({ action: "void", voids: ours.plan }))
  await inBlock(() => chain.broadcastTransaction(rival))
  expect(await chain.proveUnfunded(query)).toMatchObject({
    status: "unsure",
    reasons: [{ code: "evm.rival_not_final" }],
  })
  await local.advance(1)
  const height = (await local.height()) - 1n
  expect(await chain.proveUnfunded(query)).toEqual({
    status: "unfunded",
    height,
    rivals: [rival.txid],
  })
  expect(await portAt([local.url, local.url]).proveUnfunded(query)).toMatchObject({
    status: "unfunded",
  })
  // One endpoint of two proves nothing, dead or pruned.
  expect(await portAt([local.url, "http://127.0.0.1:1"]).proveUnfunded(query)).toMatchObject({
    status: "unsure",
  })
  // A node without eth_getLogs still shows the storage.
  const shut = await liar((method) =>
    method === "eth_getLogs" ? { error: { code: -32_601, message: "no" } } : null,
  )
  expect(await portAt([shut]).proveUnfunded(query)).toMatchObject({ status: "unfunded" })
  // A node without orders in its contract proves nothing.
  const mute = await liar((method) => (method === "eth_call" ? { result: "0x" } : null))
  expect(await portAt([mute]).proveUnfunded(query)).toMatchObject({
    status: "unsure",
    reasons: [{ code: "evm.orders_unreadable" }],
  })
  // Two endpoints that agree on our nonce and differ about the contract's orders do not agree.
  expect(await portAt([local.url, mute]).proveUnfunded(query)).toMatchObject({ status: "unsure" })
})

test("proves a deposit funded from the contract's storage, also long after it was redeemed", async () => {
  await approve()
  const { swap, deposit, secret } = await newOrder(wbtc)
  const transaction = await perform(initiate(deposit))
  const query: UnfundedQuery = { ...queryOf(swap), signed: [] }
  expect(await chain.proveUnfunded(query)).toEqual({ status: "funded" })
  await inBlock(() => local.redeem(swap, secret))
  await local.advance(3)
  expect(await chain.proveUnfunded(query)).toEqual({ status: "funded" })
  expect(await chain.proveUnfunded({ ...query, units: UNITS + 1n, signed: [transaction] })).toEqual(
    {
      status: "funded",
    },
  )
})

test("binds a plan to the next nonce at the last moment, without a gap", async () => {
  const { deposit } = await newOrder(wbtc)
  await approve()
  const early = await plan(initiate(deposit))
  const bind = mustExist(chain.nonces?.bindPlan, "bindPlan")
  const first = parseUnsigned(early.unsigned).nonce
  expect(await bind(early, NOTHING_RESERVED)).toEqual(early)
  const bound = await bind(early, new Set([`nonce:${first}`]))
  expect(bound).toMatchObject({
    resources: [`nonce:${first + 1}`],
    maxFeeUnits: early.maxFeeUnits,
    action: "initiate",
  })
  expect(bound.digest).not.toBe(early.digest)
  // A hole among the reservations comes first.
  expect((await bind(early, new Set([`nonce:${first + 1}`]))).resources).toEqual([`nonce:${first}`])
  // Deterministic, and accepted by the signer.
  expect(await bind(early, new Set([`nonce:${first}`]))).toEqual(bound)
  expect((await chain.signTransaction(bound)).plan).toEqual(bound)
  // Another transaction of the account took the nonce; one that waits in the mempool counts too.
  const other = await chain.signTransaction(
    await plan({ action: "approve", asset: wbtc, spender: spender(), units: UNITS }),
  )
  await chain.broadcastTransaction(other)
  expect((await bind(early, NOTHING_RESERVED)).resources).toEqual([`nonce:${first + 1}`])
  await local.advance(1)
  expect((await bind(early, NOTHING_RESERVED)).resources).toEqual([`nonce:${first + 1}`])
  // A void and a bump must keep the nonce that they exclude.
  const voiding = await plan({ action: "void", voids: other.plan })
  expect(await bind(voiding, NOTHING_RESERVED)).toBe(voiding)
  const bump = mustExist(await chain.planBump(early), "a bump")
  expect(await bind(bump, new Set([`nonce:${first}`]))).toBe(bump)
})

test("a lying count of nonces makes no gap", async () => {
  const lying = await liar((method) =>
    method === "eth_getTransactionCount" ? { result: "0x99" } : null,
  )
  const nonce = await local.client.getTransactionCount({ address: requireAddress(chain.account) })
  const intent = { action: "approve", asset: wbtc, spender: spender(), units: 1n } as const
  const planned = await portAt([lying, local.url, local.url]).planTransaction(
    intent,
    NOTHING_RESERVED,
  )
  expect(planned).toMatchObject({ resources: [`nonce:${nonce}`] })
  await expect(
    portAt([lying, local.url]).planTransaction(intent, NOTHING_RESERVED),
  ).rejects.toMatchObject({
    code: "evm.disagreement",
  })
})

test("ends an order by the chain's own final block, as enough endpoints name it", async () => {
  const finality = finalityOf(1)
  const approval = await approve()
  await local.advance(40)
  // The local node calls the block 32 before its head safe, and the one 64 before it final.
  const port = portAt([local.url], { finality })
  expect(await port.observeTransaction(approval)).toMatchObject({
    status: "mined",
    seen: true,
    final: false,
  })
  const eager = await liar(async (method, params) => {
    if (method !== "eth_getBlockByNumber" || params[0] !== "finalized") return null
    // CAST: a raw request with our own method and parameters.
    const raw = { method, params: ["latest", false] } as never
    return { result: await local.client.request(raw) }
  })
  expect(await portAt([eager], { finality }).observeTransaction(approval)).toMatchObject({
    final: true,
  })
  expect(await portAt([eager, local.url], { finality }).observeTransaction(approval)).toMatchObject(
    { final: false },
  )
  expect(
    await portAt([local.url, eager, local.url], { finality }).observeTransaction(approval),
  ).toMatchObject({
    final: false,
  })
  const untagged = await liar((method, params) => {
    const isTag =
      method === "eth_getBlockByNumber" && (params[0] === "finalized" || params[0] === "safe")
    return isTag ? { error: { code: -32_602, message: "unknown block tag" } } : null
  })
  await local.advance(40)
  expect(await port.observeTransaction(approval)).toMatchObject({ final: true })
  expect(await portAt([untagged], { finality }).observeTransaction(approval)).toMatchObject({
    final: false,
  })
  const { swap } = await newOrder(wbtc)
  expect(
    await portAt([untagged], { finality }).proveUnfunded({ ...queryOf(swap), signed: [] }),
  ).toMatchObject({
    status: "unsure",
    reasons: [{ code: "evm.no_final_block" }],
  })
})

test("a transaction or an event of an orphaned block is no fact", async () => {
  await approve()
  const { swap, deposit } = await newOrder(wbtc)
  const transaction = await perform(initiate(deposit))
  const txid = hashOf(transaction)
  await local.advance(2)
  const receipt = await local.client.request({
    method: "eth_getTransactionReceipt",
    params: [txid],
  })
  const logs = await local.client.request({
    method: "eth_getLogs",
    params: [{ address: requireAddress(deposit.htlc), fromBlock: "0x0" }],
  })
  const orphan = (of: object | null) => ({ ...of, blockHash: `0x${"ab".repeat(32)}` })
  // A backend on the old branch still serves the receipt and the events.
  const stale = await liar((method, params) => {
    if (method === "eth_getTransactionReceipt" && params[0] === txid)
      return { result: orphan(receipt) }
    return method === "eth_getLogs" ? { result: logs.map(orphan) } : null
  })
  const later = { code: "evm.other_block", disposition: "transient" }
  await expect(portAt([stale]).observeTransaction(transaction)).rejects.toMatchObject(later)
  await expect(portAt([stale]).observeLeg(queryOf(swap))).rejects.toMatchObject(later)
  expect(await portAt([stale, local.url]).observeTransaction(transaction)).toMatchObject({
    final: false,
  })
  expect(await portAt([stale, local.url]).observeLeg(queryOf(swap))).toMatchObject({
    agreed: false,
  })
})

test(
  "asks for a refund of derived ids only, unless the contract shows our terms under the " +
    "service's id",
  async () => {
    const { deposit } = await newOrder(wbtc)
    const asked: string[] = []
    const url = await liar((method, params) => {
      if (method === "eth_estimateGas")
        asked.push(String((params[0] as { data: string }).data).slice(10)) // CAST: our own call.
      return null
    })
    const htlc = requireAddress(deposit.htlc)
    const terms = { ...termsOf(deposit), initiator: requireAddress(chain.account) }
    const { v1, v2, v3 } = deriveOrderIds(terms, { chainId: 84_532, htlc })
    const derived = [v3, v2, v1].map((id) => id.slice(2))
    const refund = { action: "refund", asset: wbtc, deposit } as const
    for (const swapId of ["ff".repeat(32), v1, "nonsense"]) {
      asked.length = 0
      const planned = await portAt([url]).planTransaction({ ...refund, swapId }, NOTHING_RESERVED)
      expect(planned).toMatchObject({ refused: expect.anything() })
      expect(asked).toEqual(derived)
    }
  },
)

test("an endpoint without the closing event of a closed order shows no open order", async () => {
  const { swap, deposit, secret } = await newOrder(eth)
  await perform(initiate(deposit))
  await inBlock(() => local.redeem(swap, secret))
  await local.advance(2)
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject({ redeemed: { secret } })
  const forgetful = await liar(async (method, params) => {
    if (method !== "eth_getLogs") return null
    // CAST: our own request, passed on.
    const logs = (await local.client.request({ method, params } as never)) as Log[]
    return { result: logs.filter(({ topics }) => topics[0] !== TOPICS.Redeemed) }
  })
  await expect(portAt([forgetful]).observeLeg(queryOf(swap))).rejects.toMatchObject({
    code: "evm.logs_missing",
    disposition: "transient",
  })
})

test(
  "refunds the order of the deposit, and not another one of ours with the same terms that the " +
    "service names",
  async () => {
    const ours = await newOrder(eth)
    const other = await newOrder(eth)
    for (const { deposit } of [ours, other]) await perform(initiate(deposit))
    const { refundableAt } = await chain.observeLeg(queryOf(other.swap))
    await local.advance(
      Number(mustExist(refundableAt, "refundableAt") - (await chain.fetchHeight())),
    )
    const refund = {
      action: "refund",
      asset: eth,
      deposit: ours.deposit,
      swapId: other.swap.swapId,
    } as const
    expect(parseUnsigned((await plan(refund)).unsigned).data).toBe(
      encodeRefund(`0x${ours.swap.swapId}`),
    )
  },
)
