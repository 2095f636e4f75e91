import { createHash } from "node:crypto"
import type { Reason } from "#domain/reason.ts"
import type { FoundDeposit, ReopenedOrder } from "#ports/route.ts"
import type { BurnRequest } from "./burn-request.ts"
import { decodeBurnMessage } from "./message.ts"
import { type BurnSide, quoteOfBurn } from "./quote-burns.ts"

/** The order of a burn as its emitted message tells it, which holds all but the order's name. */
export function reopenBurn(
  sides: readonly BurnSide[],
  { asset, txid, evidence }: FoundDeposit,
): ReopenedOrder | { readonly refused: Reason } {
  const message = decodeBurnMessage(evidence?.["message"] ?? "")
  const from = sides.find((side) => side.asset === asset)
  const to = sides.find(
    ({ domain }) =>
      domain.network === from?.domain.network && domain.domain === message?.destinationDomain,
  )
  if (message === null || from === undefined || to === undefined) {
    const domain = String(message?.destinationDomain ?? "unknown")
    return {
      refused: {
        code: "recover.unknown_asset",
        message: `routes.cctp has no asset in domain ${domain}; add it, then recover again`,
        domain,
      },
    }
  }
  const { amountUnits, maxFeeUnits, mintRecipient, destinationDomain } = message
  if (mintRecipient !== to.mintRecipient)
    return {
      refused: {
        code: "cctp.burn_differs",
        message: "The burn pays another account than ours; only its owner is paid by the mint",
        recipient: mintRecipient,
      },
    }
  const finality = message.minFinalityThreshold <= 1_000 ? "fast" : "standard"
  const dealKey = createHash("sha256").update(`${txid} ${evidence?.["message"]}`).digest("hex")
  const burn: BurnRequest = {
    amountUnits,
    destinationDomain,
    mintRecipient,
    payee: to.payee,
    maxFeeUnits,
    finality,
    dealKey,
    txid,
  }
  const quote = quoteOfBurn({ from, to, amountUnits }, maxFeeUnits, finality)
  return { quote, depositRequest: { family: from.family, burn }, dealKey }
}
