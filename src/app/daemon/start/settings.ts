import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { configHash } from "#config/hash.ts"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { Ceiling, OrderPolicy } from "#domain/order.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import type { EngineSettings } from "#engine/context.ts"
import type { OwnSecrets } from "#engine/orders/pay/own-secret.ts"
import { wayFor } from "#guards/deposit-way.ts"
import { AppError } from "#lib/app-error.ts"
import { openSecretKeeper } from "#lib/secret-keeper.ts"
import type { ChainPort } from "#ports/chain.ts"

const MINUTE_MS = 60_000

/** The configuration as the engine needs it: plain data and two functions. */
export function toSettings(
  config: Config,
  chains: ReadonlyMap<ChainId, ChainPort>,
): EngineSettings {
  const { guards } = config
  return {
    assets: new Map(config.assets.map((asset) => [asset.id, asset])),
    limits: {
      ...guards,
      maxRouteFiat: Object.fromEntries(
        config.routes.map(({ kind, maxInFlightFiat }) => [kind, maxInFlightFiat]),
      ),
    },
    serviceRestMs: guards.restAfterFailureMs,
    quoteTimeouts: new Map(config.services.map(({ name, timeoutMs }) => [name, timeoutMs])),
    cooldownMs: guards.cooldownAfterFailureMs,
    cooldownMaxMs: guards.cooldownMaxMs,
    minNative: new Map(guards.minNative.map(({ chain, units }) => [chain, units])),
    priceToleranceBps: config.prices.toleranceBps,
    affiliateFees: config.affiliate,
    rules: config.rules,
    policyFor: (from, to) => policyFor(config, from, to),
    destinationFor: (to, asked) => destinationFor(config, chains, to, asked),
    mode: config.mode,
    onAlarm: guards.onAlarm,
    configHash: configHash(config),
    ownSecrets: ownSecretsOf(config),
  }
}

function ownSecretsOf({ secrets: { key }, treasury, services, guards }: Config): OwnSecrets {
  return {
    keeper: key === null ? null : openSecretKeeper(key, treasury),
    maxServiceSecret: guards.maxServiceSecret,
    modeOf: (name, from, to) => {
      const service = services.find((one) => one.name === name)
      const pair = service?.secretPairs.find((one) => one.from === from && one.to === to)
      return pair?.secret ?? service?.secret ?? "service"
    },
  }
}

function policyFor(config: Config, from: AssetId, to: AssetId): OrderPolicy {
  const source = chainConfig(config, from)
  const destination = chainConfig(config, to)
  const sourceFamily = familyOf(source)
  const destinationFamily = familyOf(destination)
  const { guards, services } = config
  const asset = config.assets.find(({ id }) => id === from)
  return {
    way: wayFor(sourceFamily.depositWayOf(source, asset?.token), asset),
    maxCost: guards.maxCost,
    capitalBps: guards.capitalBps,
    // The service is not chosen yet, so the policy suits all of them.
    pollMinMs: Math.max(...services.map(({ poll }) => poll.minMs)),
    pollMaxMs: Math.max(...services.map(({ poll }) => poll.maxMs)),
    stuckAfterMs: source.stuckAfterMs,
    redeemStuckAfterMs: Math.max(
      destination.stuckAfterMs,
      destinationFamily.transactionLifeMs?.(destination) ?? 0,
    ),
    patienceMs: 30 * MINUTE_MS,
    depositWindowMs: sourceFamily.depositWindowMs,
    deadlineMarginMs: source.deadlineMarginMs,
    reportPatienceMs: destinationFamily.reportPatienceMs,
    timelocks: {
      source: sourceFamily.timelocksOf(source),
      destination: destinationFamily.timelocksOf(destination),
    },
    approveAbove: ceilingFor(guards.approveAbove, from),
    ...approveStepsFor(guards.approveSteps, from),
    approvalTtlMs: guards.approvalTtlMs,
  }
}

function approveStepsFor(
  steps: Config["guards"]["approveSteps"],
  from: AssetId,
): Pick<OrderPolicy, "approveSteps"> {
  const found = steps.flatMap(({ over, people }) => {
    const ceiling = ceilingFor(over, from)
    return ceiling === null ? [] : [{ over: ceiling, people }]
  })
  return found.length === 0 ? {} : { approveSteps: found }
}

function ceilingFor(limit: SoldLimit | null, asset: AssetId): Ceiling | null {
  if (limit === null || limit.kind === "fiat") return limit
  const units = limit.byAsset[asset]
  return units === undefined ? null : { kind: "units", units }
}

/**
 * Our own wallet, or the requested address. A configured list must contain it; `own` in the list
 * means all our wallets.
 */
function destinationFor(
  config: Config,
  chains: ReadonlyMap<ChainId, ChainPort>,
  to: AssetId,
  asked: string | null,
): string | null {
  const chain = chains.get(chainOf(to))
  if (!chain || (asked !== null && !chain.isAddress(asked))) return null
  const wanted = asked ?? chain.account
  const { destinations } = config.guards
  const ownAllowed = destinations === "own" || destinations.includes("own")
  if (ownAllowed && chain.sameAddress(wanted, chain.account)) return wanted
  if (destinations === "own") return null
  return destinations.some(
    (address) => chain.isAddress(address) && chain.sameAddress(address, wanted),
  )
    ? wanted
    : null
}

function chainConfig(config: Config, asset: AssetId): ChainConfig {
  const found = config.chains.find(({ chain }) => chain === chainOf(asset))
  if (found) return found
  throw new AppError({
    code: "config.chain_missing",
    disposition: "refused",
    message: `The chain of ${asset} is not configured`,
  })
}
