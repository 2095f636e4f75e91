import { createHash } from "node:crypto"
import { max, min } from "#domain/amount.ts"
import type { Payout } from "#domain/payout.ts"
import type { Reason } from "#domain/reason.ts"
import { mayAwaitEstimate, type RedeemStake } from "#domain/redeem-fee-cap.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { redeemOffer, rescueOffer } from "#domain/urgent-offer.ts"
import { AppError } from "#lib/app-error.ts"
import { assert } from "#lib/assert.ts"
import { scriptOf } from "../address.ts"
import type { Esplora } from "../esplora.ts"
import { bitcoinExtras } from "../extras.ts"
import {
  type DepositRates,
  DUST_UNITS,
  depositVsize,
  type FeeNeed,
  feeLimitUnits,
  findFeeNeed,
  findUrgentNeed,
  INCREMENTAL_RATE,
  offerAfterLock,
  readFeeNeed,
  readUrgentNeed,
} from "../fees.ts"
import { deriveHtlc, type HtlcTerms, htlcTerms, parseXOnlyKey } from "../htlc.ts"
import { readAgreedCoins } from "../keys/read-coins.ts"
import type { RecentCoins } from "../keys/recent-coins.ts"
import { sortDeposits, sortOutputs } from "../legs/choose-output.ts"
import { findLocked } from "../legs/find-locked.ts"
import type { Outpoints } from "../legs/outpoints.ts"
import { proveCoins } from "../legs/prove-coins.ts"
import { fetchAgreedHeight, readReference } from "../nodes/reference.ts"
import { type Coin, outpointOf, type Wallet } from "../wallet.ts"
import { buildPlan, changeOf, type Draft, draftOf, priceDraft, sumUnits, vsizeOf } from "./build.ts"
import { selectCoins } from "./select-coins.ts"

export type Planning = {
  readonly wallet: Wallet
  readonly esplora: Esplora
  readonly maxFeeRate: number
  /**
   * Of a redemption. `maxFeeRate` then follows from the rest of the lock, and `usualRate` is the
   * configured cap.
   */
  readonly stake?: RedeemStake
  readonly usualRate?: number
  /** Absent: only the lists of an address name its outputs. */
  readonly outpoints?: Outpoints
  /** Absent: a plan asks for the coins of the wallet, and for the rates. */
  readonly coins?: RecentCoins
  readonly deposits?: DepositRates
}

type Refused = { readonly refused: readonly Reason[] }

/**
 * Plans a transaction from the node's current state. `reserved` lists outpoints (`txid:vout`) that
 * other transactions hold.
 *
 * A refusal (`funds.insufficient`, `fees.above_cap`, `bitcoin.refund_*`, `bitcoin.redeem_*`) is a
 * value with its numbers; only node reads throw.
 */
export async function planTransaction(
  planning: Planning,
  request: TransactionRequest,
  reserved: ReadonlySet<string>,
): Promise<TransactionPlan | Refused> {
  switch (request.action) {
    case "initiate":
      return planInitiate(planning, request, reserved)
    case "refund":
      return planRefund(planning, request)
    case "void":
      return planVoid(planning, request.voids)
    case "redeem":
      return planRedeem(planning, request)
    case "approve":
      throw new AppError({
        code: "bitcoin.no_approvals",
        disposition: "bug",
        message: "Bitcoin has no approvals; the engine must not plan one",
      })
  }
}

/**
 * Plans the same transaction with a higher fee: the same inputs, less change. `null` if the cap or
 * the change cannot cover it. A redemption follows its lock, a refund and a void rise to the cap
 * within six higher fees, and a deposit follows the estimates; without one a deposit pays twice the
 * old fee.
 *
 * BIP 125 rules 3 and 4: a replacement pays at least the old fee and the incremental rate for each
 * of its own bytes.
 */
export async function planBump(
  planning: Planning,
  plan: TransactionPlan,
): Promise<TransactionPlan | null> {
  const { wallet, maxFeeRate } = planning
  const draft = draftOf(plan, wallet)
  const vsize = vsizeOf({ ...draft, feeUnits: 0n }, wallet)
  const leastUnits = draft.feeUnits + vsize * INCREMENTAL_RATE
  const mostUnits = feeLimitUnits({ action: plan.action, vsize, hasChange: true }, maxFeeRate)
  if (leastUnits > mostUnits) return null
  const wantUnits = await chooseBump(planning, {
    draft,
    vsize,
    mostUnits,
    attempt: plan.attempt + 1,
  })
  const bumped = { ...draft, feeUnits: max(leastUnits, min(wantUnits, mostUnits)) }
  if (changeOf(bumped) <= DUST_UNITS) return null
  return buildPlan(bumped, wallet, { ...plan, attempt: plan.attempt + 1 })
}

