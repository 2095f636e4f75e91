import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { ChainTrust } from "#chains/family-definition.ts"
import type { Config } from "#config/config.ts"
import { configHash } from "#config/hash.ts"
import type { ConfigFinding } from "#config/judge/finding.ts"
import { judgeAccounts } from "#config/judge/judge-twins.ts"
import { placeFindings } from "#config/judge/place-findings.ts"
import { type Notice, summariseFindings } from "#config/judge/summarise-findings.ts"
import { readYamlSource } from "#config/yaml-source.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { findOpenDataDir, findOpenFile } from "#daemon/start/private-files.ts"
import { describeGuards, type KnownPrices } from "#daemon/views/describe-guards.ts"
import { readAccounts } from "#daemon/views/read-accounts.ts"
import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { ChainId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { hideKeys } from "#lib/hide-keys.ts"
import { plainJson } from "#lib/json.ts"
import { refuseNodeVariables } from "#nodes/node-variables.ts"
import { readProxyVariables } from "#nodes/proxy-variables.ts"
import { type ConfiguredRule, scheduleOf } from "#policy/rules/registry.ts"
import type { CommandContext } from "../../define-command.ts"
import { listUnpinned } from "../../doctor/check-contracts.ts"
import { formatTimes, listNextTimes } from "../../format/next-times.ts"
import { formatTable } from "../../format/table.ts"
import { ownFileOf } from "../../open/find-config-file.ts"
import { hasPlayKeys } from "../../open/open-config.ts"
import { openWithKeys } from "../../signer/open-with-keys.ts"
import type { PasswordChoice } from "../../signer/provide-password.ts"
import { judgeCosts } from "../rules/judge-costs.ts"
import { judgeCycles } from "../rules/judge-cycles.ts"
import { EACH_ORDER, estimateRequests } from "./estimate-requests.ts"

/**
 * Checks the file, the secrets and the keys without network access, and prints the meaning of each
 * guard. A mistake, or a finding that stops a start or lets orders fail, is exit 78 with every
 * problem. `file` overrides `--config`. Equal findings are one short line; `explain` adds the long
 * text.
 */
export async function checkConfig(
  context: CommandContext,
  { file: named, explain }: { readonly file: string | null; readonly explain: boolean },
  choice: PasswordChoice,
): Promise<number> {
  const opened = await openWithKeys(
    named === null ? context : { ...context, config: named },
    choice,
  )
  const { config, file } = opened
  const accounts = await readAccounts(config)
  const findings = [
    ...placeFindings(await tryOut(config, accounts), readYamlSource(opened.text, file), file),
    ...opened.findings,
  ]
  const notices = summariseFindings(findings)
  const chains = config.chains.map((chain) => describeChain(config, chain, accounts))
  const assets = config.assets.map(({ id }) => id)
  const notPinned = listUnpinned(config.assets)
  const rules = config.rules.map((rule) => describeRule(rule, context.clock.now()))
  const grave = notices.filter(({ severity }) => severity !== "warn")
  const open = listOpen(config, file)
  const warnings = notices.filter(({ severity }) => severity === "warn").map(({ text }) => text)
  const proxies = listVariableFaults(context, config)
  const errors = [...grave.map(({ text }) => text), ...open, ...proxies]
  const guards = describeGuards(config, NO_PRICES)
  const ok = errors.length === 0
  const exitCode = ok ? EXIT.ok : EXIT.config
  const summary = {
    ok,
    file,
    hash: configHash(config),
    mode: config.mode,
    service: hideKeys(config.service.url, config.service.url),
    services: config.services.map(({ name, url }) => ({ name, url: hideKeys(url, url) })),
    chains,
    assets,
    notPinned,
    routes: config.routes.map(describeRoute),
    rules,
    guards,
    errors,
    warnings,
    notices,
    findings,
  }
  if (context.json) {
    context.print(plainJson(summary, 2))
    return exitCode
  }
  const lines = [
    `${file} ${stateOf(ok)} (${config.mode}, hash ${summary.hash.slice(0, 12)})`,
    ...summary.services.map(
      ({ name, url }) => `service  ${summary.services.length === 1 ? "" : `${name} `}${url}`,
    ),
    ...chains.flatMap((chain) => formatChain(chain, explain)),
    ...assets.map(
      (asset) => `asset    ${asset}${notPinned.includes(asset) ? " (contract not pinned)" : ""}`,
    ),
    ...summary.routes.map(formatRoute),
    ...rules.flatMap(formatRule),
    ...formatTable(
      ["guard", "means"],
      guards.map(({ guard, means }) => [guard, means]),
    ).split("\n"),
    ...formatNotices(notices, [...open, ...proxies], explain),
  ]
  context.print(lines.join("\n"))
  return exitCode
}

function stateOf(ok: boolean): string {
  return ok ? "is in order" : "is not safe"
}

function describeRoute({ kind, assets, maxInFlightFiat }: Config["routes"][number]) {
  return { kind, assets, maxInFlight: formatUnits(maxInFlightFiat, FIAT_DECIMALS) }
}

function formatRoute({ kind, assets, maxInFlight }: ReturnType<typeof describeRoute>): string {
  return `route    ${kind}, at most ${maxInFlight} usd in flight: ${assets.join(", ")}`
}

/** The findings that need the addresses of the keys, or a backtest. */
async function tryOut(
  config: Config,
  accounts: ReadonlyMap<ChainId, string>,
): Promise<ConfigFinding[]> {
  return [
    ...judgeAccounts(config.chains, accounts),
    ...(await judgeCycles(config)),
    ...(await judgeCosts(config)),
  ]
}

/** Every request of the daemon would fail with it. */
function listVariableFaults({ env }: CommandContext, config: Config): readonly string[] {
  try {
    readProxyVariables(env)
    refuseNodeVariables(env, hasPlayKeys(config))
    return []
  } catch (error) {
    if (error instanceof AppError) return [`${error.message} (${error.code})`]
    throw error
  }
}

/** Files that stop the start, because other users could read or change them. */
function listOpen({ dataDir }: Config, file: string): readonly string[] {
  const own = ownFileOf(file)
  const open = [...findOpenDataDir(dataDir), ...(own === null ? [] : findOpenFile(own))]
  return open.map(({ code, found, todo }) => `${found} (${code}); ${todo}`)
}

/** `check` makes no request; `doctor` shows the guards at today's prices. */
const NO_PRICES: KnownPrices = new Map()

const MORE =
  "`ballast check --explain` tells more about each error and warning, as does docs/CONFIG.md."

/** The errors first, then the warnings. */
function formatNotices(
  notices: readonly Notice[],
  open: readonly string[],
  explain: boolean,
): readonly string[] {
  const mild = notices.filter(({ severity }) => severity === "warn")
  const grave = notices.filter(({ severity }) => severity !== "warn")
  return [
    ...grave.flatMap((notice) => formatNotice("error", notice, explain)),
    ...open.map((error) => `error    ${error}`),
    ...mild.flatMap((notice) => formatNotice("warning", notice, explain)),
    ...(notices.length === 0 || explain ? [] : [MORE]),
  ]
}

function formatNotice(kind: "error" | "warning", notice: Notice, explain: boolean): string[] {
  const line = `${kind.padEnd(9)}${notice.text}`
  return explain
    ? [line, ...[notice.explain, ...notice.details].map((text) => `         ${text}`)]
    : [line]
}

type CheckedRule = Pick<ConfiguredRule, "id" | "kind" | "enabled"> & {
  /** The next three times of a rule with a schedule. */
  readonly next?: readonly string[]
  readonly timezone?: string
}

function describeRule(rule: ConfiguredRule, nowMs: number): CheckedRule {
  const { id, kind, enabled } = rule
  const schedule = scheduleOf(rule)
  if (schedule === null) return { id, kind, enabled }
  const next = listNextTimes(schedule, nowMs).map((ms) => new Date(ms).toISOString())
  return { id, kind, enabled, next, timezone: schedule.timezone }
}

function formatRule({ id, kind, enabled, next, timezone }: CheckedRule): readonly string[] {
  const line = `rule     ${id} (${kind})${enabled ? "" : " disabled"}`
  if (next === undefined || timezone === undefined || !enabled) return [line]
  return [line, `         next: ${formatTimes(next.map(Date.parse), timezone)}`]
}

type CheckedChain = Pick<ChainConfig, "chain" | "family"> & {
  readonly account: string
  readonly requestsADay: number
} & ChainTrust

function describeChain(
  config: Config,
  chain: ChainConfig,
  accounts: ReadonlyMap<string, string>,
): CheckedChain {
  return {
    chain: chain.chain,
    family: chain.family,
    account: accounts.get(chain.chain) ?? "",
    requestsADay: estimateRequests(config, chain.chain),
    ...familyOf(chain).describeTrust(chain),
  }
}

function formatChain(
  { chain, family, account, endpoints, agree, finality, worst, requestsADay }: CheckedChain,
  explain: boolean,
): readonly string[] {
  const { seen, reveal, ending } = finality
  return [
    `chain    ${chain} (${family}) ${account}`,
    `         endpoints: ${endpoints}, of which ${agree} must agree; about ` +
      `${requestsADay.toLocaleString("en")} requests a day at each, and ${EACH_ORDER} for an order`,
    `         finality: seen ${seen}, reveal ${reveal}, ending ${ending}`,
    ...(explain ? [`         one lying endpoint could at worst: ${worst}`] : []),
  ]
}
