import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"
import type { Logger } from "#lib/log.ts"
import { createRefusal } from "../create-refusal.ts"
import type { LocalChain, LocalSwap, SwapRequest } from "../local-chain.ts"
import { describeSwap } from "./describe-swap.ts"
import { htlcProgram } from "./htlc-program.ts"
import { observeSwap } from "./observe-swap.ts"
import { startValidator } from "./start-validator.ts"

/**
 * Starts a local Solana chain with the sandbox's HTLC program (`program/htlc.c`) and a funded solver. It has native SOL only.
 *
 * `port` 0 means any free port. `slotTimeMs` is 400 by default, as on a real cluster.
 */
export async function startSolanaChain(options: {
  name: string
  port: number
  slotTimeMs?: number
  timelocks?: { source: number; destination: number }
  requiredConfirmations?: number
  log: Logger
}): Promise<LocalChain> {
  const slotTimeMs = options.slotTimeMs ?? 400
  const validator = await startValidator({ port: options.port, slotTimeMs })
  validator.deploy(htlcProgram.id.toBase58(), join(import.meta.dirname, "program", "htlc.so"))
  const connection = new Connection(validator.url, { commitment: "confirmed", disableRetryOnRateLimit: true })
  const sender = createSender(connection, slotTimeMs)
  const solver = Keypair.generate()
  await sender.transfer(validator.payer, solver.publicKey, SOLVER_LAMPORTS)

  const asset = { id: `${options.name}:sol`, decimals: 9, token: null, htlc: htlcProgram.id.toBase58() }
  const describe = (side: LocalSwap["side"], request: SwapRequest): LocalSwap => {
    assertAsset(asset.id, request.assetId)
    return describeSwap({ side, chain: options.name, solver: solver.publicKey.toBase58(), request })
  }
  options.log.info({ chain: options.name, url: validator.url, program: asset.htlc }, "local solana is up")

  return {
    name: options.name,
    family: "solana",
    assets: [asset],
    url: validator.url,
    timelocks: options.timelocks ?? { source: 216_000, destination: 18_000 },
    requiredConfirmations: options.requiredConfirmations ?? 1,
    chainId: null,
    height: async () => BigInt(await connection.getSlot("confirmed")),
    balance: async (address, assetId) => {
      assertAsset(asset.id, assetId)
      return BigInt(await connection.getBalance(new PublicKey(address), "confirmed"))
    },
    fund: async (address, assetId, units) => {
      assertAsset(asset.id, assetId)
      return sender.transfer(validator.payer, new PublicKey(address), units)
    },
    isAddress,
    describeSource: async (request) => {
      const swap = describe("source", request)
      return { swap, response: { versioned_tx: await buildUserTransaction(connection, swap) } }
    },
    describeDestination: async (request) => describe("destination", request),
    observeSwap: (swap) => observeSwap(connection, swap),
    initiate: (swap) => sender.send(solver, [initiation(swap)]),
    initiateWithSignature: rejectSignature,
    redeem: (swap, secret) =>
      sender.send(solver, [htlcProgram.redeem(htlcProgram.id, partiesOf(swap), Buffer.from(secret, "hex"))]),
    refund: (swap) => sender.send(solver, [htlcProgram.refund(htlcProgram.id, partiesOf(swap))]),
    advance: async (slots) => {
      const target = (await connection.getSlot("confirmed")) + slots
      for (let slot = target - slots; slot < target; slot = await connection.getSlot("confirmed")) {
        // Repeat the skip each time, because a busy machine can lose one.
        if (target - slot > MAX_WAITED_SLOTS) validator.skipToSlot(target)
        await sleep(slotTimeMs)
      }
    },
    stop: () => validator.stop(),
  }
}

const SOLVER_LAMPORTS = 50_000_000_000_000n
/** Two lifetimes of a blockhash. Tests of expired blockhashes need real slots; tests of timelocks cannot wait for real slots. */
const MAX_WAITED_SLOTS = 320
const SEND_TIMEOUT_MS = 15_000

