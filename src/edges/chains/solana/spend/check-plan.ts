import { PublicKey, type TransactionInstruction } from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { buildInitiate, buildRedeem, buildRefund, type InitiateTerms } from "../htlc.ts"
import {
  isComputeBudget,
  type ReadInstruction,
  type ReadTransaction,
  readComputeBudget,
  readTransaction,
} from "../legs/read-transaction.ts"
import { programOf } from "../program.ts"
import { findRouteProblem, type RouteParts } from "../routes/check-route.ts"
import { readRouteCall } from "../routes/route-key.ts"
import {
  buildSplInitiate,
  buildSplRedeem,
  buildSplRefund,
  deriveVault,
  INITIATE_AT,
  MAX_DESTINATION_DATA_BYTES,
  SETTLE_AT,
} from "../spl-htlc.ts"
import { buildCreateTokenAccount, TOKEN_ACCOUNT_PROGRAM } from "../tokens.ts"
import { payeeOf, type Wallet, withUrgentCap } from "../wallet.ts"
import { assembleMessage, digestOf, feeOf, swapAccountResource, unitLimitOf } from "./assemble.ts"

/**
 * The last check before the signature: the message must equal, byte for byte, the one message that
 * its action allows. Returns the message.
 *
 * Pure and independent of the planner: it decodes the bytes, rebuilds the only correct message, and
 * compares the two. Throws `signer.plan_mismatch` (refused).
 */
export function checkPlan(plan: TransactionPlan, wallet: Wallet, worthUnits = 0n): Uint8Array {
  const message = Buffer.from(plan.unsigned, "base64")
  if (plan.chain !== wallet.chain || plan.account !== wallet.account)
    throw mismatch(plan, "it is for another wallet")
  if (digestOf(message) !== plan.digest)
    throw mismatch(plan, "its digest does not match its message")
  const transaction = readTransaction.fromMessage(message)
  const parts =
    transaction?.instructions.filter((instruction) => !isComputeBudget(instruction)) ?? []
  // Only a refund of a token may have a second instruction, which the comparison of the bytes below
  // checks.
  const creates =
    parts.length === 2 && parts[0]?.program.address === TOKEN_ACCOUNT_PROGRAM.toBase58()
  const [call] = creates ? parts.slice(1) : parts
  if (transaction === null || call === undefined || parts.length > (creates ? 2 : 1)) {
    throw mismatch(plan, "it does not hold exactly one HTLC instruction")
  }

  const { price, feeUnits } = readFee(plan, transaction)
  const blockhash = transaction.message.recentBlockhash
  if (feeUnits > plan.maxFeeUnits || !isPriceAllowed(plan, wallet, price, feeUnits <= worthUnits))
    throw mismatch(plan, "its fee is above the allowed fee")
  if (plan.action === "openTokenAccount")
    return checkTokenAccount(plan, { message, call, price, blockhash }, wallet)
  if (isOfRoute(plan, wallet, { transaction, call, price })) return message
  const asset = findAsset(plan, call, wallet)
  const expected = assembleMessage({
    account: wallet.account,
    blockhash,
    unitLimit: unitLimitOf(asset.token),
    unitPriceMicroLamports: price,
    instructions: rebuild(plan, call, asset, { wallet, creates }),
  })
  if (!message.equals(expected))
    throw mismatch(plan, "its bytes differ from the transaction that its action allows")
  return message
}

function readFee(plan: TransactionPlan, { instructions }: ReadTransaction) {
  const { unitLimit, unitPriceMicroLamports: price } = readComputeBudget(instructions)
  if (unitLimit === null || price === null) throw mismatch(plan, "it sets no compute budget")
  return { price, feeUnits: feeOf(unitLimit, price) }
}

/** `false`: the program is none of a route kind. Throws `signer.plan_mismatch` (refused). */
function isOfRoute(plan: TransactionPlan, { routes }: Wallet, parts: RouteParts): boolean {
  const route = readRouteCall(routes, plan, parts.call)
  if (route === null) return false
  const problem = "problem" in route ? route.problem : findRouteProblem(plan, route, parts)
  if (problem !== null) throw mismatch(plan, problem)
  return true
}

export type SafePlan = TransactionPlan & {
  readonly action: "refund" | "redeem"
  readonly isWithinCaps: boolean
}

/**
 * The plan behind a signed message if the signer would sign exactly this one: a refund, or a
 * redemption at any price up to the whole payout. Each pays only us. Else `null`. Hostile bytes
 * give `null` too.
 */
