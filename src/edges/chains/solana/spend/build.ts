import { AddressLookupTableAccount, PublicKey } from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { riseOffer } from "#domain/urgent-offer.ts"
import { AppError } from "#lib/app-error.ts"
import { ignoreUnhandled } from "#lib/retry.ts"
import { fetchTokenAccount, findTokenFaults, type Token, tokenOf } from "../check-tokens.ts"
import { type ExpectedLookup, solanaExtras } from "../extras.ts"
import { buildInitiate, buildRefund } from "../htlc.ts"
import type { SolanaNode } from "../node.ts"
import type { PlanningNode } from "../nodes/planning-node.ts"
import { programOf } from "../program.ts"
import {
  buildSplInitiate,
  buildSplRefund,
  deriveIdentity,
  deriveVault,
  IDENTITY_BYTES,
} from "../spl-htlc.ts"
import { buildCreateTokenAccount, decodeTokenAccount, TOKEN_ACCOUNT_BYTES } from "../tokens.ts"
import { ownGain, parseAddress, payeeOf, type Wallet } from "../wallet.ts"
import { feeOf, swapAccountResource, unitLimitOf } from "./assemble.ts"
import {
  choosePrice,
  findMissingFunds,
  finish,
  type Refusal,
  readBalances,
  readFunds,
  refuse,
  simulate,
  texts,
  urgentPrice,
} from "./draft.ts"

/**
 * Builds our own transaction from verified fields alone, and simulates it on the node before the
 * signer signs it.
 *
 * `maxFeeUnits` (lamports) of an initiate includes the rent of the swap account: the network holds
 * the rent until the HTLC closes and then returns it. For a token it also includes the rent of a
 * vault that does not exist yet, which stays. `expiresAtHeight` is a *block height*, which is lower
 * than the slot number of `fetchHeight`. Refusals are values with their numbers.
 *
 * Throws `solana.void_unsupported` (refused), because only the expiry of its blockhash excludes a
 * signed Solana transaction. Throws `solana.balance_moved` (transient) and the errors of node
 * reads.
 */
export async function planTransaction(
  request: Exclude<TransactionRequest, { action: "redeem" }>,
  reserved: ReadonlySet<string>,
  wallet: Wallet,
  node: PlanningNode,
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
          "a Solana transaction cannot be voided; wait until its blockhash expires and " +
          "Ballast observes the transaction as excluded",
        details: { digest: request.voids.digest },
      })
  }
}

async function planInitiate(
  deposit: VerifiedDeposit,
  reserved: ReadonlySet<string>,
  wallet: Wallet,
  node: PlanningNode,
): Promise<TransactionPlan | Refusal> {
  const target = resolveTarget(deposit, wallet)
  if ("refused" in target) return target
  const { asset, swapAccount } = target
  const resource = swapAccountResource(swapAccount.toBase58())
  if (reserved.has(resource)) {
    return refuse(
      "claims.taken",
      "another transaction of ours for this swap account is pending; wait for it",
      {
        claim: resource,
      },
    )
  }
  const instructions = [buildDeposit(target, deposit)]
  // All in one request, where the endpoint takes it.
  const [lookups, known, faults, price, rentUnits, funds, before] = await Promise.all([
    resolveLookups(deposit, node),
    node.fetchAccount(swapAccount.toBase58()),
    findTokenRefusal(target, node),
    choosePrice(wallet, node, instructions),
    fetchDepositRent(asset, target.program, node),
    readFunds(wallet, node),
    readBalances(target.token, wallet, node),
  ])
  if (lookups !== null) return lookups
  if (known?.owner === deposit.htlc) {
    return refuse(
      "solana.already_initiated",
      "the swap account already exists; observe the order instead",
      {
        swapAccount: swapAccount.toBase58(),
      },
    )
  }
  if (faults !== null) return faults
  const maxFeeUnits = feeOf(unitLimitOf(asset.token), price) + rentUnits
  const nativeUnits = asset.token === null ? deposit.units : 0n
  const shortage =
    findMissingFunds(nativeUnits, maxFeeUnits, wallet, funds) ??
    findMissingTokens(target, deposit.units, before.tokens)
  if (shortage !== null) return shortage
  const draft = { instructions, price, asset }
  const atMost = nativeUnits + maxFeeUnits
  const bounds = { atLeast: nativeUnits, atMost, tokens: deposit.units, before }
  const failure = await simulate(draft, bounds, wallet, node)
  if (failure !== null) return failure
  const spends = [{ asset: asset.id, units: deposit.units }]
  return finish(
    { action: "initiate", resources: [resource], spends, maxFeeUnits },
    draft,
    wallet,
    node,
  )
}

