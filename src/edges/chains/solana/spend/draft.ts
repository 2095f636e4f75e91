import {
  type AddressLookupTableAccount,
  PublicKey,
  type TransactionInstruction,
} from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { middle, urgentEstimate } from "#domain/urgent-offer.ts"
import { AppError } from "#lib/app-error.ts"
import { fetchTokenAccount, type Token, tokenOf } from "../check-tokens.ts"
import type { Account, SolanaNode } from "../node.ts"
import type { PlanningNode } from "../nodes/planning-node.ts"
import { decodeTokenAccount, deriveTokenAccount } from "../tokens.ts"
import { payeeOf, type Wallet } from "../wallet.ts"
import {
  assembleMessage,
  digestOf,
  NO_BLOCKHASH,
  unitLimitOf,
  unsignedTransaction,
} from "./assemble.ts"

/**
 * The price of a deposit, or of a token account: what recent blocks took from transactions that
 * write the same accounts. The operator sets the cap. An idle cluster gives an empty list of recent
 * prices, which is no price of 0: then the configured usual price counts, so that nothing waits for
 * traffic.
 */
export async function choosePrice(
  wallet: Wallet,
  node: PlanningNode,
  instructions: readonly TransactionInstruction[],
): Promise<bigint> {
  const cap = wallet.maxPriorityFeeMicroLamports
  const prices = await node.fetchPrices(cap, ...writtenBy(wallet, instructions))
  const price = middle(prices) ?? usualPrice(wallet)
  return price > cap ? cap : price
}

/**
 * The price from which the offer for a refund or a redemption rises: the highest estimate, up to
 * the configured cap; the usual price without one. Endpoints that do not answer do not stop it.
 */
export async function urgentPrice(
  wallet: Wallet,
  node: PlanningNode,
  instructions: readonly TransactionInstruction[],
): Promise<bigint> {
  const cap = wallet.maxPriorityFeeMicroLamports
  const prices = await readPrices(node, cap, writtenBy(wallet, instructions))
  return urgentEstimate(prices, cap) ?? usualPrice(wallet)
}

async function readPrices(
  node: PlanningNode,
  cap: bigint,
  accounts: readonly string[],
): Promise<readonly bigint[]> {
  try {
    return await node.fetchPrices(cap, ...accounts)
  } catch (error) {
    if (error instanceof AppError && error.disposition === "transient") return []
    throw error
  }
}

/**
 * The fee payer, and the accounts that the instructions write. Another transaction that writes one
 * of them competes for the same blocks.
 */
function writtenBy(
  { account }: Wallet,
  instructions: readonly TransactionInstruction[],
): readonly string[] {
  const written = instructions.flatMap(({ keys }) => keys.filter(({ isWritable }) => isWritable))
  return [...new Set([account, ...written.map(({ pubkey }) => pubkey.toBase58())])]
}

export function usualPrice({
  usualPriorityFeeMicroLamports: usual = USUAL_PRICE,
  ...wallet
}: Wallet): bigint {
  const cap = wallet.maxPriorityFeeMicroLamports
  return usual > cap ? cap : usual
}

/** At 200 000 compute units it costs 2000 lamports. */
const USUAL_PRICE = 10_000n

/**
 * A fee payer must keep the rent minimum of an account without data, or the runtime rejects the
 * transaction.
 */
export function findMissingFunds(
  units: bigint,
  maxFeeUnits: bigint,
  wallet: Wallet,
  funds: Funds,
): Refusal | null {
  const { keepUnits, haveUnits } = funds
  const needUnits = units + maxFeeUnits + keepUnits
  if (haveUnits >= needUnits) return null
  const numbers = { account: wallet.account, haveUnits, needUnits, units, maxFeeUnits, keepUnits }
  return refuse(
    "funds.insufficient",
    "the account does not hold the amount, the fee and its rent minimum; fund it",
    texts(numbers),
  )
}

type Funds = { readonly keepUnits: bigint; readonly haveUnits: bigint }

export async function readFunds(wallet: Wallet, node: SolanaNode): Promise<Funds> {
  const [keepUnits, haveUnits] = await Promise.all([
    node.fetchRent(0),
    node.fetchBalance(wallet.account),
  ])
  return { keepUnits, haveUnits }
}

/**
 * The allowed loss of the account, in lamports; a negative loss is a gain. `atLeast: null` sets no
 * lower bound. `tokens` is the exact loss of the payee's token account of a token. `before`: the
 * balances as a moment ago; absent where they are to be read.
 */
type LossBounds = {
  readonly atLeast: bigint | null
  readonly atMost: bigint
  readonly tokens: bigint
  readonly before?: Balances
}

/** The transaction without its blockhash. */
type Draft = {
  readonly instructions: readonly TransactionInstruction[]
  readonly price: bigint
  readonly asset: Asset
  /** Absent: that of an HTLC call. */
  readonly unitLimit?: bigint
  readonly table?: AddressLookupTableAccount
}

function assemble(
  { instructions, price, asset, unitLimit = unitLimitOf(asset.token), table }: Draft,
  { account }: Wallet,
  blockhash: string,
): Uint8Array {
  return assembleMessage({
    account,
    blockhash,
    unitLimit,
    unitPriceMicroLamports: price,
    instructions,
    ...(table === undefined ? {} : { table }),
  })
}

