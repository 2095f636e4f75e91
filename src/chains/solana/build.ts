import { AddressLookupTableAccount, PublicKey, type TransactionInstruction } from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { Reason } from "#domain/reason.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import {
  assembleMessage,
  digestOf,
  feeOf,
  NO_BLOCKHASH,
  swapAccountResource,
  UNIT_LIMIT,
  unsignedTransaction,
} from "./assemble.ts"
import { type ExpectedLookup, solanaExtras } from "./extras.ts"
import { buildInitiate, buildRefund, decodeExpirySlot, deriveSwapAccount, SWAP_ACCOUNT_BYTES } from "./htlc.ts"
import type { SolanaNode } from "./node.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Builds our own transaction from verified fields alone, and simulates it on the node before the signer signs it.
 *
 * `maxFeeUnits` (lamports) of an initiate includes the rent of the swap account: the network holds the rent until the
 * HTLC closes and then returns it. `expiresAtHeight` is a *block height*, which is lower than the slot number of
 * `fetchHeight`. Refusals are values with their numbers.
 *
 * Throws `solana.void_unsupported` (refused), because only the expiry of its blockhash excludes a signed Solana
 * transaction. Throws `solana.balance_moved` (transient) and the errors of node reads.
 */
export async function planTransaction(
  request: TransactionRequest,
  reserved: ReadonlySet<string>,
  wallet: Wallet,
  node: SolanaNode,
): Promise<TransactionPlan | Refusal> {
  switch (request.action) {
    case "initiate":
      return planInitiate(request.deposit, reserved, wallet, node)
    case "refund":
      return planRefund(request.deposit, wallet, node)
    case "approve":
      return refuse("solana.no_approvals", "Solana HTLCs take no approvals; deposit without one")
    case "void":
      throw new AppError({
        code: "solana.void_unsupported",
        disposition: "refused",
        message:
          "a Solana transaction cannot be voided; wait until its blockhash expires and Ballast observes the transaction as excluded",
        details: { digest: request.voids.digest },
      })
  }
}

export type Refusal = { readonly refused: readonly Reason[] }

/** 75 of 100 recent blocks accepted this price or less. */
const PRICE_PERCENTILE = 0.75

async function planInitiate(
  deposit: VerifiedDeposit,
  reserved: ReadonlySet<string>,
  wallet: Wallet,
  node: SolanaNode,
): Promise<TransactionPlan | Refusal> {
  const target = resolveTarget(deposit, wallet)
  if ("refused" in target) return target
  const { asset, program, initiator, secretHash } = target
  const swapAccount = deriveSwapAccount(program, initiator, secretHash).toBase58()
  const resource = swapAccountResource(swapAccount)
  if (reserved.has(resource)) {
    return refuse("claims.taken", "another transaction of ours for this swap account is pending; wait for it", {
      claim: resource,
    })
  }
  const lookups = await resolveLookups(deposit, node)
  if (lookups !== null) return lookups
  if ((await node.fetchAccount(swapAccount))?.owner === deposit.htlc) {
    return refuse("solana.already_initiated", "the swap account already exists; observe the order instead", {
      swapAccount,
    })
  }

  const redeemer = new PublicKey(deposit.redeemer)
  const instruction = buildInitiate(program, initiator, {
    units: deposit.units,
    slots: deposit.timelock,
    redeemer,
    secretHash,
  })
  const price = await choosePrice(wallet, node)
  const rentUnits = await node.fetchRent(SWAP_ACCOUNT_BYTES)
  const maxFeeUnits = feeOf(UNIT_LIMIT, price) + rentUnits
  const shortage = await findMissingFunds(deposit.units, maxFeeUnits, wallet, node)
  if (shortage !== null) return shortage
  const faults = await simulate(
    instruction,
    price,
    { atLeast: deposit.units, atMost: deposit.units + maxFeeUnits },
    wallet,
    node,
  )
  if (faults !== null) return faults
  const spends = [{ asset: asset.id, units: deposit.units }]
  return finish({ action: "initiate", resources: [resource], spends, maxFeeUnits }, instruction, price, wallet, node)
}

