import { createHash } from "node:crypto"
import { createServer, type Server } from "node:http"
import { createRequire } from "node:module"
import { StarknetHTLC, StarknetRelay } from "@gardenfi/core"
import * as clientTools from "@gardenfi/utils"
import { CallData, cairo, ec, events, hash, type RpcProvider, type TypedData } from "starknet"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createStarknetChain } from "#chains/starknet/create-chain.ts"
import { decodeStarknetDeposit } from "#chains/starknet/decode.ts"
import { encodeShortString, formatFelt } from "#chains/starknet/felt.ts"
import {
  decodeInitiate,
  decodeMulticall,
  deriveOrderIds,
  encodeInitiate,
  encodeRedeem,
  type InitiateTerms,
  readInitiated,
  readSecret,
  SELECTORS,
} from "#chains/starknet/htlc.ts"
import { checkTypedData, hashTypedData } from "#chains/starknet/typed-data.ts"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LocalSwap } from "#sandbox/local-chain.ts"
import type { LocalStarknetChain } from "#sandbox/starknet/starknet-chain.ts"
import { listen } from "../../support/listen.ts"
import { openStarknet } from "../local-chains.ts"

/**
 * Holds our calldata, typed data, events and order ids, and the devnet's contract, against the
 * published client of live deployments. Its own version of starknet.js makes the transactions.
 */
const clientRequire = createRequire(import.meta.resolve("@gardenfi/core"))
// CAST: the client brings an older version of the library with the same names.
const clientStarknet = clientRequire("starknet") as typeof import("starknet")

// CAST: its types leave the function out.
const { hexToU128Array } = clientTools as unknown as {
  hexToU128Array(hex: string): [bigint, bigint]
}

const KEY = "0x1234567890abcdef1234567890abcdef"
const STRK = "starknet_sepolia:strk"
const WBTC = "starknet_sepolia:wbtc"
const SECRET = "8cb8a02d5592b0b1556978e1d778b7eff2c23519b8aa65970fa6ac3daa33fb40"
const HASH = createHash("sha256").update(Buffer.from(SECRET, "hex")).digest("hex")

let chain: LocalStarknetChain
let provider: RpcProvider
let account: InstanceType<typeof clientStarknet.Account>

beforeAll(async () => {
  chain = await openStarknet({ blockMs: 20 })
  const address = chain.deployAccount(ec.starkCurve.getStarkKey(KEY))
  provider = new clientStarknet.RpcProvider({ nodeUrl: chain.url })
  account = new clientStarknet.Account({ provider, address, signer: KEY })
  await chain.fund(address, STRK, 10n ** 21n)
  await chain.fund(address, WBTC, 10n ** 9n)
})

afterAll(() => chain.stop())

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

async function describe(
  units: bigint,
  secretHash = HASH,
): Promise<{ swap: LocalSwap; response: Record<string, unknown> }> {
  return chain.describeSource({
    assetId: WBTC,
    units,
    owner: account.address,
    secretHash,
    timelock: 43_200,
  })
}

function termsOf(swap: LocalSwap): InitiateTerms {
  const { redeemer, timelock, units, secretHash } = swap
  return {
    redeemer: BigInt(redeemer),
    timelock: BigInt(timelock),
    units: BigInt(units),
    secretHash,
  }
}

function htlcOf(swap: LocalSwap): string {
  return mustExist(swap.extra["htlc"], "htlc")
}

/** An order as the published client reads it: `asset` is the address of the contract. */
function orderOf(swap: LocalSwap, asset = htlcOf(swap)) {
  const { redeemer, timelock, units: amount, secretHash: secret_hash, swapId } = swap
  const source_swap = {
    chain: "starknet_sepolia",
    asset,
    redeemer,
    timelock,
    amount,
    secret_hash,
    swap_id: `0x${swapId}`,
  }
  // CAST: the client reads these fields alone.
  return { order_id: "1", source_swap, destination_swap: source_swap } as unknown as Parameters<
    StarknetHTLC["initiate"]
  >[0]
}

/** The client's ABI, from the contract object that it makes for an order. */
async function clientContract(
  swap: LocalSwap,
): Promise<InstanceType<typeof clientStarknet.Contract>> {
  const client = new StarknetHTLC(account, chain.url)
  // CAST: a private method in the types alone.
  const inside = client as unknown as {
    getHTLCContract(order: unknown): Promise<InstanceType<typeof clientStarknet.Contract>>
  }
  return inside.getHTLCContract(orderOf(swap))
}

