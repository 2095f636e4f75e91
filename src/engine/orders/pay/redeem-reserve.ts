import { URGENT_FEE_FACTOR } from "#domain/redeem-fee-cap.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { OrderSums } from "#ports/journal/order-sums.ts"
import type { Configured, HasJournal } from "../../context.ts"

type ReserveContext = HasJournal<OrderSums> & Configured

/**
 * The coin that must stay on a chain for our own redemptions there, in its smallest units: for each
 * order in flight that is paid on the chain, `URGENT_FEE_FACTOR` times the present fee, and once
 * the balance that the account must keep. Zero where Ballast chooses no secrets, and where the
 * payout itself pays the fee.
 */
export async function readRedeemReserve(
  { journal, settings }: ReserveContext,
  chain: ChainPort,
): Promise<bigint> {
  if (settings.ownSecrets?.keeper == null || paysFromPayout(chain)) return 0n
  const orders = journal.countPaidOn(chain.chain)
  if (orders === 0) return 0n
  const [feeUnits, leastUnits] = await Promise.all([
    readRedeemFee(settings, chain),
    readLeastBalance(chain),
  ])
  return redeemReserve(orders, feeUnits, leastUnits)
}

/**
 * One rule for the deposit and for the moment before a secret is told, so that a wallet that was
 * emptied in between is noticed. Pure.
 */
export function redeemReserve(orders: number, feeUnits: bigint, leastUnits: bigint): bigint {
  return BigInt(orders) * URGENT_FEE_FACTOR * feeUnits + leastUnits
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
async function readRedeemFee(
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
    samples.flatMap((asset) => (asset === undefined ? [] : chain.estimateRedeemFee(asset.id))),
  )
  return fees.reduce<bigint>((most, fee) => (fee !== null && fee > most ? fee : most), 0n)
}
