import { type Connection, PublicKey, type VersionedTransactionResponse } from "@solana/web3.js"
import type { LocalSwap, ObservedTransaction, SwapObservation } from "../local-chain.ts"
import { type Call, htlcProgram } from "./htlc-program.ts"
import { splProgram } from "./spl-program.ts"

/** While the swap's account stays as it is, its transactions are listed this often. */
const LIST_EVERY_MS = 5_000
/** More swaps than are open at once; the oldest leaves first. */
const MOST_KNOWN = 500

/** `account`: the swap's account when its transactions were listed. */
type Known = { readonly account: string; readonly atMs: number; readonly state: SwapObservation }

/**
 * Observes a swap by all successful calls with its HTLC address, oldest first, from the data of the
 * transactions. The solver asks several times a second, and surfpool 1.5.0 copies all of its
 * transactions for each list, so the list is asked for when the swap's account has changed.
 *
 * An initiation with another redeemer or timelock is not an initiation of this swap.
 */
export function createSwapObserver(
  connection: Connection,
): (swap: LocalSwap, token: string | null) => Promise<SwapObservation> {
  const known = new Map<string, Known>()
  return async (swap, token) => {
    const address = new PublicKey(swap.extra["address"] ?? "")
    const { context, value } = await connection.getAccountInfoAndContext(address, "confirmed")
    const account = value === null ? "" : `${value.lamports} ${value.data.toString("base64")}`
    const last = known.get(address.toBase58())
    if (last?.account === account && Date.now() - last.atMs < LIST_EVERY_MS)
      return ageTo(last.state, context.slot)
    const atMs = Date.now()
    const state = await listCalls(connection, address, { swap, token })
    known.delete(address.toBase58())
    known.set(address.toBase58(), { account, atMs, state })
    const [oldest] = known.keys()
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    return ageTo(state, context.slot)
  }
}

/** Confirmations count from 1. */
function ageTo({ initiated, redeemed, refunded }: SwapObservation, slot: number): SwapObservation {
  const age = <T extends ObservedTransaction>(seen: T | null): T | null =>
    seen && { ...seen, confirmations: Math.max(1, slot - Number(seen.blockNumber) + 1) }
  return { initiated: age(initiated), redeemed: age(redeemed), refunded: age(refunded) }
}

async function listCalls(
  connection: Connection,
  address: PublicKey,
  { swap, token }: { readonly swap: LocalSwap; readonly token: string | null },
): Promise<SwapObservation> {
  const found = await connection.getSignaturesForAddress(address, {}, "confirmed")
  let state: SwapObservation = { initiated: null, redeemed: null, refunded: null }
  for (const entry of found.toReversed()) {
    if (entry.err !== null) continue
    const transaction = await connection.getTransaction(entry.signature, {
      commitment: "confirmed",
      maxSupportedTransactionVersion: 0,
    })
    if (transaction === null) continue
    const seen: ObservedTransaction = {
      txHash: entry.signature,
      blockNumber: BigInt(entry.slot),
      confirmations: 1,
      // In surfpool 1.5.0 the `blockTime` of getTransaction is too small by a factor of 1000; this
      // one is correct.
      timestampMs: (entry.blockTime ?? 0) * 1000,
    }
    for (const call of readCalls(transaction, address, token))
      state = apply(state, call, seen, swap)
  }
  return state
}

function apply(
  state: SwapObservation,
  call: Call,
  seen: ObservedTransaction,
  swap: LocalSwap,
): SwapObservation {
  if (call.kind === "redeem")
    return { ...state, redeemed: { ...seen, secret: call.secret.toString("hex") } }
  if (call.kind === "refund") return { ...state, refunded: seen }
  const { redeemer, slots, units } = call.terms
  if (redeemer.toBase58() !== swap.redeemer || slots !== BigInt(swap.timelock)) return state
  return { ...state, initiated: { ...seen, filledUnits: units } }
}

/**
 * The calls of the HTLC program for `address`: the first account of a native call, the second of a
 * token call. An initiation with another mint is none. It ignores calls from inside other programs.
 */
function readCalls(
  found: VersionedTransactionResponse,
  address: PublicKey,
  token: string | null,
): Call[] {
  const { message } = found.transaction
  const keys = message.getAccountKeys({
    accountKeysFromLookups: found.meta?.loadedAddresses ?? null,
  })
  const program = token === null ? htlcProgram : splProgram
  return message.compiledInstructions.flatMap((instruction) => {
    const keyAt = (position: number): PublicKey | undefined =>
      keys.get(instruction.accountKeyIndexes[position] ?? -1)
    const isHtlcCall =
      keys.get(instruction.programIdIndex)?.equals(program.id) &&
      keyAt(token === null ? 0 : 1)?.equals(address)
    const call = isHtlcCall ? program.read(instruction.data) : null
    const isOtherMint =
      token !== null && call?.kind === "initiate" && keyAt(5)?.toBase58() !== token
    return call === null || isOtherMint ? [] : [call]
  })
}
