import { assetsOf, openChains } from "#daemon/compose.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { formatUnits } from "#domain/amount.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatTable } from "../../format/table.ts"
import { openWithKeys } from "../../signer/open-with-keys.ts"
import type { PasswordChoice } from "../../signer/provide-password.ts"

type Line = {
  asset: string
  account: string
  amount: string | null
  amountUnits: string | null
  error: string | null
}

/**
 * Shows the balances that the configured nodes report now. A failed read is exit 75, and never
 * shows as zero.
 */
export async function showBalances(
  context: CommandContext,
  choice: PasswordChoice,
): Promise<number> {
  const { config } = await openWithKeys(context, choice)
  const chains = await openChains(config, context.clock)
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
  const rows = balances.map((line) => [
    line.asset,
    line.amount ?? "unreadable",
    line.account,
    line.error ?? "",
  ])
  context.print(
    context.json
      ? plainJson({ balances }, 2)
      : formatTable(["asset", "balance", "account", ""], rows, context.columns),
  )
  return balances.some(({ error }) => error !== null) ? EXIT.tryLater : EXIT.ok
}
