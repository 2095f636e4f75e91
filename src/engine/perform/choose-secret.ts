import type { Reason } from "#domain/reason.ts"
import { isAboveLimit } from "#guards/service-secret.ts"
import type { OrderRequest } from "#service/port.ts"
import { firstService } from "../context.ts"
import { destinationChain, type Job } from "./job.ts"

type Chosen = { readonly ownSecret?: NonNullable<OrderRequest["ownSecret"]> } | { readonly refused: readonly Reason[] }

/** Decides whether Ballast or the service chooses the secret of the next order request, by configuration and by what the destination chain can do. */
export async function chooseSecret(job: Job): Promise<Chosen> {
  const { context, data } = job
  const { ownSecrets } = context.settings
  if (ownSecrets === undefined) return {}
  const service = data.service ?? firstService(context.services)
  const mode = ownSecrets.modeOf(service)
  const destination = destinationChain(job)
  const mayChoose = mode === "own" || (mode === "prefer-own" && data.serviceChoosesSecret !== true)
  if (mayChoose && (await destination.estimateRedeemFee(data.request.to)) !== null) {
    const hash = ownSecrets.keeper.hashOf({ service: data.service ?? "", nonce: data.nonce })
    return { ownSecret: { hash, destinationExtras: destination.destinationExtras } }
  }
  if (mode === "own")
    return {
      refused: [
        { code: "secret.own_unsupported", message: `Ballast cannot redeem payouts on ${destination.chain} itself` },
      ],
    }
  const { maxServiceSecret } = ownSecrets
  if (
    !isAboveLimit(maxServiceSecret, {
      asset: data.request.from,
      units: data.request.sourceUnits,
      fiat: sourceFiat(job),
    })
  )
    return {}
  const message = "The order is larger than guards.max_service_secret, and the service would choose its secret"
  return { refused: [{ code: "limit.service_secret", message }] }
}

function sourceFiat({ data }: Job): bigint | null {
  return data.value?.sourceFiat ?? data.quote?.sourceFiat ?? null
}
