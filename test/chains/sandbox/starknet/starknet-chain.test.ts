import { createHash } from "node:crypto"
import { Account, CallData, cairo, ec, hash, num, RpcProvider, type TypedData } from "starknet"
import { afterAll, beforeAll, expect, test } from "vitest"
import { mustExist } from "#lib/assert.ts"
import type {
  ContractsVersion,
  LocalSwap,
  SwapRequest,
} from "../../../../src/lab/sandbox/local-chain.ts"
import { createDevnet, dumpDevnet } from "../../../../src/lab/sandbox/starknet/devnet.ts"
import { formatFelt, parseFelt } from "../../../../src/lab/sandbox/starknet/felt.ts"
import { deriveOrderId } from "../../../../src/lab/sandbox/starknet/htlc.ts"
import { HTLC_VARIANTS, splitHash } from "../../../../src/lab/sandbox/starknet/htlc-variant.ts"
import { hashInvoke, parseInvoke } from "../../../../src/lab/sandbox/starknet/invoke.ts"
import {
  createLocalAccount,
  sendCalls,
} from "../../../../src/lab/sandbox/starknet/local-account.ts"
import type { LocalStarknetChain } from "../../../../src/lab/sandbox/starknet/starknet-chain.ts"
import { openStarknet } from "../../local-chains.ts"

const KEY = "0x1234567890abcdef1234567890abcdef"
const SECRET = "8cb8a02d5592b0b1556978e1d778b7eff2c23519b8aa65970fa6ac3daa33fb40"
const HASH = createHash("sha256").update(Buffer.from(SECRET, "hex")).digest("hex")
const BOUNDS = {
  l1_gas: { max_amount: 0n, max_price_per_unit: 10n ** 14n },
  l2_gas: { max_amount: 5_000_000n, max_price_per_unit: 10n ** 10n },
  l1_data_gas: { max_amount: 2_000n, max_price_per_unit: 10n ** 9n },
}

let chain: LocalStarknetChain
let user: Account
let provider: RpcProvider
const strk = "starknet_sepolia:strk"
const wbtc = "starknet_sepolia:wbtc"

beforeAll(async () => {
  chain = await openStarknet({ blockMs: 20 })
  const address = chain.deployAccount(ec.starkCurve.getStarkKey(KEY))
  provider = new RpcProvider({ nodeUrl: chain.url })
  user = new Account({ provider, address, signer: KEY, cairoVersion: "1" })
  await chain.fund(address, strk, 10n ** 21n)
  await chain.fund(address, wbtc, 10n ** 9n)
})

afterAll(() => chain.stop())

