import type { Humanise } from "#daemon/views/human-units.ts"
import type { QuoteAnswer } from "#daemon/views/view-quote.ts"
import { formatSpan } from "#health/format-span.ts"

/** A quote for a person: amounts, cost, the guards' judgement and the worst case. */
export function formatQuote(quote: QuoteAnswer, humanise: Humanise): string {
  const {
    from,
    to,
    amount,
    receive,
    service,
    solver,
    sendsFiat,
    receivesFiat,
    costBps,
    estimatedSeconds,
    fees,
  } = quote
  const fiat = (value: string | null): string => (value === null ? "" : ` (${value} usd)`)
  const by = [service, solver].filter((name) => name !== null).join(", solver ")
  const time = estimatedSeconds === null ? "" : `, in about ${formatSpan(estimatedSeconds * 1_000)}`
  return [
    `sends     ${amount} ${from}${fiat(sendsFiat)}`,
    `receives  ${receive === null ? "no quote" : `${receive} ${to}`}${fiat(receivesFiat)}${time}`,
    ...(costBps === null
      ? []
      : [
          `cost      ${(costBps / 100).toFixed(2)} % by the ` +
            `quote${by === "" ? "" : `, from ${by}`}`,
        ]),
    ...(fees === null ? [] : [`network   at most ${formatFees(fees)}`]),
    `guards    ${formatGuards(quote)}`,
    ...quote.refused.map(({ code, message }) => `  refused: ${humanise(message, from)} [${code}]`),
    ...quote.worstCase.map(
      (sentence, index) => `${index === 0 ? "worst     " : "          "}${sentence}`,
    ),
  ].join("\n")
}

function formatFees({ deposit, redeem }: NonNullable<QuoteAnswer["fees"]>): string {
  const forDeposit = `${deposit} for the deposit`
  return redeem === undefined ? forDeposit : `${forDeposit}, and ${redeem} for the redemption`
}

function formatGuards({ refused, needsApproval }: QuoteAnswer): string {
  if (refused.length > 0) return "the daemon would refuse this swap now"
  return needsApproval
    ? "accepted; it waits for `ballast approve` before anything is signed"
    : "accepted"
}
