import { openChains } from "#daemon/compose.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../define-command.ts"
import { openConfig } from "../open-config.ts"
import { formatTable } from "../table.ts"

/** Shows the addresses of the hot wallets, which the operator funds. It needs no network. */
export async function showWallets(context: CommandContext): Promise<number> {
  const { config } = openConfig(context)
  const wallets = [...(await openChains(config, context.clock)).values()].map(({ chain, family, account }) => ({
    chain,
    family,
    account,
  }))
  const rows = wallets.map(({ chain, family, account }) => [chain, family, account])
  context.print(context.json ? plainJson({ wallets }, 2) : formatTable(["chain", "family", "address"], rows))
  return EXIT.ok
}
