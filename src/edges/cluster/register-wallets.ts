import { AppError } from "#lib/app-error.ts"
import type { ClusterDatabase } from "./open-cluster-database.ts"

/**
 * Binds each wallet to the treasury for good. Throws `cluster.wallet_taken` (fatal) when another
 * treasury has one of them.
 */
export async function registerWallets(
  database: ClusterDatabase,
  treasury: string,
  wallets: readonly { readonly chain: string; readonly account: string }[],
): Promise<void> {
  for (const { chain, account } of wallets) {
    const { rows } = await database.query(
      `insert into ballast.wallet values ($1, $2, $3)
       on conflict (chain, account) do update set treasury = wallet.treasury returning treasury`,
      [chain, account, treasury],
    )
    const owner = String(rows[0]?.["treasury"])
    if (owner !== treasury) throw walletTaken(chain, account, owner)
  }
}

function walletTaken(chain: string, account: string, owner: string): AppError {
  return new AppError({
    code: "cluster.wallet_taken",
    disposition: "fatal",
    message:
      `The wallet ${account} on ${chain} belongs to the treasury ${owner}; two daemons with ` +
      "one key would spend the same coins, so use another key",
    details: { chain, account, owner },
  })
}