function ours() {
  const id = toChainId("starknet_sepolia")
  const assets = chain.assets.map(({ id: asset, decimals, token, htlc }): Asset => {
    return { id: parseAssetId(asset), chain: id, decimals, token, htlc: [mustExist(htlc, "htlc")] }
  })
  return { chain: id, chainId: "SN_SEPOLIA", account: account.address, assets }
}

function port() {
  const key = new Secret(KEY, "env:STARKNET_KEY")
  const limits = {
    confirmations: 1,
    maxFeeUnits: 10n ** 18n,
    timeoutMs: 20_000,
    clock: systemClock,
  }
  return createStarknetChain({ ...ours(), ...limits, rpc: [chain.url], key })
}

/** The calls of the last transaction of the account that is in a block. */
async function callsOf(txHash: string) {
  // CAST: an invoke.
  const transaction = (await provider.getTransactionByHash(txHash)) as { calldata: string[] }
  return mustExist(decodeMulticall(transaction.calldata.map(BigInt)), "calls")
}

test("the devnet publishes the client's ABI", async () => {
  const { swap } = await describe(1n)
  const { abi } = await clientContract(swap)
  const published = (await provider.getClassAt(htlcOf(swap))).abi
  // The client's library lifts the functions out of their interface.
  const lifted = published.flatMap((entry) =>
    entry.type === "interface" ? (entry["items"] as unknown[]) : [entry],
  ) // CAST: an ABI.
  expect(lifted.map(canonical).sort()).toEqual(abi.map(canonical).sort())
})

