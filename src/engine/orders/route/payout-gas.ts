import type { Quote } from "#domain/quote.ts"
import type { Reason } from "#domain/reason.ts"
import { kindOf } from "#domain/route/route-kind.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import { chainFor, type HasChains } from "../../context.ts"
import { reasonOf } from "../observe/job.ts"

/** A burst of fees until the payout is due: it only waits then, so more need not be held. */
const HELD_FEES = 3n

/** What the transaction that takes a payout may cost, and the reasons against a deposit now. */
export type PayoutGas = { readonly feeUnits: bigint; readonly reasons: readonly Reason[] }

/**
 * The payout of such a quote is taken by a second transaction of ours: without coin for it on the
 * destination it would wait, and nothing returns a deposit. A chain that cannot be read is a reason
 * too. `null` where a service pays out.
 */
export async function readPayoutGas(
  context: HasChains,
  quote: Pick<Quote, "to" | "kind">,
): Promise<PayoutGas | null> {
  const port = chainFor(context, quote.to)
  const leg = port.routeLegs?.get(kindOf(quote))
  if (leg === undefined) return null
  try {
    const [feeUnits, haveUnits] = await Promise.all([
      leg.estimateRedeemFee(quote.to),
      port.native?.fetchNativeBalance() ?? null,
    ])
    const needUnits = HELD_FEES * feeUnits
    const isMissing = haveUnits !== null && haveUnits < needUnits
    return { feeUnits, reasons: isMissing ? [describe(port, needUnits, haveUnits)] : [] }
  } catch (error) {
    if (error instanceof AppError && error.disposition === "transient")
      return { feeUnits: 0n, reasons: [reasonOf(error)] }
    throw error
  }
}

/** The reasons alone. */
export async function findMissingGas(
  context: HasChains,
  quote: Pick<Quote, "to" | "kind">,
): Promise<readonly Reason[]> {
  return (await readPayoutGas(context, quote))?.reasons ?? []
}

function describe({ chain, account }: ChainPort, needUnits: bigint, haveUnits: bigint): Reason {
  const message =
    `The payout is taken by a transaction of ours on ${chain}, which may cost ${needUnits} units ` +
    `of its coin, and ${account} holds ${haveUnits}: send some there first`
  const need = needUnits.toString()
  const have = haveUnits.toString()
  return { code: "route.payout_gas", message, chain, account, need, have }
}
