import { chainOf } from "#domain/asset.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import { LOCAL_TIMES, wordOfText } from "#routes/cctp/burn-domain.ts"
import type { RoutePlace } from "../routes/route-key.ts"
import { requireAddress } from "../wallet.ts"
import type { BurnPermissions } from "./burn-permissions.ts"
import { type CctpContracts, findCctpPreset } from "./presets.ts"

/**
 * The permissions of one chain from the rules of the kind; `null` where the kind has no asset here,
 * or the chain neither pinned nor configured contracts. Throws `evm.address` (fatal).
 */
export function readBurnPermissions(
  rules: RouteRules,
  { chain, chainId }: RoutePlace,
): BurnPermissions | null {
  const asset = rules.assets.find((id) => chainOf(id) === chain)
  const contracts = findContracts(rules.contracts?.get(chain), chainId)
  if (asset === undefined || contracts === null) return null
  const recipients = [...rules.payees].map(
    ([domain, words]) => [Number(domain), words.map((word) => wordOfText(word))] as const,
  )
  const messengers = [...(rules.peers ?? [])].map(
    ([domain, messenger]) => [Number(domain), wordOfText(messenger)] as const,
  )
  return {
    contracts,
    asset,
    recipients: new Map(recipients),
    messengers: new Map(messengers),
    maxFeeRate: rules.maxFeeRate,
    pinned: rules.pinned?.get(chain) ?? [],
  }
}

/** The contracts that the configuration names, or the pinned ones of the chain. */
export function findContracts(
  given: Readonly<Record<string, string>> | undefined,
  chainId: number,
): CctpContracts | null {
  if (given === undefined) return findCctpPreset(chainId)
  const { domain = "", token = "", messenger = "", transmitter = "" } = given
  return {
    chainId,
    network: "test",
    domain: Number(domain),
    token: requireAddress(token),
    messenger: requireAddress(messenger),
    transmitter: requireAddress(transmitter),
    minter: null,
    ...LOCAL_TIMES,
  }
}
