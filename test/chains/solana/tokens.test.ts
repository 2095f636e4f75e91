import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from "@solana/web3.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createSolanaChain } from "#chains/solana/create-chain.ts"
import { type Asset, type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { TransactionRequest } from "#domain/transaction.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { LocalChain, LocalSwap } from "#sandbox/local-chain.ts"
import { splProgram } from "#sandbox/solana/spl-program.ts"
import {
  createMint,
  createTokenAccount,
  findTokenAccount,
  mintTo,
  TOKEN_PROGRAM,
} from "#sandbox/solana/spl-tokens.ts"
import { legQueryOf } from "../../support/leg-query.ts"
import { drawSecret } from "../contract/scene.ts"
import { openSolana } from "../local-chains.ts"
import { send } from "./send.ts"

const CHAIN = toChainId("solana_testnet")
const [SOL, USDC, CBBTC] = ["sol", "usdc", "cbbtc"].map((name) =>
  parseAssetId(`solana_testnet:${name}`),
) as [AssetId, AssetId, AssetId] // CAST: three names, three ids.
const TOKEN_2022 = new PublicKey("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
const NONE: ReadonlySet<string> = new Set()
const UNITS = 1_000_000n
const START = 5_000_000_000n
/** One signature. 6960 lamports a byte for the data and the 128 bytes that every account counts. */
const FEE = 5_000n
const RENT = { swapData: 1_955_760n, tokenAccount: 2_039_280n, identity: 890_880n }

let local: LocalChain
let connection: Connection

beforeAll(async () => {
  local = await openSolana()
  connection = new Connection(local.url, { commitment: "confirmed", disableRetryOnRateLimit: true })
})
afterAll(() => local?.stop())

describe("the cost of a deposit", () => {
  test(
    "of the first token counts the rent of the vault as a fee, and only the rent of the swap " +
      "account as held",
    async () => {
      const first = await openWallet([{ id: CBBTC, units: UNITS }])
      const kept = RENT.tokenAccount + RENT.identity
      const { depositUnits } = await first.port.estimateFees(CBBTC)
      const opened = await openSource(first, CBBTC)
      const seen = await land(first.port, initiateOf(opened.deposit))
      expect(seen).toMatchObject({ ok: true, feeUnits: FEE + kept, heldUnits: RENT.swapData })
      expect(depositUnits).toBeGreaterThanOrEqual(seen.feeUnits + seen.heldUnits)
      expect(await nativeOf(first)).toBe(START - FEE - kept - RENT.swapData)

      await local.redeem(opened.swap, opened.secret)
      const leg = await first.port.observeLeg(
        legQueryOf(opened.swap, { owner: first.port.account }),
      )
      expect(leg.redeemed).toMatchObject({
        secret: opened.secret,
        releasedUnits: RENT.swapData,
        paidUnits: null,
      })
      expect(await nativeOf(first)).toBe(START - FEE - kept)

      const second = await openWallet([{ id: CBBTC, units: UNITS }])
      const again = await land(second.port, initiateOf((await openSource(second, CBBTC)).deposit))
      expect(again).toMatchObject({ feeUnits: FEE, heldUnits: RENT.swapData })
    },
  )

  test("keeps back the rent of a token account for the refund, if the wallet has none", async () => {
    const { port } = await openWallet([{ id: USDC, units: 7n }])
    const open = await port.estimateFees(USDC)
    const missing = await port.estimateFees(CBBTC)
    expect(missing.refundUnits - open.refundUnits).toBe(RENT.tokenAccount)
  })

  test("is read in token units, and the native balance stays the native balance", async () => {
    const wallet = await openWallet([{ id: USDC, units: 7n }])
    expect(await wallet.port.fetchBalance(USDC, NONE)).toEqual({ units: 7n, spendableUnits: 7n })
    expect(await wallet.port.fetchBalance(CBBTC, NONE)).toEqual({ units: 0n, spendableUnits: 0n })
    expect(await wallet.port.native?.fetchNativeBalance()).toBe(START)
  })

  test("carries the data for the destination chain that the service put into its transaction", async () => {
    const wallet = await openWallet([{ id: USDC, units: UNITS }])
    const data = Buffer.from("a destination")
    const opened = await openSource(wallet, USDC, { destinationData: data })
    expect(opened.deposit.findings).toEqual([])
    expect(opened.deposit.extras["spl"]).toMatchObject({ destinationData: data.toString("hex") })
    expect(await land(wallet.port, initiateOf(opened.deposit))).toMatchObject({ ok: true })
    const long = await openSource(wallet, USDC, { destinationData: Buffer.alloc(257) })
    expect(long.deposit.findings.map(({ code }) => code)).toEqual(["solana.destination_data"])
  })
})

describe("a refund", () => {
  test(
    "creates our token account again if it was closed, pays it in full, and counts its rent as " +
      "a fee",
    async () => {
      const wallet = await openWallet([{ id: USDC, units: UNITS }])
      const opened = await openSource(wallet, USDC, { timelock: 8 })
      await land(wallet.port, initiateOf(opened.deposit))
      await closeTokenAccount(wallet, mintOf(USDC))
      await local.advance(12)
      const before = await nativeOf(wallet)
      const refund: TransactionRequest = {
        action: "refund",
        asset: USDC,
        deposit: opened.deposit,
        swapId: "",
      }
      const seen = await land(wallet.port, refund)
      expect(seen.feeUnits).toBe(FEE + RENT.tokenAccount)
      expect((await nativeOf(wallet)) - before).toBe(RENT.swapData - seen.feeUnits)
      expect((await wallet.port.fetchBalance(USDC, NONE)).units).toBe(UNITS)
      const leg = await wallet.port.observeLeg(
        legQueryOf(opened.swap, { owner: wallet.port.account }),
      )
      expect(leg.refunded).toMatchObject({
        txid: seen.txid,
        paidUnits: UNITS,
        releasedUnits: RENT.swapData,
      })
    },
  )

  test("from the vault of another mint returned nothing", async () => {
    const wallet = await openWallet([{ id: USDC, units: UNITS }])
    const attacker = await openAttacker(wallet.port.account)
    const opened = await openSource(wallet, USDC, { timelock: 8 })
    await land(wallet.port, initiateOf(opened.deposit))
    await local.advance(12)
    const owner = new PublicKey(wallet.port.account)
    const parties = { address: addressOf(opened.swap), owner, mint: attacker.mint, sponsor: owner }
    const txid = await send(
      connection,
      [attacker.key],
      [splProgram.settle(splProgram.id, parties, null)],
    )
    const leg = await wallet.port.observeLeg(
      legQueryOf(opened.swap, { owner: wallet.port.account }),
    )
    expect(leg).toMatchObject({ initiated: { units: UNITS }, refunded: { txid, paidUnits: 0n } })
  })
})

describe("a payment in tokens", () => {
  test("is seen in the owner's associated token account only, and not as a payment of another mint", async () => {
    const wallet = await openWallet([{ id: USDC, units: 1n }])
    const attacker = await openAttacker(wallet.port.account)
    const { swap, secret } = await attacker.initiate(attacker.mint, wallet.port.account)
    const query = legQueryOf(swap, { owner: wallet.port.account })
    expect((await wallet.port.observeLeg(query)).initiated).toBeNull()
    await attacker.redeem(swap, attacker.mint, secret)
    expect(await wallet.port.observeLeg(query)).toMatchObject({ initiated: null, redeemed: null })
    expect((await wallet.port.fetchBalance(USDC, NONE)).units).toBe(1n)
  })

  test("is zero if the redeem pays from the vault of another mint", async () => {
    const wallet = await openWallet([{ id: USDC, units: 1n }])
    const attacker = await openAttacker(wallet.port.account)
    const { swap, secret } = await attacker.initiate(mintOf(USDC), wallet.port.account)
    const query = legQueryOf(swap, { owner: wallet.port.account })
    expect((await wallet.port.observeLeg(query)).initiated).toMatchObject({ units: UNITS })
    const txid = await attacker.redeem(swap, attacker.mint, secret)
    expect((await wallet.port.observeLeg(query)).redeemed).toMatchObject({ txid, paidUnits: 0n })
  })

  test("to our other token account is no payment, and one to another owner's is of another leg", async () => {
    const wallet = await openWallet([{ id: USDC, units: 1n }])
    const attacker = await openAttacker(wallet.port.account)
    const { swap, secret } = await attacker.initiate(mintOf(USDC), wallet.port.account)
    const side = await openSideAccount(
      attacker.key,
      new PublicKey(wallet.port.account),
      mintOf(USDC),
    )
    const txid = await attacker.redeem(swap, mintOf(USDC), secret, side)
    const query = legQueryOf(swap, { owner: wallet.port.account })
    expect((await wallet.port.observeLeg(query)).redeemed).toMatchObject({ txid, paidUnits: 0n })
    const stranger = Keypair.generate().publicKey.toBase58()
    expect((await wallet.port.observeLeg({ ...query, owner: stranger })).initiated).toBeNull()
  })

  test("of an asset that is not configured is not observed at all", async () => {
    const wallet = await openWallet([])
    const asset = parseAssetId("solana_testnet:usdt")
    const query = { ...legQueryOf((await openSource(wallet, SOL)).swap, {}), asset }
    await expect(wallet.port.observeLeg(query)).rejects.toMatchObject({
      code: "solana.unknown_asset",
    })
  })
})

describe("a payout that could not arrive", () => {
  test(
    "is refused before the deposit if the owner has no token account, with the command that " +
      "creates it",
    async () => {
      const wallet = await openWallet([])
      const [fault, ...more] =
        (await wallet.port.contracts?.checkPayout(USDC, wallet.port.account)) ?? []
      expect(more).toEqual([])
      expect(fault).toMatchObject({ code: "solana.token_account_missing", found: "no account" })
      expect(fault?.message).toContain(
        `spl-token create-account ${mintOf(USDC)} --owner ${wallet.port.account}`,
      )
      await local.fund(wallet.port.account, USDC, 1n)
      expect(await wallet.port.contracts?.checkPayout(USDC, wallet.port.account)).toEqual([])
      expect(
        await wallet.port.contracts?.checkPayout(SOL, Keypair.generate().publicKey.toBase58()),
      ).toEqual([])
    },
  )

  test("is refused for a frozen account, which cannot deposit either", async () => {
    const issuer = await openUser()
    const mint = await createFreezableMint(issuer)
    const wallet = await openWallet([], [tokenAsset("frozen", mint, 6)])
    const id = parseAssetId("solana_testnet:frozen")
    const owner = new PublicKey(wallet.port.account)
    await send(
      connection,
      [issuer],
      [
        createTokenAccount(issuer.publicKey, owner, mint),
        mintTo({ mint, authority: issuer.publicKey, owner, units: UNITS }),
      ],
    )
    const opened = await openTokenSource(wallet, id, mint)
    expect(await refusalsOf(wallet.port, initiateOf(opened))).toEqual([])
    await send(connection, [issuer], [freeze(issuer, owner, mint)])
    expect(await codesOf(wallet.port, id)).toEqual(["solana.token_account_frozen"])
    expect(await refusalsOf(wallet.port, initiateOf(opened))).toEqual([
      "solana.token_account_frozen",
    ])
    expect(await wallet.port.fetchBalance(id, NONE)).toEqual({ units: UNITS, spendableUnits: 0n })
  })

  test(
    "is refused for a mint of Token-2022, with its extensions, and for a mint with other " +
      "decimals",
    async () => {
      const issuer = await openUser()
      const plain = await createMint2022(issuer, false)
      const withFee = await createMint2022(issuer, true)
      const assets = [
        tokenAsset("plain", plain, 6),
        tokenAsset("fee", withFee, 6),
        tokenAsset("wrong", mintOf(USDC), 9),
        tokenAsset("none", Keypair.generate().publicKey, 6),
      ]
      const wallet = await openWallet([], assets)
      const faultsOf = (name: string) =>
        wallet.port.contracts?.checkPayout(
          parseAssetId(`solana_testnet:${name}`),
          wallet.port.account,
        )
      expect(await faultsOf("plain")).toMatchObject([{ code: "solana.token_2022" }])
      expect(await faultsOf("fee")).toMatchObject([
        { code: "solana.token_2022", found: "a mint of Token-2022 with transfer fee" },
      ])
      expect(await faultsOf("wrong")).toMatchObject([
        { code: "solana.mint_decimals", expected: "9 decimals", found: "6 decimals" },
      ])
      expect(await faultsOf("none")).toMatchObject([{ code: "solana.mint_decimals" }])
      const opened = await openTokenSource(wallet, parseAssetId("solana_testnet:plain"), plain)
      expect(await refusalsOf(wallet.port, initiateOf(opened))).toEqual(["solana.token_2022"])
    },
  )
})

test(
  "the assets of a wallet are compared with the chain: programs, mint, decimals and token " +
    "account",
  async () => {
    const noProgram = {
      ...tokenAsset("noprogram", mintOf(USDC), 6),
      htlc: [mintOf(CBBTC).toBase58()],
    }
    const wallet = await openWallet(
      [{ id: USDC, units: 1n }],
      [noProgram, tokenAsset("wrong", mintOf(USDC), 8)],
    )
    const faultsOf = async (id: AssetId) =>
      (await wallet.port.assetChecks?.checkAsset(id))?.map(({ code }) => code)
    for (const id of [SOL, USDC]) expect(await faultsOf(id)).toEqual([])
    expect(await faultsOf(CBBTC)).toEqual(["solana.token_account_missing"])
    expect(await faultsOf(noProgram.id)).toEqual(["solana.no_program"])
    expect(await faultsOf(parseAssetId("solana_testnet:wrong"))).toEqual(["solana.mint_decimals"])
  },
)

test("a token that names the program of native SOL is a fault of the configuration", async () => {
  const native = local.assets.find(({ token }) => token === null)
  const shared = { ...tokenAsset("bad", mintOf(USDC), 6), htlc: [native?.htlc ?? ""] }
  await expect(openWallet([], [shared])).rejects.toMatchObject({
    code: "config.solana_assets",
    disposition: "fatal",
  })
})

type Wallet = { readonly port: ChainPort; readonly key: Keypair }
type Opened = {
  readonly swap: LocalSwap
  readonly secret: string
  readonly deposit: VerifiedDeposit
}

async function openWallet(
  funds: readonly { id: AssetId; units: bigint }[],
  more: readonly Asset[] = [],
): Promise<Wallet> {
  const key = await openUser(START)
  const known = local.assets.map(({ id, decimals, token, htlc }) => {
    return { id: parseAssetId(id), chain: CHAIN, decimals, token, htlc: [htlc ?? ""] }
  })
  const port = createSolanaChain({
    chain: CHAIN,
    rpc: [local.url],
    key: new Secret(JSON.stringify([...key.secretKey]), "env:SOLANA_KEY"),
    commitment: "confirmed",
    confirmations: 1,
    maxPriorityFeeMicroLamports: 0n,
    usualPriorityFeeMicroLamports: 0n,
    timeoutMs: 20_000,
    assets: [...known, ...more],
    clock: systemClock,
  })
  for (const { id, units } of funds) await local.fund(port.account, id, units)
  return { port, key }
}

function tokenAsset(name: string, mint: PublicKey, decimals: number): Asset {
  const htlc = [splProgram.id.toBase58()]
  return {
    id: parseAssetId(`solana_testnet:${name}`),
    chain: CHAIN,
    decimals,
    token: mint.toBase58(),
    htlc,
  }
}

async function openSource(
  { port }: Wallet,
  assetId: AssetId,
  options: { timelock?: number; destinationData?: Buffer } = {},
): Promise<Opened> {
  const { secret, secretHash } = drawSecret()
  const request = {
    assetId,
    units: UNITS,
    owner: port.account,
    secretHash,
    timelock: options.timelock ?? 216_000,
  }
  const { swap, response } = await local.describeSource(request)
  const bytes = Buffer.from(String(response["versioned_tx"]), "hex")
  const served =
    options.destinationData === undefined ? bytes : withData(bytes, options.destinationData)
  return { swap, secret, deposit: decode(port, served, assetId) }
}

/** The deposit of a token that the sandbox's faucet does not know. */
async function openTokenSource(
  { port, key }: Wallet,
  assetId: AssetId,
  mint: PublicKey,
): Promise<VerifiedDeposit> {
  const parties = { initiator: key.publicKey, sponsor: key.publicKey, mint }
  const terms = { ...termsOf(drawSecret().secretHash, Keypair.generate().publicKey), units: UNITS }
  const transaction = new Transaction({
    feePayer: key.publicKey,
    recentBlockhash: PublicKey.default.toBase58(),
  })
  transaction.add(splProgram.initiate(splProgram.id, parties, terms))
  return decode(port, transaction.serialize({ requireAllSignatures: false }), assetId)
}

function decode(port: ChainPort, bytes: Buffer, assetId: AssetId): VerifiedDeposit {
  const request = { family: "solana", transaction: bytes.toString("base64") } as const
  // CAST: a decoder of this family reads no order; in the daemon `verifyDeposit` makes the brand.
  return port.decodeDeposit(request, {} as ServiceOrder, assetId) as VerifiedDeposit
}

function withData(bytes: Buffer, destinationData: Buffer): Buffer {
  const transaction = Transaction.from(bytes)
  transaction.instructions = transaction.instructions.map((instruction) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(destinationData.length)
    const data = Buffer.concat([
      instruction.data.subarray(0, -1),
      Buffer.of(1),
      length,
      destinationData,
    ])
    return new TransactionInstruction({ ...instruction, data })
  })
  transaction.signatures = []
  return transaction.serialize({ requireAllSignatures: false })
}

function initiateOf(deposit: VerifiedDeposit): TransactionRequest {
  // CAST: the tests open deposits of configured assets only.
  return { action: "initiate", asset: deposit.asset as AssetId, deposit }
}

async function refusalsOf(port: ChainPort, request: TransactionRequest): Promise<string[]> {
  const planned = await port.planTransaction(request, NONE)
  return "refused" in planned ? planned.refused.map(({ code }) => code) : []
}

async function codesOf(port: ChainPort, asset: AssetId): Promise<string[]> {
  return ((await port.contracts?.checkPayout(asset, port.account)) ?? []).map(({ code }) => code)
}

async function land(port: ChainPort, request: TransactionRequest) {
  const planned = await port.planTransaction(request, NONE)
  if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
  const transaction = await port.signTransaction(planned)
  await port.broadcastTransaction(transaction)
  for (let tries = 0; tries < 200; tries++) {
    const seen = await port.observeTransaction(transaction)
    if (seen.status === "mined") {
      expect(planned.maxFeeUnits).toBeGreaterThanOrEqual(seen.feeUnits + (seen.heldUnits ?? 0n))
      return { ...seen, heldUnits: seen.heldUnits ?? 0n, txid: transaction.txid }
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error("the transaction never was mined")
}

/**
 * A solver with the configured token, and a mint of its own with funds in its vault. The victim has
 * token accounts of both, because any account can create one.
 */
async function openAttacker(victim: string) {
  const key = await openUser()
  const mintKey = Keypair.generate()
  const mint = mintKey.publicKey
  const rentLamports = await connection.getMinimumBalanceForRentExemption(82)
  await local.fund(key.publicKey.toBase58(), USDC, UNITS)
  const authority = key.publicKey
  await send(
    connection,
    [key, mintKey],
    [
      ...createMint({ payer: authority, mint, authority, decimals: 6, rentLamports }),
      createTokenAccount(authority, authority, mint),
      createTokenAccount(authority, new PublicKey(victim), mint),
      mintTo({ mint, authority, owner: authority, units: 10n * UNITS }),
    ],
  )
  const initiate = async (
    of: PublicKey,
    redeemer: string,
  ): Promise<{ swap: LocalSwap; secret: Buffer }> => {
    const { secret, secretHash } = drawSecret()
    const parties = { initiator: authority, sponsor: authority, mint: of }
    const terms = termsOf(secretHash, new PublicKey(redeemer))
    await send(connection, [key], [splProgram.initiate(splProgram.id, parties, terms)])
    const swap = await local.describeDestination({
      assetId: USDC,
      units: UNITS,
      owner: redeemer,
      secretHash,
      timelock: 500,
    })
    const address = splProgram.findAddress(splProgram.id, authority, terms.secretHash).toBase58()
    return {
      secret: Buffer.from(secret, "hex"),
      swap: { ...swap, initiator: authority.toBase58(), extra: { address } },
    }
  }
  // The vault of the worthless mint needs funds to pay with.
  await initiate(mint, victim)
  const redeem = async (
    swap: LocalSwap,
    of: PublicKey,
    secret: Buffer,
    into?: PublicKey,
  ): Promise<string> => {
    const owner = new PublicKey(swap.owner)
    const parties = { address: addressOf(swap), owner, mint: of, sponsor: authority }
    const call = splProgram.settle(splProgram.id, parties, secret)
    if (into !== undefined)
      call.keys = call.keys.map((one, at) => (at === 3 ? { ...one, pubkey: into } : one))
    return send(connection, [key], [call])
  }
  return { key, mint, initiate, redeem }
}

function termsOf(secretHash: string, redeemer: PublicKey) {
  const hash = Buffer.from(secretHash, "hex")
  return { units: UNITS, slots: 500n, redeemer, secretHash: hash, destinationData: null }
}

/** A second token account of the owner, at an address that is not the associated one. */
async function openSideAccount(
  payer: Keypair,
  owner: PublicKey,
  mint: PublicKey,
): Promise<PublicKey> {
  const account = Keypair.generate()
  const data = Buffer.concat([Buffer.of(18), owner.toBytes()])
  const keys = [account.publicKey, mint].map((pubkey, at) => ({
    pubkey,
    isSigner: false,
    isWritable: at === 0,
  }))
  const lamports = await connection.getMinimumBalanceForRentExemption(165)
  const create = {
    fromPubkey: payer.publicKey,
    newAccountPubkey: account.publicKey,
    lamports,
    space: 165,
  }
  await send(
    connection,
    [payer, account],
    [
      SystemProgram.createAccount({ ...create, programId: TOKEN_PROGRAM }),
      new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data }),
    ],
  )
  return account.publicKey
}

async function closeTokenAccount({ key, port }: Wallet, mint: PublicKey): Promise<void> {
  const owner = new PublicKey(port.account)
  const keys = [findTokenAccount(owner, mint), owner].map((pubkey) => ({
    pubkey,
    isSigner: false,
    isWritable: true,
  }))
  keys.push({ pubkey: owner, isSigner: true, isWritable: false })
  await send(
    connection,
    [key],
    [new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data: Buffer.of(9) })],
  )
}

