import { chainOf } from "#domain/asset.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import { wordOfText } from "#routes/cctp/burn-domain.ts"
import type { RoutePlace } from "../routes/route-key.ts"
import { deriveAccounts } from "./accounts.ts"
import type { BurnPermissions } from "./burn-permissions.ts"
import { findCctpTexts } from "./domains.ts"
import { programsOf } from "./presets.ts"

/**
 * The permissions of one chain from the rules of the kind; `null` where the kind has no asset here,
 * or the chain neither pinned nor configured programs.
 */
export function readBurnPermissions(
  rules: RouteRules,
  { chain, preset }: RoutePlace,
): BurnPermissions | null {
  const asset = rules.assets.find((id) => chainOf(id) === chain)
  const given = rules.contracts?.get(chain)
  const texts = findCctpTexts(preset, given)
  if (asset === undefined || texts === null) return null
  const wordsOf = (texts: readonly string[]) => texts.map((text) => wordOfText(text))
  return {
    accounts: deriveAccounts(programsOf(texts)),
    asset,
    recipients: new Map(
      [...rules.payees].map(([domain, texts]) => [Number(domain), wordsOf(texts)]),
    ),
    messengers: new Map(
      [...(rules.peers ?? [])].map(([domain, text]) => [Number(domain), wordOfText(text)]),
    ),
    maxFeeRate: rules.maxFeeRate,
    lookupTable: rules.lookupTables?.get(chain) ?? texts.lookupTable,
    pinned: rules.pinned?.get(chain) ?? [],
  }
}
