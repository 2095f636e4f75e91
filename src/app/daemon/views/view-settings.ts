import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { configHash } from "#config/hash.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { formatDuration } from "#schema/duration.ts"
import { describeGuards } from "./describe-guards.ts"

type SettingsView = AnswerOf<"Settings">

/** Pure. */
export function viewSettings(config: Config): SettingsView {
  const { chains, assets, services, ops } = config
  return {
    treasury: config.treasury,
    mode: config.mode,
    configHash: configHash(config),
    settings: describeSettings(config),
    guards: describeGuards(config, new Map()),
    services: services.map(({ name, url }) => ({ name, host: new URL(url).host })),
    chains: chains.map((chain) => {
      const { endpoints, agree } = familyOf(chain).describeTrust(chain)
      const { symbol, decimals } = chain.nativeCoin
      const { family, explorer } = chain
      return {
        chain: chain.chain,
        family,
        nativeCoin: { symbol, decimals },
        endpoints,
        agree,
        explorer,
      }
    }),
    assets: assets.map(({ id, decimals }) => ({ id, decimals })),
    payees: Object.entries(config.guards.payees).map(([name, address]) => ({ name, address })),
    tokens: [
      ...(ops.token === null
        ? []
        : [{ name: "ops.token", scopes: ["read", "operate", "approve"] }]),
      ...ops.tokens.map(({ name, scopes }) => ({ name, scopes })),
    ],
  }
}

function describeAlerts({ receivers, heartbeat }: Config["alerts"]): string {
  const names = receivers.map(({ name, kind }) => `${name} (${kind})`).join(", ")
  const beats =
    heartbeat === null ? "no heartbeat" : `a heartbeat every ${formatDuration(heartbeat.everyMs)}`
  return `${names === "" ? "no receiver" : names}; ${beats}`
}

function describeSecrets({ key }: Config["secrets"]): string {
  return key === null
    ? "the service chooses each swap's secret; service and solver together could take one deposit"
    : `ours, by the key ${key.reference}, unless a service has another choice`
}

function describeSettings({
  prices,
  books,
  health,
  signer,
  secrets,
  guards,
  log,
  mode,
  alerts,
}: Config): SettingsView["settings"] {
  const ownPrices = `${prices.sources.length} price sources`
  const signs = signer.isApart ? "a process of its own holds the keys" : "the daemon holds the keys"
  return [
    {
      name: "mode",
      means:
        mode === "live" ? "rules make orders" : "rules are judged and recorded; no order is made",
    },
    {
      name: "prices",
      means: prices.trustService ? `${ownPrices}; the service's price where none` : ownPrices,
    },
    {
      name: "on_alarm",
      means: guards.onAlarm === "pause" ? "pause everything" : "raise the alarm and go on",
    },
    { name: "books.reconcile_every", means: formatDuration(books.reconcileEveryMs) },
    {
      name: "books.on_difference",
      means:
        books.onDifference === "pause" ? "raise an alarm and pause everything" : "raise an alarm",
    },
    { name: "health.check_every", means: formatDuration(health.checkEveryMs) },
    { name: "health.alarm_after", means: formatDuration(health.alarmAfterMs) },
    { name: "alerts", means: describeAlerts(alerts) },
    {
      name: "approval_ttl",
      means: `an approval waits for ${formatDuration(guards.approvalTtlMs)}`,
    },
    { name: "signer", means: signs },
    { name: "secrets", means: describeSecrets(secrets) },
    { name: "log.level", means: log.level },
  ]
}
