import { createHash } from "node:crypto"
import { PublicKey, type TransactionInstruction } from "@solana/web3.js"
import type { Asset } from "#domain/asset.ts"
import type { Payout } from "#domain/payout.ts"
import { type RedeemStake, redeemFeeCap } from "#domain/redeem-fee-cap.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { redeemOffer } from "#domain/urgent-offer.ts"
import { tokenOf } from "../check-tokens.ts"
import { buildRedeem, type SwapRecord } from "../htlc.ts"
import type { Account } from "../node.ts"
import type { PlanningNode } from "../nodes/planning-node.ts"
import { programOf } from "../program.ts"
import { buildSplRedeem } from "../spl-htlc.ts"
import { ownGain, parseAddress, payeeOf, type Wallet } from "../wallet.ts"
import { feeOf, priceWithin, unitLimitOf } from "./assemble.ts"
import { findTokenRefusal } from "./build.ts"
import {
  findMissingFunds,
  finish,
  type Refusal,
  readFunds,
  refuse,
  simulate,
  urgentPrice,
  usualPrice,
} from "./draft.ts"

/** An open payout of ours, and the one call that redeems it. */
type OpenPayout = {
  readonly asset: Asset
  readonly program: PublicKey
  readonly units: bigint
  readonly call: TransactionInstruction
}

/**
 * Finds the payout's swap account by initiator and secret hash, in the configured programs alone.
 * Its record must show exactly our terms, and names the sponsor. `fetchAccount` is agreed: one
 * false sponsor would make every redemption fail.
 */
export async function findOpenPayout(
  { payout, secret }: Extract<TransactionRequest, { action: "redeem" }>,
  wallet: Wallet,
  fetchAccount: (address: string) => Promise<Account | null>,
): Promise<OpenPayout | Refusal> {
  const asset = wallet.assets.find(({ id }) => id === payout.asset)
  const initiator = parseAddress(payout.initiator)
  const isOurs = payout.redeemer === payeeOf(wallet) && payout.owner === payeeOf(wallet)
  if (asset === undefined || initiator === null || !isOurs)
    return refuse(
      "solana.redeem_not_ours",
      "the payout does not go to this wallet, or names no initiator",
    )
  const preimage = Buffer.from(secret, "hex")
  const secretHash = createHash("sha256").update(preimage).digest()
  if (secretHash.toString("hex") !== payout.secretHash)
    return refuse("solana.redeem_secret", "the secret does not open the payout")
  const kind = programOf(asset.token)
  for (const name of asset.htlc.filter((htlc) => payout.htlc === null || payout.htlc === htlc)) {
    const program = new PublicKey(name)
    const swapAccount = kind.deriveSwapAccount(program, initiator, secretHash)
    const account = await fetchAccount(swapAccount.toBase58())
    const record = account?.owner === name ? kind.decodeSwap(account.data) : null
    if (record === null || !hasTerms(record, payout)) continue
    const redeemer = new PublicKey(payeeOf(wallet))
    const token = tokenOf(asset)
    const settled = { swapData: swapAccount, sponsor: new PublicKey(record.sponsor) }
    const call =
      token === null
        ? buildRedeem(program, { initiator, redeemer }, preimage)
        : buildSplRedeem(program, { redeemer, mint: token.mint }, settled, preimage)
    return { asset, program, units: payout.units, call }
  }
  const message =
    "no open swap account has the terms of the payout; it was redeemed, refunded or never funded"
  return refuse("solana.redeem_nothing", message, {
    initiator: payout.initiator,
    secretHash: payout.secretHash,
  })
}

function hasTerms({ initiator, redeemer, secretHash, units }: SwapRecord, payout: Payout): boolean {
  const isSameHash = secretHash.toString("hex") === payout.secretHash
  return (
    initiator === payout.initiator &&
    redeemer === payout.redeemer &&
    units === payout.units &&
    isSameHash
  )
}

/**
 * The payee's token account must exist: a redemption never opens one. Throws `solana.balance_moved`
 * (transient) and the errors of node reads.
 */
export async function planRedeem(
  { asset, program, units, call }: OpenPayout,
  stake: RedeemStake | null,
  wallet: Wallet,
  node: PlanningNode,
): Promise<TransactionPlan | Refusal> {
  const token = tokenOf(asset)
  const faults = await findTokenRefusal(
    { token, initiator: new PublicKey(payeeOf(wallet)), program },
    node,
  )
  if (faults !== null) return faults
  const unitLimit = unitLimitOf(asset.token)
  const price = await offerPrice(wallet, node, { call, unitLimit, stake })
  const maxFeeUnits = feeOf(unitLimit, price)
  const shortage = findMissingFunds(0n, maxFeeUnits, wallet, await readFunds(wallet, node))
  if (shortage !== null) return shortage
  const draft = { instructions: [call], price, asset }
  const nativeUnits = token === null ? ownGain(wallet, units) : 0n
  const bounds = { atLeast: null, atMost: maxFeeUnits - nativeUnits, tokens: -units }
  const failure = await simulate(draft, bounds, wallet, node)
  if (failure !== null) return failure
  return finish({ action: "redeem", resources: [], spends: [], maxFeeUnits }, draft, wallet, node)
}

type Offer = {
  readonly call: TransactionInstruction
  readonly unitLimit: bigint
  readonly stake: RedeemStake | null
}

/**
 * It rises as the lock ends, within the account's own lamports. Idle blocks take a price of 0,
 * which gives no place in a full one.
 */
async function offerPrice(
  wallet: Wallet,
  node: PlanningNode,
  { call, unitLimit, stake }: Offer,
): Promise<bigint> {
  const usualUnits = wallet.maxPriorityFeeMicroLamports
  const capUnits = redeemPriceCap(wallet, unitLimit, stake)
  const estimate = await urgentPrice(wallet, node, [call])
  const usual = usualPrice(wallet)
  const wanted = estimate > usual ? estimate : usual
  const startUnits = wanted < capUnits ? wanted : capUnits
  const offered = redeemOffer(startUnits, { usualUnits, capUnits }, stake) ?? startUnits
  if (offered === startUnits) return offered
  const spareUnits = (await node.fetchBalance(wallet.account)) - (await node.fetchRent(0))
  const payable = priceWithin(spareUnits, unitLimit)
  return offered < payable ? offered : payable > startUnits ? payable : startUnits
}

/** The highest price per compute unit with which the redemption stays within its fee cap. */
function redeemPriceCap(wallet: Wallet, unitLimit: bigint, stake: RedeemStake | null): bigint {
  const usual = wallet.maxPriorityFeeMicroLamports
  if (stake === null) return usual
  const raised = priceWithin(redeemFeeCap(feeOf(unitLimit, usual), stake), unitLimit)
  return raised > usual ? raised : usual
}
