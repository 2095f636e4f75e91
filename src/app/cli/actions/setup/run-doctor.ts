import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import type { Config, ServiceConfig } from "#config/config.ts"
import type { PlacedFinding } from "#config/judge/finding.ts"
import { judgeAccounts } from "#config/judge/judge-twins.ts"
import { placeFindings } from "#config/judge/place-findings.ts"
import { readYamlSource } from "#config/yaml-source.ts"
import { openChain, openPrices } from "#daemon/compose.ts"
import { openProbe, pickIndicativeQuote } from "#daemon/serve/ask-service.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { readLastExit } from "#daemon/start/last-exit.ts"
import { readRuntimeFile } from "#daemon/start/runtime-file.ts"
import { readStartNote } from "#daemon/start/start-note.ts"
import { readAccounts } from "#daemon/views/read-accounts.ts"
import { describeExit, describeStart } from "#health/find-problems.ts"
import { remedyOf, SLOW_SERVICE_MS } from "#health/judge-service.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { plainJson } from "#lib/json.ts"
import { createAsk } from "#nodes/create-ask.ts"
import { askOverview } from "../../ask-overview.ts"
import type { CommandContext } from "../../define-command.ts"
import { checkAssets } from "../../doctor/check-assets.ts"
import { checkContracts } from "../../doctor/check-contracts.ts"
import { checkDaemon } from "../../doctor/check-daemon.ts"
import { checkDataDir, checkSecretFiles } from "../../doctor/check-disk.ts"
import { checkConfigFile, showFindings } from "../../doctor/check-file.ts"
import { checkNodes } from "../../doctor/check-nodes.ts"
import { checkPairs } from "../../doctor/check-pairs.ts"
import { checkReferencePrices } from "../../doctor/check-prices.ts"
import { judgeRouteLegs } from "../../doctor/check-routes.ts"
import { checkSearch } from "../../doctor/check-search.ts"
import { checkAgreement, checkConfirmedClock, checkTrust } from "../../doctor/check-trust.ts"
import { checkWallet, readWallet } from "../../doctor/check-wallet.ts"
import { broken, type Diagnosis, doubtful, healthy } from "../../doctor/diagnosis.ts"
import { formatTable } from "../../format/table.ts"
import { findConfigFile } from "../../open/find-config-file.ts"
import { openConfig, openConfigForReading } from "../../open/open-config.ts"
import { refuseOtherVersion } from "../../open/open-journal.ts"
import { type PasswordChoice, providePassword } from "../../signer/provide-password.ts"

/**
 * Checks every precondition of a first start, and prints a remedy for each finding. It signs
 * nothing and leaves no files. A failed check is exit 1; a journal of another version, exit 78.
 */
export async function runDoctor(context: CommandContext, choice: PasswordChoice): Promise<number> {
  await providePassword(context, choice)
  const diagnoses = await diagnose(context)
  const failed = diagnoses.some(({ status }) => status === "fail")
  if (context.json) context.print(plainJson({ ok: !failed, checks: diagnoses }, 2))
  else context.print(format(diagnoses, context.columns))
  return failed ? EXIT.refused : EXIT.ok
}

async function diagnose(context: CommandContext): Promise<Diagnosis[]> {
  const file = findConfigFile(context)
  const opened = await readConfig(context, file)
  if (opened.config === null) return [opened.diagnosis]
  const { config } = opened
  refuseOtherVersion(config)
  const ask = createAsk(config.service.timeoutMs)
  const directory = dirname(resolve(file))
  const secrets = [
    ...config.chains.map(({ key }) => key.reference),
    ...(config.ops.token ? [config.ops.token.reference] : []),
    ...config.ops.tokens.map(({ token }) => token.reference),
    ...(config.ops.tls ? [config.ops.tls.key.reference] : []),
  ]
  const outside = await Promise.all([
    checkKeys(config, context),
    checkPricesNow(config, context),
    ...config.chains.map(async (chain) =>
      checkNodes(chain, ask, context.clock, await readWallet(chain, config.assets)),
    ),
    ...config.chains.map((chain) => checkWallet(chain, config.assets, ask)),
    ...config.chains.map((chain) => checkTrust(chain, opened.findings)),
    ...config.chains.map((chain) => checkContracts(chain, config.assets, ask)),
    checkRoutesNow(config, context),
    ...config.services.map((service) => checkService(service, config, context)),
    ...config.services.map((service) =>
      checkPairs(config, service, openProbe(service, service.timeoutMs, context.clock).askPair),
    ),
  ])
  const checks = [...outside.flat(), ...checkDataDir(config)]
  return [
    opened.diagnosis,
    ...checkConfigFile(file, process.getuid?.() ?? null),
    ...showFindings(opened.findings),
    ...(await checkRunningDaemon(config, context, checks)),
    ...checks,
    ...checkConfirmedClock(config, context.clock.now()),
    ...checkSecretFiles(secrets, directory),
    checkKillTimeout(config),
  ]
}