async function planRefund(
  deposit: VerifiedDeposit,
  wallet: Wallet,
  node: SolanaNode,
): Promise<TransactionPlan | Refusal> {
  const target = resolveTarget(deposit, wallet)
  if ("refused" in target) return target
  const { program, initiator, secretHash } = target
  const swapAccount = deriveSwapAccount(program, initiator, secretHash).toBase58()
  const account = await node.fetchAccount(swapAccount)
  if (account?.owner !== deposit.htlc) {
    return refuse("solana.nothing_to_refund", "the swap account is not open; observe the order instead", {
      swapAccount,
    })
  }
  const expirySlot = decodeExpirySlot(account.data)
  const slot = await node.fetchSlot()
  if (expirySlot !== null && slot <= expirySlot) {
    const numbers = { expirySlot: `${expirySlot}`, slot: `${slot}` }
    return refuse("solana.refund_early", "a refund is possible only after the expiry slot; wait for it", numbers)
  }
  const instruction = buildRefund(program, initiator, secretHash)
  const price = await choosePrice(wallet, node)
  const maxFeeUnits = feeOf(UNIT_LIMIT, price)
  const shortage = await findMissingFunds(0n, maxFeeUnits, wallet, node)
  if (shortage !== null) return shortage
  // A refund increases the balance by the amount and the rent, less the fee.
  const faults = await simulate(
    instruction,
    price,
    { atLeast: null, atMost: maxFeeUnits - deposit.units },
    wallet,
    node,
  )
  if (faults !== null) return faults
  return finish({ action: "refund", resources: [], spends: [], maxFeeUnits }, instruction, price, wallet, node)
}

type Target = { asset: Asset; program: PublicKey; initiator: PublicKey; secretHash: Buffer }

/** The guard has compared the deposit with the order; this function checks that this wallet can build it. */
function resolveTarget(deposit: VerifiedDeposit, wallet: Wallet): Target | Refusal {
  const asset = wallet.assets.find((candidate) => candidate.id === deposit.asset)
  if (asset === undefined || !asset.htlc.includes(deposit.htlc) || deposit.refundTo !== wallet.account) {
    const numbers = { asset: `${deposit.asset}`, htlc: deposit.htlc, refundTo: deposit.refundTo }
    return refuse(
      "solana.foreign_deposit",
      "the deposit does not belong to this wallet and a configured program",
      numbers,
    )
  }
  if (asset.token !== null) {
    return refuse("solana.spl_deposit_unsupported", "deposits of SPL tokens are not supported; use the native asset", {
      asset: asset.id,
    })
  }
  return {
    asset,
    program: new PublicKey(deposit.htlc),
    initiator: new PublicKey(deposit.refundTo),
    secretHash: Buffer.from(deposit.secretHash, "hex"),
  }
}

/**
 * Every account that the service's transaction reads from a lookup table must equal the account that a deposit needs.
 */
async function resolveLookups(deposit: VerifiedDeposit, node: SolanaNode): Promise<Refusal | null> {
  for (const lookup of solanaExtras.parse(deposit.extras).lookups) {
    const found = await readLookup(lookup, node)
    if (found === lookup.expected) continue
    return refuse(
      "solana.lookup_table",
      "a lookup table holds a different account than the deposit needs; do not fund this order",
      {
        table: lookup.table,
        index: `${lookup.index}`,
        expected: lookup.expected,
        found: found ?? "nothing",
      },
    )
  }
  return null
}

async function readLookup(lookup: ExpectedLookup, node: SolanaNode): Promise<string | null> {
  const account = await node.fetchAccount(lookup.table)
  if (account?.owner !== LOOKUP_TABLE_PROGRAM) return null
  return AddressLookupTableAccount.deserialize(account.data).addresses[lookup.index]?.toBase58() ?? null
}

const LOOKUP_TABLE_PROGRAM = "AddressLookupTab1e1111111111111111111111111"