function request(units: bigint, secretHash = HASH, timelock = 2_880): SwapRequest {
  return { assetId: wbtc, units, owner: user.address, secretHash, timelock }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

type Call = { contractAddress: string; entrypoint: string; calldata: string[] }

function callHtlc(swap: LocalSwap, entrypoint: string, calldata: bigint[]): Call {
  return {
    contractAddress: mustExist(swap.extra["htlc"], "htlc"),
    entrypoint,
    calldata: calldata.map(formatFelt),
  }
}

function approve(swap: LocalSwap, units: bigint): Call {
  const spender = mustExist(swap.extra["htlc"], "htlc")
  const token = mustExist(chain.assets.find(({ id }) => id === swap.asset)?.token, "token")
  return {
    contractAddress: token,
    entrypoint: "approve",
    calldata: CallData.compile({ spender, amount: cairo.uint256(units) }),
  }
}

function initiate(swap: LocalSwap): Call {
  const halves = splitHash(HTLC_VARIANTS.v3, swap.secretHash)
  const terms = [parseFelt(swap.redeemer), BigInt(swap.timelock), BigInt(swap.units), 0n]
  return callHtlc(swap, "initiate", [...terms, ...halves])
}

/** Sends without an estimate, so that the receipt shows a revert. */
async function execute(calls: Call[]): Promise<{ reverted: string | null; feeUnits: bigint }> {
  const { transaction_hash: sent } = await user.execute(calls, { resourceBounds: BOUNDS, tip: 0n })
  const receipt = await provider.waitForTransaction(sent, {
    retryInterval: 15,
    successStates: ["ACCEPTED_ON_L2"],
  })
  if (receipt.isReverted())
    return { reverted: receipt.revert_reason, feeUnits: BigInt(receipt.actual_fee.amount) }
  if (receipt.isSuccess()) return { reverted: null, feeUnits: BigInt(receipt.actual_fee.amount) }
  throw new Error("the receipt says neither")
}

test("recomputes the hash of a real Sepolia transaction", () => {
  const bound = { max_amount: "0x186a0", max_price_per_unit: "0x2d79883d20000" }
  const invoke = parseInvoke({
    type: "INVOKE",
    version: "0x3",
    nonce: "0x9803",
    resource_bounds: {
      l1_gas: bound,
      l1_data_gas: bound,
      l2_gas: { max_amount: "0x5f5e100", max_price_per_unit: "0xba43b7400" },
    },
    tip: "0x0",
    paymaster_data: [],
    account_deployment_data: [],
    sender_address: "0x745d525a3582e91299d8d7c71730ffc4b1f191f5b219d800334bc0edad0983b",
    calldata: [
      "0x1",
      "0x4138fd51f90d171df37e9d4419c8cdb67d525840c58f8a5c347be93a1c5277d",
      "0x2468d193cd15b621b24c2a602b8dbcfa5eaa14f88416c40c09d7fd12592cb4b",
      "0x0",
    ],
    signature: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  })
  const found = hashInvoke(invoke, chain.devnet.environment.chainId)
  expect(formatFelt(found)).toBe(
    "0x76b52e17bc09064bd986ead34263e6305ef3cecfb3ae9e19b86bf4f1a1a20ea",
  )
})

test("derives the published swap id of a live order", () => {
  const initiator = parseFelt("0x00609190b1348bcc06da44d58c79709495c11a5a6f0b9e154e1209f2a17dd933")
  const place = { chainId: chain.devnet.environment.chainId, htlc: 0n, initiator }
  const orderId = deriveOrderId(HTLC_VARIANTS.v1, place, {
    redeemer: parseFelt("0x078f8ae98fe78b5df9d3755b5910864c028d5249b4af685eb45687b1b76a4205"),
    timelock: 2_880n,
    units: 50_000n,
    secretHash: "e7b213af79add7fb7457238fc65df61cb4dea13b3ae374f1b5c69538e5fcb98a",
  })
  expect(orderId.toString(16)).toBe(
    "61ea20c8abf2a327035c2bc1170b3d32a13b271f14ad5a3739f995ce9a54ebf",
  )
})

test("starknet.js funds a source swap with the described call, and the solver redeems it", async () => {
  const { swap, response } = await chain.describeSource(request(50_000n))
  // CAST: our own answer.
  const { transaction } = response as { transaction: { to: string; calldata: string[] } }
  const solverBefore = await chain.balance(swap.redeemer, wbtc)
  const call = {
    contractAddress: transaction.to,
    entrypoint: "initiate",
    calldata: transaction.calldata,
  }
  // Without bounds, starknet.js first asks for an estimate.
  const { transaction_hash } = await user.execute([approve(swap, 50_000n), call], { tip: 0n })
  await provider.waitForTransaction(transaction_hash, { retryInterval: 15 })
  const funded = await chain.observeSwap(swap)
  expect(funded.initiated).toMatchObject({
    filledUnits: 50_000n,
    txHash: num.toHex(transaction_hash),
  })
  expect(funded.redeemed).toBeNull()

  await expect(chain.redeem(swap, "00".repeat(32))).rejects.toThrow("HTLC: incorrect secret")
  await chain.redeem(swap, SECRET)
  await expect.poll(async () => (await chain.observeSwap(swap)).redeemed?.secret).toBe(SECRET)
  expect(await chain.balance(swap.redeemer, wbtc)).toBe(solverBefore + 50_000n)
  await expect(chain.redeem(swap, SECRET)).rejects.toThrow("HTLC: order fulfilled")
})

test("relays a signature that starknet.js made over the described typed data", async () => {
  const { swap, response } = await chain.describeSource(request(7_000n, hashOf("gasless")))
  const { reverted } = await execute([approve(swap, 7_000n)])
  expect(reverted).toBeNull()
  // CAST: our own answer, in the SNIP-12 shape.
  const typedData = response["typed_data"] as TypedData
  const signature = await user.signMessage(typedData)
  const [r, s] = Array.isArray(signature) ? signature : [String(signature.r), String(signature.s)]
  await expect(chain.initiateWithSignature(swap, `${s},${r}`)).rejects.toThrow(
    "HTLC: invalid initiator signature",
  )
  await chain.initiateWithSignature(swap, `${r},${s}`)
  await expect.poll(async () => (await chain.observeSwap(swap)).initiated?.filledUnits).toBe(7_000n)
  await expect(chain.initiateWithSignature(swap, `${r},${s}`)).rejects.toThrow("duplicate order")
})

test.each<ContractsVersion>(["v1", "v2"])(
  "deposits, relays, redeems and refunds with contracts of %s",
  async (contracts) => {
    const older = await openStarknet({ blockMs: 20, contracts })
    try {
      const address = older.deployAccount(ec.starkCurve.getStarkKey(KEY))
      const node = new RpcProvider({ nodeUrl: older.url })
      const account = new Account({ provider: node, address, signer: KEY, cairoVersion: "1" })
      await older.fund(address, strk, 10n ** 21n)
      await older.fund(address, wbtc, 10n ** 9n)
      const { swap, response } = await older.describeSource(request(7_000n))
      // CAST: our own answer.
      const { calldata } = (response as { transaction: { calldata: string[] } }).transaction
      expect(calldata).toHaveLength(12)
      const details = { resourceBounds: BOUNDS, tip: 0n }
      const { transaction_hash: deposited } = await account.execute(
        [approve(swap, 14_000n), callHtlc(swap, "initiate", calldata.map(BigInt))],
        details,
      )
      await node.waitForTransaction(deposited, { retryInterval: 15 })
      expect((await older.observeSwap(swap)).initiated?.filledUnits).toBe(7_000n)
      await older.redeem(swap, SECRET)
      await expect.poll(async () => (await older.observeSwap(swap)).redeemed?.secret).toBe(SECRET)
      const gasless = await older.describeSource(request(7_000n, hashOf("gasless"), 5))
      // CAST: our own answer, in the SNIP-12 shape.
      const signed = await account.signMessage(gasless.response["typed_data"] as TypedData)
      const signature = Array.isArray(signed) ? signed : [String(signed.r), String(signed.s)]
      await older.initiateWithSignature(gasless.swap, signature.join())
      await expect
        .poll(async () => (await older.observeSwap(gasless.swap)).initiated?.filledUnits)
        .toBe(7_000n)
      await older.advance(6)
      await older.refund(gasless.swap)
      await expect.poll(async () => (await older.observeSwap(gasless.swap)).refunded).not.toBeNull()
    } finally {
      await older.stop()
    }
  },
)

test("takes destination data, a deposit on behalf of another, and a redeemer's early refund", async () => {
  const { swap } = await chain.describeSource(request(11n, hashOf("data")))
  const terms = mustExist(initiate(swap).calldata, "calldata").map(BigInt)
  const withData = callHtlc(swap, "initiate_with_destination_data", [...terms, 2n, 7n, 8n])
  expect((await execute([approve(swap, 11n), withData])).reverted).toBeNull()
  expect((await chain.observeSwap(swap)).initiated?.filledUnits).toBe(11n)

  const onBehalf = callHtlc(swap, "initiate_on_behalf", [0x1234n, ...terms])
  expect((await execute([approve(swap, 11n), onBehalf])).reverted).toBeNull()
  const stranger = { ...swap, initiator: "0x1234", swapId: idOf({ ...swap, initiator: "0x1234" }) }
  expect((await chain.observeSwap(stranger)).initiated?.filledUnits).toBe(11n)

  // Only the redeemer agrees to an early refund: the solver, and it signs nothing here.
  const early = callHtlc(swap, "instant_refund", [parseFelt(`0x${swap.swapId}`), 2n, 1n, 2n])
  expect((await execute([early])).reverted).toContain("HTLC: invalid redeemer signature")
  const solver = createLocalAccount(chain.devnet, "0x501fe2")
  expect(formatFelt(solver.address)).toBe(formatFelt(parseFelt(swap.redeemer)))
  const calldata = [parseFelt(`0x${swap.swapId}`), 0n]
  sendCalls(chain.devnet, solver, [
    {
      to: parseFelt(early.contractAddress),
      selector: BigInt(hash.getSelectorFromName("instant_refund")),
      calldata,
    },
  ])
  await expect.poll(async () => (await chain.observeSwap(swap)).refunded).not.toBeNull()
})

function idOf(swap: LocalSwap): string {
  const { environment } = chain.devnet
  const place = {
    chainId: environment.chainId,
    htlc: parseFelt(mustExist(swap.extra["htlc"], "htlc")),
    initiator: parseFelt(swap.initiator),
  }
  const { timelock, units, secretHash } = swap
  const message = {
    redeemer: parseFelt(swap.redeemer),
    timelock: BigInt(timelock),
    units: BigInt(units),
    secretHash,
  }
  return deriveOrderId(HTLC_VARIANTS.v3, place, message).toString(16)
}

test("the solver funds a destination swap that pays the owner, and refunds a lapsed one", async () => {
  const paid = await chain.describeDestination(request(900n, HASH, 240))
  await chain.initiate(paid)
  await expect.poll(async () => (await chain.observeSwap(paid)).initiated !== null).toBe(true)
  const before = await chain.balance(user.address, wbtc)
  await chain.redeem(paid, SECRET)
  await expect.poll(() => chain.balance(user.address, wbtc)).toBe(before + 900n)

  const lapsed = await chain.describeDestination(request(901n, hashOf("lapse"), 240))
  await chain.initiate(lapsed)
  await expect.poll(async () => (await chain.observeSwap(lapsed)).initiated !== null).toBe(true)
  await expect(chain.refund(lapsed)).rejects.toThrow("not expired")
  await chain.advance(241)
  await chain.refund(lapsed)
  await expect.poll(async () => (await chain.observeSwap(lapsed)).refunded !== null).toBe(true)
})

test.each([
  ["a zero amount", "HTLC: zero amount", (swap: LocalSwap) => [initiate({ ...swap, units: "0" })]],
  ["no allowance", "ERC20: insufficient allowance", (swap: LocalSwap) => [initiate(swap)]],
  [
    "more than the balance",
    "ERC20: insufficient balance",
    (swap: LocalSwap) => [
      approve(swap, 10n ** 15n),
      initiate({ ...swap, units: String(10n ** 15n) }),
    ],
  ],
  [
    "a duplicate order",
    "HTLC: duplicate order",
    (swap: LocalSwap) => [approve(swap, 10n), initiate(swap), initiate(swap)],
  ],
  [
    "an unknown order",
    "HTLC: order not initiated",
    (swap: LocalSwap) => [callHtlc(swap, "refund", [5n])],
  ],
  [
    "the user as redeemer",
    "HTLC: same initiator & redeemer",
    (swap: LocalSwap) => [approve(swap, 5n), initiate({ ...swap, redeemer: user.address })],
  ],
])("reverts for %s, and uses only the fee and the nonce", async (what, reason, calls) => {
  const { swap } = await chain.describeSource(request(5n, hashOf(what)))
  const before = await Promise.all([wbtc, strk].map((asset) => chain.balance(user.address, asset)))
  const nonce = BigInt(await user.getNonce())
  const result = await execute(calls(swap))
  const after = await Promise.all([wbtc, strk].map((asset) => chain.balance(user.address, asset)))
  expect(result.reverted).toContain(reason)
  expect(after).toEqual([before[0], mustExist(before[1], "strk") - result.feeUnits])
  expect(BigInt(await user.getNonce())).toBe(nonce + 1n)
  expect((await chain.observeSwap(swap)).initiated).toBeNull()
})

test("accepts a multicall without calls, which only uses the nonce", async () => {
  expect((await execute([])).reverted).toBeNull()
})

test("refuses a wrong key, a used nonce, a low price and a small balance", async () => {
  const { swap } = await chain.describeSource(request(5n))
  const stranger = new Account({
    provider,
    address: user.address,
    signer: "0x777",
    cairoVersion: "1",
  })
  const details = { resourceBounds: BOUNDS, tip: 0n }
  await expect(stranger.execute([approve(swap, 5n)], details)).rejects.toThrow("55")
  await expect(user.execute([approve(swap, 5n)], { ...details, nonce: 0n })).rejects.toThrow("52")
  const cheap = { ...BOUNDS, l2_gas: { ...BOUNDS.l2_gas, max_price_per_unit: 1n } }
  await expect(
    user.execute([approve(swap, 5n)], { ...details, resourceBounds: cheap }),
  ).rejects.toThrow("53")
  const dear = { ...BOUNDS, l2_gas: { ...BOUNDS.l2_gas, max_price_per_unit: 10n ** 20n } }
  await expect(
    user.execute([approve(swap, 5n)], { ...details, resourceBounds: dear }),
  ).rejects.toThrow("54")
})

test("answers getEvents in pages, filtered by keys", async () => {
  const htlc = mustExist(chain.assets.find(({ id }) => id === wbtc)?.htlc, "htlc")
  const keys = [[num.toHex(parseFelt("0x2b8ad1b3b5d0bc1f1a8f5b9b44b9a0ef3e8e4b0a5f0c2d8a1"))]]
  const all = await provider.getEvents({ address: htlc, chunk_size: 1000 })
  const first = await provider.getEvents({ address: htlc, chunk_size: 2 })
  expect(all.events.length).toBeGreaterThan(2)
  expect(first.events).toEqual(all.events.slice(0, 2))
  const second = await provider.getEvents({
    address: htlc,
    chunk_size: 2,
    continuation_token: mustExist(first.continuation_token, "token"),
  })
  expect(second.events).toEqual(all.events.slice(2, 4))
  expect((await provider.getEvents({ address: htlc, chunk_size: 10, keys })).events).toEqual([])
  const orderId = mustExist(all.events[0]?.keys[1], "key")
  const ofOrder = await provider.getEvents({ address: htlc, chunk_size: 10, keys: [[], [orderId]] })
  expect(ofOrder.events.every((event) => event.keys[1] === orderId)).toBe(true)
})

test("accepts parameters by name and by position", async () => {
  const ask = async (params: unknown): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "starknet_getNonce", params })
    return (await fetch(chain.url, { method: "POST", body })).json()
  }
  const named = await ask({ contract_address: user.address, block_id: "latest" })
  expect(named).toEqual(await ask(["latest", user.address]))
  expect(named).toHaveProperty("result")
})

test("continues from a dump", () => {
  const { chainId, feeToken } = chain.devnet.environment
  const copy = createDevnet({ chainId, feeToken, now: () => 0, dump: dumpDevnet(chain.devnet) })
  expect(copy.state).toEqual(chain.devnet.state)
})
