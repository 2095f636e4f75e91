import { afterAll, beforeAll, expect, test } from "vitest"
import { formatFelt } from "#chains/starknet/felt.ts"
import { SELECTORS, splitHash } from "#chains/starknet/htlc.ts"
import { mustExist } from "#lib/assert.ts"
import { dropBlocks, heightOf } from "#sandbox/starknet/devnet.ts"
import { selectorOf } from "#sandbox/starknet/felt.ts"
import { createLocalAccount, sendCalls } from "#sandbox/starknet/local-account.ts"
import {
  initiateOf,
  legOf,
  NONE_RESERVED,
  openStarknetScene,
  refundOf,
  STRK,
  type StarknetScene,
  WBTC,
} from "./starknet-scene.ts"
import type { Call, Change, Meddling } from "./start-node-proxy.ts"

let scene: StarknetScene

beforeAll(async () => {
  scene = await openStarknetScene({ confirmations: 1, timeoutMs: 20_000 })
})

afterAll(() => scene.stop())

async function urlOf(meddle: Meddling): Promise<string> {
  return (await scene.openProxy([scene.local.url], meddle)).url
}

/** The web page of a proxy that blocks us. */
const forbidden: Meddling = () => ({ page: "<html>403 Forbidden</html>", status: 403 })
const hanging: Meddling = () => "hang"

function changeOf(method: string, change: (result: unknown) => unknown): Meddling {
  return (call) => (call.method === method ? (answer) => ({ result: change(answer.result) }) : null)
}

/** A node with a head far in the future. */
const boaster: Meddling = changeOf("starknet_blockHashAndNumber", () => ({
  block_number: 10 ** 9,
  block_hash: "0xabc",
}))

/** Replaces a token's balance. */
function balanceLie(units: bigint): Meddling {
  return ({ method, params }: Call) => {
    const selector = (params[0] as { entry_point_selector?: string } | undefined)
      ?.entry_point_selector // CAST: our own request.
    const isBalance =
      method === "starknet_call" && selector === formatFelt(SELECTORS.balanceOfSnake)
    const lie: Change = () => ({ result: [formatFelt(units), "0x0"] })
    return isBalance ? lie : null
  }
}

function changeToError(name: string, code: number): Meddling {
  return ({ method }: Call) => (method === name ? { error: { code, message: "no" } } : null)
}

/** Another network, where our account is rich. */
const foreign: Meddling = (call) =>
  changeOf("starknet_chainId", () => "0x534e5f4d41494e")(call) ?? balanceLie(10n ** 30n)(call)

test.each([
  ["a web page", forbidden],
  ["another network", foreign],
  ["text in the place of a number", changeOf("starknet_blockHashAndNumber", () => "soon")],
  ["an unknown error", (() => ({ error: { code: -32_001, message: "unauthorized" } })) as Meddling],
])("goes to endpoint 2 when endpoint 1 answers with %s", async (_what, meddle) => {
  const bad = await urlOf(meddle)
  const port = scene.portAt([bad, scene.local.url], { agree: 1 })
  const honest = await scene.chain.fetchBalance(WBTC, NONE_RESERVED)
  expect(await port.fetchBalance(WBTC, NONE_RESERVED)).toEqual(honest)
  const placed = await scene.place(100n)
  expect(await port.planTransaction(initiateOf(placed), NONE_RESERVED)).toMatchObject({
    action: "initiate",
  })
})

test.each([
  ["a web page", forbidden],
  ["nothing", hanging],
])(
  "never holds an order for a person because endpoint 1 answers with %s",
  async (_what, meddle) => {
    const bad = await urlOf(meddle)
    const placed = await scene.place(101n)
    const transaction = await scene.land(await scene.plan(initiateOf(placed)))
    for (const [rpc, isAlone] of [
      [[bad], true],
      [[bad, scene.local.url], false],
    ] as const) {
      const port = scene.portAt(rpc, { timeoutMs: 1_000 })
      const short = {
        disposition: "transient",
        ...(isAlone ? {} : { code: "starknet.agreement_short" }),
      }
      await expect(port.fetchHeight()).rejects.toMatchObject(short)
      await expect(port.fetchBalance(WBTC, NONE_RESERVED)).rejects.toMatchObject(short)
      await expect(port.planTransaction(initiateOf(placed), NONE_RESERVED)).rejects.toMatchObject(
        short,
      )
      if (isAlone) continue
      // Watching goes on, and nothing is final.
      expect(await port.observeTransaction(transaction)).toMatchObject({
        status: "mined",
        seen: true,
        final: false,
      })
      const leg = await port.observeLeg(legOf(placed, port.account))
      expect(leg).toMatchObject({
        agreed: false,
        initiated: { units: 101n, final: false, seen: true },
      })
      expect(leg.doubts).toMatchObject([
        { code: "chain.agreement_short", endpoint: new URL(bad).host },
      ])
      const report = await port.fetchAgreement()
      expect(report).toMatchObject({
        endpoints: 2,
        needed: 2,
        agreeing: 1,
        reasons: [{ code: "chain.agreement_short" }],
      })
    }
  },
)

