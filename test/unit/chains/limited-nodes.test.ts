import { createHash } from "node:crypto"
import { base58 } from "@scure/base"
import { Keypair, TransactionMessage, VersionedTransaction } from "@solana/web3.js"
import { networks } from "bitcoinjs-lib"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import { decideFinality } from "#chains/solana/finality.ts"
import { buildInitiate, deriveSwapAccount, SWAP_ACCOUNT_BYTES } from "#chains/solana/htlc.ts"
import { createEndpoints } from "#chains/solana/nodes/endpoints.ts"
import { observeLeg } from "#chains/solana/observe-leg.ts"
import { createRpc as createSolanaRpc } from "#chains/solana/rpc.ts"
import { encodeShortString, formatFelt } from "#chains/starknet/felt.ts"
import { deriveStarknetFinality } from "#chains/starknet/finality.ts"
import { deriveOrderIds, SELECTORS } from "#chains/starknet/htlc.ts"
import { type OpenedAt, observeStarknetLeg } from "#chains/starknet/legs/observe.ts"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { LegObservation, LegQuery } from "#ports/chain/htlc-reader.ts"
import { deriveHtlc } from "#sandbox/bitcoin/htlc.ts"
import {
  sampleOptions,
  sampleQuery,
  serviceKey,
  xOnlyOf,
} from "../../chains/bitcoin/sample-order.ts"
import { startFakeEsplora } from "../../chains/bitcoin/start-fake-esplora.ts"
import {
  createJumpingClock,
  createRequestLimit,
  type RequestLimit,
  startLimitedNode,
} from "../../support/request-limit.ts"

/*
 * Free plans give five calls a second. All orders look at once, and each look must end with the
 * facts.
 */

const ORDERS = 12
const PER_SECOND = 5
const NO_HINTS = { initiateTx: null, redeemTx: null, refundTx: null } as const
const HASHES = Array.from({ length: ORDERS }, (_, index) =>
  createHash("sha256").update(`${index}`).digest("hex"),
)

let clock: ReturnType<typeof createJumpingClock>
let limit: RequestLimit
let stop: () => unknown = () => {}

beforeEach(() => {
  clock = createJumpingClock()
  limit = createRequestLimit(clock, PER_SECOND)
})
afterEach(() => stop())

test("Solana: every payout is seen at a node with five calls a second", async () => {
  const { observe } = await openSolana()
  await expectAllSeen(observe)
  // Each look lists its swap account again; the calls that were read are known.
  const first = limit.asked - limit.refused
  await expectAllSeen(observe)
  expect(limit.asked - limit.refused - first).toBeLessThan(first * 0.7)
})

test("Solana: a look asks only for its own program once an observation has shown it", async () => {
  const { observe, accounts } = await openSolana()
  await observe(HASHES[0] ?? "")
  expect(accounts.size).toBe(2)
  accounts.clear()
  await observe(HASHES[0] ?? "")
  expect(accounts.size).toBe(1)
})

test("Starknet: every payout is seen at a node with five calls a second", async () => {
  const { observe } = await openStarknet()
  await expectAllSeen(observe)
})

test("Starknet: a look asks only for its own contract once an observation has shown it", async () => {
  const { observe, contracts } = await openStarknet()
  await observe(HASHES[0] ?? "")
  expect(new Set(contracts).size).toBe(2)
  contracts.length = 0
  await observe(HASHES[0] ?? "")
  expect(new Set(contracts).size).toBe(1)
})

test("Bitcoin: every payout is seen at a server with five calls a second", async () => {
  const fake = await startFakeEsplora(() => limit.isRefused())
  stop = () => fake.stop()
  const chain = createBitcoinChain(sampleOptions([fake.url], { clock, timeoutMs: 5_000 }))
  const places = new Map(
    HASHES.map((secretHash) => {
      const terms = { refundKey: xOnlyOf(9), redeemKey: serviceKey, secretHash, timelock: 12 }
      const { address } = deriveHtlc(terms, networks.regtest)
      fake.ledger.fund(address, 100_000n)
      return [secretHash, address]
    }),
  )
  fake.ledger.mine(1)
  await expectAllSeen((secretHash) => {
    const htlc = places.get(secretHash) ?? null
    return chain.observeLeg(sampleQuery({ side: "destination", htlc, secretHash, timelock: 12n }))
  })
})

async function expectAllSeen(
  observe: (secretHash: string) => Promise<LegObservation>,
): Promise<void> {
  const before = { ...limit }
  const legs = await Promise.all(HASHES.map(observe))
  for (const leg of legs) expect(leg).toMatchObject({ agreed: true, initiated: { seen: true } })
  const asked = limit.asked - before.asked
  const refused = limit.refused - before.refused
  // The first burst is refused once. Then no limit leads to more than one refusal for each answer.
  expect(refused).toBeLessThanOrEqual(ORDERS + (asked - refused))
}

