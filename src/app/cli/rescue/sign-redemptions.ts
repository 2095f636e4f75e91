import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { payoutOf } from "#engine/orders/leg-queries.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { OrderData } from "#order/data.ts"

/**
 * The signed redemptions of a rescue file, and why there are none where a watchtower would need
 * them.
 */
type SignedRedemptions = {
  readonly redemptions: readonly SignedTransaction[]
  readonly missing: Reason | null
}

/**
 * Signs the redemption of a payout that only our own key can redeem, at rising fees. Safe: it needs
 * the secret, which is given only once the journal has decided to tell it, and from then on a
 * redemption to our own wallet is always wanted. No refund is ever signed in advance.
 *
 * The nodes of the configuration show the payout's coin; the key must be readable by this command.
 */
export async function signRedemptions(
  config: Config,
  data: OrderData,
  secret: string | null,
  clock: Clock,
): Promise<SignedRedemptions> {
  const chain = config.chains.find((one) => one.chain === chainOf(data.request.to))
  if (chain === undefined || secret === null || familyOf(chain).watchKey === undefined)
    return NOT_NEEDED
  const assets = config.assets.filter((asset) => asset.chain === chain.chain)
  const { timeoutMs } = config.service
  try {
    const port = await familyOf(chain).openPort(chain, { assets, timeoutMs, clock, dataDir: null })
    const payout = payoutOf(data, port.traits)
    const plans = await port.outputs?.planRedemptions({
      action: "redeem",
      asset: data.request.to,
      payout,
      secret,
    })
    if (plans === undefined) return NOT_NEEDED
    if ("refused" in plans) return { redemptions: [], missing: plans.refused[0] ?? null }
    const context = { order: data.id, deposit: null, worthUnits: payout.units }
    return {
      redemptions: await Promise.all(plans.map((plan) => port.signTransaction(plan, context))),
      missing: null,
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { redemptions: [], missing: { code: error.code, message: error.message } }
  }
}

const NOT_NEEDED: SignedRedemptions = { redemptions: [], missing: null }
