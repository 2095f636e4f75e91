import { FIAT_DECIMALS, formatUnits } from "#domain/amount.ts"
import type { Asset } from "#domain/asset.ts"
import { symbolOf } from "#domain/route/affiliate-fee.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import { readPath } from "#schema/read-path.ts"
import type { Config, WindowConfig } from "../config.ts"
import { type ConfigFinding, findingOf, type Judged } from "./finding.ts"

/** An unattended order of this size is a mistake. */
const ABSURD_FIAT = 1_000_000n * 10n ** BigInt(FIAT_DECIMALS)
const HIGH_COST_BPS = 500n
const SHORT_WINDOW_MS = 3_600_000

/** The limits that a live treasury must have, and limits that limit nothing. */
export function judgeLimits(judged: Judged): ConfigFinding[] {
  const { config, isReal } = judged
  const { guards } = config
  return [
    ...(config.mode === "live" ? findMissing(config, isReal) : []),
    ...findAbsurd(config, guards.maxOrder, ["guards", "max_order"]),
    ...judgeServiceSecrets(judged),
    ...guards.windows.flatMap((window, index) => [
      ...findAbsurd(config, window.max, ["guards", "windows", index, "max"]),
      ...judgeWindow(config, window, index),
    ]),
    ...judgeApproval(config, isReal),
    ...judgeCost(config),
  ]
}

function findMissing({ guards }: Config, isReal: boolean): ConfigFinding[] {
  const severity = isReal ? "refuse" : "warn"
  const findings: ConfigFinding[] = []
  if (guards.maxOrder === null) {
    const message = "mode live has no limit for one order"
    const todo = 'add max_order: "100 usd" under guards'
    findings.push(findingOf("noMaxOrder", { severity, path: ["guards"], message, todo }))
  }
  if (!guards.windows.some(({ max }) => max !== null)) {
    const message = "mode live has no limit for the amount sold over time"
    const todo = 'add windows: [{ per: 24h, max: "500 usd", max_fees: "20 usd" }] under guards'
    findings.push(findingOf("noWindow", { severity, path: ["guards", "windows"], message, todo }))
  }
  return findings
}

/**
 * The limit for secrets of the services. It is `max_order` without a value of its own, and with
 * real money that is a loss to choose on purpose: service and solver together can take one such
 * order.
 */
function judgeServiceSecrets({ config, written, isReal }: Judged): ConfigFinding[] {
  const path = ["guards", "max_service_secret"]
  if ((readPath(written, path) ?? null) !== null)
    return findAbsurd(config, config.guards.maxServiceSecret, path)
  if (!isReal) return []
  const message =
    "service and solver together can take an order whose secret the service chose, up to max_order"
  const todo = 'add max_service_secret: "50 usd" under guards, and secrets.key for the rest'
  return [findingOf("noServiceSecretLimit", { path: ["guards"], message, todo })]
}

/** A limit in units applies to each asset in its own unit, so "500" is 500 bitcoins too. */
function findAbsurd(
  config: Config,
  limit: SoldLimit | null,
  path: ConfigFinding["path"],
): ConfigFinding[] {
  const worst = limit === null ? null : worstOf(config.assets, limit)
  if (worst === null || worst.fiat <= ABSURD_FIAT) return []
  const message = `the limit means ${worst.text}: it limits nothing`
  const todo = `write a limit in fiat, such as ${String(path.at(-1))}: "500 usd"`
  return [findingOf("absurdLimit", { path, message, todo })]
}

function worstOf(
  assets: readonly Asset[],
  limit: SoldLimit,
): { readonly fiat: bigint; readonly text: string } | null {
  if (limit.kind === "fiat")
    return { fiat: limit.fiat, text: `${formatUnits(limit.fiat, FIAT_DECIMALS)} usd` }
  const values = assets.flatMap(({ id, decimals }) => {
    const units = limit.byAsset[id]
    const fiatPerUnit = ROUGH_FIAT[symbolOf(id)]
    if (units === undefined || fiatPerUnit === undefined) return []
    const fiat = (units * fiatPerUnit * 10n ** BigInt(FIAT_DECIMALS)) / 10n ** BigInt(decimals)
    const wholeFiat = fiat / 10n ** BigInt(FIAT_DECIMALS)
    const text = `${formatUnits(units, decimals)} ${id}, about ${wholeFiat} usd`
    return [{ fiat, text }]
  })
  return values.toSorted((a, b) => (a.fiat > b.fiat ? -1 : 1))[0] ?? null
}

