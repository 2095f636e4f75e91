import type { Reason } from "#domain/reason.ts"
import { mustExist } from "#lib/assert.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { OrderRequest } from "#ports/service.ts"
import { destinationChain, type Job } from "../observe/job.ts"
import { judgeGas } from "../observe/prove-payout.ts"
import { refuseServiceSecret } from "../pay/own-secret.ts"
import { paysFromPayout, readRedeemReserve } from "../pay/redeem-reserve.ts"

type Chosen =
  | { readonly ownSecret?: NonNullable<OrderRequest["ownSecret"]> }
  | { readonly refused: readonly Reason[] }

/**
 * Decides whether Ballast or the service chooses the secret of the next order request, by
 * configuration and by what the destination chain can do.
 */
export async function chooseSecret(job: Job): Promise<Chosen> {
  const { context, data } = job
  const { ownSecrets } = context.settings
  if (ownSecrets === undefined) return {}
  const service = mustExist(data.service, "the order's service")
  const { keeper } = ownSecrets
  const mode = ownSecrets.modeOf(service, data.request.from, data.request.to)
  const destination = destinationChain(job)
  const mayChoose = mode === "own" || (mode === "prefer-own" && data.serviceChoosesSecret !== true)
  // Ballast redeems payouts to its own wallet only, and a Bitcoin redemption pays no other.
  const isOurs = destination.sameAddress(data.request.destinationOwner, destination.account)
  const canChoose = keeper !== null && mayChoose && isOurs
  const canRedeem = canChoose && (await destination.estimateRedeemFee(data.request.to)) !== null
  const missingGas = canRedeem ? await findMissingReserve(job, destination) : []
  if (canRedeem && missingGas.length === 0) {
    const hash = keeper.hashOf({ service, nonce: data.nonce })
    return { ownSecret: { hash, destinationExtras: destination.destinationExtras } }
  }
  if (mode === "own")
    return {
      refused:
        missingGas.length > 0
          ? missingGas
          : [whyNotOwn(keeper !== null, isOurs, destination.chain)],
    }
  const { from, sourceUnits: units } = data.request
  const refused = refuseServiceSecret(ownSecrets, { from, units, fiat: sourceFiat(job) })
  return refused.length === 0 ? {} : { refused }
}

/**
 * Fees may rise until the payouts' locks end, and each payout must be redeemed even then: those of
 * all orders in flight, this one included.
 */
async function findMissingReserve(
  { context }: Job,
  destination: ChainPort,
): Promise<readonly Reason[]> {
  if (paysFromPayout(destination)) return []
  const { journal } = context
  const deposits = journal.sumReservedFees(destination.chain, null)
  return judgeGas(destination, deposits + (await readRedeemReserve(context, destination)))
}

function whyNotOwn(hasKey: boolean, isOurs: boolean, chain: string): Reason {
  const code = "secret.own_unsupported"
  if (!hasKey)
    return {
      code,
      message: "Only Ballast may choose this pair's secrets, and secrets.key is not set",
    }
  if (!isOurs)
    return {
      code,
      message:
        "Only Ballast may choose this pair's secrets, and the payout goes to another address",
    }
  return { code, message: `Ballast cannot redeem payouts on ${chain} itself` }
}

function sourceFiat({ data }: Job): bigint | null {
  return data.value?.sourceFiat ?? data.quote?.sourceFiat ?? null
}