export function readSafePlan(message: Uint8Array, wallet: Wallet): SafePlan | null {
  const unsigned = Buffer.from(message).toString("base64")
  const { chain, account } = wallet
  const parts = {
    chain,
    account,
    attempt: 0,
    unsigned,
    digest: digestOf(message),
    resources: [],
    spends: [],
  }
  for (const action of ["refund", "redeem"] as const) {
    const plan = {
      ...parts,
      action,
      maxFeeUnits: MOST_LAMPORTS,
      fromHeight: 0n,
      expiresAtHeight: null,
    }
    if (passes(plan, wallet, MOST_LAMPORTS))
      return { ...plan, isWithinCaps: passes(plan, wallet, 0n) }
  }
  return null
}

/** More than there are. */
const MOST_LAMPORTS = 2n ** 64n

function passes(plan: TransactionPlan, wallet: Wallet, worthUnits: bigint): boolean {
  try {
    checkPlan(plan, wallet, worthUnits)
    return true
  } catch {
    // The library throws for accounts that are missing or in a lookup table.
    return false
  }
}

/** A redemption may be urgent, or cost up to the worth of its payout. */
function isPriceAllowed(
  { action }: TransactionPlan,
  wallet: Wallet,
  price: bigint,
  isWithinWorth: boolean,
): boolean {
  if (action !== "redeem") return price <= wallet.maxPriorityFeeMicroLamports
  return isWithinWorth || price <= withUrgentCap(wallet).maxPriorityFeeMicroLamports
}

/**
 * The mint that the instruction names must be a configured token; the one correct message for it
 * follows from that.
 */
function checkTokenAccount(
  plan: TransactionPlan,
  {
    message,
    call,
    price,
    blockhash,
  }: { message: Uint8Array; call: ReadInstruction; price: bigint; blockhash: string },
  wallet: Wallet,
): Uint8Array {
  const mint = call.accounts[CREATE_MINT_AT]?.address
  const asset = wallet.assets.find(({ token }) => token !== null && token === mint)
  if (asset === undefined)
    throw mismatch(plan, "it opens a token account of a mint that is not configured")
  if (plan.spends.length > 0)
    throw mismatch(plan, "a token account costs fee and rent only, but it spends units")
  const { account } = wallet
  const instructions = [buildCreateTokenAccount(new PublicKey(account), new PublicKey(mint ?? ""))]
  const unitLimit = unitLimitOf(asset.token)
  const expected = assembleMessage({
    account,
    blockhash,
    unitLimit,
    unitPriceMicroLamports: price,
    instructions,
  })
  if (Buffer.from(message).equals(expected)) return message
  throw mismatch(plan, "its bytes differ from the transaction that its action allows")
}

/**
 * The place of the mint among the accounts of `CreateIdempotent` (Associated Token Account
 * program).
 */
const CREATE_MINT_AT = 3

/**
 * A deposit names its mint; a refund or redemption of a token is found by the vault of each token,
 * because it pays from that.
 */
export function findAsset(
  plan: Pick<TransactionPlan, "chain" | "action" | "digest">,
  call: ReadInstruction,
  wallet: Wallet,
): Asset {
  const program = call.program.address ?? ""
  const candidates = wallet.assets.filter(({ htlc }) => htlc.includes(program))
  const asset = candidates.find(({ token }) => token === null || isOfToken(call, program, token))
  if (asset !== undefined) return asset
  throw mismatch(plan, "it calls a program that is not a configured HTLC of this asset")
}

function isOfToken(call: ReadInstruction, program: string, token: string): boolean {
  const mint = new PublicKey(token)
  const isDeposit = call.accounts.length > INITIATE_AT.sponsor
  if (isDeposit) return call.accounts[INITIATE_AT.mint]?.address === token
  return (
    call.accounts[SETTLE_AT.vault]?.address === deriveVault(new PublicKey(program), mint).toBase58()
  )
}

