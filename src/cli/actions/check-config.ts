import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { ChainTrust } from "#chains/family-definition.ts"
import type { Config } from "#config/config.ts"
import { configHash } from "#config/hash.ts"
import type { PlacedFinding } from "#config/judge/finding.ts"
import { describeGuards, type KnownPrices } from "#daemon/describe-guards.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { findOpenDataDir, findOpenFile } from "#daemon/private-files.ts"
import { readAccounts } from "#daemon/read-accounts.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { plainJson } from "#lib/json.ts"
import type { CommandContext } from "../define-command.ts"
import { listUnpinned } from "../doctor/check-contracts.ts"
import { ownFileOf } from "../find-config-file.ts"
import { openWithKeys } from "../signer/open-with-keys.ts"
import type { PasswordChoice } from "../signer/provide-password.ts"
import { formatTable } from "../table.ts"
import { warnOfCycles } from "./warn-of-cycles.ts"

/**
 * Checks the file, the secrets and the keys without network access, and prints the meaning of each guard. A mistake, or a finding that stops a
 * start or lets orders fail, is exit 78 with every problem. `named` overrides `--config`.
 */
export async function checkConfig(
  context: CommandContext,
  named: string | null,
  choice: PasswordChoice,
): Promise<number> {
  const chosen = named === null ? context : { ...context, config: named }
  const { config, file, findings } = await openWithKeys(chosen, choice)
  const accounts = await readAccounts(config)
  const chains = config.chains.map((chain) => describeChain(chain, accounts.get(chain.chain) ?? ""))
  const assets = config.assets.map(({ id }) => id)
  const notPinned = listUnpinned(config.assets)
  const rules = config.rules.map(({ id, kind, enabled }) => ({ id, kind, enabled }))
  const warnings = [
    ...config.chains.flatMap(warnOfGuess),
    ...(await warnOfCycles(config)),
    ...findings.filter(({ severity }) => severity === "warn").map(formatFinding),
  ]
  const errors = [
    ...findings.filter(({ severity }) => severity !== "warn").map(formatFinding),
    ...listOpen(config, file),
  ]
  const guards = describeGuards(config, NO_PRICES)
  const exitCode = errors.length === 0 ? EXIT.ok : EXIT.config
  const summary = {
    ok: errors.length === 0,
    file,
    hash: configHash(config),
    mode: config.mode,
    service: hideKeys(config.service.url, config.service.url),
    services: config.services.map(({ name, url }) => ({ name, url: hideKeys(url, url) })),
    chains,
    assets,
    notPinned,
    rules,
    guards,
    errors,
    warnings,
    findings,
  }
  if (context.json) {
    context.print(plainJson(summary, 2))
    return exitCode
  }
  const state = errors.length === 0 ? "is in order" : "is not safe"
  const lines = [
    `${file} ${state} (${config.mode}, hash ${summary.hash.slice(0, 12)})`,
    ...summary.services.map(({ name, url }) => `service  ${summary.services.length === 1 ? "" : `${name} `}${url}`),
    ...chains.flatMap(formatChain),
    ...assets.map((asset) => `asset    ${asset}${notPinned.includes(asset) ? " (contract not pinned)" : ""}`),
    ...rules.map(({ id, kind, enabled }) => `rule     ${id} (${kind})${enabled ? "" : " disabled"}`),
    ...formatTable(
      ["guard", "means"],
      guards.map(({ guard, means }) => [guard, means]),
    ).split("\n"),
    ...errors.map((error) => `error    ${error}`),
    ...warnings.map((warning) => `warning  ${warning}`),
  ]
  context.print(lines.join("\n"))
  return exitCode
}

/** Files that stop the start, because other users could read or change them. */
function listOpen({ dataDir }: Config, file: string): readonly string[] {
  const own = ownFileOf(file)
  const open = [...findOpenDataDir(dataDir), ...(own === null ? [] : findOpenFile(own))]
  return open.map(({ code, found, todo }) => `${found} (${code}); ${todo}`)
}

/** `check` makes no request; `doctor` shows the guards at today's prices. */
const NO_PRICES: KnownPrices = new Map()

function formatFinding({ place, code, message, todo }: PlacedFinding): string {
  return `${place}: ${message} (${code}); ${todo}`
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

/** A guessed block time is counted with a wide range, so that most orders on the chain are refused. */
function warnOfGuess({ chain, blockTime }: ChainConfig): string[] {
  if (blockTime.from !== "guess") return []
  const todo = "set block_time, or use a preset; `ballast doctor` measures it"
  return [`${chain}: the block time is unknown, so most of its orders are refused (verify.timelock_margin); ${todo}`]
}