/**
 * Orders of magnitude in dollars (2026), to tell 500 bitcoins from 500 dollars without a network.
 * No decision about money uses them.
 */
const ROUGH_FIAT: Readonly<Record<string, bigint>> = {
  btc: 70_000n,
  wbtc: 70_000n,
  cbbtc: 70_000n,
  tbtc: 70_000n,
  lbtc: 70_000n,
  eth: 2_000n,
  weth: 2_000n,
  sol: 100n,
  bnb: 600n,
  usdc: 1n,
  usdt: 1n,
}

function judgeWindow({ guards }: Config, window: WindowConfig, index: number): ConfigFinding[] {
  const path = ["guards", "windows", index]
  const findings: ConfigFinding[] = []
  const { max, perMs } = window
  if (max !== null && guards.maxOrder !== null && isBelow(max, guards.maxOrder)) {
    const message =
      "the window allows less than max_order, so an order of that size is never possible"
    const todo = "raise max of the window, or lower max_order"
    findings.push(findingOf("windowBelowOrder", { path: [...path, "max"], message, todo }))
  }
  if (max !== null && perMs !== null && perMs < SHORT_WINDOW_MS && isOnlyWindow(guards.windows)) {
    const message =
      "the only limit over time is shorter than an hour, so a whole day may sell many times " +
      "its amount"
    const todo = "write per: 24h"
    findings.push(findingOf("windowShort", { path: [...path, "per"], message, todo }))
  }
  return findings
}

function isOnlyWindow(windows: readonly WindowConfig[]): boolean {
  return (
    windows.filter(({ max, perMs }) => max !== null && (perMs === null || perMs >= SHORT_WINDOW_MS))
      .length === 0
  )
}

function isBelow(a: SoldLimit, b: SoldLimit): boolean {
  if (a.kind === "fiat") return b.kind === "fiat" && a.fiat < b.fiat
  const [first] = Object.entries(a.byAsset)
  if (b.kind === "fiat" || first === undefined) return false
  const [asset, units] = first
  return Object.entries(b.byAsset).some(([id, most]) => id === asset && units < most)
}

function judgeApproval({ guards }: Config, isReal: boolean): ConfigFinding[] {
  const { approveAbove, maxOrder } = guards
  if (approveAbove === null) {
    if (!isReal) return []
    const message = "no order waits for a person"
    const todo = 'add approve_above: "50 usd" under guards'
    return [findingOf("noApproval", { path: ["guards"], message, todo })]
  }
  if (maxOrder === null || !isBelow(maxOrder, approveAbove)) return []
  const message = "approve_above is higher than max_order, so that no order ever waits for a person"
  const todo = "lower approve_above below max_order"
  return [findingOf("approvalAboveOrder", { path: ["guards", "approve_above"], message, todo })]
}

function judgeCost({ guards, prices }: Config): ConfigFinding[] {
  const shares = [
    { key: ["guards", "max_cost"], bps: guards.maxCost.kind === "share" ? guards.maxCost.bps : 0n },
    { key: ["prices", "tolerance"], bps: prices.toleranceBps },
    { key: ["prices", "max_spread"], bps: prices.maxSpreadBps },
    ...prices.pegs.map(({ toleranceBps }, index) => ({
      key: ["prices", "pegs", index, "tolerance"],
      bps: toleranceBps,
    })),
  ]
  return shares
    .filter(({ bps }) => bps > HIGH_COST_BPS)
    .map(({ key, bps }) => {
      const percent = Number(bps) / 100
      const message = `${key.at(-1)} of ${bps} bps lets each swap lose ${percent} % of its value`
      const todo = `write ${key.at(-1)}: "100bps"`
      return findingOf("highCost", { path: key, message, todo })
    })
}