/**
 * A refund creates our token account again if it was closed after the deposit; its rent does not
 * return.
 */
async function planRefund(
  deposit: VerifiedDeposit,
  wallet: Wallet,
  node: PlanningNode,
): Promise<TransactionPlan | Refusal> {
  const target = resolveTarget(deposit, wallet)
  if ("refused" in target) return target
  const { asset, swapAccount, initiator } = target
  const account = await node.fetchAccount(swapAccount.toBase58())
  if (account?.owner !== deposit.htlc) {
    return refuse(
      "solana.nothing_to_refund",
      "the swap account is not open; observe the order instead",
      {
        swapAccount: swapAccount.toBase58(),
      },
    )
  }
  const record = programOf(asset.token).decodeSwap(account.data)
  const expirySlot = record?.expirySlot ?? null
  const slot = await node.fetchSlot()
  if (expirySlot !== null && slot <= expirySlot) {
    const numbers = { expirySlot: `${expirySlot}`, slot: `${slot}` }
    return refuse(
      "solana.refund_early",
      "a refund is possible only after the expiry slot; wait for it",
      numbers,
    )
  }
  const missing =
    target.token !== null && (await fetchTokenAccount(target.token, `${initiator}`, node)) === null
  // Only its owner signs for the account's rent.
  if (missing && payeeOf(wallet) !== wallet.account)
    return refuse(
      "solana.token_account_missing",
      "the owner of the deposit has no token account to refund to",
      {
        owner: payeeOf(wallet),
      },
    )
  const created =
    missing && target.token !== null ? [buildCreateTokenAccount(initiator, target.token.mint)] : []
  const instructions = [...created, buildRefundOf(target, record?.sponsor)]
  const overdue = expirySlot === null ? 0n : slot - expirySlot
  const price = riseOffer(
    await urgentPrice(wallet, node, instructions),
    wallet.maxPriorityFeeMicroLamports,
    {
      passed: overdue,
      span: REFUND_RISE_SLOTS,
    },
  )
  const rentUnits = missing ? await node.fetchRent(TOKEN_ACCOUNT_BYTES) : 0n
  const maxFeeUnits = feeOf(unitLimitOf(asset.token), price) + rentUnits
  const shortage = findMissingFunds(0n, maxFeeUnits, wallet, await readFunds(wallet, node))
  if (shortage !== null) return shortage
  // A refund increases the balance by the amount and the rent, less the fee.
  const nativeUnits = asset.token === null ? ownGain(wallet, deposit.units) : 0n
  const draft = { instructions, price, asset }
  const bounds = { atLeast: null, atMost: maxFeeUnits - nativeUnits, tokens: -deposit.units }
  const failure = await simulate(draft, bounds, wallet, node)
  if (failure !== null) return failure
  return finish({ action: "refund", resources: [], spends: [], maxFeeUnits }, draft, wallet, node)
}

/**
 * Six lives of a blockhash: a transaction that no block took has expired before the next one is
 * planned.
 */
const REFUND_RISE_SLOTS = 900n

type Target = {
  readonly asset: Asset
  /** `null` for native SOL. */
  readonly token: Token | null
  readonly program: PublicKey
  readonly initiator: PublicKey
  readonly secretHash: Buffer
  readonly swapAccount: PublicKey
}

/**
 * The guard has compared the deposit with the order; this function checks that this wallet can
 * build it.
 */