/** A missing secret is a failed check; the other checks still run. */
async function readConfig(context: CommandContext, file: string): Promise<OpenedConfig> {
  try {
    const opened = openConfig(context)
    const { config } = opened
    const findings = [...(await findSharedAccounts(opened)), ...opened.findings]
    const found = `${file}: ${config.rules.length} rules, mode ${config.mode}`
    return { config, findings, diagnosis: healthy("configuration", found) }
  } catch (error) {
    const todo = adviseKey(error) ?? "Correct the file; `ballast check` says the same."
    const diagnosis = broken("configuration", messageOf(error), todo)
    return { config: readLeniently(context), findings: [], diagnosis }
  }
}

/** A key without an account is a finding of `checkKeys`. */
async function findSharedAccounts({
  config,
  text,
  file,
}: ReturnType<typeof openConfig>): Promise<PlacedFinding[]> {
  const accounts = await readAccounts(config).catch(() => new Map())
  const findings = judgeAccounts(config.chains, accounts)
  return placeFindings(findings, readYamlSource(text, file), file)
}

type OpenedConfig = {
  readonly config: Config | null
  readonly findings: readonly PlacedFinding[]
  readonly diagnosis: Diagnosis
}

function readLeniently(context: CommandContext): Config | null {
  try {
    return openConfigForReading(context)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/**
 * Before the first start, and while the daemon is stopped on purpose, its absence is no finding.
 */
async function checkRunningDaemon(
  config: Config,
  context: CommandContext,
  checks: readonly Diagnosis[],
): Promise<Diagnosis[]> {
  if (readRuntimeFile(config.dataDir) === null) {
    const start = readStartNote(config.dataDir)
    if (start !== null) {
      const { sentence, todo } = describeStart(start, context.clock.now())
      return [broken("daemon", sentence, todo)]
    }
    const end = readLastExit(config.dataDir)
    if (end === null) return []
    const found = `does not run; ${describeExit(end)}`
    return [broken("daemon", found, "Mend that, then start it with `ballast run`.")]
  }
  try {
    return checkDaemon(
      (await askOverview(context, { dataDir: config.dataDir, readConfig: async () => config }))
        .overview,
      checks,
    )
  } catch (error) {
    return [broken("daemon", messageOf(error), "Ask for its state with `ballast status`.")]
  }
}

/** An opened key also shows which accounts of the assets are its own. */
async function checkKeys(config: Config, { clock }: CommandContext): Promise<Diagnosis[]> {
  const found = await Promise.all(
    config.chains.map(async (chain) => {
      const check = `${chain.chain} key`
      try {
        const port = await openChain(chain, config, clock)
        const assets = config.assets.filter((asset) => asset.chain === chain.chain)
        const asked = Promise.all([
          checkAssets(port, assets),
          checkSearch(port, assets, chain.blockTime.ms),
          checkAgreement(port),
        ])
        const found = await inTime(asked, clock)
        const silent = `its assets and agreement could not be read within ${CHAIN_MS / 1_000} s`
        const todo = "Check the nodes of this chain."
        return [
          healthy(check, `${port.isWatchOnly === true ? "watches only" : "opens"} ${port.account}`),
          ...(found?.flat() ?? [doubtful(`${chain.chain} assets`, silent, todo)]),
        ]
      } catch (error) {
        return [broken(check, messageOf(error), adviseKey(error) ?? WRONG_KEY)]
      }
    }),
  )
  return found.flat()
}

const WRONG_KEY = "Put the key where its reference points; it must be of this family."

/** The remedy for a key that was not read at all; `null` for other errors. */
function adviseKey(error: unknown): string | null {
  const code = error instanceof AppError ? error.code : ""
  return REMEDIES[code] ?? null
}

const REMEDIES: Readonly<Record<string, string>> = {
  "config.keystore_locked":
    "Give the password as the message says, and run `ballast doctor` again.",
  "config.keystore": "Give the password of this keystore, or name the right file.",
  "config.secret": "Put the key where its reference points, or correct the reference.",
}

/** A node that hangs would keep the other findings back for more than a minute. */
const CHAIN_MS = 20_000

/** `null` after `CHAIN_MS`. */
async function inTime<T>(work: Promise<T>, clock: Clock): Promise<T | null> {
  const waiting = new AbortController()
  try {
    return await Promise.race([work, clock.sleep(CHAIN_MS, waiting.signal).then(() => null)])
  } finally {
    waiting.abort()
  }
}

/** A chain that does not open is a finding of its own; here only its price feeds are missing. */
async function checkPricesNow(config: Config, { clock }: CommandContext): Promise<Diagnosis[]> {
  const ports = await Promise.all(
    config.chains.map((chain) => openChain(chain, config, clock).catch(() => null)),
  )
  const open = ports.flatMap((port) => (port === null ? [] : [[port.chain, port] as const]))
  return checkReferencePrices(config, openPrices(config, clock, new Map(open)))
}

async function checkRoutesNow(config: Config, { clock }: CommandContext): Promise<Diagnosis[]> {
  const silent = doubtful("routes", "could not be read in time", "Check the nodes of their chains.")
  return (await inTime(judgeRouteLegs(config, clock), clock)) ?? [silent]
}

const WARN_SKEW_MS = 5_000
const FAIL_SKEW_MS = 60_000

/**
 * Asks for a sign of life and for a quote, as the daemon does; the `Date` header shows the skew
 * between the clocks.
 */
async function checkService(
  service: ServiceConfig,
  config: Config,
  { clock }: CommandContext,
): Promise<Diagnosis[]> {
  const { host } = new URL(service.url)
  const check = `service ${config.services.length > 1 ? `${service.name} ` : ""}${host}`
  const quote = pickIndicativeQuote(config)
  const probe = openProbe(service, service.timeoutMs, clock)
  const askedMs = clock.now()
  const { asked, fault, status, date } = await probe.askForLife(quote)
  const answeredMs = clock.now()
  if (status === null) return [failingService(check, `no answer: ${fault}`, fault ?? "")]
  const isAsked = quote === null || asked === "a quote" || fault !== null
  const quoteFault = isAsked ? null : await probe.askQuote(quote)
  const quotedMs = clock.now()
  const found = [
    ...(fault === null ? [] : [failingService(check, `${asked} fails with ${fault}`, fault)]),
    ...(quoteFault === null
      ? []
      : [failingService(check, `quotes fail with ${quoteFault}`, quoteFault)]),
    ...checkPace(check, Math.max(answeredMs - askedMs, quotedMs - answeredMs)),
  ]
  const skew = checkSkew(date ?? undefined, answeredMs)
  if (found.length > 0) return [...found, skew]
  return [healthy(check, `answers (${describeAnswer(asked, status, quote === null)})`), skew]
}

/** A slow service is a finding of its own: its failures may have another cause. */
function checkPace(check: string, tookMs: number): Diagnosis[] {
  if (tookMs < SLOW_SERVICE_MS) return []
  const found = `slow: ${(tookMs / 1_000).toFixed(1)} s for one answer`
  return [doubtful(check, found, "Nothing, unless it lasts: quotes and orders take longer.")]
}

function describeAnswer(asked: string, status: number, isListOnly: boolean): string {
  if (asked === "a quote") return "to a quote; it has no list of chains"
  return `HTTP ${status} to its list of chains${isListOnly ? "" : ", and to a quote"}`
}

function failingService(check: string, found: string, fault: string): Diagnosis {
  const { todo } = remedyOf([fault])
  return broken(check, found, `${todo} Orders wait until it answers; refunds do not need it.`)
}

function checkSkew(date: string | string[] | undefined, nowMs: number): Diagnosis {
  const theirsMs = typeof date === "string" ? Date.parse(date) : Number.NaN
  if (!Number.isFinite(theirsMs))
    return doubtful(
      "clock",
      "the service does not say its time",
      "Make sure that NTP runs on this machine.",
    )
  // The header is cut to whole seconds.
  const skewMs = Math.abs(nowMs - theirsMs - 500)
  const found = `${(skewMs / 1_000).toFixed(1)} s apart from the service's`
  const todo = "Set this machine's clock (NTP): deadlines, windows and schedules go by it."
  if (skewMs > FAIL_SKEW_MS) return broken("clock", found, todo)
  return skewMs > WARN_SKEW_MS ? doubtful("clock", found, todo) : healthy("clock", found)
}

/**
 * When PM2 stops the daemon, the daemon first finishes its current work. One request to the service
 * may take the whole time-out.
 */
function checkKillTimeout({ services }: Config): Diagnosis {
  const timeoutMs = Math.max(...services.map((service) => service.timeoutMs))
  const file = "ecosystem.config.cjs"
  const killMs = readKillTimeout()
  if (killMs === null)
    return doubtful("PM2", `${file} cannot be read`, "Where PM2 is not used, this does not matter.")
  const found = `kill_timeout ${killMs / 1_000} s, service.timeout ${timeoutMs / 1_000} s`
  if (killMs > timeoutMs) return healthy("PM2", found)
  return doubtful(
    "PM2",
    found,
    `Give kill_timeout in ${file} more than service.timeout, so that PM2 does not kill the ` +
      "daemon during a request.",
  )
}

function readKillTimeout(): number | null {
  try {
    const found: unknown = createRequire(import.meta.url)("../../../../../ecosystem.config.cjs")
    // CAST: our own file; the code below checks every part before use.
    const { apps } = found as { apps?: { kill_timeout?: unknown }[] }
    const killMs = apps?.[0]?.kill_timeout
    return typeof killMs === "number" ? killMs : null
  } catch {
    // Another installation may lack this file; the diagnosis says that Ballast could not read it.
    return null
  }
}

const SIGNS = { ok: "ok  ", warn: "WARN", fail: "FAIL" } as const

function format(diagnoses: readonly Diagnosis[], columns: number | null): string {
  const rows = diagnoses.map(({ check, status, found }) => [
    SIGNS[status],
    check,
    found.split("\n")[0] ?? "",
  ])
  const todos = diagnoses.filter(({ todo }) => todo !== null)
  const lines = todos.map(({ check, found, todo }) => `${check}: ${found}\n  → ${todo}`)
  return [formatTable(["", "check", "found"], rows, columns), ...lines].join("\n\n")
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
