import type { Reason } from "#domain/reason.ts"
import { type Problem, problem } from "./problem.ts"
import type { Readings, WalletReading } from "./readings.ts"

/** The alarm of a fact about a wallet, the same whichever endpoints show it. A fact that
 * is a whole sentence has none. Pure. */
export function judgeWallet({ chain, code, found, endpoints }: WalletReading): Reason {
  const seen = `The wallet of ${chain} is unusual: ${found}, as ${endpoints.join(", ")} shows`
  const message = endpoints.length === 0 ? found : seen
  return { code, message, chain }
}

/** Wallets with a fact that a person must know. Pure. */
export function findWalletProblems({ wallets = [] }: Readings): readonly Problem[] {
  return wallets.map((wallet) => {
    const { code, message } = judgeWallet(wallet)
    return problem({
      level: "attention",
      code,
      about: wallet.chain,
      sentence: message,
      meaning: MEANINGS[code] ?? MEANING,
      todo: wallet.todo,
      command: "ballast doctor",
      needsPerson: true,
    })
  })
}

const MEANING =
  "If this is not your work, another party has the key, and can take all that the wallet holds."
const MEANINGS: Readonly<Record<string, string>> = {
  "wallet.unread": "Orders and rules that need this balance wait; the money stays where it is.",
  "wallet.changed":
    "New orders use the new account; the old one holds what it held, and only its key moves that.",
  "wallet.not_deployed":
    "Nothing can be signed for an account that is not on the chain: no deposit, and no refund.",
}
