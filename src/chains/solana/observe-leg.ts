import { PublicKey } from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import type { LegObservation, LegQuery, OnChain } from "../port.ts"
import type { InitiateTerms } from "./htlc.ts"
import { type FoundTransaction, SIGNATURE_PAGE, type SignatureEntry, type SolanaNode } from "./node.ts"
import { type FinalityRule, isFinal } from "./observe-transaction.ts"
import { type HtlcProgram, programOf } from "./program.ts"
import { gainOf, lamportsInto, readSwapCalls, type SwapCall, tokenGainOf, transfersInto } from "./read-swap-calls.ts"
import { deriveVault, INITIATE_AT, SETTLE_AT } from "./spl-htlc.ts"
import { deriveTokenAccount } from "./tokens.ts"
import { parseAddress, type Wallet } from "./wallet.ts"

/**
 * Reports the state of one HTLC as our own node shows it, from the successful transactions of its swap account. Amounts
 * are lamports, or units of the asset's token; heights are slots.
 *
 * The initiator and the secret hash determine the swap account, so this needs no search and no hints of the service. If
 * the initiator or the hash is unreadable, no such account exists and every part is `null`. An initiate with another
 * redeemer or another lock does not belong to this leg, and neither does one of another mint: the program for tokens holds
 * every mint. A payout counts if it reaches the owner's associated token account from the vault of this mint. Throws
 * `solana.history_incomplete` (transient) if the account contradicts the history, and `solana.history_too_long` (hold).
 */
export async function observeLeg(query: LegQuery, wallet: Wallet, options: LegOptions): Promise<LegObservation> {
  const height = await options.node.fetchSlot()
  const nothing: LegObservation = { height, initiated: null, redeemed: null, refunded: null, refundableAt: null }
  const initiator = parseAddress(query.initiator ?? (query.side === "source" ? wallet.account : ""))
  if (initiator === null || !/^[0-9a-f]{64}$/.test(query.secretHash)) return nothing
  for (const htlc of htlcsOf(query, wallet)) {
    const secretHash = Buffer.from(query.secretHash, "hex")
    const swapAccount = htlc.kind.deriveSwapAccount(htlc.program, initiator, secretHash).toBase58()
    const calls = await readHistory(swapAccount, htlc, query.fromHeight, options.node)
    await assertComplete(swapAccount, htlc.program, calls, options.node)
    const rules = { query, options, swapAccount, token: proofOf(htlc, query) }
    const leg = calls.reduce((leg, call) => applyCall(leg, call, rules), nothing)
    if (leg.initiated !== null) return leg
  }
  return nothing
}

export type LegOptions = FinalityRule & { readonly node: SolanaNode }

type Htlc = { readonly program: PublicKey; readonly kind: HtlcProgram; readonly token: string | null }

/** One call of the swap account, in a transaction that succeeded. */
type PastCall = SwapCall & { readonly entry: SignatureEntry; readonly transaction: FoundTransaction }

/** The accounts that prove a transfer of one token. `payee` is the owner's token account; `null` if the owner is no address. */
type TokenProof = { readonly mint: string; readonly vault: string; readonly payee: string | null }

type LegRules = {
  readonly query: LegQuery
  readonly options: LegOptions
  readonly swapAccount: string
  readonly token: TokenProof | null
}

const MOST_PAGES = 3

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
  const [mintKey, owner] = [new PublicKey(mint), parseAddress(query.owner)]
  const vault = deriveVault(program, mintKey).toBase58()
  return { mint, vault, payee: owner && deriveTokenAccount(owner, mintKey).toBase58() }
}

/** Reads all calls of a swap account, oldest first. */
async function readHistory(
  swapAccount: string,
  { program, kind }: Htlc,
  fromHeight: bigint,
  node: SolanaNode,
): Promise<PastCall[]> {
  const entries = await findEntries(swapAccount, fromHeight, node)
  const calls: PastCall[] = []
  for (const entry of entries.toReversed().filter((candidate) => candidate.err === null)) {
    const transaction = await node.fetchTransaction(entry.signature)
    if (transaction === null)
      throw incomplete(swapAccount, `transaction ${entry.signature} is listed but its content is missing`)
    const found = readSwapCalls(transaction, program.toBase58(), swapAccount, kind)
    calls.push(...found.map((call) => ({ ...call, entry, transaction })))
  }
  return calls
}

async function findEntries(swapAccount: string, fromHeight: bigint, node: SolanaNode): Promise<SignatureEntry[]> {
  const entries: SignatureEntry[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const found = await node.findSignatures(swapAccount, entries.at(-1)?.signature ?? null)
    entries.push(...found)
    const oldest = found.at(-1)
    if (found.length < SIGNATURE_PAGE || oldest === undefined || oldest.slot < fromHeight) {
      return entries.filter((entry) => entry.slot >= fromHeight)
    }
  }
  throw new AppError({
    code: "solana.history_too_long",
    disposition: "hold",
    message:
      "the swap account has more transactions than an HTLC can need, which suggests spam; inspect it in an explorer",
    details: { swapAccount, entries: entries.length },
  })
}