type Bump = {
  readonly draft: Draft
  readonly vsize: bigint
  readonly mostUnits: bigint
  readonly attempt: number
}

/**
 * The wanted fee, before the bounds of BIP 125. An offer by time leaves more than dust of the
 * coins.
 */
async function chooseBump(
  planning: Planning,
  { draft, vsize, mostUnits, attempt }: Bump,
): Promise<bigint> {
  const { esplora, maxFeeRate, usualRate = maxFeeRate, stake = null } = planning
  const need =
    draft.action === "initiate"
      ? await findFeeNeed(esplora, maxFeeRate)
      : await findUrgentNeed(esplora, { maxFeeRate, usualRate })
  const needUnits = need === null ? null : need.rate * vsize
  if (draft.action === "initiate") return needUnits ?? draft.feeUnits * 2n
  const spareUnits = sumUnits(draft.coins) - DUST_UNITS - 1n
  if (draft.action !== "redeem")
    return min(rescueOffer(needUnits ?? draft.feeUnits, mostUnits, attempt), spareUnits)
  if (stake === null) return needUnits ?? draft.feeUnits * 2n
  const caps = { usualUnits: BigInt(Math.floor(usualRate)) * vsize, capUnits: mostUnits }
  return min(redeemOffer(needUnits ?? draft.feeUnits, caps, stake) ?? 0n, spareUnits)
}

/**
 * Spends only confirmed, unreserved coins: replacing an unconfirmed parent would invalidate the
 * signed bytes in the journal.
 */
async function planInitiate(
  { wallet, esplora, maxFeeRate, coins: recent, deposits }: Planning,
  { asset, deposit: verified }: Extract<TransactionRequest, { action: "initiate" }>,
  reserved: ReadonlySet<string>,
): Promise<TransactionPlan | Refused> {
  const script = scriptOf(verified.htlc, wallet.network)
  assert(
    script !== null && verified.asset === wallet.asset,
    "a verified deposit pays an address in the chain's own coin",
  )
  const need = await (deposits?.() ?? readFeeNeed(esplora, maxFeeRate))
  if (need.aboveCap) return refuseAboveCap(need, maxFeeRate)

  const fromHeight = await fetchAgreedHeight(esplora)
  const utxos = await (recent?.readForPlan() ?? readAgreedCoins(esplora, wallet.address))
  const listed = utxos.filter((utxo) => utxo.height !== null && !reserved.has(outpointOf(utxo)))
  const deposit = { address: verified.htlc, units: verified.units }
  const draft = { action: "initiate", deposit, htlc: null } as const
  const { coins, chosen } = await chooseCoins(
    { wallet, esplora },
    listed,
    { script, units: deposit.units },
    need.rate,
  )
  const feeUnits =
    chosen === null ? null : priceDraft({ ...draft, coins: chosen }, wallet, need.rate)
  if (chosen === null || feeUnits === null)
    return refuseInsufficient(coins, verified.units, need.rate, wallet)
  return buildPlan({ ...draft, coins: chosen, feeUnits }, wallet, {
    spends: [{ asset, units: deposit.units }],
    attempt: 0,
    fromHeight,
  })
}

/**
 * Selects by the listed values, and proves the selected coins by their parents. If a listed value
 * is false, the true one takes its place and the selection starts again, so each round corrects at
 * least one coin.
 */
async function chooseCoins(
  { wallet, esplora }: Pick<Planning, "wallet" | "esplora">,
  listed: readonly Coin[],
  target: { readonly script: Uint8Array; readonly units: bigint },
  rate: bigint,
): Promise<{ readonly coins: readonly Coin[]; readonly chosen: readonly Coin[] | null }> {
  let coins = listed
  for (;;) {
    const chosen = selectCoins(coins, target, rate, wallet)
    if (chosen === null) return { coins, chosen }
    const proven = await proveCoins(esplora, chosen, wallet.script)
    if (proven.length === chosen.length && sumUnits(proven) === sumUnits(chosen))
      return { coins, chosen: proven }
    const asked = new Set(chosen.map(outpointOf))
    coins = [...coins.filter((coin) => !asked.has(outpointOf(coin))), ...proven]
  }
}

/**
 * Sends the inputs of a deposit back to our wallet for a higher fee, so that the deposit can never
 * confirm.
 */
