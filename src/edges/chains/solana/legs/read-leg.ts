import { createHash } from "node:crypto"
import { PublicKey } from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import { readHintedTxids } from "#domain/route/reported-txids.ts"
import { AppError } from "#lib/app-error.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { InitiateTerms } from "../htlc.ts"
import { readBase58 } from "../keys/read-base58.ts"
import type { Account, FoundTransaction, SignatureEntry, SolanaNode } from "../node.ts"
import type { Endpoint } from "../nodes/endpoints.ts"
import { type HtlcProgram, programOf } from "../program.ts"
import { assertGenuine } from "../spend/assert-genuine.ts"
import { deriveVault, INITIATE_AT, SETTLE_AT } from "../spl-htlc.ts"
import { deriveTokenAccount } from "../tokens.ts"
import { solanaTraits } from "../traits.ts"
import { parseAddress, type Wallet } from "../wallet.ts"
import { dropEntry, listHistory } from "./list-history.ts"
import {
  gainOf,
  lamportsInto,
  readSwapCalls,
  type SwapCall,
  tokenGainOf,
  transfersInto,
} from "./read-swap-calls.ts"
import { createSwapNotes, type SwapNotes } from "./swap-notes.ts"

/**
 * Reads one HTLC from one endpoint, from the successful transactions of its swap account. Amounts
 * are lamports, or units of the asset's token; heights are slots.
 *
 * An initiate with another redeemer or another lock does not belong to this leg, and neither does
 * one of another mint: the program for tokens holds every mint. A redeem counts with the secret of
 * the hash alone, and a payout if it reaches the owner's associated token account from the vault of
 * this mint. Throws `solana.history_incomplete` (transient) if the swap account contradicts the
 * history, confirmed or finalized, and `solana.history_too_long` (transient) where a look cannot
 * list all of it.
 *
 * `minSlot` is the agreed finalized slot: no answer is about an earlier one.
 */
export async function readLeg(
  query: LegQuery,
  places: readonly SwapPlace[],
  endpoint: Endpoint,
  minSlot: bigint,
): Promise<LegReading> {
  for (const place of places) {
    const { calls } = await readSwap({ ...place, named: namedIn(query) }, query, endpoint, minSlot)
    const rules = { query, swapAccount: place.swapAccount, token: proofOf(place, query) }
    const reading = calls.reduce((reading, call) => applyCall(reading, call, rules), EMPTY_LEG)
    if (reading.initiated !== null) return { ...reading, swapAccount: place.swapAccount }
  }
  return EMPTY_LEG
}

/** One leg as one endpoint shows it; each part is `null` until it does. */
export type LegReading = {
  readonly initiated: (Landing & Initiation) | null
  readonly redeemed: (Landing & Payment & { readonly secret: string | null }) | null
  readonly refunded: (Landing & Payment) | null
  /** The swap account that shows it. */
  readonly swapAccount?: string
}

/** Of a route of another kind: `evidence`, and no refund. */
type Initiation = {
  readonly units: bigint
  readonly refundableAt: bigint | null
  readonly evidence?: Readonly<Record<string, string>>
}

/** Where a transaction landed. `commitment`: the endpoint's own commitment for the block. */
export type Landing = {
  readonly txid: string
  readonly height: bigint
  readonly commitment: string
}

type Payment = { readonly paidUnits: bigint | null; readonly releasedUnits?: bigint }

const EMPTY_LEG: LegReading = { initiated: null, redeemed: null, refunded: null }

/** A place where the deposit of a query can be. `named`: transactions that the service names. */
export type SwapPlace = Htlc & {
  readonly swapAccount: string
  readonly named?: readonly string[]
  readonly early?: EarlyStates
}

/** The requests to endpoints beside their heads; `null` where one has failed. */
export type EarlyStates = ReadonlyMap<Endpoint, Promise<SwapStates | null>>

type State = Awaited<ReturnType<SolanaNode["fetchAccountAt"]>>
type SwapStates = { readonly final: State; readonly live: State }

/** The swap account, finalized and confirmed, with the slots that the answers are about. */
export async function readStates(
  { swapAccount }: Pick<SwapPlace, "swapAccount">,
  { node }: Endpoint,
  minSlot: bigint | null,
): Promise<SwapStates> {
  const [final, live] = await Promise.all([
    node({ commitment: "finalized", minSlot }).fetchAccountAt(swapAccount),
    node({ commitment: "confirmed", minSlot }).fetchAccountAt(swapAccount),
  ])
  return { final, live }
}

