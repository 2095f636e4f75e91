import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { ChainTrust } from "#chains/family-definition.ts"
import { FINDING_KINDS } from "#config/judge/finding-kinds.ts"
import { findTrustGap } from "#config/judge/trust-gap.ts"
import type { EngineContext } from "#engine/context.ts"
import type { ChainAgreement } from "#engine/watches/agreement-watch.ts"
import type { Operations } from "#ops/operations.ts"

/** The chains of `status`: wallet, pause, endpoints and the agreement between them. */
export function viewChains(
  { chains, journal }: EngineContext,
  configs: readonly ChainConfig[],
  agreements: readonly ChainAgreement[],
): ReturnType<Operations["status"]>["chains"] {
  return [...chains.values()].map(({ chain, family, account }) => {
    const config = configs.find((one) => one.chain === chain)
    const report = agreements.find((one) => one.chain === chain)
    const trust = config === undefined ? null : familyOf(config).describeTrust(config)
    return {
      chain,
      family,
      account,
      paused: journal.readFlag(`pause/chain/${chain}`) !== null,
      endpoints: trust?.endpoints ?? report?.endpoints ?? null,
      agree: trust?.agree ?? report?.needed ?? null,
      /** `null` before the first report. */
      agreeing: report?.agreeing ?? null,
      agreementReasons: report?.reasons ?? [],
      finality: trust?.finality ?? null,
      warning: trust === null ? null : warnOfTrust(chain, trust),
    }
  })
}

/** The words of `check` about a chain on which one endpoint alone is believed. */
function warnOfTrust(chain: string, trust: ChainTrust): string | null {
  const gap = findTrustGap(trust)
  if (gap === null) return null
  const { sentence, code, step } = FINDING_KINDS[gap]
  return `${chain}: ${sentence} (${code}); ${step}`
}