async function planVoid(
  { wallet, esplora, maxFeeRate }: Planning,
  voids: TransactionPlan,
): Promise<TransactionPlan | Refused> {
  assert(voids.action === "initiate", "only a deposit can be voided", { action: voids.action })
  const voided = draftOf(voids, wallet)
  const empty: Draft = {
    action: "void",
    coins: voided.coins,
    deposit: null,
    htlc: null,
    feeUnits: 0n,
  }
  const vsize = vsizeOf(empty, wallet)
  // A void must only outbid the deposit, whose fee is known, so it does not wait for an estimate.
  const need = await findUrgentNeed(esplora, { maxFeeRate })
  const limitUnits = BigInt(Math.floor(maxFeeRate)) * vsize
  const wantUnits = need === null ? min(voided.feeUnits * 2n, limitUnits) : need.rate * vsize
  const draft = { ...empty, feeUnits: max(voided.feeUnits + vsize * INCREMENTAL_RATE, wantUnits) }
  if (changeOf(draft) <= DUST_UNITS)
    return refuse("funds.insufficient", "the inputs of the deposit cannot pay the fee of a void", {
      haveUnits: sumUnits(voided.coins),
      needUnits: draft.feeUnits + DUST_UNITS + 1n,
    })
  return buildPlan(draft, wallet, { spends: [], attempt: 0, fromHeight: voids.fromHeight })
}

/** Refunds our deposit by the refund leaf of the HTLC, after its relative lock (BIP 68). */
async function planRefund(
  planning: Planning,
  { deposit }: Extract<TransactionRequest, { action: "refund" }>,
): Promise<TransactionPlan | Refused> {
  const { wallet, esplora, maxFeeRate } = planning
  const terms = bitcoinExtras.safeParse(deposit.extras).data?.htlc ?? null
  if (terms === null || terms.refundKey !== Buffer.from(wallet.xOnlyKey).toString("hex"))
    return refuse(
      "bitcoin.refund_not_ours",
      "the refund leaf of this deposit is not ours; only the service can refund it",
      {},
    )
  const htlc = deriveHtlc(terms, wallet.network)
  assert(
    htlc.address === deposit.htlc.toLowerCase(),
    "a verified deposit goes to the HTLC of its terms",
  )
  const need = await findUrgentNeed(esplora, { maxFeeRate })
  if (need?.aboveCap) return refuseAboveCap(need, maxFeeRate)

  const { height: fromHeight } = await readReference(esplora)
  const [coin] = await sortDeposits(
    planning,
    await findLocked(planning, htlc, deposit.units),
    deposit.units,
  )
  if (coin === undefined)
    return refuse(
      "bitcoin.refund_nothing",
      "the HTLC holds no confirmed output; it was refunded, redeemed or never funded",
      {},
    )
  const refundableAt = coin.height + BigInt(terms.timelock)
  // A transaction sent now confirms in the next block at the earliest, so that block's height must
  // satisfy the lock.
  if (fromHeight + 1n < refundableAt)
    return refuse("bitcoin.refund_too_early", "the timelock is not over", {
      height: fromHeight,
      refundableAt,
    })

  const draft = { action: "refund", coins: [coin], deposit: null, htlc: terms } as const
  const rate =
    need?.rate ??
    within(coin, offerAfterLock(maxFeeRate, fromHeight + 1n - refundableAt), draft, wallet)
  const feeUnits = priceDraft(draft, wallet, rate)
  if (feeUnits === null) {
    const needUnits = rate * vsizeOf({ ...draft, feeUnits: 0n }, wallet) + DUST_UNITS + 1n
    return refuse("bitcoin.refund_uneconomic", "the refund would cost more than it returns", {
      haveUnits: coin.units,
      needUnits,
    })
  }
  return buildPlan({ ...draft, feeUnits }, wallet, { spends: [], attempt: 0, fromHeight })
}

/**
 * Redeems the payout by the redeem leaf, to our own wallet. The terms give the HTLC's address; no
 * address of the service is used, so a false one finds no coin.
 */
async function planRedeem(
  planning: Planning,
  request: Redeeming,
): Promise<TransactionPlan | Refused> {
  const { wallet, esplora, maxFeeRate, usualRate = maxFeeRate, stake = null } = planning
  const need = await (mayAwaitEstimate(stake) ? readUrgentNeed : findUrgentNeed)(esplora, {
    maxFeeRate,
    usualRate,
  })
  if (need?.aboveCap) return refuseAboveCap(need, maxFeeRate)
  const found = await draftRedemption(planning, request)
  if ("refused" in found) return found
  const { draft, coin, fromHeight } = found
  const caps = {
    usualUnits: BigInt(Math.floor(usualRate)),
    capUnits: BigInt(Math.floor(maxFeeRate)),
  }
  const offered = within(coin, redeemOffer(need?.rate ?? null, caps, stake) ?? 0n, draft, wallet)
  const rate = max(need?.rate ?? 0n, offered)
  const feeUnits = priceDraft(draft, wallet, rate)
  if (feeUnits === null) {
    const needUnits = rate * vsizeOf({ ...draft, feeUnits: 0n }, wallet) + DUST_UNITS + 1n
    const numbers = { haveUnits: coin.units, needUnits }
    return refuse(
      "bitcoin.redeem_uneconomic",
      "the redemption would cost more than it brings",
      numbers,
    )
  }
  return buildPlan({ ...draft, feeUnits }, wallet, { spends: [], attempt: 0, fromHeight })
}