function initiation(swap: LocalSwap): TransactionInstruction {
  return htlcProgram.initiate(htlcProgram.id, new PublicKey(swap.initiator), {
    units: BigInt(swap.units),
    slots: BigInt(swap.timelock),
    redeemer: new PublicKey(swap.redeemer),
    secretHash: Buffer.from(swap.secretHash, "hex"),
  })
}

function partiesOf(swap: LocalSwap): { address: PublicKey; initiator: PublicKey; redeemer: PublicKey } {
  const [address, initiator, redeemer] = [swap.extra["address"] ?? "", swap.initiator, swap.redeemer]
  return { address: new PublicKey(address), initiator: new PublicKey(initiator), redeemer: new PublicKey(redeemer) }
}

/** Builds `versioned_tx` as live deployments do: a legacy message with one empty signature slot, in hex (field notes, Solana). */
async function buildUserTransaction(connection: Connection, swap: LocalSwap): Promise<string> {
  const { blockhash } = await connection.getLatestBlockhash("confirmed")
  const transaction = new Transaction({ feePayer: new PublicKey(swap.initiator), recentBlockhash: blockhash })
  return transaction.add(initiation(swap)).serialize({ requireAllSignatures: false }).toString("hex")
}

type Sender = {
  transfer(from: Keypair, to: PublicKey, lamports: bigint): Promise<string>
  /** Resolves when the transaction is in a confirmed block. Rejects with the program's reason if it fails. */
  send(signer: Keypair, instructions: readonly TransactionInstruction[]): Promise<string>
}

function createSender(connection: Connection, slotTimeMs: number): Sender {
  let sent = 0
  const send: Sender["send"] = async (signer, instructions) => {
    const { blockhash } = await connection.getLatestBlockhash("confirmed")
    const transaction = new Transaction({ feePayer: signer.publicKey, recentBlockhash: blockhash })
    // Two equal transfers with the same blockhash would be the same transaction. A different compute unit limit makes them distinct.
    sent += 1
    transaction.add(ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 + (sent % 10_000) }), ...instructions)
    transaction.sign(signer)
    const signature = await connection.sendRawTransaction(transaction.serialize(), {
      maxRetries: 0,
      preflightCommitment: "confirmed",
    })
    await waitUntilConfirmed(connection, signature, slotTimeMs)
    return signature
  }
  const transfer: Sender["transfer"] = (from, to, lamports) =>
    send(from, [SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports })])
  return { send, transfer }
}

async function waitUntilConfirmed(connection: Connection, signature: string, slotTimeMs: number): Promise<void> {
  const until = Date.now() + SEND_TIMEOUT_MS
  while (Date.now() < until) {
    const { value } = await connection.getSignatureStatuses([signature])
    const status = value[0]
    if (status?.err) throw new Error(`transaction ${signature} failed: ${JSON.stringify(status.err)}`)
    if (status?.confirmationStatus === "confirmed" || status?.confirmationStatus === "finalized") return
    await sleep(Math.min(slotTimeMs, 100))
  }
  throw new Error(`transaction ${signature} was not confirmed within ${SEND_TIMEOUT_MS} ms`)
}

function isAddress(text: string): boolean {
  try {
    return new PublicKey(text).toBase58() === text
  } catch {
    // The constructor throws for every text that is not 32 bytes of base58.
    return false
  }
}

async function rejectSignature(): Promise<never> {
  throw createRefusal("sandbox.gasless_unsupported", "Solana orders are not gasless: sign and send versioned_tx")
}

function assertAsset(known: string, asked: string): void {
  if (asked === known) return
  throw new AppError({
    code: "sandbox.asset",
    disposition: "refused",
    message: `this chain has ${known} only, not ${asked}`,
    details: { asked, known },
  })
}
