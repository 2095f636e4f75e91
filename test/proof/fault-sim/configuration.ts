import type { OrderPolicy } from "#domain/order.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import type { EngineSettings } from "#engine/context.ts"
import type { Limits } from "#guards/limits.ts"
import { KIND } from "../../support/fake-burn-leg.ts"
import { BTC, ETH, POLICY, WBTC } from "../../support/fake-world.ts"
import type { FaultProfile } from "./fault-profile.ts"
import type { Random } from "./random.ts"

/**
 * The operator's settings beside the rules. A reload or a restart brings another configuration into
 * force.
 */
export type Configuration = Pick<EngineSettings, "limits" | "mode" | "cooldownMs"> & {
  readonly policy: OrderPolicy
}

/** A unit of any asset is worth one fiat unit to the simulated service. */
export const UNIT_FIAT = 1_000_000n
/** The most that the issuer may owe: a few of the usual orders, or a fifth of a crowd. */
export function issuerLimitOf({ isCrowded }: Pick<FaultProfile, "isCrowded">): bigint {
  return (isCrowded === true ? 300_000n : 60_000n) * UNIT_FIAT
}

const MINUTE_MS = 60_000

export function drawConfiguration(random: Random, profile: FaultProfile): Configuration {
  const wantsDeposits = ["collusion", "busy", "adversary"].includes(profile.mode)
  if (wantsDeposits || profile.hasIssuer) return withoutLimits(random, profile)
  return {
    limits: drawLimits(random, profile),
    mode: random.chance(0.05) ? "observe" : "live",
    cooldownMs: random.pick([null, null, 1_000, 5 * MINUTE_MS]),
    policy: drawPolicy(random, profile),
  }
}

/** Refuses no order, so that as many deposits as possible are made and can be taken. */
function withoutLimits(random: Random, profile: FaultProfile): Configuration {
  const none = {
    maxInFlightPerRule: null,
    maxInFlightPerPair: null,
    maxInFlightPerChain: null,
    maxOrder: null,
  }
  return {
    limits: {
      ...none,
      maxInFlight: profile.maxInFlight,
      windows: [],
      ...(profile.hasIssuer ? { maxRouteFiat: { [KIND]: issuerLimitOf(profile) } } : {}),
    },
    mode: "live",
    cooldownMs: null,
    policy: {
      ...drawPolicy(random, profile),
      approveAbove: null,
      // Orders on one token wait for each other's allowance.
      patienceMs: 20 * MINUTE_MS,
      // An attested burn that lost its block stays away for longer than a short window.
      depositWindowMs: (profile.hasIssuer ? 2 : 20) * MINUTE_MS,
      // A held order is observed at every poll, so short intervals would take most of the run's
      // time.
      pollMaxMs: MINUTE_MS / 3,
      // A lock of hours has more looks than the fifty of one here.
      ...(profile.isCrowded ? { pollMinMs: MINUTE_MS / 6 } : {}),
    },
  }
}

/** The configuration of the quiet time: mode `live`, so that every order can end. */
export function liveOf(configuration: Configuration): Configuration {
  return { ...configuration, mode: "live" }
}

function drawLimits(random: Random, profile: FaultProfile): Limits {
  const limits = drawAllLimits(random, profile)
  // A clock that leaps can only empty a window, so a run with leaps has one.
  return profile.enabled.has("clock leaps") && limits.windows.length === 0
    ? { ...limits, windows: [DAY_WINDOW] }
    : limits
}

const DAY_WINDOW = { perMs: 24 * 60 * MINUTE_MS, max: null, maxFeesFiat: null, maxCount: 3 }

function drawAllLimits(random: Random, { maxInFlight }: FaultProfile): Limits {
  const few = (): number | null => (random.chance(0.25) ? 1 + random.below(3) : null)
  return {
    maxInFlight,
    maxInFlightPerRule: few(),
    maxInFlightPerPair: few(),
    maxInFlightPerChain: few(),
    maxOrder: random.chance(0.3) ? drawSold(random, 8_000, 25_000) : null,
    windows: random.chance(0.5)
      ? [drawWindow(random), ...(random.chance(0.3) ? [drawWindow(random)] : [])]
      : [],
  }
}

function drawWindow(random: Random): Limits["windows"][number] {
  return {
    perMs: random.pick([2 * MINUTE_MS, 10 * MINUTE_MS, 6 * 60 * MINUTE_MS, null]),
    max: random.chance(0.7) ? drawSold(random, 20_000, 80_000) : null,
    maxFeesFiat: random.chance(0.3) ? BigInt(50 + random.below(300)) * UNIT_FIAT : null,
    maxCount: random.chance(0.4) ? 2 + random.below(6) : null,
  }
}

function drawSold(random: Random, low: number, high: number): SoldLimit {
  const amount = BigInt(low + random.below(high - low))
  if (random.chance(0.5)) return { kind: "fiat", fiat: amount * UNIT_FIAT }
  return { kind: "units", byAsset: { [BTC]: amount, [WBTC]: amount, [ETH]: amount } }
}

function drawPolicy(random: Random, { infrastructure }: FaultProfile): OrderPolicy {
  const units = BigInt(6_000 + random.below(20_000))
  const ceiling = random.pick([
    { kind: "units", units },
    { kind: "fiat", fiat: units * UNIT_FIAT },
  ] as const)
  return {
    ...POLICY,
    // Endpoints can stand still for minutes. The shipped patience covers that (families.test.ts);
    // plain seeds keep a short one.
    ...(infrastructure.kind === "plain" ? {} : { reportPatienceMs: 15 * MINUTE_MS }),
    patienceMs: random.pick([5, 5, 8]) * MINUTE_MS,
    stuckAfterMs: random.pick([10_000, 20_000, 40_000]),
    approveAbove: random.chance(0.35) ? ceiling : null,
    approvalTtlMs: random.pick([MINUTE_MS, 10 * MINUTE_MS]),
  }
}