/**
 * The node's index lags if the account exists without a call, or is closed without a redeem or refund. Such a history
 * must not count as "nothing happened".
 */
async function assertComplete(
  swapAccount: string,
  program: PublicKey,
  calls: readonly PastCall[],
  node: SolanaNode,
): Promise<void> {
  const last = calls.at(-1)?.call.kind ?? null
  if (last !== null && last !== "initiate") return
  const account = await node.fetchAccount(swapAccount)
  const open = account?.owner === program.toBase58()
  if (open && last === null) throw incomplete(swapAccount, "the account is open, but the history shows no initiate")
  if (!open && last === "initiate")
    throw incomplete(swapAccount, "the account is closed, but the history shows neither redeem nor refund")
}

function applyCall(known: LegObservation, past: PastCall, rules: LegRules): LegObservation {
  const { call } = past
  const { query, options } = rules
  const onChain = locate(past.entry, known.height, options)
  if (call.kind === "initiate") {
    if (!isOfLeg(call.terms, query) || !isPaidIn(call.terms, past, rules)) return known
    const refundableAt = past.transaction.slot + call.terms.slots + 1n
    return { ...known, initiated: { ...onChain, units: call.terms.units }, refundableAt }
  }
  if (known.initiated === null) return known
  const { units } = known.initiated
  const released = releasedTo(past, units, rules)
  const paid = (side: LegQuery["side"]): bigint | null => (query.side === side ? paidTo(past, units, rules) : null)
  if (call.kind === "redeem")
    return { ...known, redeemed: { ...onChain, ...released, paidUnits: paid("destination"), secret: call.secret } }
  return { ...known, refunded: { ...onChain, ...released, paidUnits: paid("source") } }
}

function isOfLeg(terms: InitiateTerms, query: LegQuery): boolean {
  const redeemer = terms.redeemer.toBase58()
  if (query.redeemer !== null && redeemer !== query.redeemer) return false
  if (query.side === "destination" && redeemer !== query.owner) return false
  return query.timelock === null || terms.slots === query.timelock
}

/**
 * A deposit of a token names our mint and its vault, and the vault shows the amount: as one transfer, or as its gain where a node
 * lists no inner instructions. Our own deposit also leaves our token account.
 */
function isPaidIn(terms: InitiateTerms, { accounts, transaction }: PastCall, { token, query }: LegRules): boolean {
  if (token === null) return true
  if (accounts[INITIATE_AT.mint] !== token.mint || accounts[INITIATE_AT.vault] !== token.vault) return false
  if (query.side === "source" && accounts[INITIATE_AT.tokenAccount] !== token.payee) return false
  const gain = tokenGainOf(transaction, token.vault, token.mint)
  return transfersInto(transaction, token.vault).includes(terms.units) || (gain !== null && gain >= terms.units)
}

/**
 * The program pays exactly the amount. A larger gain has other sources (rent, a second payment); a smaller gain is
 * reported as it is. A call that pays from another vault or into another token account pays nothing.
 */
function paidTo({ accounts, transaction }: PastCall, units: bigint, { query, token }: LegRules): bigint | null {
  const gain = token === null ? gainOf(transaction, query.owner) : tokenGain(transaction, accounts, token)
  return gain !== null && gain > units ? units : gain
}

function tokenGain(transaction: FoundTransaction, accounts: readonly string[], token: TokenProof): bigint {
  const { vault, payee, mint } = token
  if (payee === null || accounts[SETTLE_AT.vault] !== vault || accounts[SETTLE_AT.tokenAccount] !== payee) return 0n
  return tokenGainOf(transaction, payee, mint) ?? 0n
}

/**
 * Native units that the initiator received as the account closed: its rent, without the amount of a refund. The program for tokens
 * returns the rent of the swap account to the sponsor, which is the initiator of every deposit of ours.
 */
function releasedTo(past: PastCall, units: bigint, rules: LegRules): { releasedUnits?: bigint } {
  const { initiator } = rules.query
  const { call, accounts, transaction } = past
  if (rules.token !== null) {
    const sponsor = accounts[call.kind === "instantRefund" ? SETTLE_AT.sponsor + 1 : SETTLE_AT.sponsor]
    return sponsor === initiator ? { releasedUnits: -lamportsInto(transaction, rules.swapAccount) } : {}
  }
  const gain = initiator === null ? null : gainOf(transaction, initiator)
  return gain === null ? {} : { releasedUnits: call.kind === "redeem" ? gain : gain - units }
}

function locate(entry: SignatureEntry, height: bigint, rule: FinalityRule): OnChain {
  const confirmations = height < entry.slot ? 1 : Number(height - entry.slot) + 1
  const final = isFinal(entry.confirmationStatus, confirmations, rule)
  return { txid: entry.signature, height: entry.slot, confirmations, final }
}

function incomplete(swapAccount: string, problem: string): AppError {
  return new AppError({
    code: "solana.history_incomplete",
    disposition: "transient",
    message: `the node's history of a swap account is incomplete (${problem}); Ballast asks again; use a node with full history if this lasts`,
    details: { swapAccount, problem },
  })
}