/** One of each kind: they only save a request if the history lists them. */
function namedIn({ hints }: LegQuery): readonly string[] {
  return [hints.initiateTx, hints.redeemTx, hints.refundTx].flatMap((hint) =>
    readHintedTxids(hint, solanaTraits.txidForm)
      .slice(0, 1)
      .filter((txid) => readBase58(txid)?.length === SIGNATURE_BYTES),
  )
}

const SIGNATURE_BYTES = 64

/**
 * The swap accounts of a query, one for each program that may hold it. The initiator and the secret
 * hash determine them, so this needs no search and no hints of the service. If one of the two is
 * unreadable, no such account exists.
 */
export function findSwapAccounts(query: LegQuery, wallet: Wallet): SwapPlace[] {
  const initiator = parseAddress(query.initiator ?? (query.side === "source" ? wallet.account : ""))
  if (initiator === null || !/^[0-9a-f]{64}$/.test(query.secretHash)) return []
  const secretHash = Buffer.from(query.secretHash, "hex")
  return htlcsOf(query, wallet).map((htlc) => ({
    ...htlc,
    swapAccount: htlc.kind.deriveSwapAccount(htlc.program, initiator, secretHash).toBase58(),
  }))
}

/**
 * The successful calls of a swap account, oldest first, and whether it is open at a finalized slot.
 * The account is read before its history, so that the history must explain it. An open account also
 * names the slot of its initiation, where the lock is known: then no other transaction is fetched,
 * so that no transaction of strangers stands before it.
 */
export async function readSwap(
  place: SwapPlace,
  { fromHeight, timelock }: Pick<LegQuery, "fromHeight" | "timelock">,
  endpoint: Endpoint,
  minSlot: bigint,
): Promise<{ readonly calls: readonly PastCall[]; readonly isOpen: boolean }> {
  const { program, kind, swapAccount, early } = place
  const known = (await early?.get(endpoint)) ?? null
  const isNew = known !== null && known.final.slot >= minSlot && known.live.slot >= minSlot
  const { final, live } = isNew ? known : await readStates(place, endpoint, minSlot)
  const newest = final.slot > live.slot ? final.slot : live.slot
  const node = endpoint.node({ commitment: "confirmed", minSlot: newest })
  const isOpen = ({ account }: typeof final): boolean => account?.owner === program.toBase58()
  const { notes = createSwapNotes() } = endpoint
  const history: SwapHistory = { ...notes, place, node, finalSlot: final.slot }
  const openedAt = isOpen(live) ? openingSlot(kind, live.account, timelock) : null
  try {
    const opening =
      openedAt === null || openedAt < fromHeight ? [] : await readCalls(history, openedAt, openedAt)
    const calls =
      opening.at(-1)?.call.kind === "initiate"
        ? opening
        : await readCalls(history, fromHeight, null)
    assertComplete(swapAccount, isOpen(live), listUntil(calls, live.slot))
    assertComplete(swapAccount, isOpen(final), listUntil(calls, final.slot))
    return { calls, isOpen: isOpen(final) }
  } catch (error) {
    // The list may be at fault, so the next look reads it again. A list that is only long goes on.
    if (error instanceof AppError && error.code === "solana.history_incomplete")
      notes.histories.delete(swapAccount)
    throw error
  }
}

/**
 * The record names the slot from which on a refund is possible, which is the lock after the
 * initiation.
 */
function openingSlot(
  kind: HtlcProgram,
  account: Account | null,
  timelock: bigint | null,
): bigint | null {
  const record = account === null ? null : kind.decodeSwap(account.data)
  return record === null || timelock === null ? null : record.expirySlot - timelock
}

function listUntil(calls: readonly PastCall[], slot: bigint): readonly PastCall[] {
  return calls.filter(({ entry }) => entry.slot <= slot)
}

type Htlc = {
  readonly program: PublicKey
  readonly kind: HtlcProgram
  readonly token: string | null
}

/** One call of the swap account, in a transaction that succeeded. */
type PastCall = SwapCall & {
  readonly entry: SignatureEntry
  readonly transaction: FoundTransaction
}

/**
 * The accounts that prove a transfer of one token. `payee` is the owner's token account; `null` if
 * the owner is no address.
 */
type TokenProof = { readonly mint: string; readonly vault: string; readonly payee: string | null }

type LegRules = {
  readonly query: LegQuery
  readonly swapAccount: string
  readonly token: TokenProof | null
}

