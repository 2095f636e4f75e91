import type { ChainConfig } from "#chains/chain-config.ts"
import type { Config } from "#config/config.ts"
import { configHash } from "#config/hash.ts"
import { openChains } from "#daemon/compose.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../define-command.ts"
import { listUnpinned } from "../doctor/check-contracts.ts"
import { openConfig } from "../open-config.ts"

/** Checks the file, the secrets and the keys without network access. A mistake is exit 78 with every problem. `named` overrides `--config`. */
export async function checkConfig(context: CommandContext, named: string | null): Promise<number> {
  const { config, file } = openConfig(named === null ? context : { ...context, config: named })
  const chains = [...(await openChains(config, context.clock)).values()].map(({ chain, family, account }) => ({
    chain,
    family,
    account,
  }))
  const assets = config.assets.map(({ id }) => id)
  const notPinned = listUnpinned(config.assets)
  const rules = config.rules.map(({ id, kind, enabled }) => ({ id, kind, enabled }))
  const warnings = [...config.chains.flatMap(warnOfGuess), ...warnOfTwoServices(config)]
  const summary = {
    ok: true,
    file,
    hash: configHash(config),
    mode: config.mode,
    service: config.service.url,
    services: config.services.map(({ name, url }) => ({ name, url })),
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
    ...config.services.map(({ name, url }) => `service  ${config.services.length === 1 ? "" : `${name} `}${url}`),
    ...chains.map(({ chain, family, account }) => `chain    ${chain} (${family}) ${account}`),
    ...assets.map((asset) => `asset    ${asset}${notPinned.includes(asset) ? " (contract not pinned)" : ""}`),
    ...rules.map(({ id, kind, enabled }) => `rule     ${id} (${kind})${enabled ? "" : " disabled"}`),
    ...warnings.map((warning) => `warning  ${warning}`),
  ]
  context.print(lines.join("\n"))
  return EXIT.ok
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
