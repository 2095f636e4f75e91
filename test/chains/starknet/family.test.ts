import { createHash } from "node:crypto"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { ec, hash } from "starknet"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { createStarknetChain, type StarknetChainOptions } from "#chains/starknet/create-chain.ts"
import { encodeShortString, formatFelt, splitU256 } from "#chains/starknet/felt.ts"
import { decodeMulticall, encodeMulticall, SELECTORS, splitHash } from "#chains/starknet/htlc.ts"
import {
  hashInvoke,
  maxFeeOf,
  parseInvoke,
  type UnsignedInvoke,
} from "#chains/starknet/spend/invoke.ts"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { DepositRequest, VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { SignedTransaction, TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { LocalSwap } from "#sandbox/local-chain.ts"
import { createLocalAccount, sendCalls } from "#sandbox/starknet/local-account.ts"
import type { LocalStarknetChain } from "#sandbox/starknet/starknet-chain.ts"
import { mineBlock } from "#sandbox/starknet/submit-invoke.ts"
import { legQueryOf } from "../../support/leg-query.ts"
import { listen } from "../../support/listen.ts"
import { openStarknet } from "../local-chains.ts"

const KEY = new Secret("0x5eed5eed5eed5eed", "env:STARKNET_KEY")
const [STRK, WBTC] = ["starknet_sepolia:strk", "starknet_sepolia:wbtc"].map(parseAssetId) as [
  Asset["id"],
  Asset["id"],
] // CAST: the list has two items.
/** Starknet keccak of "redeem". */
const REDEEM = BigInt(hash.getSelectorFromName("redeem"))
const NONE_RESERVED: ReadonlySet<string> = new Set()

let local: LocalStarknetChain
let options: StarknetChainOptions
let chain: ChainPort
let seed = 0

beforeAll(async () => {
  // The tests make the blocks, so the mempool stays unchanged until then.
  local = await openStarknet()
  const account = local.deployAccount(ec.starkCurve.getStarkKey(KEY.reveal()))
  const chainId = toChainId("starknet_sepolia")
  const assets = local.assets.map(({ id, decimals, token, htlc }) => {
    return {
      id: parseAssetId(id),
      chain: chainId,
      decimals,
      token,
      htlc: [mustExist(htlc, "htlc")],
    }
  })
  const rpc = [local.url]
  const chainName = "SN_SEPOLIA"
  const maxFeeUnits = 10n ** 18n
  options = {
    chain: chainId,
    chainId: chainName,
    rpc,
    account,
    key: KEY,
    confirmations: 2,
    maxFeeUnits,
    timeoutMs: 20_000,
    assets,
    clock: systemClock,
  }
  chain = createStarknetChain(options)
  await give(STRK, 10n ** 20n)
  await give(WBTC, 10n ** 9n)
})

beforeEach(() => {
  seed += 1
})

afterAll(() => local.stop())

async function give(asset: string, units: bigint): Promise<void> {
  const funded = local.fund(chain.account, asset, units)
  mineBlock(local.devnet)
  await funded
}

function secretOf(text: string): { secret: string; secretHash: string } {
  const secret = createHash("sha256").update(text).digest("hex")
  return {
    secret,
    secretHash: createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex"),
  }
}

type Deposit = { swap: LocalSwap; deposit: VerifiedDeposit; secret: string }

async function order(units: bigint, timelock = 2_880): Promise<Deposit> {
  const { secret, secretHash } = secretOf(`order ${seed}`)
  const terms = { assetId: WBTC, units, owner: chain.account, secretHash, timelock }
  const { swap, response } = await local.describeSource(terms)
  const request = {
    family: "starknet",
    transaction: response["transaction"],
    typedData: response["typed_data"],
  }
  // CAST: the sandbox's own answer; decodeDeposit does not read the order.
  const decoded = chain.decodeDeposit(request as DepositRequest, {} as ServiceOrder, WBTC)
  expect(decoded.findings).toEqual([])
  // CAST: the test stands in for the guard.
  return { swap, deposit: decoded as VerifiedDeposit, secret }
}

async function plan(
  intent: TransactionRequest,
  reserved = NONE_RESERVED,
): Promise<TransactionPlan> {
  const planned = await chain.planTransaction(intent, reserved)
  if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
  return planned
}

/** Signs and sends a transaction, and closes a block. */
async function land(planned: TransactionPlan): Promise<SignedTransaction> {
  const transaction = await chain.signTransaction(planned)
  await chain.broadcastTransaction(transaction)
  expect(await chain.observeTransaction(transaction)).toEqual({ status: "pending" })
  mineBlock(local.devnet)
  return transaction
}

function initiateOf({ deposit }: Deposit): TransactionRequest {
  return { action: "initiate", asset: WBTC, deposit }
}

function callsIn(planned: TransactionPlan): bigint {
  return BigInt(mustExist(parseInvoke(planned.unsigned).calldata[0], "count"))
}

function queryOf(swap: LocalSwap, change: Partial<LegQuery> = {}): LegQuery {
  return legQueryOf(swap, { owner: chain.account, ...change })
}

/** A plan after an attack on the journal: consistent, but with other calls. */
function tampered(
  planned: TransactionPlan,
  change: (invoke: UnsignedInvoke) => UnsignedInvoke,
): TransactionPlan {
  const invoke = change(parseInvoke(planned.unsigned))
  const maxFeeUnits = maxFeeOf(invoke.bounds)
  return { ...planned, unsigned: JSON.stringify(invoke), digest: hashInvoke(invoke), maxFeeUnits }
}

test(
  "deposits by one multicall of exact approval and initiate, and observes it as mined with its " +
    "exact fee",
  async () => {
    const placed = await order(50_000n)
    const planned = await plan(initiateOf(placed))
    expect(callsIn(planned)).toBe(2n)
    expect(planned.spends).toEqual([{ asset: WBTC, units: 50_000n }])
    const before = await chain.fetchBalance(STRK, NONE_RESERVED)
    const transaction = await land(planned)
    const observed = await chain.observeTransaction(transaction)
    const spent = before.units - (await chain.fetchBalance(STRK, NONE_RESERVED)).units
    expect(observed).toMatchObject({
      status: "mined",
      ok: true,
      confirmations: 1,
      final: false,
      feeUnits: spent,
    })
    expect(spent).toBeLessThanOrEqual(planned.maxFeeUnits)
    mineBlock(local.devnet)
    expect(await chain.observeTransaction(transaction)).toMatchObject({
      confirmations: 2,
      final: true,
    })
    expect((await local.observeSwap(placed.swap)).initiated).toMatchObject({
      txHash: transaction.txid,
      filledUnits: 50_000n,
    })
    const htlc = mustExist(placed.swap.extra["htlc"], "htlc")
    expect(await chain.findMissingApproval(WBTC, htlc, 0n)).toBeNull()
  },
)

test("deposits by the initiate alone after a mined approval", async () => {
  const placed = await order(700n)
  const spender = placed.deposit.htlc
  expect(await chain.findMissingApproval(WBTC, spender, 700n)).toEqual({ setUnits: 700n })
  await land(await plan({ action: "approve", asset: WBTC, spender, units: 700n }))
  expect(await chain.findMissingApproval(WBTC, spender, 700n)).toBeNull()
  const planned = await plan(initiateOf(placed))
  expect(callsIn(planned)).toBe(1n)
  await land(planned)
  expect((await local.observeSwap(placed.swap)).initiated?.filledUnits).toBe(700n)
})

test("signs the same bytes for the same plan, and deposits once if they are sent twice", async () => {
  const planned = await plan(initiateOf(await order(900n)))
  const before = await chain.fetchBalance(WBTC, NONE_RESERVED)
  const transaction = await chain.signTransaction(planned)
  const again = await chain.signTransaction(planned)
  expect(again).toEqual(transaction)
  await chain.broadcastTransaction(transaction)
  await chain.broadcastTransaction(transaction)
  mineBlock(local.devnet)
  await chain.broadcastTransaction(transaction)
  mineBlock(local.devnet)
  expect((await chain.fetchBalance(WBTC, NONE_RESERVED)).units).toBe(before.units - 900n)
})

test("plans around reserved nonces", async () => {
  const [first] = (await plan(initiateOf(await order(5n)))).resources
  const next = `nonce:${BigInt(mustExist(first, "resource").slice(6)) + 1n}`
  const reserved = new Set([mustExist(first, "resource")])
  expect((await plan(initiateOf(await order(5n)), reserved)).resources).toEqual([next])
})

test(
  "refuses, with numbers, a transaction that the account cannot pay, is above the cap, or " +
    "would revert",
  async () => {
    const rich = await order(10n ** 12n)
    expect(await chain.planTransaction(initiateOf(rich), NONE_RESERVED)).toMatchObject({
      refused: [
        {
          code: "funds.insufficient",
          needUnits: `${10n ** 12n}`,
          haveUnits: expect.stringMatching(/^\d+$/),
        },
      ],
    })
    const frugal = createStarknetChain({ ...options, maxFeeUnits: 1_000n })
    expect(await frugal.planTransaction(initiateOf(await order(5n)), NONE_RESERVED)).toMatchObject({
      refused: [{ code: "fees.above_cap", capUnits: "1000" }],
    })
    const poor = createStarknetChain({ ...options, account: local.deployAccount("0x77") })
    const spender = rich.deposit.htlc
    expect(
      await poor.planTransaction(
        { action: "approve", asset: WBTC, spender, units: 1n },
        NONE_RESERVED,
      ),
    ).toMatchObject({
      refused: [{ code: "funds.insufficient", haveUnits: "0" }],
    })
    const unborn = createStarknetChain({ ...options, account: "0x4242" })
    expect(
      await unborn.planTransaction(
        { action: "approve", asset: WBTC, spender, units: 1n },
        NONE_RESERVED,
      ),
    ).toMatchObject({
      refused: [{ code: "starknet.account_not_deployed" }],
    })
  },
)

test("replaces the pending transaction with a bump, and only one of the two lands", async () => {
  const placed = await order(1_234n)
  const planned = await plan(initiateOf(placed))
  const first = await chain.signTransaction(planned)
  await chain.broadcastTransaction(first)
  const bumped = mustExist(await chain.planBump(planned), "bump")
  expect(bumped).toMatchObject({ attempt: 1, resources: planned.resources, spends: planned.spends })
  const second = await chain.signTransaction(bumped)
  await chain.broadcastTransaction(second)
  await expect(chain.broadcastTransaction(first)).rejects.toMatchObject({
    disposition: "transient",
  })
  mineBlock(local.devnet)
  expect(await chain.observeTransaction(second)).toMatchObject({ status: "mined", ok: true })
  expect(await chain.observeTransaction(first)).toMatchObject({ status: "excluded", final: false })
  mineBlock(local.devnet)
  const excluded = await chain.observeTransaction(first)
  expect(excluded).toMatchObject({ status: "excluded", final: true })
  expect(excluded).not.toHaveProperty("isVoid")
  await expect(chain.broadcastTransaction(first)).rejects.toMatchObject({
    disposition: "uncertain",
  })
  const tight = createStarknetChain({ ...options, maxFeeUnits: bumped.maxFeeUnits - 1n })
  expect(await tight.planBump(planned)).toBeNull()
})

test("uses the nonce for a void, even if the deposit is pending in the mempool", async () => {
  const placed = await order(4_321n)
  const planned = await plan(initiateOf(placed))
  const deposit = await chain.signTransaction(planned)
  expect(await chain.observeTransaction(deposit)).toEqual({ status: "unseen" })
  await chain.broadcastTransaction(deposit)
  const voiding = await plan({ action: "void", voids: planned })
  expect(voiding.resources).toEqual(planned.resources)
  const unsent = await plan({ action: "void", voids: planned, isUnsent: true })
  expect(unsent.resources).toEqual(planned.resources)
  expect(unsent.maxFeeUnits).toBeLessThan(voiding.maxFeeUnits)
  const transaction = await land(voiding)
  expect(await chain.observeTransaction(transaction)).toMatchObject({ status: "mined", ok: true })
  expect(await chain.observeTransaction(deposit)).toMatchObject({ status: "excluded" })
  expect((await local.observeSwap(placed.swap)).initiated).toBeNull()
})

test("reports a deposit that reverts as mined and not ok, and no funds are transferred", async () => {
  const placed = await order(60n)
  const planned = await plan(initiateOf(placed))
  const later = await plan(initiateOf(placed), new Set(planned.resources))
  await land(planned)
  const before = await chain.fetchBalance(WBTC, NONE_RESERVED)
  const duplicate = await land(later)
  expect(await chain.observeTransaction(duplicate)).toMatchObject({ status: "mined", ok: false })
  expect((await chain.fetchBalance(WBTC, NONE_RESERVED)).units).toBe(before.units)
})

test("refuses a refund before the timelock, and refunds after it", async () => {
  const placed = await order(800n, 5)
  const from = await chain.fetchHeight()
  const before = await chain.fetchBalance(WBTC, NONE_RESERVED)
  const deposit = await land(await plan(initiateOf(placed)))
  // A deposit is no call that another machine makes without the log.
  expect(await chain.uses?.readUse(deposit.plan.resources[0] ?? "")).toBeNull()
  const refund: TransactionRequest = {
    action: "refund",
    asset: WBTC,
    deposit: placed.deposit,
    swapId: placed.swap.swapId,
  }
  expect(await chain.planTransaction(refund, NONE_RESERVED)).toMatchObject({
    refused: [{ code: "starknet.would_revert", reason: expect.stringContaining("not expired") }],
  })
  const waiting = await chain.observeLeg(queryOf(placed.swap, { fromHeight: from }))
  const refundableAt = mustExist(waiting.refundableAt, "refundableAt")
  await local.advance(Number(refundableAt - (await chain.fetchHeight())) - 1)
  // The service's swap id may be wrong, so the refund derives its own id.
  const transaction = await land(await plan({ ...refund, swapId: "abc" }))
  expect(await chain.observeTransaction(transaction)).toMatchObject({
    status: "mined",
    ok: true,
    height: refundableAt,
  })
  expect((await chain.fetchBalance(WBTC, NONE_RESERVED)).units).toBe(before.units)
  const used = await chain.uses?.readUse(transaction.plan.resources[0] ?? "")
  expect(used).toEqual({ txid: transaction.txid, action: "refund", feeUnits: expect.any(BigInt) })
  const leg = await chain.observeLeg(queryOf(placed.swap, { fromHeight: from }))
  expect(leg.refunded).toMatchObject({ txid: transaction.txid, paidUnits: 800n })
  expect(leg.redeemed).toBeNull()
})

test("observes the source leg from the initiate to the revealed secret", async () => {
  const placed = await order(321n)
  expect(await chain.observeLeg(queryOf(placed.swap))).toMatchObject({
    initiated: null,
    refundableAt: null,
  })
  const transaction = await land(await plan(initiateOf(placed)))
  expect((await chain.observeLeg(queryOf(placed.swap))).initiated).toMatchObject({
    txid: transaction.txid,
    units: 321n,
  })
  await local.redeem(placed.swap, placed.secret)
  mineBlock(local.devnet)
  const leg = await chain.observeLeg(queryOf(placed.swap))
  // A source leg pays the solver, so the owner receives nothing.
  expect(leg.redeemed).toMatchObject({ secret: placed.secret, paidUnits: 0n })
})

test("observes the payment of a destination leg to the owner, by order id and by secret hash alone", async () => {
  const { secret, secretHash } = secretOf(`destination ${seed}`)
  const terms = { assetId: WBTC, units: 77n, owner: chain.account, secretHash, timelock: 240 }
  const swap = await local.describeDestination(terms)
  await local.initiate(swap)
  mineBlock(local.devnet)
  await local.redeem(swap, secret)
  mineBlock(local.devnet)
  const leg = await chain.observeLeg(queryOf(swap))
  expect(leg).toMatchObject({
    initiated: { units: 77n },
    redeemed: { paidUnits: 77n, secret },
    refunded: null,
  })
  const unknown = { redeemer: null, timelock: null }
  expect(await chain.observeLeg(queryOf(swap, unknown))).toEqual({ ...leg, refundableAt: null })
  const stranger = { ...unknown, initiator: "0x1234" }
  expect((await chain.observeLeg(queryOf(swap, stranger))).initiated).toBeNull()
  expect((await chain.observeLeg(queryOf(swap, { htlc: "0x1234" }))).initiated).toBeNull()
  const others = await chain.observeLeg(queryOf(swap, { owner: "0x1234" }))
  expect(others.redeemed?.paidUnits).toBe(0n)
})

test("tells payments apart that one transaction makes for several orders", async () => {
  const batcher = createLocalAccount(local.devnet, "0xba7c4")
  const funded = local.fund(formatFelt(batcher.address), STRK, 10n ** 20n)
  mineBlock(local.devnet)
  await funded
  const placed = [11n, 13n].map(async (units) => {
    const { secret, secretHash } = secretOf(`batch ${units}`)
    const swap = await local.describeDestination({
      assetId: WBTC,
      units,
      owner: chain.account,
      secretHash,
      timelock: 240,
    })
    await local.initiate(swap)
    return { swap, secret }
  })
  const orders = await Promise.all(placed)
  mineBlock(local.devnet)
  const calls = orders.map(({ swap, secret }) => {
    const calldata = [BigInt(`0x${swap.swapId}`), ...splitHash(secret, "words")]
    return { to: BigInt(mustExist(swap.extra["htlc"], "htlc")), selector: REDEEM, calldata }
  })
  sendCalls(local.devnet, batcher, calls)
  mineBlock(local.devnet)
  const legs = await Promise.all(orders.map(({ swap }) => chain.observeLeg(queryOf(swap))))
  expect(legs.map((leg) => leg.redeemed?.paidUnits)).toEqual([11n, 13n])
})

test("signs typed data that the contract accepts, after the approval", async () => {
  const placed = await order(5_000n)
  await land(
    await plan({ action: "approve", asset: WBTC, spender: placed.deposit.htlc, units: 5_000n }),
  )
  const signed = await chain.signTypedData(placed.deposit)
  expect(signed.signature).toMatch(/^\d+,\d+$/)
  expect(await chain.signTypedData(placed.deposit)).toEqual(signed)
  await local.initiateWithSignature(placed.swap, signed.signature)
  mineBlock(local.devnet)
  expect((await chain.observeLeg(queryOf(placed.swap))).initiated).toMatchObject({ units: 5_000n })
})

test("refuses an invalid key, and repeats no part of it", () => {
  for (const text of ["", "0x0", "zz", `0x${"f".repeat(64)}`]) {
    const open = () =>
      createStarknetChain({ ...options, key: new Secret(text, "env:STARKNET_KEY") })
    expect(open).toThrow(expect.objectContaining({ code: "config.key", disposition: "fatal" }))
    expect(open).toThrow(/^env:STARKNET_KEY is not/)
  }
})

test("does not sign typed data that is missing or changed after the check", async () => {
  const { deposit } = await order(5_000n)
  const without = { ...deposit, extras: { ...deposit.extras, typedData: null } }
  await expect(chain.signTypedData(without)).rejects.toMatchObject({
    code: "signer.gasless_unsupported",
  })
  await expect(chain.signTypedData({ ...deposit, units: 4_999n })).rejects.toMatchObject({
    code: "signer.typed_data",
  })
})

test("does not sign typed data for a contract, an account or a chain that is not configured", async () => {
  const { deposit } = await order(5_000n)
  for (const foreign of [
    { htlc: "0x1234" },
    { refundTo: "0x1234" },
    { chain: toChainId("starknet_other") },
  ]) {
    const refused = chain.signTypedData({ ...deposit, ...foreign })
    await expect(refused, Object.keys(foreign).join()).rejects.toMatchObject({
      code: "signer.typed_data",
    })
  }
})

test("signs only the calls that an action allows", async () => {
  const placed = await order(10n)
  const spender = placed.deposit.htlc
  const initiate = await plan(initiateOf(placed))
  const approve = await plan({ action: "approve", asset: WBTC, spender, units: 10n })
  const token = mustExist(options.assets.find(({ id }) => id === WBTC)?.token, "token")
  const call =
    (to: string, selector: bigint, calldata: readonly bigint[]) => (invoke: UnsignedInvoke) => {
      const felts = [1n, BigInt(to), selector, BigInt(calldata.length), ...calldata].map(formatFelt)
      return { ...invoke, calldata: felts }
    }
  const withCall = (index: number, calldata: readonly bigint[]) => (invoke: UnsignedInvoke) => {
    const calls = mustExist(decodeMulticall(invoke.calldata.map(BigInt)), "calls")
    const changed = calls.map((each, at) => (at === index ? { ...each, calldata } : each))
    return { ...invoke, calldata: encodeMulticall(changed).map(formatFelt) }
  }
  const depositAt = (to: bigint) => (invoke: UnsignedInvoke) => {
    const deposit = mustExist(decodeMulticall(invoke.calldata.map(BigInt))?.at(-1), "the deposit")
    return { ...invoke, calldata: encodeMulticall([{ ...deposit, to }]).map(formatFelt) }
  }
  const transfer = BigInt(hash.getSelectorFromName("transfer"))
  const refusals: [string, TransactionPlan][] = [
    ["signer.calls", tampered(initiate, call(token, transfer, [5n, ...splitU256(10n)]))],
    ["signer.calls", tampered(approve, call(token, SELECTORS.approve, [5n, ...splitU256(10n)]))],
    [
      "signer.calls",
      tampered(approve, call(spender, SELECTORS.approve, [BigInt(spender), ...splitU256(10n)])),
    ],
    ["signer.calls", tampered(initiate, withCall(0, [BigInt(spender), ...splitU256(11n)]))],
    ["signer.calls", tampered(initiate, depositAt(0x1234n))],
    ["signer.calls", { ...initiate, spends: [{ asset: WBTC, units: 9n }] }],
    ["signer.calls", { ...initiate, spends: [{ asset: STRK, units: 10n }] }],
    ["signer.calls", { ...initiate, action: "refund" }],
    ["signer.calls", { ...initiate, action: "approve" }],
    ["signer.calls", { ...approve, action: "void" }],
    ["signer.digest", { ...initiate, digest: approve.digest }],
    ["signer.nonce", { ...initiate, resources: ["nonce:99"] }],
    ["signer.chain", tampered(initiate, (invoke) => ({ ...invoke, chainId: "SN_MAIN" }))],
    ["signer.account", tampered(initiate, (invoke) => ({ ...invoke, sender: "0x1234" }))],
    ["signer.fee", { ...initiate, maxFeeUnits: initiate.maxFeeUnits + 1n }],
    ["signer.unsigned_malformed", { ...initiate, unsigned: "{}" }],
  ]
  for (const [code, planned] of refusals)
    await expect(chain.signTransaction(planned)).rejects.toMatchObject({ code })
  const capped = createStarknetChain({ ...options, maxFeeUnits: initiate.maxFeeUnits - 1n })
  await expect(capped.signTransaction(initiate)).rejects.toMatchObject({ code: "signer.fee_cap" })
  for (const planned of [initiate, tampered(initiate, depositAt(BigInt(spender)))]) {
    expect((await chain.signTransaction(planned)).txid).toBe(planned.digest)
  }
})

test("estimates at least the highest cost of a deposit", async () => {
  const { depositUnits, refundUnits } = await chain.estimateFees(WBTC)
  const planned = await plan(initiateOf(await order(5n)))
  expect(depositUnits).toBeGreaterThanOrEqual(planned.maxFeeUnits)
  expect(refundUnits).toBeGreaterThan(0n)
})

test("skips an endpoint that is down for reads, and succeeds with a broadcast if another accepts it", async () => {
  const dead = await freeUrl()
  const two = createStarknetChain({ ...options, rpc: [dead, local.url], timeoutMs: 500, agree: 1 })
  expect(await two.fetchHeight()).toBe(await chain.fetchHeight())
  const planned = await plan(initiateOf(await order(5n)))
  const transaction = await chain.signTransaction(planned)
  const alone = createStarknetChain({ ...options, rpc: [dead], timeoutMs: 500 })
  await expect(alone.fetchHeight()).rejects.toMatchObject({ disposition: "transient" })
  await expect(alone.broadcastTransaction(transaction)).rejects.toMatchObject({
    disposition: "uncertain",
  })
  await two.broadcastTransaction(transaction)
  mineBlock(local.devnet)
  expect(await two.observeTransaction(transaction)).toMatchObject({ status: "mined" })
})

test("does not report an exclusion as final while an endpoint does not answer", async () => {
  const planned = await plan(initiateOf(await order(6n)))
  const transaction = await chain.signTransaction(planned)
  const two = createStarknetChain({ ...options, rpc: [local.url, await freeUrl()], timeoutMs: 500 })
  expect(await two.observeTransaction(transaction)).toEqual({ status: "unseen" })
  const { txid: by } = await land(await plan({ action: "void", voids: planned }))
  mineBlock(local.devnet)
  expect(await two.observeTransaction(transaction)).toEqual({
    status: "excluded",
    by,
    final: false,
    isVoid: true,
  })
  expect(await chain.observeTransaction(transaction)).toEqual({
    status: "excluded",
    by,
    final: true,
    isVoid: true,
  })
})

test("refuses an endpoint of another network, and an invalid answer", async () => {
  const mainnet = createStarknetChain({ ...options, chainId: "SN_MAIN" })
  await expect(mainnet.fetchHeight()).rejects.toMatchObject({
    code: "starknet.wrong_network",
    disposition: "transient",
  })
  // Only the requested chain id has the shape of its call's result.
  const network = formatFelt(encodeShortString("SN_SEPOLIA"))
  const server = createServer(async (request, response) => {
    const asked: unknown = JSON.parse(await text(request))
    const answers = [asked].flat().map((one) => {
      const { id, method } = one as { id: number; method: string } // CAST: our own request.
      return { jsonrpc: "2.0", id, result: method === "starknet_chainId" ? network : "0x5" }
    })
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]))
  })
  const { port } = await listen(server)
  const invalid = createStarknetChain({ ...options, rpc: [`http://127.0.0.1:${port}`] })
  const answer = invalid.fetchBalance(WBTC, NONE_RESERVED)
  await expect(answer).rejects.toMatchObject({
    code: "starknet.nonsense",
    disposition: "transient",
  })
  server.close()
})

test("reads addresses in every notation", () => {
  expect(chain.isAddress(chain.account)).toBe(true)
  expect(
    chain.sameAddress(chain.account, `0x${BigInt(chain.account).toString(16).toUpperCase()}`),
  ).toBe(true)
  for (const text of ["", "0x0", "0x1", "123", `0x${"f".repeat(64)}`, "bc1q", "0xzz"]) {
    expect(chain.isAddress(text)).toBe(false)
    expect(chain.sameAddress(text, text)).toBe(false)
  }
})

/** A loopback address without a listener. */
async function freeUrl(): Promise<string> {
  const server = createServer()
  const { port } = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
