import type { PublicKey } from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"
import { listHistory } from "../legs/list-history.ts"
import { isFinal, type Landing, noteTransaction } from "../legs/read-leg.ts"
import { createSwapNotes } from "../legs/swap-notes.ts"
import type { FoundTransaction, SignatureEntry } from "../node.ts"
import type { Endpoint } from "../nodes/endpoints.ts"
import { assertGenuine } from "../spend/assert-genuine.ts"

export type History = {
  readonly address: PublicKey
  readonly since: bigint
  /** The agreed finalized slot. */
  readonly minSlot: bigint
  /** Of the wanted transactions; absent: any. */
  readonly txid?: string | undefined
}

type Read = { readonly entry: SignatureEntry; readonly found: FoundTransaction }

/** The successful transactions that name an account, oldest first. */
export async function* readTransactions(
  endpoint: Endpoint,
  { address, since, minSlot, txid }: History,
): AsyncGenerator<Read> {
  const node = endpoint.node({ commitment: "confirmed", minSlot })
  const { notes = createSwapNotes() } = endpoint
  const account = address.toBase58()
  const listed = await listHistory(account, { since, finalSlot: minSlot }, node, notes.histories)
  for (const entry of listed.toReversed()) {
    const { signature } = entry
    if (txid !== undefined && signature !== txid) continue
    const found = notes.transactions.get(signature) ?? (await node.fetchTransaction(signature))
    if (found === null)
      throw incomplete(account, `transaction ${signature} is listed without content`)
    assertGenuine(found, signature)
    if (isFinal(entry, minSlot)) noteTransaction(notes.transactions, signature, found)
    yield { entry, found }
  }
}

/** The first transaction in which `read` finds its value. */
export async function findInHistory<T>(
  endpoint: Endpoint,
  history: History,
  read: (found: FoundTransaction) => T | undefined,
): Promise<(Landing & { readonly value: T }) | null> {
  for await (const { entry, found } of readTransactions(endpoint, history)) {
    const value = read(found)
    if (value === undefined) continue
    const { signature: txid, slot: height, confirmationStatus } = entry
    return { txid, height, commitment: confirmationStatus ?? "processed", value }
  }
  return null
}

/** An account that exists was opened by a transaction: a history without it is incomplete. */
export async function assertAbsent(
  { node }: Endpoint,
  address: PublicKey,
  program: PublicKey,
  minSlot: bigint,
): Promise<void> {
  const name = address.toBase58()
  const account = await node({ commitment: "finalized", minSlot }).fetchAccount(name)
  if (account?.owner === program.toBase58())
    throw incomplete(name, "the account is open, but the history does not show its opening")
}

/** The same for a transaction that is known by its id alone. */
export async function assertUnknown(
  { node }: Endpoint,
  address: PublicKey,
  txid: string,
  minSlot: bigint,
): Promise<void> {
  const { status } = await node({ commitment: "finalized", minSlot }).fetchStatus(txid)
  if (status !== null && status.err === null)
    throw incomplete(address.toBase58(), `the history does not show transaction ${txid}`)
}

function incomplete(account: string, problem: string): AppError {
  return new AppError({
    code: "solana.history_incomplete",
    disposition: "transient",
    message:
      `the node's history of an account is incomplete (${problem}); Ballast asks again; use a ` +
      "node with full history if this lasts",
    details: { swapAccount: account, problem },
  })
}