function resolveTarget(deposit: VerifiedDeposit, wallet: Wallet): Target | Refusal {
  const asset = wallet.assets.find((candidate) => candidate.id === deposit.asset)
  const { spl } = solanaExtras.parse(deposit.extras)
  const isSameMint = asset?.token === (spl?.mint ?? null)
  if (
    asset === undefined ||
    !isSameMint ||
    !asset.htlc.includes(deposit.htlc) ||
    deposit.refundTo !== payeeOf(wallet)
  ) {
    const mint = spl?.mint ?? "none"
    const numbers = {
      asset: `${deposit.asset}`,
      mint,
      htlc: deposit.htlc,
      refundTo: deposit.refundTo,
    }
    return refuse(
      "solana.foreign_deposit",
      "the deposit does not belong to this wallet, a configured program and its token",
      numbers,
    )
  }
  const program = new PublicKey(deposit.htlc)
  const initiator = new PublicKey(deposit.refundTo)
  const secretHash = Buffer.from(deposit.secretHash, "hex")
  const swapAccount = programOf(asset.token).deriveSwapAccount(program, initiator, secretHash)
  return { asset, token: tokenOf(asset), program, initiator, secretHash, swapAccount }
}

function buildDeposit({ token, program, initiator, secretHash }: Target, deposit: VerifiedDeposit) {
  const { spl } = solanaExtras.parse(deposit.extras)
  const hex = spl?.destinationData ?? null
  const terms = {
    units: deposit.units,
    slots: deposit.timelock,
    redeemer: new PublicKey(deposit.redeemer),
    secretHash,
    destinationData: hex === null ? null : Buffer.from(hex, "hex"),
  }
  if (token === null) return buildInitiate(program, initiator, terms)
  return buildSplInitiate(program, { initiator, mint: token.mint }, terms)
}

/** `named`: the account that the record names, which may be the relay of a gasless deposit. */
function buildRefundOf(
  { token, program, initiator, secretHash, swapAccount }: Target,
  named: string | undefined,
) {
  if (token === null) return buildRefund(program, initiator, secretHash)
  const sponsor = parseAddress(named ?? "") ?? initiator
  return buildSplRefund(program, { initiator, mint: token.mint, sponsor }, swapAccount)
}

/**
 * The rent of the accounts that a deposit creates, in lamports: the swap account always; for a
 * token also the vault and the program's identity where they are missing. Only the swap account's
 * rent returns.
 */
export async function fetchDepositRent(
  asset: Asset,
  program: PublicKey,
  node: SolanaNode,
): Promise<bigint> {
  const swapRent = await node.fetchRent(programOf(asset.token).swapAccountBytes)
  const token = tokenOf(asset)
  if (token === null) return swapRent
  const kept = [
    { address: deriveVault(program, token.mint), bytes: TOKEN_ACCOUNT_BYTES },
    { address: deriveIdentity(program), bytes: IDENTITY_BYTES },
  ]
  const rents = kept.map(async ({ address, bytes }) => {
    const account = await node.fetchAccount(address.toBase58())
    return account === null ? node.fetchRent(bytes) : 0n
  })
  return (await Promise.all(rents)).reduce((sum, rent) => sum + rent, swapRent)
}

/** Why tokens cannot move between our token account and the vault now. */
export async function findTokenRefusal(
  { token, initiator, program }: Pick<Target, "token" | "initiator" | "program">,
  node: SolanaNode,
): Promise<Refusal | null> {
  if (token === null) return null
  const vault = deriveVault(program, token.mint).toBase58()
  const vaultRead = ignoreUnhandled(node.fetchAccount(vault))
  const faults = await findTokenFaults(token, initiator.toBase58(), node)
  if (faults.length > 0) return { refused: faults }
  if (decodeTokenAccount(await vaultRead)?.isFrozen !== true) return null
  const message = "the issuer of the token has frozen the HTLC's vault, so nothing can leave it"
  return refuse("solana.vault_frozen", message, { vault })
}

export function findMissingTokens(
  { token, initiator }: Pick<Target, "token" | "initiator">,
  units: bigint,
  haveUnits: bigint,
): Refusal | null {
  if (token === null || haveUnits >= units) return null
  const numbers = {
    asset: token.asset.id,
    account: initiator.toBase58(),
    haveUnits,
    needUnits: units,
  }
  return refuse(
    "funds.insufficient",
    "the token account does not hold the amount; fund it",
    texts(numbers),
  )
}

/**
 * Every account that the service's transaction reads from a lookup table must equal the account
 * that a deposit needs.
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
  return (
    AddressLookupTableAccount.deserialize(account.data).addresses[lookup.index]?.toBase58() ?? null
  )
}

const LOOKUP_TABLE_PROGRAM = "AddressLookupTab1e1111111111111111111111111"
