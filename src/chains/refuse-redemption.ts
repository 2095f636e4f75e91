import { AppError } from "#lib/app-error.ts"

/** The answer of a family that cannot redeem a payout: `chain.redeem_unsupported` (refused). */
export function refuseRedemption(family: string): never {
  throw new AppError({
    code: "chain.redeem_unsupported",
    disposition: "refused",
    message: `The family ${family} cannot redeem a payout itself`,
    details: { family },
  })
}