/**
 * No other transaction competes for our accounts, so the price only has to beat the general minimum of the blocks. The
 * operator sets the cap.
 */
async function choosePrice(wallet: Wallet, node: SolanaNode): Promise<bigint> {
  const recent = (await node.fetchRecentFees([wallet.account])).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const price = recent[Math.floor(recent.length * PRICE_PERCENTILE)] ?? 0n
  return price > wallet.maxPriorityFeeMicroLamports ? wallet.maxPriorityFeeMicroLamports : price
}

/** A fee payer must keep the rent minimum of an account without data, or the runtime rejects the transaction. */
async function findMissingFunds(
  units: bigint,
  maxFeeUnits: bigint,
  wallet: Wallet,
  node: SolanaNode,
): Promise<Refusal | null> {
  const keepUnits = await node.fetchRent(0)
  const haveUnits = await node.fetchBalance(wallet.account)
  const needUnits = units + maxFeeUnits + keepUnits
  if (haveUnits >= needUnits) return null
  const numbers = { account: wallet.account, haveUnits, needUnits, units, maxFeeUnits, keepUnits }
  return refuse(
    "funds.insufficient",
    "the account does not hold the amount, the fee and its rent minimum; fund it",
    texts(numbers),
  )
}

/** The allowed loss of the account, in lamports; a negative loss is a gain. `atLeast: null` sets no lower bound. */
type LossBounds = { readonly atLeast: bigint | null; readonly atMost: bigint }

async function simulate(
  instruction: TransactionInstruction,
  price: bigint,
  bounds: LossBounds,
  wallet: Wallet,
  node: SolanaNode,
): Promise<Refusal | null> {
  const parts = { account: wallet.account, blockhash: NO_BLOCKHASH, unitPriceMicroLamports: price, instruction }
  const transaction = unsignedTransaction(assembleMessage(parts))
  const before = await node.fetchBalance(wallet.account)
  const { err, logs, accounts } = await node.simulate(transaction, wallet.account)
  const after = accounts?.[0]?.lamports
  if (err !== null || after === undefined) {
    const log = (logs ?? []).slice(-3).join(" | ")
    return refuse("solana.simulation", "the transaction fails in the node's dry run", {
      error: JSON.stringify(err),
      log,
    })
  }
  const lossUnits = before - after
  if (lossUnits <= bounds.atMost && (bounds.atLeast === null || lossUnits >= bounds.atLeast)) return null
  if ((await node.fetchBalance(wallet.account)) !== before) throw balanceChanged(wallet.account)
  const numbers = { lossUnits: `${lossUnits}`, atLeastUnits: `${bounds.atLeast}`, atMostUnits: `${bounds.atMost}` }
  return refuse(
    "solana.simulation",
    "the node's dry run transfers an amount other than the deposit and its fee",
    numbers,
  )
}

/** The two reads are of different slots, so a payment between them would look like a wrong amount. */
function balanceChanged(account: string): AppError {
  return new AppError({
    code: "solana.balance_moved",
    disposition: "transient",
    message: "the balance changed during the dry run, so the dry run proves nothing; Ballast repeats it",
    details: { account },
  })
}

type PlanParts = Pick<TransactionPlan, "action" | "resources" | "spends" | "maxFeeUnits">

/** Fetches the blockhash last, so that most of its 150 blocks remain. */
async function finish(
  parts: PlanParts,
  instruction: TransactionInstruction,
  unitPriceMicroLamports: bigint,
  wallet: Wallet,
  node: SolanaNode,
): Promise<TransactionPlan> {
  const fromHeight = await node.fetchSlot()
  const { blockhash, lastValidBlockHeight } = await node.fetchBlockhash()
  const message = assembleMessage({ account: wallet.account, blockhash, unitPriceMicroLamports, instruction })
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

function refuse(code: string, message: string, numbers: Readonly<Record<string, string>> = {}): Refusal {
  return { refused: [{ ...numbers, code, message }] }
}

function texts(numbers: Readonly<Record<string, string | bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]))
}
