import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { ChainTrust } from "#chains/family-definition.ts"
import type { Config } from "#config/config.ts"
import { configHash } from "#config/hash.ts"
import { openChains } from "#daemon/compose.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { findTrustGap } from "#daemon/trust-gap.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../define-command.ts"
import { listUnpinned } from "../doctor/check-contracts.ts"
import { openConfig } from "../open-config.ts"

/** Checks the file, the secrets and the keys without network access. A mistake is exit 78 with every problem. `named` overrides `--config`. */
export async function checkConfig(context: CommandContext, named: string | null): Promise<number> {
  const { config, file } = openConfig(named === null ? context : { ...context, config: named })
  const ports = await openChains(config, context.clock)
  const chains = config.chains.map((chain) => describeChain(chain, ports.get(chain.chain)?.account ?? ""))
  const assets = config.assets.map(({ id }) => id)
  const notPinned = listUnpinned(config.assets)
  const rules = config.rules.map(({ id, kind, enabled }) => ({ id, kind, enabled }))
  const warnings = [
    ...config.chains.flatMap(warnOfGuess),
    ...config.chains.flatMap(warnOfTrust),
    ...warnOfTwoServices(config),
  ]
  const summary = {
    ok: true,
    file,
    hash: configHash(config),
    mode: config.mode,
    service: hideKeys(config.service.url, config.service.url),
    services: config.services.map(({ name, url }) => ({ name, url: hideKeys(url, url) })),
    chains,
    assets,
    notPinned,
    rules,
    warnings,
  }
  if (context.json) {
    context.print(plainJson(summary, 2))
    return EXIT.ok
  }
  const lines = [
    `${file} is in order (${config.mode}, hash ${summary.hash.slice(0, 12)})`,
    ...summary.services.map(({ name, url }) => `service  ${summary.services.length === 1 ? "" : `${name} `}${url}`),
    ...chains.flatMap(formatChain),
    ...assets.map((asset) => `asset    ${asset}${notPinned.includes(asset) ? " (contract not pinned)" : ""}`),
    ...rules.map(({ id, kind, enabled }) => `rule     ${id} (${kind})${enabled ? "" : " disabled"}`),
    ...warnings.map((warning) => `warning  ${warning}`),
  ]
  context.print(lines.join("\n"))
  return EXIT.ok
}

type CheckedChain = Pick<ChainConfig, "chain" | "family"> & { readonly account: string } & ChainTrust

function describeChain(config: ChainConfig, account: string): CheckedChain {
  return { chain: config.chain, family: config.family, account, ...familyOf(config).describeTrust(config) }
}

function formatChain({ chain, family, account, endpoints, agree, finality, worst }: CheckedChain): readonly string[] {
  const { seen, reveal, ending } = finality
  return [
    `chain    ${chain} (${family}) ${account}`,
    `         endpoints: ${endpoints}, of which ${agree} must agree`,
    `         finality: seen ${seen}, reveal ${reveal}, ending ${ending}`,
    `         one lying endpoint could at worst: ${worst}`,
  ]
}

function warnOfTrust(config: ChainConfig): string[] {
  const gap = findTrustGap(config.chain, familyOf(config).describeTrust(config))
  return gap === null ? [] : [`${gap}; add an endpoint of another provider`]
}

/** Two services that disagree prove nothing against each other. */
function warnOfTwoServices({ services, assets, prices }: Config): string[] {
  const unpriced = assets.filter(({ id }) => !prices.sources.some(({ asset }) => asset === id)).map(({ id }) => id)
  if (services.length !== 2 || unpriced.length === 0) return []
  const todo = "add prices.sources, or a third service"
  return [
    `two services without reference prices of ${unpriced.join(", ")}: where they disagree, no order is made (quote.unproven); ${todo}`,
  ]
}

/** A guessed block time is counted with a wide range, so that most orders on the chain are refused. */
function warnOfGuess({ chain, blockTime }: ChainConfig): string[] {
  if (blockTime.from !== "guess") return []
  const todo = "set block_time, or use a preset; `ballast doctor` measures it"
  return [`${chain}: the block time is unknown, so most of its orders are refused (verify.timelock_margin); ${todo}`]
}