/** The same text for the same entry, no matter in which order its keys are. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

test("our calldata is what the client's ABI compiles, and our decoder reads it back", async () => {
  const { swap } = await describe(50_000n)
  const terms = { ...termsOf(swap), units: 50_000n + (3n << 128n) }
  const { abi } = await clientContract(swap)
  const compile = (name: string, more: Record<string, unknown>): bigint[] => {
    const amount = cairo.uint256(terms.units)
    // A tuple in order: the library has no other value for a fixed array of an ABI.
    const secret_hash = hexToU128Array(HASH)
    const fields = {
      redeemer: terms.redeemer,
      timelock: terms.timelock,
      amount,
      secret_hash,
      ...more,
    }
    // CAST: the values of the ABI's types.
    return new CallData(abi).compile(name, fields as never).map(BigInt)
  }
  const plain = compile("initiate", {})
  expect(plain).toHaveLength(6)
  expect(encodeInitiate({ terms, layout: "halves", destinationData: null })).toEqual(plain)
  expect(decodeInitiate(SELECTORS.initiate, plain)).toEqual({
    terms,
    layout: "halves",
    destinationData: null,
  })
  const data = compile("initiate_with_destination_data", { destination_data: [7n, 8n] })
  expect(encodeInitiate({ terms, layout: "halves", destinationData: [7n, 8n] })).toEqual(data)
  expect(decodeInitiate(SELECTORS.initiateWithData, data)).toEqual({
    terms,
    layout: "halves",
    destinationData: [7n, 8n],
  })
})

test("the client deposits on the devnet; we decode its calls, observe the leg and find its order id", async () => {
  const { swap } = await describe(50_000n)
  const result = await new StarknetHTLC(account, chain.url).initiate(orderOf(swap))
  const txHash = result.ok ? result.val : expect.fail(String(result.error))
  await provider.waitForTransaction(txHash, { retryInterval: 15 })
  const [call] = await callsOf(txHash)
  const decoded = decodeInitiate(mustExist(call, "call").selector, mustExist(call, "call").calldata)
  expect(decoded).toEqual({ terms: termsOf(swap), layout: "halves", destinationData: null })

  const scope = {
    chainId: encodeShortString("SN_SEPOLIA"),
    initiator: BigInt(account.address),
    htlc: BigInt(htlcOf(swap)),
  }
  const [orderId = 0n] = deriveOrderIds(scope, termsOf(swap), "halves")
  const contract = await clientContract(swap)
  // CAST: the ABI's struct.
  const stored = (await contract["get_order"](orderId)) as Record<string, bigint>
  expect(stored).toMatchObject({
    initiator: BigInt(account.address),
    amount: 50_000n,
    fulfilled_at: 0n,
  })

  const leg = {
    asset: parseAssetId(WBTC),
    htlc: null,
    secretHash: HASH,
    units: 50_000n,
    owner: account.address,
  }
  const parties = { initiator: account.address, redeemer: swap.redeemer, timelock: 43_200n }
  const hints = { initiateTx: null, redeemTx: null, refundTx: null }
  const query = { side: "source", ...leg, ...parties, hints, fromHeight: 0n } as const
  expect((await port().observeLeg(query)).initiated).toMatchObject({ units: 50_000n })

  await chain.redeem(swap, SECRET)
  await expect.poll(async () => (await chain.observeSwap(swap)).redeemed).not.toBeNull()
  expect((await port().observeLeg(query)).redeemed).toMatchObject({ secret: SECRET })
  const { events: found } = await provider.getEvents({
    address: htlcOf(swap),
    chunk_size: 100,
    keys: [[], [formatFelt(orderId)]],
  })
  // First the client's ABI reads the events, and below our readers read the same felts.
  const structs = CallData.getAbiStruct(contract.abi)
  const enums = CallData.getAbiEnum(contract.abi)
  const parser = new CallData(contract.abi).parser
  // CAST: the node's events have the fields that the parser reads.
  const parsed = events.parseEvents(
    found as never,
    events.getAbiEvents(contract.abi),
    structs,
    enums,
    parser,
  )
  const [high, low] = hexToU128Array(HASH)
  const fields = { order_id: orderId, secret_hash: { "0": high, "1": low } }
  expect(parsed).toMatchObject([
    { "starknet_htlc::interface::events::Initiated": { ...fields, amount: 50_000n } },
    { "starknet_htlc::interface::events::Redeemed": fields },
  ])
  const [initiated, redeemed] = found.map(({ keys, data }) => ({
    from: 0n,
    keys: keys.map(BigInt),
    data: data.map(BigInt),
  }))
  expect(readInitiated(mustExist(initiated, "event"), HASH)).toEqual({ orderId, units: 50_000n })
  expect(readSecret(mustExist(redeemed, "event"), HASH)).toBe(SECRET)
})

test(
  "our redemption has the form of the client's ABI, and as its second form what the client " +
    "itself sends",
  async () => {
    const { swap } = await describe(60n)
    const { abi } = await clientContract(swap)
    const words = (SECRET.match(/.{8}/g) ?? []).map((word) => BigInt(`0x${word}`))
    const orderId = BigInt(`0x${swap.swapId}`)
    // CAST: a tuple in order, as above.
    const compiled = new CallData(abi).compile("redeem", {
      order_id: orderId,
      secret: cairo.tuple(...words),
    } as never)
    const sent: unknown[] = []
    const spying = new Proxy(account, {
      get: (target, name) =>
        name === "execute"
          ? async (call: unknown) => sent.push(call)
          : Reflect.get(target, name, target),
    })
    await new StarknetHTLC(spying, chain.url).redeem(orderOf(swap), SECRET)
    const forms = encodeRedeem(orderId, SECRET, "halves")
    expect(forms[0]).toEqual(compiled.map(BigInt))
    expect(sent).toMatchObject([{ contractAddress: htlcOf(swap), entrypoint: "redeem" }])
    const [{ calldata }] = sent as [{ calldata: string[] }] // CAST: matched above.
    expect(forms[1]).toEqual(calldata.map(BigInt))
  },
)

test("the client refunds on the devnet by the order id that we derive", async () => {
  const secretHash = hashOf("refund")
  const { swap } = await chain.describeSource({
    assetId: WBTC,
    units: 77n,
    owner: account.address,
    secretHash,
    timelock: 5,
  })
  const client = new StarknetHTLC(account, chain.url)
  const deposited = await client.initiate(orderOf(swap))
  await provider.waitForTransaction(
    deposited.ok ? deposited.val : expect.fail(String(deposited.error)),
    {
      retryInterval: 15,
    },
  )
  await chain.advance(6)
  const refunded = await client.refund(orderOf(swap))
  await provider.waitForTransaction(
    refunded.ok ? refunded.val : expect.fail(String(refunded.error)),
    {
      retryInterval: 15,
    },
  )
  expect((await chain.observeSwap(swap)).refunded).not.toBeNull()
})

test("the client's own typed data passes our check, has our hash, and deposits on the devnet", async () => {
  const { swap } = await describe(3_000n, hashOf("typed"))
  await provider.waitForTransaction((await approve(swap, 3_000n)).transaction_hash, {
    retryInterval: 15,
  })
  const signed: TypedData[] = []
  const relay = await startRelay(swap, async (signature) =>
    chain.initiateWithSignature(swap, signature),
  )
  const spying = new Proxy(account, {
    get: (target, name) => {
      if (name !== "signMessage") return Reflect.get(target, name)
      return (typed: TypedData) => {
        signed.push(typed)
        return target.signMessage(typed)
      }
    },
  })
  const auth = { getAuthHeaders: async () => ({ ok: true, val: {} }) }
  // CAST: the client's types ask for its own classes; it uses these members alone.
  const client = new StarknetRelay(
    relay.url,
    spying as never,
    "testnet" as never,
    auth as never,
    chain.url,
  )
  const result = await client.initiate(orderOf(swap, WBTC))
  relay.server.close()
  expect(result.ok ? null : result.error).toBeNull()
  await expect.poll(async () => (await chain.observeSwap(swap)).initiated?.filledUnits).toBe(3_000n)

  const [typed] = signed
  const expected = {
    ...termsOf(swap),
    layout: "halves" as const,
    htlc: BigInt(htlcOf(swap)),
    chainId: "SN_SEPOLIA",
  }
  const checked = checkTypedData(typed, expected)
  expect(checked.findings).toEqual([])
  const digest = hashTypedData(mustExist(checked.typedData, "typed data"), BigInt(account.address))
  expect(digest).toBe(await account.hashMessage(mustExist(typed, "typed data")))
})

test("the client signs the typed data of the devnet's create answer, as we do", async () => {
  const { swap, response } = await describe(4_000n, hashOf("served"))
  await provider.waitForTransaction((await approve(swap, 4_000n)).transaction_hash, {
    retryInterval: 15,
  })
  const typed = response["typed_data"] as TypedData // CAST: our own answer, in the SNIP-12 shape.
  const sent: string[] = []
  const relay = await startRelay(swap, async (signature) => {
    sent.push(signature)
    return chain.initiateWithSignature(swap, signature)
  })
  const auth = { getAuthHeaders: async () => ({ ok: true, val: {} }) }
  const client = new StarknetRelay(
    relay.url,
    account as never,
    "testnet" as never,
    auth as never,
    chain.url,
  ) // CAST: as above.
  const created = {
    order_id: "1",
    approval_transaction: null,
    initiate_transaction: response["transaction"],
    typed_data: typed,
  }
  // CAST: no approval is missing here.
  const result = await client.initiateWithCreateOrderResponse(created as never)
  relay.server.close()
  expect(result.ok ? null : result.error).toBeNull()
  await expect.poll(async () => (await chain.observeSwap(swap)).initiated?.filledUnits).toBe(4_000n)

  const request = {
    family: "starknet" as const,
    transaction: response["transaction"] as never,
    typedData: typed,
  }
  const deposit = decodeStarknetDeposit(ours(), request)
  expect(deposit.findings).toEqual([])
  // CAST: the test stands in for the guard.
  const { signature } = await port().signTypedData(deposit as never)
  expect(sent).toEqual([signature])
})

async function approve(swap: LocalSwap, units: bigint) {
  const { low, high } = cairo.uint256(units)
  const contractAddress = mustExist(
    chain.assets.find(({ id }) => id === swap.asset)?.token,
    "token",
  )
  return account.execute([
    { contractAddress, entrypoint: "approve", calldata: [htlcOf(swap), low, high] },
  ])
}

/**
 * A relay with the two answers that the client asks for: the assets, and the transaction of a
 * signature.
 */
