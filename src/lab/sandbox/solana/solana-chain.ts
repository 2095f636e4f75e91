import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  VersionedTransaction,
} from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { createRefusal } from "../create-refusal.ts"
import { freezeProcess } from "../freeze-process.ts"
import type { LocalAsset, LocalChain, LocalSwap, SwapRequest } from "../local-chain.ts"
import { createSender, type Sender } from "./create-sender.ts"
import { CCTP_PROGRAMS, deploySolanaCctp } from "./deploy-cctp.ts"
import { describeSwap } from "./describe-swap.ts"
import { htlcProgram } from "./htlc-program.ts"
import { programOf } from "./local-programs.ts"
import { createSwapObserver } from "./observe-swap.ts"
import { splProgram } from "./spl-program.ts"
import {
  createMint,
  createTokenAccount,
  findTokenAccount,
  MINT_BYTES,
  mintKeyOf,
  mintTo,
  readTokenUnits,
} from "./spl-tokens.ts"
import { startValidator, type Validator } from "./start-validator.ts"

/**
 * Starts a local Solana chain with both HTLC programs, native SOL, the tokens `usdc` and `cbbtc`, a
 * funded solver and a relay that pays for gasless deposits of tokens.
 *
 * `port` 0 means any free port. `slotTimeMs` is 400 by default, as on a real cluster.
 */
export async function startSolanaChain(options: SolanaOptions): Promise<LocalChain> {
  const slotTimeMs = options.slotTimeMs ?? 400
  const validator = await startOwnValidator(options, slotTimeMs)
  const connection = new Connection(validator.url, {
    commitment: "confirmed",
    disableRetryOnRateLimit: true,
  })
  const sender = createSender(connection, slotTimeMs)
  const solver = Keypair.generate()
  const relay = Keypair.generate()
  const assets = listAssets(options.name)
  await openParties({ connection, sender, validator, solver, relay, assets })
  const find = (id: string): LocalAsset => findAsset(assets, id)
  const describe = (side: LocalSwap["side"], request: SwapRequest): LocalSwap => {
    const program = programOf(find(request.assetId))
    return describeSwap({
      side,
      chain: options.name,
      solver: solver.publicKey.toBase58(),
      program,
      request,
    })
  }
  const observeSwap = createSwapObserver(connection)
  const settle = async (swap: LocalSwap, secret: Buffer | null): Promise<string> => {
    const parts = { secret, payer: solver.publicKey, connection }
    return sender.send([solver], await programOf(find(swap.asset)).settle(swap, parts))
  }
  options.log.info(
    { chain: options.name, url: validator.url, assets: assets.map(({ id }) => id) },
    "local solana is up",
  )

  return {
    name: options.name,
    family: "solana",
    assets,
    url: validator.url,
    timelocks: options.timelocks ?? { source: 216_000, destination: 18_000 },
    requiredConfirmations: options.requiredConfirmations ?? 1,
    chainId: null,
    height: async () => BigInt(await connection.getSlot("confirmed")),
    balance: async (address, assetId) =>
      readBalance(connection, new PublicKey(address), find(assetId)),
    fund: async (address, assetId, units) =>
      fundWallet(sender, validator.payer, find(assetId), { owner: new PublicKey(address), units }),
    isAddress,
    describeSource: async (request) => {
      const swap = describe("source", request)
      return describeDeposit(connection, swap, find(request.assetId), relay.publicKey)
    },
    describeDestination: async (request) => describe("destination", request),
    observeSwap: (swap) => observeSwap(swap, find(swap.asset).token),
    initiate: (swap) =>
      sender.send([solver], [programOf(find(swap.asset)).initiate(swap, solver.publicKey)]),
    initiateWithSignature: (swap, signature) => relayDeposit(sender, swap, signature, relay),
    redeem: (swap, secret) => settle(swap, Buffer.from(secret, "hex")),
    refund: (swap) => settle(swap, null),
    openCctp: (domain, attesters) => {
      const mint = mintKeyOf("usdc").publicKey
      const { payer } = validator
      return deploySolanaCctp({ connection, sender, payer, domain, attesters, mint })
    },
    advance: (slots) => advanceSlots(connection, validator, slots, slotTimeMs),
    freeze: createFreeze({ validator, connection, slotTimeMs, log: options.log }),
    stop: () => validator.stop(),
  }
}

type SolanaOptions = {
  readonly name: string
  readonly port: number
  readonly slotTimeMs?: number
  readonly timelocks?: { source: number; destination: number }
  readonly requiredConfirmations?: number
  readonly log: Logger
}

