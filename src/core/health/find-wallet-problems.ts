import type { Reason } from "#domain/reason.ts"
import { type Problem, problem } from "./problem.ts"
import type { Readings, WalletReading } from "./readings.ts"
import { findRemedy } from "./remedies.ts"

/** The alarm of a wallet's own account that is not as its operator left it. Pure. */
export function alarmOfWallet({ chain, code, found }: WalletReading): Reason {
  return { code, message: `The wallet of ${chain} is changed: ${found}`, chain }
}

/** Pure. */
export function findWalletProblems({ wallets = [] }: Readings): readonly Problem[] {
  return wallets.map((wallet) => {
    const { code, message } = alarmOfWallet(wallet)
    return problem({
      level: "attention",
      code,
      about: wallet.chain,
      sentence: message,
      ...findRemedy(code),
      needsPerson: true,
    })
  })
}
