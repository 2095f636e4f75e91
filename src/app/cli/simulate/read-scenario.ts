import type { ScenarioChoices } from "#backtest/world/derive-scenario.ts"
import type { PairModel } from "#backtest/world/scenario.ts"
import type { ChainConfig } from "#chains/chain-config.ts"
import type { Config } from "#config/config.ts"
import { readYamlSource } from "#config/yaml-source.ts"
import { FIAT_DECIMALS, parseUnits } from "#domain/amount.ts"
import type { AssetId, ChainId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { readUserFile } from "#lib/files/read-user-file.ts"
import { describeFound } from "#schema/describe-found.ts"
import { parseLimitAmount } from "#schema/limit-amount.ts"
import { formatPath, formatProblem, type Problem } from "#schema/problem.ts"
import { readPath } from "#schema/read-path.ts"
import { type ScenarioFile, scenarioSchema } from "./scenario-schema.ts"

/** All choices except recorded flows and quotes, which have their own files. */
type FileChoices = Omit<ScenarioChoices, "flows" | "quotes">

/**
 * Reads a scenario file. Throws `simulate.unreadable` or `simulate.scenario` (both fatal) with all
 * problems together, each with its line.
 */
export function readScenario(path: string, configs: readonly Config[]): FileChoices {
  return parseScenario(readInput(path), path, configs)
}

/** Throws `simulate.unreadable` (fatal). */
export function readInput(path: string): string {
  try {
    return readUserFile(path).toString("utf8")
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    const message = `${path} cannot be read (${code}); check the path`
    throw new AppError({ code: "simulate.unreadable", disposition: "fatal", message, cause: error })
  }
}

export function parseScenario(text: string, file: string, configs: readonly Config[]): FileChoices {
  const source = readYamlSource(text, file)
  const root = source.value ?? {}
  const problems: Problem[] = [...source.problems]
  const report = (
    path: readonly (string | number)[],
    message: string,
    at: "key" | "value" = "value",
  ): void => {
    problems.push({ file, ...source.positionOf(path, at), path: formatPath(path), message })
  }
  const parsed = problems.length === 0 ? scenarioSchema.safeParse(root) : null
  for (const { path, message, code } of parsed?.error?.issues ?? []) {
    const keys = path.map((key) => (typeof key === "symbol" ? key.toString() : key))
    const found =
      code === "unrecognized_keys" ? "" : `, found ${describeFound(readPath(root, keys))}`
    report(keys, `${message}${found}`)
  }
  if (parsed?.success) checkNames(parsed.data, configs, report)
  if (!parsed?.success || problems.length > 0) throw scenarioError(problems)
  return toChoices(parsed.data, configs)
}

function scenarioError(problems: readonly Problem[]): AppError {
  const lines = problems.map(formatProblem).join("\n")
  const message =
    "the scenario has " +
    `${problems.length === 1 ? "one problem" : `${problems.length} problems`}; correct the ` +
    `file\n${lines}`
  return new AppError({ code: "simulate.scenario", disposition: "fatal", message })
}

type Report = (path: readonly (string | number)[], message: string, at?: "key" | "value") => void

function checkNames(
  { assets, chains, quotes }: ScenarioFile,
  configs: readonly Config[],
  report: Report,
): void {
  for (const [id, asset] of Object.entries(assets ?? {})) {
    const decimals = findDecimals(id, configs)
    if (decimals === null) report(["assets", id], "is not a configured asset", "key")
    for (const key of ["balance", "drift", "volatility"] as const) {
      if (decimals !== null) checkDigits(asset[key], decimals, ["assets", id, key], report)
    }
  }
  for (const [name, chain] of Object.entries(chains ?? {})) {
    const known = findChain(name, configs)
    if (known === null) report(["chains", name], "is not a configured chain", "key")
    for (const key of ["gas", "deposit_fee", "refund_fee"] as const) {
      if (known !== null)
        checkDigits(chain[key], known.nativeCoin.decimals, ["chains", name, key], report)
    }
  }
  for (const [index, pair] of (quotes?.pairs ?? []).entries()) {
    for (const end of ["from", "to"] as const) {
      if (findDecimals(pair[end], configs) === null)
        report(["quotes", "pairs", index, end], "is not a configured asset")
    }
  }
  const kinds = configs.flatMap(({ routes }) => routes.map(({ kind }) => kind))
  for (const kind of Object.keys(quotes?.routes ?? {}))
    if (!kinds.includes(kind))
      report(["quotes", "routes", kind], "is not a configured route", "key")
}

function checkDigits(
  amount: string | undefined,
  decimals: number,
  path: readonly string[],
  report: Report,
): void {
  const digits = (amount?.split(".")[1] ?? "").length
  if (digits > decimals)
    report(path, `expected at most ${decimals} digits after the point, found ${digits}`)
}

function findDecimals(id: string, configs: readonly Config[]): number | null {
  for (const { assets } of configs)
    for (const asset of assets) if (asset.id === id) return asset.decimals
  return null
}

function findChain(name: string, configs: readonly Config[]): ChainConfig | null {
  for (const { chains } of configs)
    for (const chain of chains) if (chain.chain === name) return chain
  return null
}

function toChoices(file: ScenarioFile, configs: readonly Config[]): FileChoices {
  return {
    ...(file.start === undefined ? {} : { startMs: Date.parse(file.start) }),
    ...(file.step === undefined ? {} : { stepMs: file.step }),
    assets: new Map(
      configs.flatMap(({ assets }) =>
        assets.flatMap(({ id, decimals }): [AssetId, ReturnType<typeof toAsset>][] => {
          const asset = file.assets?.[id]
          return asset === undefined ? [] : [[id, toAsset(asset, decimals)]]
        }),
      ),
    ),
    prices: new Map(
      Object.entries(file.prices ?? {}).map(([name, price]) => [name, toPrice(price)]),
    ),
    pair: toPair(file.quotes ?? {}),
    pairs: new Map(
      (file.quotes?.pairs ?? []).map((pair) => [`${pair.from}>${pair.to}`, toPair(pair)]),
    ),
    routes: new Map(
      Object.entries(file.quotes?.routes ?? {}).map(([kind, pair]) => [kind, toPair(pair)]),
    ),
    chains: new Map(
      configs.flatMap(({ chains }) =>
        chains.flatMap((config): [ChainId, ReturnType<typeof toChain>][] => {
          const chosen = file.chains?.[config.chain]
          const { decimals } = config.nativeCoin
          return chosen === undefined ? [] : [[config.chain, toChain(chosen, decimals)]]
        }),
      ),
    ),
    orders: toOrders(file.orders ?? {}),
  }
}

type Part<Key extends keyof ScenarioFile> = NonNullable<ScenarioFile[Key]>

function toAsset({ balance, drift, volatility, price }: Part<"assets">[string], decimals: number) {
  return {
    ...(balance === undefined ? {} : { startUnits: parseUnits(balance, decimals) }),
    ...(drift === undefined ? {} : { driftUnits: parseSigned(drift, decimals) }),
    ...(volatility === undefined ? {} : { volatilityUnits: parseUnits(volatility, decimals) }),
    ...(price === undefined ? {} : { price }),
  }
}

function toPrice({ start, drift, volatility }: Part<"prices">[string]) {
  return {
    ...(start === undefined ? {} : { startFiat: fiatOf(start) }),
    ...(drift === undefined ? {} : { driftPpm: millionths(drift) }),
    ...(volatility === undefined ? {} : { volatilityPpm: millionths(volatility) }),
  }
}

function toPair({
  available,
  fixed,
  bps,
  least,
  most,
  duration,
}: Omit<Part<"quotes">, "pairs" | "routes">): Partial<PairModel> {
  return {
    ...(available === undefined ? {} : { available }),
    ...(fixed === undefined ? {} : { fixedFiat: fiatOf(fixed) }),
    ...(bps === undefined ? {} : { bps: BigInt(bps) }),
    ...(least === undefined ? {} : { leastFiat: fiatOf(least) }),
    ...(most === undefined ? {} : { mostFiat: fiatOf(most) }),
    ...(duration === undefined ? {} : { duration }),
  }
}

function toChain({ gas, deposit_fee, refund_fee }: Part<"chains">[string], decimals: number) {
  return {
    ...(gas === undefined ? {} : { gasUnits: parseUnits(gas, decimals) }),
    ...(deposit_fee === undefined ? {} : { depositFeeUnits: parseUnits(deposit_fee, decimals) }),
    ...(refund_fee === undefined ? {} : { refundFeeUnits: parseUnits(refund_fee, decimals) }),
  }
}

function toOrders({
  declined,
  refunded,
  refund_after,
  approval,
}: Part<"orders">): FileChoices["orders"] {
  return {
    ...(declined === undefined ? {} : { declinedPpm: millionths(declined) }),
    ...(refunded === undefined ? {} : { refundedPpm: millionths(refunded) }),
    ...(refund_after === undefined ? {} : { refundAfterMs: refund_after }),
    ...(approval === undefined ? {} : { approval }),
  }
}

function fiatOf(text: string): bigint {
  return parseUnits(text.replace(/ ?usd$/i, ""), FIAT_DECIMALS)
}

function parseSigned(text: string, decimals: number): bigint {
  return text.startsWith("-") ? -parseUnits(text.slice(1), decimals) : parseUnits(text, decimals)
}

/** A share in millionths, after the schema checked its form. */
function millionths(text: string): bigint {
  const amount = parseLimitAmount(text.replace(/^-/, ""))
  const ppm = amount?.kind === "share" ? amount.bps * 100n : 0n
  return text.startsWith("-") ? -ppm : ppm
}