/** A validator with the programs of the sandbox; an end that no one asked for is logged. */
function startOwnValidator(
  { name, port, log }: SolanaOptions,
  slotTimeMs: number,
): Promise<Validator> {
  return startValidator({
    port,
    slotTimeMs,
    programs: listPrograms(),
    onEnd: (output) =>
      log.error(
        { chain: name, output },
        "The local Solana ended unexpectedly; restart the sandbox",
      ),
  })
}

/**
 * The validator counts its clock by its slots, so a validator that was stopped would stay behind
 * for ever. After a stop it skips the slots that it missed; a shorter stop needs no skip.
 */
function createFreeze({
  validator,
  connection,
  slotTimeMs,
  log,
}: Freezable): (frozen: boolean) => void {
  let sinceMs: number | null = null
  const catchUp = async (missedSlots: number): Promise<void> => {
    await validator.skipToSlot((await connection.getSlot("confirmed")) + missedSlots)
  }
  return (frozen) => {
    freezeProcess(validator.pid, frozen)
    const stoppedMs = sinceMs === null ? 0 : systemClock.now() - sinceMs
    sinceMs = frozen ? systemClock.now() : null
    if (frozen || stoppedMs < LEAST_SKIPPED_MS) return
    catchUp(Math.floor(stoppedMs / slotTimeMs)).catch((error: unknown) => {
      log.error(
        { chain: "solana", err: error },
        "The local Solana did not skip the slots that it missed",
      )
    })
  }
}

type Freezable = {
  readonly validator: Validator
  readonly connection: Connection
  readonly slotTimeMs: number
  readonly log: Logger
}

const LEAST_SKIPPED_MS = 2_000

const PROGRAMS = [
  [htlcProgram, "htlc.so"],
  [splProgram, "spl-htlc.so"],
] as const
function listPrograms(): { programId: string; soPath: string }[] {
  const pathOf = (file: string): string => join(import.meta.dirname, "program", file)
  const own = PROGRAMS.map(([{ id }, file]) => ({
    programId: id.toBase58(),
    soPath: pathOf(file),
  }))
  return [...own, ...CCTP_PROGRAMS]
}

const TOKENS = [
  { symbol: "usdc", decimals: 6 },
  { symbol: "cbbtc", decimals: 8 },
] as const
const SOLVER_LAMPORTS = 50_000_000_000_000n
const RELAY_LAMPORTS = 1_000_000_000_000n
/** Whole coins of each token that the solver starts with. */
const SOLVER_COINS = 1_000_000_000n
/**
 * Two lifetimes of a blockhash. Tests of expired blockhashes need real slots; tests of timelocks
 * cannot wait for real slots.
 */
const MAX_WAITED_SLOTS = 320

function listAssets(chain: string): LocalAsset[] {
  const sol = { id: `${chain}:sol`, decimals: 9, token: null, htlc: htlcProgram.id.toBase58() }
  const tokens = TOKENS.map(({ symbol, decimals }) => {
    const token = mintKeyOf(symbol).publicKey.toBase58()
    return { id: `${chain}:${symbol}`, decimals, token, htlc: splProgram.id.toBase58() }
  })
  return [sol, ...tokens]
}

function findAsset(assets: readonly LocalAsset[], id: string): LocalAsset {
  const asset = assets.find((candidate) => candidate.id === id)
  if (asset !== undefined) return asset
  const known = assets.map((candidate) => candidate.id).join(", ")
  throw new AppError({
    code: "sandbox.asset",
    disposition: "refused",
    message: `this chain has ${known}, not ${id}`,
    details: { asked: id, known },
  })
}

/** Funds solver and relay, creates the mints, and gives the solver tokens. */
async function openParties(parts: {
  connection: Connection
  sender: Sender
  validator: Validator
  solver: Keypair
  relay: Keypair
  assets: readonly LocalAsset[]
}): Promise<void> {
  const { connection, sender, validator, solver, relay } = parts
  const { payer } = validator
  const rentLamports = await connection.getMinimumBalanceForRentExemption(MINT_BYTES)
  const authority = payer.publicKey
  const mints = TOKENS.map(({ symbol, decimals }) => ({ key: mintKeyOf(symbol), decimals }))
  const created = mints.flatMap(({ key, decimals }) => [
    ...createMint({ payer: authority, mint: key.publicKey, authority, decimals, rentLamports }),
    createTokenAccount(authority, solver.publicKey, key.publicKey),
    mintTo({
      mint: key.publicKey,
      authority,
      owner: solver.publicKey,
      units: SOLVER_COINS * 10n ** BigInt(decimals),
    }),
  ])
  const funded = [
    SystemProgram.transfer({
      fromPubkey: authority,
      toPubkey: solver.publicKey,
      lamports: SOLVER_LAMPORTS,
    }),
    SystemProgram.transfer({
      fromPubkey: authority,
      toPubkey: relay.publicKey,
      lamports: RELAY_LAMPORTS,
    }),
  ]
  await sender.send([payer, ...mints.map(({ key }) => key)], [...funded, ...created])
}

