import type { AssetId } from "#domain/asset.ts"
import type { Means } from "./adversary/prices.ts"
import { STOPPING } from "./busy.ts"
import type { FaultKind } from "./fault-kinds.ts"
import type { FaultProfile, RunMode } from "./fault-profile.ts"
import type { PlantedBug } from "./planted-bugs.ts"

/** A seed, and limits on its draws. The seed draws each field that is absent. */
export type SimCase = {
  readonly seed: number
  readonly orders?: number
  /** Of the fault kinds that the seed enables, only these. */
  readonly only?: readonly FaultKind[]
  /** Turns of the hostile time. */
  readonly steps?: number
  /** The first turn with faults. */
  readonly faultsFrom?: number
  /** How many of the drawn rules are configured. */
  readonly rules?: number
  readonly bug?: PlantedBug
  /** Targets short-lived states with unexpected answers and operator actions during calls. */
  readonly directed?: boolean
  readonly mode?: RunMode
  /**
   * Ballast chooses the secrets, and service and solver have a scheme for each order. No draw
   * depends on it.
   */
  readonly ownSecrets?: boolean
  /** An issuer burns and mints beside the swap service. No draw of the rest depends on it. */
  readonly routes?: boolean
  /** With routes: from some turn on, the issuer's attesters sign nothing more. */
  readonly silent?: boolean
  /** With collusion, the endpoints of each chain: the last of them lies. Absent: three. */
  readonly endpoints?: 2 | 3
  /** The largest order with a secret of the service, in units. No draw depends on it. */
  readonly maxServiceSecret?: number
  /**
   * The quiet time in which a held order can still continue by itself. No draw depends on it.
   * Absent: 20.
   */
  readonly heldMinutes?: number
  /** The treasury has a lease: each call of the engine asks for it first. */
  readonly lease?: boolean
  /**
   * Two daemons share the treasury, with one log in two servers. No draw of the rest depends on it.
   */
  readonly cluster?: boolean
  /** With `cluster`: commits do not wait for the second server. */
  readonly asynchronous?: boolean
  /**
   * With `cluster`: leaders die while a server carries out their append. No draw without it depends
   * on it.
   */
  readonly lateAppends?: boolean
  /** The process dies after each commit to the end of the run. No draw depends on it. */
  readonly killsEachCommit?: boolean
  /**
   * A hundred orders that are looked at less often: a run of 100 000 of them takes less time. With
   * an issuer the operator asks until so many are open. No draw of another run depends on it.
   */
  readonly crowded?: boolean
  /** With an adversary: only these means, and each wherever it is of use. */
  readonly means?: readonly Means[]
  /** With an adversary: every order is of this pair. No draw depends on it. */
  readonly pair?: readonly [AssetId, AssetId]
}

const CROWD = 100

export function narrowFaultProfile(
  profile: FaultProfile,
  { only, steps, ownSecrets = false, maxServiceSecret, lease = false, ...more }: SimCase,
): FaultProfile {
  const enabled =
    only === undefined
      ? profile.enabled
      : new Set([...profile.enabled].filter((kind) => only.includes(kind)))
  const most = maxServiceSecret === undefined ? {} : { maxServiceSecret: BigInt(maxServiceSecret) }
  const activeSteps = steps ?? profile.activeSteps
  const { killsEachCommit, pair, crowded, orders = CROWD } = more
  const kills = killsEachCommit === true ? { killsEachCommit } : {}
  const pairs = pair === undefined ? {} : { routes: [pair] }
  return {
    ...profile,
    enabled,
    activeSteps,
    hasOwnSecrets: ownSecrets,
    hasLease: lease,
    ...most,
    ...kills,
    ...pairs,
    ...(crowded === true ? crowd({ ...profile, enabled }, orders) : {}),
  }
}

/** An issuer's crowd has no fault that stops every order for long: other seeds have those. */
function crowd({ enabled, hasIssuer }: FaultProfile, orders: number): Partial<FaultProfile> {
  const crowded = { isCrowded: true, orders, maxInFlight: orders }
  if (hasIssuer !== true) return { ...crowded, ordersATurn: 3 }
  const kept = new Set([...enabled].filter((kind) => !STOPPING.has(kind)))
  return { ...crowded, ordersATurn: 2, target: null, enabled: kept }
}

/** The command that runs exactly this case again. */
export function formatCommand({
  seed,
  orders,
  only,
  steps,
  faultsFrom,
  rules,
  bug,
  directed,
  mode,
  ownSecrets,
  routes,
  silent,
  endpoints,
  maxServiceSecret,
  heldMinutes,
  lease,
  cluster,
  asynchronous,
  lateAppends,
  killsEachCommit,
  crowded,
  means,
  pair,
}: SimCase): string {
  const flags: (readonly [string, string | number | undefined])[] = [
    ["--seed", seed],
    ["--orders", orders],
    ["--only", only === undefined ? undefined : `"${only.join(",")}"`],
    ["--steps", steps],
    ["--faults-from", faultsFrom],
    ["--rules", rules],
    ["--endpoints", endpoints],
    ["--max-service-secret", maxServiceSecret],
    ["--held-minutes", heldMinutes],
    ["--means", means === undefined ? undefined : `"${means.join(",")}"`],
    ["--pair", pair === undefined ? undefined : `"${pair.join(",")}"`],
    ["--bug", bug === undefined ? undefined : `"${bug}"`],
  ]
  const given = flags.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
  const modes = [
    ...(ownSecrets ? ["--own-secrets"] : []),
    ...(routes ? ["--routes"] : []),
    ...(silent ? ["--silent"] : []),
    ...(lease ? ["--lease"] : []),
    ...(cluster ? ["--cluster"] : []),
    ...(asynchronous ? ["--asynchronous"] : []),
    ...(lateAppends ? ["--late-appends"] : []),
    ...(killsEachCommit ? ["--kill-each-commit"] : []),
    ...(crowded ? ["--crowded"] : []),
    ...(directed ? ["--directed"] : []),
    ...(mode === undefined || mode === "drawn" ? [] : [`--${mode}`]),
  ]
  return `npm run sim -- ${[...given, ...modes].join(" ")}`
}
