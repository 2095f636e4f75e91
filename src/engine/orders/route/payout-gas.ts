import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { kindOf } from "#domain/route/route-kind.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import { chainFor, type HasChains } from "../../context.ts"
import { reasonOf } from "../observe/job.ts"

/**
 * The payout of such a quote is taken by a second transaction of ours: without coin for it on the
 * destination it would wait, and nothing returns a deposit. A chain that cannot be read is a reason
 * too.
 */
export async function findMissingGas(
  context: HasChains,
  quote: Pick<Quote, "to" | "kind">,
): Promise<readonly Reason[]> {
  const port = chainFor(context, quote.to)
  const leg = port.routeLegs?.get(kindOf(quote))
  if (leg === undefined || port.native === undefined) return []
  try {
    const [feeUnits, haveUnits] = await Promise.all([
      leg.estimateRedeemFee(quote.to),
      port.native.fetchNativeBalance(),
    ])
    return haveUnits >= feeUnits ? [] : [describe(port, feeUnits, haveUnits)]
  } catch (error) {
    if (error instanceof AppError && error.disposition === "transient") return [reasonOf(error)]
    throw error
  }
}

function describe({ chain, account }: ChainPort, feeUnits: bigint, haveUnits: bigint): Reason {
  const message =
    `The payout is taken by a transaction of ours on ${chain}, which may cost ${feeUnits} units ` +
    `of its coin, and ${account} holds ${haveUnits}: send some there first`
  const need = feeUnits.toString()
  const have = haveUnits.toString()
  return { code: "route.payout_gas", message, chain, account, need, have }
}