async function createFreezableMint(issuer: Keypair): Promise<PublicKey> {
  const mint = Keypair.generate()
  const rentLamports = await connection.getMinimumBalanceForRentExemption(82)
  const authority = issuer.publicKey
  const [create, init] = createMint({
    payer: authority,
    mint: mint.publicKey,
    authority,
    decimals: 6,
    rentLamports,
  })
  if (create === undefined || init === undefined) throw new Error("a mint needs two instructions")
  init.data = Buffer.concat([init.data.subarray(0, -1), Buffer.of(1), authority.toBytes()])
  await send(connection, [issuer, mint], [create, init])
  return mint.publicKey
}

function freeze(issuer: Keypair, owner: PublicKey, mint: PublicKey): TransactionInstruction {
  const keys = [
    { pubkey: findTokenAccount(owner, mint), isSigner: false, isWritable: true },
    { pubkey: mint, isSigner: false, isWritable: false },
    { pubkey: issuer.publicKey, isSigner: true, isWritable: false },
  ]
  return new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data: Buffer.of(10) })
}

/** A mint of the real Token-2022 program, with a transfer fee on request. */
async function createMint2022(issuer: Keypair, withFee: boolean): Promise<PublicKey> {
  const mint = Keypair.generate()
  const space = withFee ? 278 : 82
  const lamports = await connection.getMinimumBalanceForRentExemption(space)
  const create = { fromPubkey: issuer.publicKey, newAccountPubkey: mint.publicKey, lamports, space }
  const call = (data: Buffer) =>
    new TransactionInstruction({
      programId: TOKEN_2022,
      keys: [{ pubkey: mint.publicKey, isSigner: false, isWritable: true }],
      data,
    })
  // InitializeTransferFeeConfig: no authorities, 100 basis points, a high maximum.
  const fee = Buffer.concat([Buffer.of(26, 0, 0, 0, 100, 0), Buffer.alloc(8, 1)])
  const init = Buffer.concat([Buffer.of(20, 6), issuer.publicKey.toBytes(), Buffer.of(0)])
  await send(
    connection,
    [issuer, mint],
    [
      SystemProgram.createAccount({ ...create, programId: TOKEN_2022 }),
      ...(withFee ? [call(fee)] : []),
      call(init),
    ],
  )
  return mint.publicKey
}

function mintOf(id: AssetId): PublicKey {
  return new PublicKey(local.assets.find((asset) => asset.id === id)?.token ?? "")
}

function addressOf(swap: LocalSwap): PublicKey {
  return new PublicKey(swap.extra["address"] ?? "")
}

async function nativeOf({ port }: Wallet): Promise<bigint> {
  return (await port.fetchBalance(SOL, NONE)).units
}

async function openUser(lamports = 1_000_000_000n): Promise<Keypair> {
  const key = Keypair.generate()
  await local.fund(key.publicKey.toBase58(), SOL, lamports)
  return key
}