/**
 * Refuses a draft whose dry run fails, or transfers another amount than `bounds` allow. Throws
 * `solana.balance_moved` (transient).
 */
export function simulate(
  draft: Draft,
  bounds: LossBounds,
  wallet: Wallet,
  node: SolanaNode,
): Promise<Refusal | null> {
  const transaction = unsignedTransaction(assemble(draft, wallet, NO_BLOCKHASH))
  return simulateTransaction({ transaction, asset: draft.asset }, bounds, wallet, node)
}

/**
 * The same for a transaction in base64. `isReadOnly`: our account is read-only in it, so no lamport
 * of ours can move, and the node does not show the account.
 */
export async function simulateTransaction(
  {
    transaction,
    asset,
    isReadOnly = false,
  }: { readonly transaction: string; readonly asset: Asset; readonly isReadOnly?: boolean },
  bounds: LossBounds,
  wallet: Wallet,
  node: SolanaNode,
): Promise<Refusal | null> {
  const token = tokenOf(asset)
  const tokenAccount =
    token && deriveTokenAccount(new PublicKey(payeeOf(wallet)), token.mint).toBase58()
  const before = bounds.before ?? (await readBalances(token, wallet, node))
  const watched = [isReadOnly ? null : wallet.account, tokenAccount].filter((one) => one !== null)
  const shown = await simulateOn(node, transaction, watched)
  if ("refused" in shown) return shown
  const after = shown.get(wallet.account)?.lamports ?? before.lamports
  const tokensAfter = tokenAccount === null ? null : (shown.get(tokenAccount) ?? null)
  const lossUnits = before.lamports - after
  const tokenLoss =
    tokenAccount === null
      ? bounds.tokens
      : before.tokens - (decodeTokenAccount(tokensAfter)?.units ?? 0n)
  const isNativeRight =
    lossUnits <= bounds.atMost && (bounds.atLeast === null || lossUnits >= bounds.atLeast)
  if (isNativeRight && tokenLoss === bounds.tokens) return null
  const again = await readBalances(token, wallet, node)
  if (again.lamports !== before.lamports || again.tokens !== before.tokens)
    throw balanceChanged(wallet.account)
  const numbers = { lossUnits, atLeastUnits: `${bounds.atLeast}`, atMostUnits: bounds.atMost }
  const tokens =
    tokenAccount === null ? {} : { tokenLossUnits: tokenLoss, expectedTokenUnits: bounds.tokens }
  const message = "the node's dry run transfers an amount other than the planned one and its fee"
  return refuse("solana.simulation", message, texts({ ...numbers, ...tokens }))
}

/** The later state of the watched accounts by address. */
async function simulateOn(
  node: SolanaNode,
  transaction: string,
  watched: readonly string[],
): Promise<ReadonlyMap<string, Account> | Refusal> {
  const { err, logs, accounts } = await node.simulate(transaction, watched)
  const shown = new Map<string, Account>()
  for (const [at, address] of watched.entries()) {
    const account = accounts?.[at]
    if (account) shown.set(address, account)
  }
  if (err === null && watched.every((address) => shown.has(address))) return shown
  const log = (logs ?? []).slice(-3).join(" | ")
  return refuse("solana.simulation", "the transaction fails in the node's dry run", {
    error: JSON.stringify(err),
    log,
  })
}

type Balances = { readonly lamports: bigint; readonly tokens: bigint }

export async function readBalances(
  token: Token | null,
  wallet: Wallet,
  node: SolanaNode,
): Promise<Balances> {
  const [lamports, account] = await Promise.all([
    node.fetchBalance(wallet.account),
    token === null ? null : fetchTokenAccount(token, payeeOf(wallet), node),
  ])
  return { lamports, tokens: account?.units ?? 0n }
}

/**
 * The two reads are of different slots, so a payment between them would look like a wrong amount.
 */
function balanceChanged(account: string): AppError {
  return new AppError({
    code: "solana.balance_moved",
    disposition: "transient",
    message:
      "the balance changed during the dry run, so the dry run proves nothing; Ballast repeats it",
    details: { account },
  })
}

type PlanParts = Pick<TransactionPlan, "action" | "resources" | "spends" | "maxFeeUnits">

/** Fetches the blockhash last, so that most of its 150 blocks remain. */
export async function finish(
  parts: PlanParts,
  draft: Draft,
  wallet: Wallet,
  node: PlanningNode,
): Promise<TransactionPlan> {
  const { fromHeight, blockhash, lastValidBlockHeight } = await node.fetchLife(parts.action)
  const message = assemble(draft, wallet, blockhash)
  return {
    ...parts,
    chain: wallet.chain,
    account: wallet.account,
    attempt: 0,
    unsigned: Buffer.from(message).toString("base64"),
    digest: digestOf(message),
    fromHeight,
    expiresAtHeight: lastValidBlockHeight,
  }
}

export type Refusal = { readonly refused: readonly Reason[] }

export function refuse(
  code: string,
  message: string,
  numbers: Readonly<Record<string, string>> = {},
): Refusal {
  return { refused: [{ ...numbers, code, message }] }
}

export function texts(numbers: Readonly<Record<string, string | bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]))
}