function htlcsOf(query: LegQuery, wallet: Wallet): Htlc[] {
  const asset = wallet.assets.find((candidate: Asset) => candidate.id === query.asset)
  if (asset === undefined) return []
  const { token } = asset
  const names = query.htlc === null ? asset.htlc : [query.htlc]
  const programs = names.flatMap((name) => parseAddress(name) ?? [])
  return programs.map((program) => ({ program, kind: programOf(token), token }))
}

function proofOf({ program, token: mint }: Htlc, query: LegQuery): TokenProof | null {
  if (mint === null) return null
  const mintKey = new PublicKey(mint)
  const owner = parseAddress(query.owner)
  const vault = deriveVault(program, mintKey).toBase58()
  return { mint, vault, payee: owner && deriveTokenAccount(owner, mintKey).toBase58() }
}

type SwapHistory = SwapNotes & {
  readonly place: SwapPlace
  readonly node: SolanaNode
  readonly finalSlot: bigint
}

/**
 * Reads the calls of a swap account from slot `since` up to `until`, oldest first. `until` is
 * `null` for all.
 */
async function readCalls(
  history: SwapHistory,
  since: bigint,
  until: bigint | null,
): Promise<PastCall[]> {
  const { place, node, histories, finalSlot } = history
  const { program, kind, swapAccount } = place
  const early = foresee(history)
  const listed = await listHistory(swapAccount, { since, finalSlot }, node, histories)
  const calls: PastCall[] = []
  for (const entry of listed.toReversed().filter(({ slot }) => until === null || slot <= until)) {
    const transaction = await readTransaction(history, entry, early)
    const found = readSwapCalls(transaction, program.toBase58(), swapAccount, kind)
    if (found.length === 0) dropEntry(histories, swapAccount, entry.signature)
    else if (isFinal(entry, finalSlot))
      noteTransaction(history.transactions, entry.signature, transaction)
    calls.push(...found.map((call) => ({ ...call, entry, transaction })))
  }
  const [oldest] = history.foreseen.keys()
  if (history.foreseen.size >= MOST_TRANSACTIONS && oldest !== undefined)
    history.foreseen.delete(oldest)
  const read = calls.slice(0, MOST_FORESEEN).map(({ entry }) => entry.signature)
  history.foreseen.set(swapAccount, read)
  return calls
}

/** An initiation, and its redemption or refund. */
const MOST_FORESEEN = 2

type Early = ReadonlyMap<string, Promise<FoundTransaction | null>>

/**
 * Asks for all that the last look has read, and for all that the service names, in one request with
 * the list that must name it. One that does not come is asked for after the list.
 */
function foresee({ place, node, transactions, foreseen }: SwapHistory): Early {
  const { swapAccount, named = [] } = place
  const early = new Set([...(foreseen.get(swapAccount) ?? []), ...named])
  return new Map(
    [...early]
      .filter((txid) => !transactions.has(txid))
      .map((txid) => [txid, node.fetchTransaction(txid).catch(() => null)]),
  )
}

async function readTransaction(
  { place: { swapAccount }, node, transactions }: SwapHistory,
  { signature }: SignatureEntry,
  early: Early,
): Promise<FoundTransaction> {
  const known = transactions.get(signature)
  if (known !== undefined) return known
  const transaction = (await early.get(signature)) ?? (await node.fetchTransaction(signature))
  if (transaction === null)
    throw incomplete(swapAccount, `transaction ${signature} is listed but its content is missing`)
  assertGenuine(transaction, signature)
  return transaction
}

export function isFinal({ confirmationStatus, slot }: SignatureEntry, finalSlot: bigint): boolean {
  return confirmationStatus === "finalized" && slot <= finalSlot
}

/** Enough for the calls of all open orders; the oldest leaves first. */
const MOST_TRANSACTIONS = 500

export function noteTransaction(
  known: Map<string, FoundTransaction>,
  txid: string,
  transaction: FoundTransaction,
): void {
  const [oldest] = known.keys()
  if (known.size >= MOST_TRANSACTIONS && oldest !== undefined) known.delete(oldest)
  known.set(txid, transaction)
}

/**
 * The node's index lags, or its history is cut, if the account exists without a call, or is closed
 * without a redeem or refund. Such a history must not count as "nothing happened".
 */
function assertComplete(swapAccount: string, isOpen: boolean, calls: readonly PastCall[]): void {
  const last = calls.at(-1)?.call.kind ?? null
  if (isOpen && last !== "initiate")
    throw incomplete(swapAccount, "the account is open, but the history shows no initiate")
  if (!isOpen && last === "initiate")
    throw incomplete(
      swapAccount,
      "the account is closed, but the history shows neither redeem nor refund",
    )
}

