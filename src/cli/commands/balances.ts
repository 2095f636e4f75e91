import { assetsOf, openChains } from "#daemon/compose.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { refuseBrotli } from "#daemon/refuse-brotli.ts"
import { formatUnits } from "#domain/amount.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { Invocation } from "../main.ts"
import { openConfig } from "../open-config.ts"
import { formatTable } from "../table.ts"

type Line = { asset: string; account: string; amount: string | null; amountUnits: string | null; error: string | null }

/** Balances as the configured nodes show them now. Exit 75 when one of them could not be read; a failed read is never zero. */
export async function balancesCommand(invocation: Invocation): Promise<number> {
  const { config } = openConfig(invocation)
  refuseBrotli()
  const chains = await openChains(config, invocation.clock)
  const reads = [...chains.values()].flatMap((chain) =>
    assetsOf(config, chain.chain).map(async ({ id, decimals }): Promise<Line> => {
      try {
        const { units } = await chain.fetchBalance(id, new Set())
        return {
          asset: id,
          account: chain.account,
          amount: formatUnits(units, decimals),
          amountUnits: units.toString(),
          error: null,
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return {
          asset: id,
          account: chain.account,
          amount: null,
          amountUnits: null,
          error: `${error.code}: ${error.message}`,
        }
      }
    }),
  )
  const balances = await Promise.all(reads)
  const rows = balances.map((line) => [line.asset, line.amount ?? "unreadable", line.account, line.error ?? ""])
  invocation.print(
    invocation.json ? plainJson({ balances }, 2) : formatTable(["asset", "balance", "account", ""], rows),
  )
  return balances.some(({ error }) => error !== null) ? EXIT.tryLater : EXIT.ok
}

/** The hot wallets' addresses: what to fund. Asks nobody. */
export async function walletCommand(invocation: Invocation): Promise<number> {
  const { config } = openConfig(invocation)
  const wallets = [...(await openChains(config, invocation.clock)).values()].map(({ chain, family, account }) => ({
    chain,
    family,
    account,
  }))
  const rows = wallets.map(({ chain, family, account }) => [chain, family, account])
  invocation.print(invocation.json ? plainJson({ wallets }, 2) : formatTable(["chain", "family", "address"], rows))
  return EXIT.ok
}