test.each([
  [
    "a method that it does not have",
    (() => ({ error: { code: -32_601, message: "Method not found" } })) as Meddling,
  ],
  ["a contract that does not exist", changeToError("starknet_getNonce", 20)],
  ["invalid parameters", changeToError("starknet_getEvents", -32_602)],
  ["another network", foreign],
])(
  "never holds an order for a person because its only endpoint answers with %s",
  async (_what, meddle) => {
    const placed = await scene.place(102n)
    const transaction = await scene.land(await scene.plan(initiateOf(placed)))
    const port = scene.portAt([await urlOf(meddle)])
    for (const read of [
      () => port.fetchHeight(),
      () => port.fetchBalance(WBTC, NONE_RESERVED),
      () => port.observeTransaction(transaction),
      () => port.observeLeg(legOf(placed, port.account)),
    ]) {
      const disposition = await read().then(
        () => "answered",
        (error: { disposition?: string }) => error.disposition,
      )
      expect(["answered", "transient"]).toContain(disposition)
    }
  },
)

test("waits only a moment for a third endpoint that hangs", async () => {
  const port = scene.portAt([scene.local.url, await urlOf(hanging), await urlOf(() => null)], {
    timeoutMs: 20_000,
  })
  const startedAt = performance.now()
  expect(await port.fetchHeight()).toBe(BigInt(heightOf(scene.local.devnet)))
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test("ignores a head far above the others, and names its endpoint", async () => {
  const boasting = await urlOf(boaster)
  const honest = [scene.local.url, await urlOf(() => null)]
  for (const rpc of [
    [boasting, ...honest],
    [...honest, boasting],
  ]) {
    const port = scene.portAt(rpc)
    expect(await port.fetchHeight()).toBe(BigInt(heightOf(scene.local.devnet)))
    const report = await port.fetchAgreement()
    expect(report).toMatchObject({ endpoints: 3, needed: 2, agreeing: 2 })
    expect(report.reasons).toMatchObject([
      { code: "chain.head_outlier", endpoint: new URL(boasting).host },
    ])
  }
  // One of two: no height at all, instead of the wrong one.
  const two = scene.portAt([boasting, scene.local.url])
  await expect(two.fetchHeight()).rejects.toMatchObject({
    code: "starknet.agreement_short",
    disposition: "transient",
  })
  await expect(two.fetchBalance(WBTC, NONE_RESERVED)).rejects.toMatchObject({
    disposition: "transient",
  })
})

test("reads at the newest block that enough endpoints have", async () => {
  const lagging = await scene.openLagging(2)
  const height = BigInt(heightOf(scene.local.devnet))
  expect(await scene.portAt([scene.local.url, lagging]).fetchHeight()).toBe(height - 2n)
  expect(
    await scene.portAt([scene.local.url, lagging, await urlOf(() => null)]).fetchHeight(),
  ).toBe(height)
  scene.mine(2)
  const { units } = await scene.chain.fetchBalance(STRK, NONE_RESERVED)
  await scene.land(await scene.plan(initiateOf(await scene.place(102n))))
  const before = await scene.portAt([scene.local.url, lagging]).fetchBalance(STRK, NONE_RESERVED)
  expect(before.units).toBe(units)
})

test.each([0n, 10n ** 30n])("believes no single endpoint about a balance of %d", async (lie) => {
  const lying = await urlOf(balanceLie(lie))
  const two = scene.portAt([lying, scene.local.url])
  const split = two.fetchBalance(WBTC, NONE_RESERVED)
  await expect(split).rejects.toMatchObject({
    code: "starknet.disagreement",
    disposition: "transient",
  })
  await expect(two.native?.fetchNativeBalance()).rejects.toMatchObject({
    code: "starknet.disagreement",
  })
  await expect(split).rejects.toMatchObject({
    message: expect.stringContaining("contradict"),
    details: { answers: expect.stringContaining(new URL(lying).host) },
  })
  const three = scene.portAt([lying, scene.local.url, await urlOf(() => null)])
  expect(await three.fetchBalance(WBTC, NONE_RESERVED)).toEqual(
    await scene.chain.fetchBalance(WBTC, NONE_RESERVED),
  )
})

test("believes no single endpoint about an allowance, and revokes one that a single endpoint shows", async () => {
  const { deposit } = await scene.place(103n)
  const isAllowance = (call: Call) =>
    JSON.stringify(call.params).includes(formatFelt(SELECTORS.allowance))
  const lieOf = (units: string) =>
    urlOf((call) => (isAllowance(call) ? () => ({ result: [units, "0x0"] }) : null))
  const two = scene.portAt([await lieOf("0x67"), scene.local.url])
  const missing = two.findMissingApproval(WBTC, deposit.htlc, 103n)
  await expect(missing).rejects.toMatchObject({ code: "starknet.disagreement" })
  expect(await two.findMissingApproval(WBTC, deposit.htlc, 0n)).toEqual({ setUnits: 0n })
  expect(await scene.chain.findMissingApproval(WBTC, deposit.htlc, 103n)).toEqual({
    setUnits: 103n,
  })
  await scene.land(
    await scene.plan({ action: "approve", asset: WBTC, spender: deposit.htlc, units: 103n }),
  )
  const hiding = await lieOf("0x0")
  expect(
    await scene.portAt([hiding, scene.local.url]).findMissingApproval(WBTC, deposit.htlc, 0n),
  ).toEqual({
    setUnits: 0n,
  })
  const half = scene.portAt([scene.local.url, "http://127.0.0.1:1"])
  expect(await half.findMissingApproval(WBTC, deposit.htlc, 0n)).toEqual({ setUnits: 0n })
  const revocation = await half.planTransaction(
    { action: "approve", asset: WBTC, spender: deposit.htlc, units: 0n },
    NONE_RESERVED,
  )
  if ("refused" in revocation) throw new Error(JSON.stringify(revocation.refused))
  await scene.land(mustExist(await half.nonces?.bindPlan(revocation, NONE_RESERVED), "bindPlan"))
  const gone = half.findMissingApproval(WBTC, deposit.htlc, 0n)
  await expect(gone).rejects.toMatchObject({ code: "starknet.agreement_short" })
})

test("goes on with the endpoint that is up to date when the other has stalled", async () => {
  const placed = await scene.place(105n, 5)
  await scene.land(await scene.plan(initiateOf(placed)))
  const { state } = scene.local.devnet
  state.blocks = state.blocks.map((block) => ({ ...block, timestamp: block.timestamp - 3_600 }))
  scene.mine(200)
  const stalled = await scene.openLagging(200)
  const port = scene.portAt([stalled, scene.local.url])
  expect(await port.planTransaction(refundOf(placed, ""), NONE_RESERVED)).toMatchObject({
    action: "refund",
  })
  const leg = await port.observeLeg(legOf(placed, port.account))
  expect(leg).toMatchObject({
    agreed: false,
    height: BigInt(heightOf(scene.local.devnet)),
    initiated: { final: false },
  })
  expect(await port.fetchAgreement()).toMatchObject({
    agreeing: 1,
    reasons: [{ endpoint: new URL(stalled).host }],
  })
  await expect(port.fetchHeight()).rejects.toMatchObject({ code: "starknet.agreement_short" })
})

test("believes no single endpoint about a payout, and reports both answers without access keys", async () => {
  const { swap, secret } = await openPayout(77n)
  const redeem = formatFelt(SELECTORS.redeemedEvent)
  const isRedeem = ({ keys }: { keys: string[] }) => keys[0] === redeem
  const hidden = await urlOf(
    changeOf("starknet_getEvents", (page) => {
      // CAST: the shape of starknet_getEvents.
      const { events } = page as { events: { keys: string[] }[] }
      return { events: events.filter((event) => !isRedeem(event)) }
    }),
  )
  const query = legOf({ swap }, scene.chain.account)
  const honest = await scene.chain.observeLeg(query)
  expect(honest).toMatchObject({ agreed: true, redeemed: { paidUnits: 77n, secret, final: true } })
  const withKey = `${scene.local.url}/key-7f3a`
  for (const rpc of [
    [hidden, withKey],
    [withKey, hidden],
  ]) {
    const leg = await scene.portAt(rpc).observeLeg(query)
    expect(leg).toMatchObject({
      agreed: false,
      initiated: { units: 77n, final: false, seen: false },
      redeemed: null,
    })
    expect(leg.doubts).toMatchObject([
      { code: "chain.disagreement", answers: expect.stringContaining(" | ") },
    ])
    expect(
      JSON.stringify(leg.doubts, (_key, item) => (typeof item === "bigint" ? `${item}` : item)),
    ).not.toContain("key-7f3a")
  }
  const three = await scene
    .portAt([hidden, scene.local.url, await urlOf(() => null)])
    .observeLeg(query)
  expect(three).toMatchObject({ agreed: true, redeemed: { paidUnits: 77n, final: true } })
  expect(three.doubts).toMatchObject([{ code: "chain.disagreement" }])
})

test("reports endpoints with different blocks at the same height", async () => {
  const forked = await urlOf((call) =>
    ["starknet_blockHashAndNumber", "starknet_getBlockWithTxHashes"].includes(call.method)
      ? // CAST: a block is an object.
        ({ result }) => ({ result: { ...(result as object), block_hash: "0xf0f0" } })
      : null,
  )
  const port = scene.portAt([scene.local.url, forked])
  await expect(port.fetchBalance(WBTC, NONE_RESERVED)).rejects.toMatchObject({
    disposition: "transient",
  })
  const report = await port.fetchAgreement()
  expect(report).toMatchObject({ agreeing: 0, reasons: [{ code: "chain.disagreement" }] })
  const three = await scene
    .portAt([forked, scene.local.url, await urlOf(() => null)])
    .fetchAgreement()
  expect(three).toMatchObject({ agreeing: 2, reasons: [{ code: "chain.disagreement" }] })
})

test("believes no balance that two endpoints show at different blocks of one height", async () => {
  const { spendableUnits } = await scene.chain.fetchBalance(WBTC, NONE_RESERVED)
  const forked = await urlOf((call) =>
    ["starknet_blockHashAndNumber", "starknet_getBlockWithTxHashes"].includes(call.method)
      ? // CAST: a block is an object.
        ({ result }) => ({ result: { ...(result as object), block_hash: "0xf0f0" } })
      : balanceLie(spendableUnits)(call),
  )
  const equal = await urlOf(balanceLie(spendableUnits))
  await expect(
    scene.portAt([scene.local.url, equal]).fetchBalance(WBTC, NONE_RESERVED),
  ).resolves.toBeDefined()
  await expect(
    scene.portAt([scene.local.url, forked]).fetchBalance(WBTC, NONE_RESERVED),
  ).rejects.toMatchObject({
    code: "starknet.disagreement",
    disposition: "transient",
  })
})

test("sees an initiation again as open after a reorganisation", async () => {
  const port = scene.portAt([scene.local.url], { confirmations: null })
  const placed = await scene.place(104n)
  const transaction = await scene.land(await scene.plan(initiateOf(placed)))
  scene.mine()
  expect(await port.observeTransaction(transaction)).toMatchObject({
    status: "mined",
    seen: true,
    final: false,
  })
  expect((await port.observeLeg(legOf(placed, port.account))).initiated).toMatchObject({
    seen: true,
    final: false,
  })
  dropBlocks(scene.local.devnet, 2)
  scene.mine(3)
  expect(await port.observeTransaction(transaction)).toEqual({ status: "unseen" })
  expect((await port.observeLeg(legOf(placed, port.account))).initiated).toBeNull()
  await port.broadcastTransaction(transaction)
  scene.mine(3)
  expect(await port.observeTransaction(transaction)).toMatchObject({
    status: "mined",
    confirmations: 3,
    final: true,
  })
})

test("does not count a stranger's transfer to us as a payout of the HTLC in the same transaction", async () => {
  const { secret, swap: template } = await scene.place(1n)
  const request = {
    assetId: WBTC,
    units: 55n,
    owner: "0x7777",
    secretHash: template.secretHash,
    timelock: 240,
  }
  const swap = await scene.local.describeDestination(request)
  await scene.local.initiate(swap)
  const stranger = createLocalAccount(scene.local.devnet, "0xbad2")
  for (const asset of [STRK, WBTC]) {
    const funded = scene.local.fund(
      formatFelt(stranger.address),
      asset,
      asset === STRK ? 10n ** 20n : 1_000n,
    )
    scene.mine()
    await funded
  }
  const token = BigInt(mustExist(scene.local.assets.find(({ id }) => id === WBTC)?.token, "token"))
  const transfer = {
    to: token,
    selector: selectorOf("transfer"),
    calldata: [BigInt(scene.chain.account), 55n, 0n],
  }
  const calldata = [BigInt(`0x${swap.swapId}`), ...splitHash(secret, "words")]
  const redeem = {
    to: BigInt(mustExist(swap.extra["htlc"], "htlc")),
    selector: selectorOf("redeem"),
    calldata,
  }
  sendCalls(scene.local.devnet, stranger, [transfer, redeem])
  scene.mine()
  expect(
    (await scene.chain.observeLeg(legOf({ swap }, scene.chain.account))).redeemed,
  ).toMatchObject({ paidUnits: 0n })
  expect((await scene.chain.observeLeg(legOf({ swap }, "0x7777"))).redeemed).toMatchObject({
    paidUnits: 55n,
  })
})

/** A payout to the wallet: funded by the solver and redeemed. */
async function openPayout(units: bigint) {
  const { secret, swap: template } = await scene.place(units)
  const request = {
    assetId: WBTC,
    units,
    owner: scene.chain.account,
    secretHash: template.secretHash,
    timelock: 240,
  }
  const swap = await scene.local.describeDestination(request)
  await scene.local.initiate(swap)
  scene.mine()
  await scene.local.redeem(swap, secret)
  scene.mine()
  return { swap, secret }
}
