import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from "@solana/web3.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createSolanaChain } from "#chains/solana/create-chain.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import type { GaslessSignature } from "#ports/chain/transactions.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { LocalChain, LocalSwap } from "#sandbox/local-chain.ts"
import { legQueryOf } from "../../support/leg-query.ts"
import { drawSecret } from "../contract/scene.ts"
import { openSolana } from "../local-chains.ts"

/* A wallet without any SOL, whose deposits the relay of the local service pays. */

const CHAIN = toChainId("solana_testnet")
const USDC = parseAssetId("solana_testnet:usdc")
const SOL = parseAssetId("solana_testnet:sol")
const NONE: ReadonlySet<string> = new Set()
const UNITS = 1_000_000n
/** The life of a blockhash, and the distance to finality. */
const LIFE_SLOTS = 240

let local: LocalChain
let connection: Connection

beforeAll(async () => {
  local = await openSolana()
  connection = new Connection(local.url, { commitment: "confirmed", disableRetryOnRateLimit: true })
})
afterAll(() => local?.stop())

describe("a gasless deposit", () => {
  test.each([
    ["without SOL", 0n],
    ["with SOL", 1_000_000_000n],
  ])("of a wallet %s is paid by the relay, and takes the amount and no lamport", async (_, sol) => {
    const { port, swap, deposit, secret } = await openOrder()
    if (sol > 0n) await local.fund(port.account, SOL, sol)
    expect(deposit).toMatchObject({ hasTypedData: true, findings: [] })
    expect(await obstaclesOf(port, deposit)).toEqual([])
    const { signature } = await port.signTypedData(deposit)
    await local.initiateWithSignature(swap, signature)
    const seen = await port.observeLeg(legQueryOf(swap, { owner: port.account }))
    expect(seen.initiated).toMatchObject({ units: UNITS })
    expect(await port.fetchBalance(USDC, NONE)).toMatchObject({ units: 0n })
    expect(await connection.getBalance(new PublicKey(port.account))).toBe(Number(sol))

    await local.redeem(swap, secret)
    const closed = await port.observeLeg(legQueryOf(swap, { owner: port.account }))
    expect(closed.redeemed).toMatchObject({ secret })
    // The rent was the relay's and returned to it.
    expect(closed.redeemed?.releasedUnits).toBeUndefined()
  })

  test("is known to the watch of the key by our own signature", async () => {
    const { port, swap, deposit } = await openOrder()
    const uses = mustExist(port.uses, "the watch of the key")
    const { mark } = await uses.fetchUses(null)
    const { signature, mark: ours } = await port.signTypedData(deposit)
    const txid = await local.initiateWithSignature(swap, signature)
    await local.advance(40)
    expect((await uses.fetchUses(mark)).used.map((use) => use.txid)).toEqual([txid])
    expect((await uses.fetchUses(mark, (name) => name === ours)).used).toEqual([])
  })

  test("is refunded to us by our own transaction, and the rent goes to the relay", async () => {
    const { port, swap, deposit } = await openOrder({ timelock: 8 })
    await local.initiateWithSignature(swap, (await port.signTypedData(deposit)).signature)
    await local.fund(port.account, SOL, 1_000_000_000n)
    await local.advance(12)
    const request = { action: "refund", asset: USDC, deposit, swapId: "" } as const
    const plan = await port.planTransaction(request, NONE)
    if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
    const signed = await port.signTransaction(plan)
    await port.broadcastTransaction(signed)
    await expect
      .poll(async () => (await port.observeTransaction(signed)).status, { timeout: 10_000 })
      .toBe("mined")
    expect((await port.fetchBalance(USDC, NONE)).units).toBe(UNITS)
    const leg = await port.observeLeg(legQueryOf(swap, { owner: port.account }))
    expect(leg.refunded).toMatchObject({ txid: signed.txid, paidUnits: UNITS })
    expect(leg.refunded?.releasedUnits).toBeUndefined()
  })
})

describe("before the signature", () => {
  test("a deposit above the balance, and one that exists already, are obstacles that may pass", async () => {
    const { port, swap, deposit } = await openOrder()
    const other = await openOrder({ wallet: port, units: UNITS + 1n })
    expect(await obstaclesOf(port, other.deposit)).toEqual(["funds.insufficient"])
    await local.initiateWithSignature(swap, (await port.signTypedData(deposit)).signature)
    expect(await port.relayed?.findObstacles(deposit)).toMatchObject({
      reasons: [{ code: "solana.already_initiated" }],
      isLasting: false,
    })
  })

  test("a relay that cannot pay is an obstacle", async () => {
    const { port, deposit } = await openOrder({ relay: Keypair.generate().publicKey })
    expect(deposit.hasTypedData).toBe(true)
    expect(await obstaclesOf(port, deposit)).toEqual(["solana.simulation"])
  })

  test("an expired blockhash is a lasting obstacle", { timeout: 120_000 }, async () => {
    const { port, deposit } = await openOrder()
    await local.advance(LIFE_SLOTS)
    expect(await port.relayed?.findObstacles(deposit)).toMatchObject({
      reasons: [{ code: "solana.gasless_stale" }],
      isLasting: true,
    })
  })

  test("native SOL has no gasless way", async () => {
    const { port } = await openOrder()
    await local.fund(port.account, SOL, 1_000_000_000n)
    const { response } = await local.describeSource(requestFor(port, SOL, drawSecret().secretHash))
    expect(response["versioned_tx_gasless"]).toBeNull()
    const deposit = decode(port, response, SOL)
    expect(deposit).toMatchObject({ hasTypedData: false, findings: [] })
    await expect(port.signTypedData(deposit)).rejects.toMatchObject({
      code: "signer.gasless_unsupported",
      disposition: "refused",
    })
  })
})