async function readBalance(
  connection: Connection,
  owner: PublicKey,
  { token }: LocalAsset,
): Promise<bigint> {
  if (token === null) return BigInt(await connection.getBalance(owner, "confirmed"))
  const account = await connection.getAccountInfo(
    findTokenAccount(owner, new PublicKey(token)),
    "confirmed",
  )
  return account === null ? 0n : readTokenUnits(account.data)
}

function fundWallet(
  sender: Sender,
  payer: Keypair,
  { token }: LocalAsset,
  { owner, units }: { owner: PublicKey; units: bigint },
): Promise<string> {
  if (token === null) return sender.transfer(payer, owner, units)
  const mint = new PublicKey(token)
  const authority = payer.publicKey
  return sender.send(
    [payer],
    [createTokenAccount(authority, owner, mint), mintTo({ mint, authority, owner, units })],
  )
}

async function advanceSlots(
  connection: Connection,
  validator: Validator,
  slots: number,
  slotTimeMs: number,
): Promise<void> {
  const target = (await connection.getSlot("confirmed")) + slots
  for (let slot = target - slots; slot < target; slot = await connection.getSlot("confirmed")) {
    // Repeat the skip each time, because a busy machine can lose one.
    if (target - slot > MAX_WAITED_SLOTS) await validator.skipToSlot(target)
    await sleep(slotTimeMs)
  }
}

/**
 * The create answer's fields. `versioned_tx` has the user as fee payer and sponsor, in hex.
 * `versioned_tx_gasless` has the relay as both, in base64, and exists for tokens only. Both are
 * legacy messages with empty signature slots, as live deployments send them (field notes, Solana).
 */
async function describeDeposit(
  connection: Connection,
  swap: LocalSwap,
  asset: LocalAsset,
  relay: PublicKey,
) {
  const user = new PublicKey(swap.initiator)
  const program = programOf(asset)
  const { blockhash } = await connection.getLatestBlockhash("confirmed")
  const serialize = (payer: PublicKey): Buffer => {
    const transaction = new Transaction({ feePayer: payer, recentBlockhash: blockhash })
    return transaction.add(program.initiate(swap, payer)).serialize({ requireAllSignatures: false })
  }
  const versioned_tx = serialize(user).toString("hex")
  if (asset.token === null) return { swap, response: { versioned_tx, versioned_tx_gasless: null } }
  const gasless = serialize(relay).toString("base64")
  const extra = { ...swap.extra, gasless }
  return { swap: { ...swap, extra }, response: { versioned_tx, versioned_tx_gasless: gasless } }
}

/**
 * Sends the gasless transaction that the user has signed: `signature` is the whole transaction in
 * base64.
 */
async function relayDeposit(
  sender: Sender,
  swap: LocalSwap,
  signature: string,
  relay: Keypair,
): Promise<string> {
  const served = swap.extra["gasless"]
  if (served === undefined) {
    throw createRefusal(
      "sandbox.gasless_unsupported",
      "this order is not gasless: sign and send versioned_tx",
    )
  }
  const signed = readTransaction(signature)
  const expected = VersionedTransaction.deserialize(Buffer.from(served, "base64"))
  if (
    signed === null ||
    !Buffer.from(signed.message.serialize()).equals(Buffer.from(expected.message.serialize()))
  ) {
    throw createRefusal(
      "sandbox.gasless_transaction",
      "the signature is not the transaction versioned_tx_gasless",
    )
  }
  signed.sign([relay])
  return sender.submit(signed.serialize())
}

function readTransaction(base64: string): VersionedTransaction | null {
  try {
    return VersionedTransaction.deserialize(Buffer.from(base64, "base64"))
  } catch {
    // The library throws for every malformed input.
    return null
  }
}

function isAddress(text: string): boolean {
  try {
    return new PublicKey(text).toBase58() === text
  } catch {
    // The constructor throws for every text that is not 32 bytes of base58.
    return false
  }
}