async function openSolana() {
  const solver = Keypair.generate()
  const us = Keypair.generate().publicKey
  const other = Keypair.generate().publicKey
  const program = Keypair.generate().publicKey
  const asset = parseAssetId("solana_testnet:sol")
  const htlc = [other.toBase58(), program.toBase58()]
  const chain = toChainId("solana_testnet")
  const wallet = {
    chain,
    account: us.toBase58(),
    assets: [{ id: asset, chain, decimals: 9, token: null, htlc }],
    maxPriorityFeeMicroLamports: 0n,
  }
  const payouts = new Map(
    HASHES.map((hash) => {
      const secretHash = Buffer.from(hash, "hex")
      const terms = { units: 1_000n, slots: 50_000n, redeemer: us, secretHash }
      const call = buildInitiate(program, solver.publicKey, terms)
      const parts = {
        payerKey: solver.publicKey,
        recentBlockhash: program.toBase58(),
        instructions: [call],
      }
      const transaction = new VersionedTransaction(
        new TransactionMessage(parts).compileToLegacyMessage(),
      )
      transaction.sign([solver])
      const bytes = Buffer.from(transaction.serialize())
      const account = deriveSwapAccount(program, solver.publicKey, secretHash).toBase58()
      return [account, { txid: base58.encode(bytes.subarray(1, 65)), bytes }]
    }),
  )
  const accounts = new Set<string>()
  const context = { slot: 2_000 }
  const accountOf = (address: string) => {
    accounts.add(address)
    const data = Buffer.alloc(SWAP_ACCOUNT_BYTES).toString("base64")
    return payouts.has(address)
      ? { lamports: 1, owner: program.toBase58(), data: [data, "base64"] }
      : null
  }
  const node = await startLimitedNode(limit, (method, [first]) => {
    if (method === "getSlot") return 2_000
    if (method === "getAccountInfo") return { context, value: accountOf(String(first)) }
    // CAST: the protocol's parameters.
    if (method === "getMultipleAccounts")
      return { context, value: (first as string[]).map(accountOf) }
    if (method === "getSignaturesForAddress") {
      const found = payouts.get(String(first))
      const entry = { slot: 1_000, err: null, confirmationStatus: "finalized" }
      return found === undefined ? [] : [{ signature: found.txid, ...entry }]
    }
    const found = [...payouts.values()].find(({ txid }) => txid === first)
    const meta = { err: null, fee: 5_000, preBalances: [], postBalances: [] }
    return { slot: 1_000, transaction: [found?.bytes.toString("base64"), "base64"], meta }
  })
  stop = node.stop
  const rpc = createSolanaRpc({ urls: [node.url], timeoutMs: 5_000, clock })
  const endpoints = createEndpoints(rpc, 1, clock)
  const finality = decideFinality({ commitment: "confirmed", confirmations: null, finality: null })
  const options = { endpoints, wallet, finality, opened: new Set<string>() }
  const observe = (secretHash: string) =>
    observeLeg(
      {
        side: "destination",
        asset,
        htlc: null,
        secretHash,
        units: 1_000n,
        owner: us.toBase58(),
        initiator: solver.publicKey.toBase58(),
        redeemer: us.toBase58(),
        timelock: 50_000n,
        hints: NO_HINTS,
        fromHeight: 900n,
      },
      options,
    )
  return { observe, accounts }
}

async function openStarknet() {
  const asset = parseAssetId("starknet_sepolia:wbtc")
  const chain = toChainId("starknet_sepolia")
  const other = 0x11n
  const contract = 0x22n
  const solver = 0x33n
  const us = 0x44n
  const scope = { chainId: encodeShortString("SN_SEPOLIA"), initiator: solver, htlc: contract }
  const eventOf = (hash: string) => {
    const terms = { redeemer: us, timelock: 500n, units: 1_000n, secretHash: hash }
    const [orderId = 0n] = deriveOrderIds(scope, terms, "halves")
    const halves = [BigInt(`0x${hash.slice(0, 32)}`), BigInt(`0x${hash.slice(32)}`)]
    return {
      from_address: formatFelt(contract),
      keys: [SELECTORS.initiatedEvent, orderId].map(formatFelt),
      data: [...halves, 1_000n, 0n].map(formatFelt),
      transaction_hash: formatFelt(orderId),
      block_number: 90,
      block_hash: "0x90",
    }
  }
  const events = HASHES.map(eventOf)
  const contracts: string[] = []
  const node = await startLimitedNode(limit, (method, [first]) => {
    if (method === "starknet_chainId") return formatFelt(encodeShortString("SN_SEPOLIA"))
    if (method === "starknet_blockHashAndNumber") return { block_number: 100, block_hash: "0x100" }
    if (method !== "starknet_getEvents") throw new Error(method)
    // CAST: the protocol's parameters.
    const { address, keys } = first as { address: string; keys: readonly (readonly string[])[] }
    contracts.push(address)
    const ids = keys[1] ?? []
    return {
      events: events.filter(
        (event) => event.from_address === address && ids.includes(event.keys[1] ?? ""),
      ),
    }
  })
  stop = node.stop
  const rpc = createStarknetRpc({
    urls: [node.url],
    chainId: "SN_SEPOLIA",
    timeoutMs: 5_000,
    clock,
  })
  const htlc = [formatFelt(other), formatFelt(contract)]
  const wallet = {
    chain,
    chainId: "SN_SEPOLIA",
    account: formatFelt(us),
    accountFelt: us,
    payeeFelt: us,
    finality: deriveStarknetFinality({ chainId: "SN_SEPOLIA", confirmations: 1, finality: null }),
    maxFeeUnits: 1n,
    assets: [{ id: asset, chain, decimals: 8, token: "0x55", htlc }],
    rpc,
    nonce: { likely: 0n },
  }
  const opened: OpenedAt = new Map()
  const queryOf = (secretHash: string): LegQuery => ({
    side: "destination",
    asset,
    htlc: null,
    secretHash,
    units: 1_000n,
    owner: formatFelt(us),
    initiator: formatFelt(solver),
    redeemer: formatFelt(us),
    timelock: 500n,
    hints: NO_HINTS,
    fromHeight: 50n,
    isExact: true,
  })
  return {
    observe: (secretHash: string) => observeStarknetLeg(wallet, queryOf(secretHash), opened),
    contracts,
  }
}
