import type { Reason } from "#domain/reason.ts"
import type { AskNode } from "#nodes/ask-node.ts"
import { type BurnDomain, describeDecimals, SAMPLE_UNITS } from "#routes/cctp/burn-domain.ts"
import { createNode } from "../node.ts"
import { decodeMintDecimals } from "../tokens.ts"
import { deriveAccounts } from "./accounts.ts"
import { findCctpTexts } from "./domains.ts"
import { findBurnFaults, findMintFaults } from "./judge-state.ts"
import { programsOf } from "./presets.ts"

/**
 * The questions that come before each burn and each mint, for a burn to and from each of the other
 * chains. It has no account of ours.
 */
export async function inspectPrograms(
  ask: AskNode,
  place: { readonly preset: string; readonly given: Parameters<typeof findCctpTexts>[1] },
  others: readonly BurnDomain[],
): Promise<readonly Reason[]> {
  const texts = findCctpTexts(place.preset, place.given)
  if (texts === null) return []
  const accounts = deriveAccounts(programsOf(texts))
  const node = createNode(
    { read: async (method, params, form) => form.parse(await ask(method, params)) },
    { commitment: "confirmed" },
  )
  const decimals = decodeMintDecimals(await node.fetchAccount(texts.token))
  const sample = { amountUnits: SAMPLE_UNITS, maxFeeUnits: SAMPLE_UNITS }
  const faults = others.map(async ({ domain, messenger, token }) => [
    ...(await findBurnFaults(
      node,
      accounts,
      { ...sample, destinationDomain: domain },
      { owner: null, destinationMessenger: messenger },
    )),
    ...(await findMintFaults(node, accounts, {
      ...sample,
      source: domain,
      sourceMessenger: messenger,
      burnToken: token,
    })),
  ])
  return [...describeDecimals(texts.token, decimals), ...(await Promise.all(faults)).flat()]
}
