import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { ChainAgreement } from "#engine/agreement-watch.ts"
import type { EngineContext } from "#engine/context.ts"
import type { Operations } from "#ops/operations.ts"
import { findTrustGap } from "./trust-gap.ts"

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
      warning: trust === null ? null : findTrustGap(chain, trust),
    }
  })
}
