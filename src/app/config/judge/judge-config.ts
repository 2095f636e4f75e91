import { AppError } from "#lib/app-error.ts"
import type { Config } from "../config.ts"
import type { ConfigFinding, Judged, PlacedFinding } from "./finding.ts"
import { isMainNetwork, isReal } from "./is-main-network.ts"
import { judgeCluster } from "./judge-cluster.ts"
import { judgeDepths } from "./judge-depths.ts"
import { judgeEndpoints } from "./judge-endpoints.ts"
import { judgeFees } from "./judge-fees.ts"
import { judgeLimits } from "./judge-limits.ts"
import { judgeNever, judgeReceivers } from "./judge-never.ts"
import { judgePrices } from "./judge-prices.ts"
import { judgeSigner } from "./judge-signer.ts"
import { judgeTimes } from "./judge-times.ts"
import { judgeTwins } from "./judge-twins.ts"
import { judgeWatchOnly } from "./judge-watched.ts"
import { summariseFindings } from "./summarise-findings.ts"

/**
 * Finds everything in a correct file that is dangerous. Pure, without a network. `written` is the
 * plain data of the file.
 */
export function judgeConfig(config: Config, written: unknown): readonly ConfigFinding[] {
  const mains = config.chains.filter(isMainNetwork).map(({ chain }) => chain)
  const judged: Judged = { config, written, mains, isReal: isReal(config) }
  return [
    ...judgeTwins(judged),
    ...judgeLimits(judged),
    ...judgeNever(config),
    ...judgeReceivers(config),
    ...judgeTimes(judged),
    ...judgePrices(judged),
    ...judgeEndpoints(judged),
    ...judgeDepths(judged),
    ...judgeFees(judged),
    ...judgeSigner(judged),
    ...judgeCluster(judged),
    ...judgeWatchOnly(judged),
  ]
}

/**
 * Throws `config.unsafe` (fatal) with a line for every finding that stops a start: its place and
 * the next step.
 */
export function refuseUnsafe(findings: readonly PlacedFinding[]): void {
  const refused = findings.filter(({ severity }) => severity === "refuse")
  if (refused.length === 0) return
  const lines = summariseFindings(refused).map(({ text }) => text)
  throw new AppError({
    code: "config.unsafe",
    disposition: "fatal",
    message: [
      "the configuration is not safe for real money:",
      ...lines,
      "`ballast check --explain` tells more",
    ].join("\n"),
    details: { codes: refused.map(({ code }) => code).join(", ") },
  })
}
