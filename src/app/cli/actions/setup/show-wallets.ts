import { findWatched } from "#chains/watch-only.ts"
import { isPlayKey } from "#config/secrets/play-keys.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { readAccounts } from "#daemon/views/read-accounts.ts"
import { mustExist } from "#lib/assert.ts"
import { plainJson } from "#lib/json.ts"
import { openSecretKeeper } from "#lib/secret-keeper.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatTable } from "../../format/table.ts"
import { PLAY_KEYS } from "../../open/open-config.ts"
import { openWithKeys } from "../../signer/open-with-keys.ts"
import type { PasswordChoice } from "../../signer/provide-password.ts"

/**
 * Shows the addresses of the hot wallets, which the operator funds, and the fingerprint of the key
 * of our own secrets. It needs no network.
 */
export async function showWallets(
  context: CommandContext,
  choice: PasswordChoice,
): Promise<number> {
  const { config } = await openWithKeys(context, choice)
  const played = new Set(
    config.chains.filter(({ key }) => isPlayKey(key)).map(({ chain }) => chain),
  )
  const watched = new Set(
    config.chains.flatMap(({ chain, key }) => (findWatched(key) === null ? [] : [chain])),
  )
  const accounts = await readAccounts(config)
  const wallets = config.chains.map(({ chain, family }) => ({
    chain,
    family,
    account: mustExist(accounts.get(chain), `the account on ${chain}`),
    ...(played.has(chain) ? { playKey: true } : {}),
    ...(watched.has(chain) ? { watchOnly: true } : {}),
  }))
  const rows = wallets.map(({ chain, family, account }) => [
    chain,
    family,
    account,
    played.has(chain) ? PLAY_KEYS : watched.has(chain) ? "watched only: no key here" : "",
  ])
  const hasNotes = played.size + watched.size > 0
  const columns = ["chain", "family", "address", ...(hasNotes ? ["key"] : [])]
  const shown = rows.map((row) => row.slice(0, columns.length))
  const { secrets, treasury } = config
  const fingerprint =
    secrets.key === null ? null : (openSecretKeeper(secrets.key, treasury)?.fingerprint ?? null)
  if (context.json) {
    context.print(
      plainJson(
        { wallets, ...(fingerprint === null ? {} : { secretsKey: { fingerprint, treasury } }) },
        2,
      ),
    )
    return EXIT.ok
  }
  context.print(formatTable(columns, shown, context.columns))
  if (fingerprint !== null)
    context.print(
      `\nsecrets.key has the fingerprint ${fingerprint}. Keep a copy of the key, and the ` +
        `name of the treasury (${treasury}), beside those of the wallets: without them a lost ` +
        "journal loses its secrets.",
    )
  return EXIT.ok
}