async function startRelay(
  swap: LocalSwap,
  deposit: (signature: string) => Promise<string>,
): Promise<{ url: string; server: Server }> {
  const assets = [{ id: swap.asset, htlc: { address: htlcOf(swap) }, token: { address: "0x1" } }]
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    // CAST: a stream without an encoding.
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    // The client sends the signature as `r,s`, or as a list of the two.
    const result =
      request.method === "PATCH"
        ? await deposit([JSON.parse(body).signature].flat().join())
        : assets
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ status: "Ok", result }))
  })
  const { port: number } = await listen(server)
  return { url: `http://127.0.0.1:${number}`, server }
}

test("our selectors are those of the client's entry points and events", async () => {
  const { swap } = await describe(1n)
  const { abi } = await clientContract(swap)
  const names = JSON.stringify(abi)
  const known: Record<string, bigint> = {
    initiate: SELECTORS.initiate,
    initiate_with_destination_data: SELECTORS.initiateWithData,
    get_order: SELECTORS.getOrder,
    refund: SELECTORS.refund,
    Initiated: SELECTORS.initiatedEvent,
    InitiatedWithDestinationData: SELECTORS.initiatedWithDataEvent,
    Redeemed: SELECTORS.redeemedEvent,
    Refunded: SELECTORS.refundedEvent,
  }
  for (const [name, selector] of Object.entries(known)) {
    expect(names).toContain(`"${name}"`)
    expect(BigInt(hash.getSelectorFromName(name)), name).toBe(selector)
  }
})