function applyCall(known: LegReading, past: PastCall, rules: LegRules): LegReading {
  const { call, entry } = past
  const { query } = rules
  const landing = {
    txid: entry.signature,
    height: entry.slot,
    commitment: entry.confirmationStatus ?? "processed",
  }
  if (call.kind === "initiate") {
    if (!isOfLeg(call.terms, query) || !isPaidIn(call.terms, past, rules)) return known
    const refundableAt = past.transaction.slot + call.terms.slots + 1n
    return { ...known, initiated: { ...landing, units: call.terms.units, refundableAt } }
  }
  if (known.initiated === null) return known
  const { units } = known.initiated
  const released = releasedTo(past, units, rules)
  const paid = (side: LegQuery["side"]): bigint | null =>
    query.side === side ? paidTo(past, units, rules) : null
  if (call.kind === "redeem" && !isSecretOf(call.secret, query)) return known
  if (call.kind === "redeem")
    return {
      ...known,
      redeemed: { ...landing, ...released, paidUnits: paid("destination"), secret: call.secret },
    }
  return { ...known, refunded: { ...landing, ...released, paidUnits: paid("source") } }
}

/** The program takes no other secret, so such a call is an invention of the endpoint. */
function isSecretOf(secret: string, { secretHash }: LegQuery): boolean {
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex") === secretHash
}

function isOfLeg(terms: InitiateTerms, query: LegQuery): boolean {
  const redeemer = terms.redeemer.toBase58()
  if (query.redeemer !== null && redeemer !== query.redeemer) return false
  if (query.side === "destination" && redeemer !== query.owner) return false
  return query.timelock === null || terms.slots === query.timelock
}

/**
 * A deposit of a token names our mint and its vault, and the vault shows the amount: as one
 * transfer, or as its gain where a node lists no inner instructions. Our own deposit also leaves
 * our token account.
 */
function isPaidIn(
  terms: InitiateTerms,
  { accounts, transaction }: PastCall,
  { token, query }: LegRules,
): boolean {
  if (token === null) return true
  if (accounts[INITIATE_AT.mint] !== token.mint || accounts[INITIATE_AT.vault] !== token.vault)
    return false
  if (query.side === "source" && accounts[INITIATE_AT.tokenAccount] !== token.payee) return false
  const gain = tokenGainOf(transaction, token.vault, token.mint)
  return (
    transfersInto(transaction, token.vault).includes(terms.units) ||
    (gain !== null && gain >= terms.units)
  )
}

/**
 * The program pays exactly the amount. A larger gain has other sources (rent, a second payment); a
 * smaller gain is reported as it is. A call that pays from another vault or into another token
 * account pays nothing.
 */
function paidTo(
  { accounts, transaction }: PastCall,
  units: bigint,
  { query, token }: LegRules,
): bigint | null {
  const gain =
    token === null ? gainOf(transaction, query.owner) : tokenGain(transaction, accounts, token)
  return gain !== null && gain > units ? units : gain
}

function tokenGain(
  transaction: FoundTransaction,
  accounts: readonly string[],
  token: TokenProof,
): bigint {
  const { vault, payee, mint } = token
  if (
    payee === null ||
    accounts[SETTLE_AT.vault] !== vault ||
    accounts[SETTLE_AT.tokenAccount] !== payee
  )
    return 0n
  return tokenGainOf(transaction, payee, mint) ?? 0n
}

/**
 * Native units that the initiator received as the account closed: its rent, without the amount of a
 * refund. The program for tokens returns the rent of the swap account to the sponsor, which is the
 * initiator of every deposit of ours.
 */
function releasedTo(past: PastCall, units: bigint, rules: LegRules): { releasedUnits?: bigint } {
  const { initiator } = rules.query
  const { call, accounts, transaction } = past
  if (rules.token !== null) {
    const sponsor =
      accounts[call.kind === "instantRefund" ? SETTLE_AT.sponsor + 1 : SETTLE_AT.sponsor]
    return sponsor === initiator
      ? { releasedUnits: -lamportsInto(transaction, rules.swapAccount) }
      : {}
  }
  const gain = initiator === null ? null : gainOf(transaction, initiator)
  return gain === null ? {} : { releasedUnits: call.kind === "redeem" ? gain : gain - units }
}

function incomplete(swapAccount: string, problem: string): AppError {
  return new AppError({
    code: "solana.history_incomplete",
    disposition: "transient",
    message:
      `the node's history of a swap account is incomplete (${problem}); Ballast asks again; ` +
      "use a node with full history if this lasts",
    details: { swapAccount, problem },
  })
}
