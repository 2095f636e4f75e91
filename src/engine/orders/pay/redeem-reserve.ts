import type { AssetId } from "#domain/asset.ts"
import { URGENT_FEE_FACTOR } from "#domain/redeem-fee-cap.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { Configured, HasJournal } from "../../context.ts"

type ReserveContext = HasJournal<OrderSums> & Configured

/**
 * The coin that must stay on a chain for our own redemptions there, in its smallest units: for each
 * order in flight that is paid on the chain the fee of `reservedFee`, and once the balance that the
 * account must keep. Zero where Ballast chooses no secrets, and where the
 * payout itself pays the fee.
 */
export async function readRedeemReserve(
  { journal, settings }: ReserveContext,
  chain: ChainPort,
): Promise<bigint> {
  if (settings.ownSecrets?.keeper == null || paysFromPayout(chain)) return 0n
  const orders = journal.countPaidOn(chain.chain)
  if (orders === 0) return 0n
  const [eachUnits, leastUnits] = await Promise.all([
    readReservedFee(settings, chain),
    readLeastBalance(chain),
  ])
  return redeemReserve(orders, eachUnits, leastUnits)
}

/**
 * One rule for the deposit and for the moment before a secret is told, so that a wallet that was
 * emptied in between is noticed. Pure.
 */
export function redeemReserve(orders: number, eachUnits: bigint, leastUnits: bigint): bigint {
  return BigInt(orders) * eachUnits + leastUnits
}

/**
 * The coin that one redemption needs, where `feeUnits` is the present fee: `URGENT_FEE_FACTOR`
 * times that, and never less than the configured cap lets it pay. So an estimate can only raise the
 * reserve: a node that names a low fee, or none, does not release a secret. Pure.
 */
export function reservedFee(chain: ChainPort, asset: AssetId, feeUnits: bigint): bigint {
  const raisedUnits = feeUnits * URGENT_FEE_FACTOR
  const usualUnits = chain.capRedeemFee(asset, null) ?? 0n
  return raisedUnits > usualUnits ? raisedUnits : usualUnits
}

/** Zero where the account may pay its last unit. */
export async function readLeastBalance(chain: ChainPort): Promise<bigint> {
  return (await chain.native?.fetchLeastBalance()) ?? 0n
}

/** The fee of a redemption is part of the payout, so no coin is kept for it. */
export function paysFromPayout(chain: ChainPort): boolean {
  return chain.traits.refundFeeTakenFromAmount || chain.native === undefined
}

/** The higher one of a coin and a token: it hardly differs between tokens. */
async function readReservedFee(
  { assets }: ReserveContext["settings"],
  chain: ChainPort,
): Promise<bigint> {
  const payable = [...assets.values()].filter(
    (asset) => asset.chain === chain.chain && asset.htlc.length > 0,
  )
  const samples = [
    payable.find(({ token }) => token === null),
    payable.find(({ token }) => token !== null),
  ]
  const fees = await Promise.all(
    samples.flatMap((asset) => (asset === undefined ? [] : readFee(chain, asset.id))),
  )
  return fees.reduce<bigint>((most, fee) => (fee > most ? fee : most), 0n)
}

/** Zero where Ballast cannot redeem the asset. */
async function readFee(chain: ChainPort, asset: AssetId): Promise<bigint> {
  const feeUnits = await chain.estimateRedeemFee(asset)
  return feeUnits === null ? 0n : reservedFee(chain, asset, feeUnits)
}