function rebuild(
  plan: TransactionPlan,
  call: ReadInstruction,
  asset: Asset,
  { wallet, creates }: { wallet: Wallet; creates: boolean },
): TransactionInstruction[] {
  const decoded = programOf(asset.token).decodeCall(call.data)
  if (plan.action === "initiate" && decoded?.kind === "initiate" && !creates) {
    return [rebuildInitiate(plan, call, asset, decoded.terms, wallet)]
  }
  if (plan.action === "refund" && decoded?.kind === "refund")
    return rebuildRefund(call, asset, { wallet, creates })
  if (plan.action === "redeem" && decoded?.kind === "redeem")
    return [
      rebuildRedeem(plan, call, asset, { secret: Buffer.from(decoded.secret, "hex"), wallet }),
    ]
  throw mismatch(
    plan,
    `it calls ${decoded?.kind ?? "an unknown instruction"}, but its action is ${plan.action}`,
  )
}

function rebuildInitiate(
  plan: TransactionPlan,
  call: ReadInstruction,
  asset: Asset,
  terms: InitiateTerms,
  wallet: Wallet,
): TransactionInstruction {
  const [spend, ...more] = plan.spends
  if (spend?.asset !== asset.id || spend.units !== terms.units || more.length > 0) {
    throw mismatch(plan, "it transfers a different amount than planned")
  }
  if ((terms.destinationData?.length ?? 0) > MAX_DESTINATION_DATA_BYTES) {
    throw mismatch(plan, "its data for the destination chain is too long")
  }
  const program = new PublicKey(call.program.address ?? "")
  const initiator = new PublicKey(wallet.account)
  const swapAccount = programOf(asset.token).deriveSwapAccount(program, initiator, terms.secretHash)
  if (!plan.resources.includes(swapAccountResource(swapAccount.toBase58()))) {
    throw mismatch(plan, "it deposits into a different swap account than the reserved one")
  }
  if (asset.token === null) return buildInitiate(program, initiator, terms)
  return buildSplInitiate(program, { initiator, mint: new PublicKey(asset.token) }, terms)
}

/**
 * The data names no secret hash to derive the swap account from. We copy it, and the sponsor of a
 * token's deposit, which gets the rent; the program checks that both are those of our deposit.
 */
function rebuildRefund(
  call: ReadInstruction,
  asset: Asset,
  { wallet, creates }: { wallet: Wallet; creates: boolean },
): TransactionInstruction[] {
  const program = new PublicKey(call.program.address ?? "")
  const initiator = new PublicKey(payeeOf(wallet))
  const swapAccount = new PublicKey(
    call.accounts[programOf(asset.token).swapAccountAt]?.address ?? "",
  )
  if (asset.token !== null) {
    const mint = new PublicKey(asset.token)
    const sponsor = new PublicKey(call.accounts[SETTLE_AT.sponsor]?.address ?? "")
    const refund = buildSplRefund(program, { initiator, mint, sponsor }, swapAccount)
    return creates ? [buildCreateTokenAccount(initiator, mint), refund] : [refund]
  }
  const instruction = buildRefund(program, initiator, Buffer.alloc(32))
  instruction.keys = instruction.keys.map((key, index) =>
    index === 0 ? { ...key, pubkey: swapAccount } : key,
  )
  return [instruction]
}

/**
 * The payout must go to our payee. The data of a token's call names no initiator, so swap data and
 * sponsor are copied; the program checks both, and neither can take anything from us.
 */
function rebuildRedeem(
  plan: TransactionPlan,
  call: ReadInstruction,
  asset: Asset,
  { secret, wallet }: { readonly secret: Buffer; readonly wallet: Wallet },
): TransactionInstruction {
  if (plan.spends.length > 0)
    throw mismatch(plan, "a redemption costs its fee only, but it spends units")
  const program = new PublicKey(call.program.address ?? "")
  const redeemer = new PublicKey(payeeOf(wallet))
  const keyAt = (at: number): PublicKey => new PublicKey(call.accounts[at]?.address ?? "")
  if (asset.token === null)
    return buildRedeem(program, { initiator: keyAt(INITIATOR_AT), redeemer }, secret)
  const settled = { swapData: keyAt(SETTLE_AT.swapData), sponsor: keyAt(SETTLE_AT.sponsor) }
  return buildSplRedeem(program, { redeemer, mint: new PublicKey(asset.token) }, settled, secret)
}

/** The place of the initiator among the accounts of a native redemption. */
const INITIATOR_AT = 1

function mismatch(
  plan: Pick<TransactionPlan, "chain" | "action" | "digest">,
  problem: string,
): AppError {
  return new AppError({
    code: "signer.plan_mismatch",
    disposition: "refused",
    message: `the plan is not signed: ${problem}; plan a new transaction`,
    details: { chain: plan.chain, purpose: plan.action, digest: plan.digest, problem },
  })
}