/** An offer by time is no reason to give the coin up: it leaves more than dust of it. */
function within(
  { units }: Coin,
  rate: bigint,
  draft: Omit<Draft, "feeUnits">,
  wallet: Wallet,
): bigint {
  const vsize = vsizeOf({ ...draft, feeUnits: 0n }, wallet)
  return max(1n, min(rate, (units - DUST_UNITS - 1n) / vsize))
}

/**
 * The same redemption at every rate from 1 sat/vB on, doubling up to the worth of the payout. See
 * `HtlcOutputs.planRedemptions`.
 */
export async function planRedemptions(
  planning: Omit<Planning, "maxFeeRate">,
  request: Redeeming,
): Promise<readonly TransactionPlan[] | Refused> {
  const found = await draftRedemption(planning, request)
  if ("refused" in found) return found
  const { draft, fromHeight } = found
  const plans: TransactionPlan[] = []
  for (let rate = 1n; rate <= request.payout.units; rate *= 2n) {
    const feeUnits = priceDraft(draft, planning.wallet, rate)
    if (feeUnits === null) break
    plans.push(
      buildPlan({ ...draft, feeUnits }, planning.wallet, {
        spends: [],
        attempt: plans.length,
        fromHeight,
      }),
    )
  }
  return plans
}

type Redeeming = Extract<TransactionRequest, { action: "redeem" }>
type RedeemDraft = {
  readonly draft: Omit<Draft, "feeUnits">
  readonly coin: Coin
  readonly fromHeight: bigint
}

async function draftRedemption(
  planning: Omit<Planning, "maxFeeRate">,
  { asset, payout, secret }: Redeeming,
): Promise<RedeemDraft | Refused> {
  const { wallet, esplora } = planning
  assert(
    asset === wallet.asset && payout.asset === asset,
    "a Bitcoin payout is in the chain's own coin",
  )
  const terms = termsOf(payout)
  if (terms === null || terms.redeemKey !== Buffer.from(wallet.xOnlyKey).toString("hex"))
    return refuse("bitcoin.redeem_not_ours", "the redeem leaf of this payout is not ours", {})
  if (createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex") !== terms.secretHash)
    return refuse("bitcoin.redeem_secret", "the secret does not open the payout", {})
  const { height: fromHeight } = await readReference(esplora)
  const coins = await findLocked(planning, deriveHtlc(terms, wallet.network), payout.units)
  const coin = sortOutputs(coins, payout.units).find(({ units }) => units === payout.units)
  if (coin === undefined)
    return refuse(
      "bitcoin.redeem_nothing",
      "the HTLC holds no confirmed output of the payout's amount; it was redeemed, refunded " +
        "or never funded",
      { units: payout.units },
    )
  return {
    draft: { action: "redeem", coins: [coin], deposit: null, htlc: terms, secret },
    coin,
    fromHeight,
  }
}

/** The terms of the HTLC that a payout is locked in; `null` where its keys are none. */
export function termsOf({ initiator, delegate, secretHash, timelock }: Payout): HtlcTerms | null {
  const keys = { refundKey: parseXOnlyKey(initiator), redeemKey: parseXOnlyKey(delegate) }
  return htlcTerms.safeParse({ ...keys, secretHash, timelock: Number(timelock) }).data ?? null
}

function refuseAboveCap(need: FeeNeed, maxFeeRate: number): Refused {
  return refuse(
    "fees.above_cap",
    "the network asks for more per virtual byte than the configured cap",
    {
      neededRate: need.neededRate,
      maxFeeRate,
    },
  )
}

/**
 * `haveUnits` is the sum of all free coins, `needUnits` the cost of a deposit that spends all of
 * them.
 */
function refuseInsufficient(
  utxos: readonly Coin[],
  units: bigint,
  rate: bigint,
  wallet: Wallet,
): Refused {
  const inputs = BigInt(Math.max(1, utxos.length))
  return refuse(
    "funds.insufficient",
    "the confirmed outputs that no other transaction reserves do not cover the deposit and its fee",
    {
      haveUnits: sumUnits(utxos),
      needUnits: units + rate * depositVsize(inputs, wallet.addressType),
    },
  )
}

function refuse(
  code: string,
  message: string,
  numbers: Readonly<Record<string, bigint | number>>,
): Refused {
  const texts = Object.entries(numbers).map(([name, value]) => [name, value.toString()])
  return { refused: [{ ...Object.fromEntries(texts), code, message }] }
}
