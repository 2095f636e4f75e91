import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { LowDepth } from "#chains/family-definition.ts"
import { entriesAt, readPath } from "#schema/read-path.ts"
import { type ConfigFinding, findingOf, type Judged } from "./finding.ts"
import { isKnownMainNetwork, isMainNetwork } from "./is-main-network.ts"

/**
 * Depths below the minimum of a main network. The families name their minimums (`findLowDepths`).
 * Of a chain that Ballast does not know the true minimum is unknown, so there it is a warning.
 */
export function judgeDepths({
  config,
  written,
}: Pick<Judged, "written"> & {
  readonly config: { readonly chains: readonly ChainConfig[] }
}): ConfigFinding[] {
  return config.chains.filter(isMainNetwork).flatMap((chain) => {
    const low = familyOf(chain).findLowDepths?.(chain) ?? []
    const paths = Map.groupBy(low, ({ use }) => keyOf(chain, written, use).join("."))
    return [...paths.values()].map((depths) => describeLow(chain, written, depths))
  })
}

function describeLow(
  chain: ChainConfig,
  written: unknown,
  depths: readonly LowDepth[],
): ConfigFinding {
  const name = chain.chain
  const found = depths[0]?.found ?? ""
  const least = depths.map((depth) => `${depth.use} ${depth.least}`).join(", ")
  const acts = depths.map(({ use }) => (use === "reveal" ? "tell a secret" : "end an order"))
  const message = `${name} would ${acts.join(" and ")} at ${found}; the minimum is ${least}`
  const kind = findingOf("lowDepth", {
    severity: isKnownMainNetwork(chain) ? "refuse" : "warn",
    path: ["chains", name, ...keyOf(chain, written, depths[0]?.use ?? "reveal")],
    subjects: [name],
    message,
    todo: `write at least ${least}, or remove the line`,
  })
  return { ...kind, sentence: `${found} is below the minimum: ${least}` }
}

/** The key that sets the depth. `confirmations` overrides `finality` in every family. */
function keyOf({ chain }: ChainConfig, written: unknown, use: LowDepth["use"]): string[] {
  const keys = entriesAt(written, ["chains"]).find(([name]) => name === chain)?.[1]
  const isOne = (readPath(keys, ["confirmations"]) ?? null) !== null
  return isOne ? ["confirmations"] : ["finality", use]
}