describe("the proof that nothing was deposited", () => {
  test("waits until no block can take the signature, and then stands", {
    timeout: 120_000,
  }, async () => {
    const { port, swap, deposit } = await openOrder()
    const query = await queryFor(port, swap, await port.signTypedData(deposit))
    expect(await port.proveUnfunded(query)).toMatchObject({
      status: "unsure",
      reasons: [{ code: "solana.deposit_alive" }],
    })
    await local.advance(LIFE_SLOTS)
    await expect
      .poll(async () => (await port.proveUnfunded(query)).status, { timeout: 60_000 })
      .toBe("unfunded")
  })

  test("finds a deposit that closed in the meantime", { timeout: 120_000 }, async () => {
    const { port, swap, deposit, secret } = await openOrder()
    const signed = await port.signTypedData(deposit)
    const query = await queryFor(port, swap, signed)
    await local.initiateWithSignature(swap, signed.signature)
    await local.redeem(swap, secret)
    await local.advance(LIFE_SLOTS)
    await expect
      .poll(async () => (await port.proveUnfunded(query)).status, { timeout: 60_000 })
      .toBe("funded")
  })
})

type Options = {
  readonly timelock?: number
  readonly units?: bigint
  readonly wallet?: ChainPort
  readonly relay?: PublicKey
}

async function openOrder({ timelock, units = UNITS, wallet, relay }: Options = {}) {
  const port = wallet ?? (await openWallet())
  const { secret, secretHash } = drawSecret()
  const request = { ...requestFor(port, USDC, secretHash), units }
  const { swap, response } = await local.describeSource({
    ...request,
    timelock: timelock ?? request.timelock,
  })
  const served = relay === undefined ? response : withRelay(response, relay)
  return { port, swap, secret, deposit: decode(port, served, USDC) }
}

function requestFor({ account }: ChainPort, assetId: string, secretHash: string) {
  return { assetId, units: UNITS, owner: account, secretHash, timelock: 216_000 }
}

/** A wallet with one token and no SOL. */
async function openWallet(): Promise<ChainPort> {
  const key = Keypair.generate()
  const port = createSolanaChain({
    chain: CHAIN,
    rpc: [local.url],
    key: new Secret(JSON.stringify([...key.secretKey]), "env:SOLANA_KEY"),
    commitment: "confirmed",
    confirmations: 1,
    maxPriorityFeeMicroLamports: 0n,
    usualPriorityFeeMicroLamports: 0n,
    timeoutMs: 20_000,
    assets: local.assets.map(({ id, decimals, token, htlc }) => {
      return { id: parseAssetId(id), chain: CHAIN, decimals, token, htlc: [htlc ?? ""] }
    }),
    clock: systemClock,
  })
  await local.fund(port.account, USDC, UNITS)
  return port
}

function decode(
  port: ChainPort,
  response: Readonly<Record<string, unknown>>,
  asset: typeof USDC,
): VerifiedDeposit {
  const transaction = Buffer.from(String(response["versioned_tx"]), "hex").toString("base64")
  const offered = response["versioned_tx_gasless"]
  const request = {
    family: "solana",
    transaction,
    ...(offered === null ? {} : { gasless: offered }),
  } as const
  // CAST: a decoder of this family reads no order; in the daemon `verifyDeposit` makes the brand.
  return port.decodeDeposit(request, {} as ServiceOrder, asset) as VerifiedDeposit
}

/** The served transaction with a fee payer and sponsor that has no SOL. */
function withRelay(response: Readonly<Record<string, unknown>>, relay: PublicKey) {
  const served = Transaction.from(Buffer.from(String(response["versioned_tx_gasless"]), "base64"))
  const payer = served.feePayer
  const instructions = served.instructions.map(
    (instruction): TransactionInstruction =>
      Object.assign(instruction, {
        keys: instruction.keys.map((key) =>
          payer?.equals(key.pubkey) ? { ...key, pubkey: relay } : key,
        ),
      }),
  )
  const changed = new Transaction({
    feePayer: relay,
    recentBlockhash: served.recentBlockhash ?? SystemProgram.programId.toBase58(),
  })
  const bytes = changed.add(...instructions).serialize({ requireAllSignatures: false })
  return { ...response, versioned_tx_gasless: bytes.toString("base64") }
}

async function obstaclesOf(port: ChainPort, deposit: VerifiedDeposit): Promise<string[]> {
  const found = await port.relayed?.findObstacles(deposit)
  return mustExist(found, "relayed deposits").reasons.map(({ code }) => code)
}

async function queryFor(
  port: ChainPort,
  swap: LocalSwap,
  { life }: GaslessSignature,
): Promise<UnfundedQuery> {
  const relayed = mustExist(life, "the life of the signature")
  const query = legQueryOf(swap, { owner: port.account })
  return { ...query, fromHeight: relayed.fromHeight, signed: [], relayed }
}
