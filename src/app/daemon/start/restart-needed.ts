import { isDeepStrictEqual } from "node:util"
import { familyOf } from "#chains/families.ts"
import type { Config, OpsConfig } from "#config/config.ts"
import { type Asset, type AssetId, type ChainId, chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import type { Secret } from "#lib/secret.ts"
import { ROUTES } from "#routes/registry.ts"

/**
 * Names the changes that cannot take effect while the daemon runs, or while orders in flight depend
 * on the old value.
 */
export function findRestartNeeds(
  before: Config,
  after: Config,
  inFlight: readonly {
    readonly from: AssetId
    readonly to: AssetId
    readonly service?: string | null
  }[],
): Reason[] {
  const used = inFlight.flatMap(({ from, to }) => [from, to])
  return [
    ...(before.dataDir === after.dataDir ? [] : [restart("data_dir")]),
    ...(isSameSecret(before.journal, after.journal) ? [] : [restart("journal")]),
    // The lease and the log have the treasury's name.
    ...(after.journal === null || before.treasury === after.treasury ? [] : [restart("treasury")]),
    ...(isSameListener(before.ops.listen, after.ops.listen) ? [] : [restart("ops.listen")]),
    ...((before.ops.tls === null) === (after.ops.tls === null) ? [] : [restart("ops.tls")]),
    ...secretNeeds(before, after, inFlight.length > 0),
    ...(isSameSecret(before.telemetry.otlp, after.telemetry.otlp)
      ? []
      : [restart("telemetry.otlp")]),
    ...(before.stallLimitMs === after.stallLimitMs ? [] : [restart("stall_limit")]),
    ...[...new Set(used.map(chainOf))].flatMap((chain) => chainNeeds(chain, before, after)),
    ...[...new Set(used)].flatMap((asset) => assetNeeds(asset, before, after)),
    ...serviceNeeds(inFlight, before, after),
  ]
}

/** The secrets of orders in flight follow from the key and from the name of the treasury. */
function secretNeeds(before: Config, after: Config, areInFlight: boolean): Reason[] {
  const old = before.secrets.key
  const fresh = after.secrets.key
  if (old === null || !areInFlight) return []
  if (fresh === null) return [inUse("secrets.key", "removed")]
  return [
    ...(fresh.isSame(old) ? [] : [inUse("secrets.key", "changed")]),
    ...(before.treasury === after.treasury ? [] : [inUse("treasury", "changed")]),
  ]
}

function isSameSecret(before: Secret | null, after: Secret | null): boolean {
  return before === null || after === null ? before === after : before.isSame(after)
}

function isSameListener(before: OpsConfig["listen"], after: OpsConfig["listen"]): boolean {
  return before?.host === after?.host && before?.port === after?.port
}

/** An order stays with its service, or with its route. */
function serviceNeeds(
  inFlight: readonly { readonly service?: string | null }[],
  before: Config,
  after: Config,
): Reason[] {
  const known = inFlight.flatMap(({ service }) => (service == null ? [] : [service]))
  const isMissing = (name: string): boolean =>
    !after.services.some((service) => service.name === name)
  return [...new Set(known)].flatMap((name) => {
    if (ROUTES.some(({ kind }) => kind === name)) return routeNeeds(name, before, after)
    return isMissing(name) ? [inUse(`services.${name}`, "removed")] : []
  })
}

/** A burn is minted by the contracts that it was made with. */
function routeNeeds(name: string, before: Config, after: Config): Reason[] {
  const [old, fresh] = [before, after].map(({ routes }) => routes.find(({ kind }) => kind === name))
  if (old === undefined) return []
  if (fresh === undefined) return [inUse(`routes.${name}`, "removed")]
  return [
    ...(old.assets.every((asset) => fresh.assets.includes(asset))
      ? []
      : [inUse(`routes.${name}.assets`, "changed")]),
    ...(isDeepStrictEqual(old.contracts, fresh.contracts)
      ? []
      : [inUse(`routes.${name}.contracts`, "changed")]),
  ]
}

function chainNeeds(name: ChainId, before: Config, after: Config): Reason[] {
  const [old, fresh] = [before, after].map(({ chains }) =>
    chains.find(({ chain }) => chain === name),
  )
  if (!old) return []
  if (!fresh) return [inUse(`chains.${name}`, "removed")]
  const identity = familyOf(fresh).identityOf(fresh)
  const changed = Object.entries(familyOf(old).identityOf(old)).filter(
    ([key, value]) => identity[key] !== value,
  )
  const keys = [...changed.map(([key]) => key), ...(old.key.isSame(fresh.key) ? [] : ["key"])]
  return keys.map((key) => inUse(`chains.${name}.${key}`, "changed"))
}

function assetNeeds(id: AssetId, before: Config, after: Config): Reason[] {
  const [old, fresh] = [before, after].map(({ assets }) => assets.find((asset) => asset.id === id))
  if (!old) return []
  if (!fresh) return [inUse(`assets.${id}`, "removed")]
  return changedKeys(old, fresh).map((key) => inUse(`assets.${id}.${key}`, "changed"))
}

/** An HTLC may be added. It must not be removed while it may hold money. */
function changedKeys(old: Asset, fresh: Asset): string[] {
  return [
    ...(old.decimals === fresh.decimals ? [] : ["decimals"]),
    ...(old.token === fresh.token ? [] : ["token"]),
    ...(old.htlc.every((address) => fresh.htlc.includes(address)) ? [] : ["htlc"]),
  ]
}

function restart(key: string): Reason {
  return {
    code: "reload.restart_needed",
    message: `${key} cannot change while the daemon runs; restart it to apply the change`,
    key,
  }
}

function inUse(key: string, how: "removed" | "changed"): Reason {
  const message =
    `${key} cannot be ${how} while orders are in flight there; wait until they have ended, or ` +
    "restart"
  return { code: "reload.restart_needed", message, key }
}
