import type { ChainPort } from "#chains/port.ts"
import type { ChainConfig, Config } from "#config/config.ts"
import { configHash } from "#config/hash.ts"
import { type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { Ceiling, DepositWay, OrderPolicy, TimelockBounds } from "#domain/order.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import type { EngineSettings } from "#engine/context.ts"
import { AppError } from "#lib/app-error.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The highest network fee that a Bitcoin redemption may take from the payout (about 150 vB at a high rate). */
const BITCOIN_PAYOUT_TOLERANCE = 20_000n
const FORTNIGHT_S = 14 * 24 * 3600

/** The configuration as the engine needs it: plain data and two look-ups. */
export function toSettings(config: Config, chains: ReadonlyMap<ChainId, ChainPort>): EngineSettings {
  const { guards } = config
  return {
    assets: new Map(config.assets.map((asset) => [asset.id, asset])),
    limits: guards,
    cooldownMs: guards.cooldownAfterFailureMs,
    cooldownMaxMs: guards.cooldownMaxMs,
    minNative: new Map(guards.minNative.map(({ chain, units }) => [chain, units])),
    priceToleranceBps: config.prices.toleranceBps,
    affiliateFees: config.affiliate,
    rules: config.rules,
    policyFor: (from, to) => policyFor(config, from, to),
    destinationFor: (to, asked) => destinationFor(config, chains, to, asked),
    mode: config.mode,
    configHash: configHash(config),
  }
}

function policyFor(config: Config, from: AssetId, to: AssetId): OrderPolicy {
  const [source, destination] = [chainConfig(config, from), chainConfig(config, to)]
  const { guards, service } = config
  return {
    way: wayOf(source),
    maxCost: guards.maxCost,
    pollMinMs: service.poll.minMs,
    pollMaxMs: service.poll.maxMs,
    stuckAfterMs: source.stuckAfterMs,
    patienceMs: 30 * MINUTE_MS,
    depositWindowMs: source.family === "bitcoin" ? 6 * HOUR_MS : HOUR_MS,
    deadlineMarginMs: source.deadlineMarginMs,
    reportPatienceMs: destination.family === "bitcoin" ? 3 * HOUR_MS : 15 * MINUTE_MS,
    timelocks: { source: boundsOf(source), destination: boundsOf(destination) },
    payoutToleranceUnits: destination.family === "bitcoin" ? BITCOIN_PAYOUT_TOLERANCE : 0n,
    approveAbove: ceilingFor(guards.approveAbove, from),
    approvalTtlMs: guards.approvalTtlMs,
  }
}

function wayOf(chain: ChainConfig): DepositWay {
  return chain.family === "evm" || chain.family === "starknet" ? chain.deposit : "onchain"
}

/** The target interval of each live chain in seconds per block or slot, so that the timelocks of two legs can be compared. */
function secondsPerUnit(chain: ChainConfig): number {
  switch (chain.family) {
    case "bitcoin":
      return 600
    case "solana":
      return 0.4
    case "starknet":
      return 30
    case "evm":
      return EVM_BLOCK_SECONDS[chain.chainId] ?? 2
  }
}

/** Ethereum and its test networks; Arbitrum counts its own blocks (field notes). All other chains count as two-second roll-ups. */
const EVM_BLOCK_SECONDS: Readonly<Record<number, number>> = {
  1: 12,
  11155111: 12,
  17000: 12,
  42161: 0.25,
  421614: 0.25,
  56: 3,
}

/** Wide enough for every value in the field notes; a lock of one block or of many years is refused. */
const MIN_TIMELOCK = { bitcoin: 3n, evm: 20n, solana: 100n, starknet: 10n } as const

function boundsOf(chain: ChainConfig): TimelockBounds {
  const seconds = secondsPerUnit(chain)
  const widest = chain.family === "starknet" ? 1 : seconds
  return {
    min: chain.timelock.min ?? MIN_TIMELOCK[chain.family],
    max: chain.timelock.max ?? BigInt(Math.ceil(FORTNIGHT_S / widest)),
    secondsPerUnit: seconds,
  }
}

function ceilingFor(limit: SoldLimit | null, asset: AssetId): Ceiling | null {
  if (limit === null || limit.kind === "fiat") return limit
  const units = limit.byAsset[asset]
  return units === undefined ? null : { kind: "units", units }
}

/** Our own wallet, or the requested address. A configured list must contain it; `own` in the list stands for all our wallets. */
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
  return destinations.some((address) => chain.isAddress(address) && chain.sameAddress(address, wanted)) ? wanted : null
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
