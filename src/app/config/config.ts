import type { AlertsConfig } from "#alerts/port.ts"
import type { ChainConfig } from "#chains/chain-config.ts"
import type { Agent } from "#domain/agent.ts"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import type { CostLimit, SecretMode } from "#domain/order.ts"
import type { PriceFeed } from "#domain/price.ts"
import type { AffiliateFee } from "#domain/route/affiliate-fee.ts"
import type { SendFields } from "#domain/route/send-fields.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import type { Secret } from "#lib/secret.ts"
import type { Address } from "#nodes/address.ts"
import type { ConfiguredRule } from "#policy/rules/registry.ts"
import type { RouteConfig } from "#routes/route-definition.ts"

/**
 * The parsed configuration, as other rooms get it. Durations are milliseconds, fiat is millionths
 * of the reference currency, units are smallest units, shares are basis points, and keys are
 * secrets that no log can print.
 */
export type Config = {
  /** The first of `services`. */
  readonly service: ServiceConfig
  readonly services: readonly [ServiceConfig, ...ServiceConfig[]]
  /** The name that commands show: `treasury`, or the file's name. */
  readonly treasury: string
  /** Absolute. */
  readonly dataDir: string
  /** The URL of the cluster's PostgreSQL; `null` for one machine. */
  readonly journal: Secret | null
  readonly ops: OpsConfig
  readonly chains: readonly ChainConfig[]
  readonly assets: readonly Asset[]
  /** The kinds of routes beside the services. */
  readonly routes: readonly RouteConfig[]
  readonly affiliate: readonly AffiliateFee[]
  readonly rules: readonly ConfiguredRule[]
  readonly guards: GuardsConfig
  readonly prices: PricesConfig
  readonly books: { readonly reconcileEveryMs: number; readonly onDifference: "alert" | "pause" }
  /** `key`: of our own swap secrets; `null` for none. */
  readonly secrets: { readonly key: Secret | null }
  readonly signer: SignerConfig
  readonly mode: "live" | "observe"
  readonly stallLimitMs: number
  /** `alarmAfterMs`: an endpoint or service without a good answer for this long is an alarm. */
  readonly health: { readonly checkEveryMs: number; readonly alarmAfterMs: number }
  readonly alerts: AlertsConfig
  /** `otlp`: the base URL of a collector of traces; `null` for none. */
  readonly telemetry: { readonly otlp: Secret | null }
  readonly log: {
    readonly level: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent"
  }
}

export type SignerConfig = {
  /** Live mode with a signer process, so the daemon holds no key. */
  readonly isApart: boolean
  /** `inside`: the daemon holds the keys. */
  readonly run: "child" | "inside"
  /** The socket of a signer with another supervisor. */
  readonly socket: string | null
  readonly dataDir: string
  /**
   * In smallest units; `null` for no limit. The chain's native coin may be named `<chain>:native`.
   */
  readonly limits: readonly {
    readonly asset: AssetId
    readonly perSignature: bigint | null
    readonly perHour: bigint | null
    readonly perDay: bigint | null
  }[]
  readonly signaturesPerHour: number
  /** Sign deposits into Bitcoin HTLCs that another key can refund. */
  readonly foreignRefundKeys: boolean
}

export type ServiceConfig = {
  /** Stored with each order; `main` for the one service of `service:`. */
  readonly name: string
  /** Without a slash at the end. */
  readonly url: string
  /** Of each request. */
  readonly headers: Readonly<Record<string, string>>
  readonly appId: string
  readonly appIdHeader: string
  readonly pathPrefix: string
  readonly timeoutMs: number
  readonly poll: { readonly minMs: number; readonly maxMs: number }
  readonly maxRequestsPerSecond: number
  readonly orderExtras: boolean
  readonly send: SendFields
  readonly secret: SecretMode
  /** Pairs with another choice than `secret`. */
  readonly secretPairs: readonly {
    readonly from: AssetId
    readonly to: AssetId
    readonly secret: SecretMode
  }[]
}

export type OpsConfig = {
  /**
   * `null`: no TCP, only the Unix socket. The text of the address determines `loopback`; without
   * TLS it is always true.
   */
  readonly listen: {
    readonly host: string
    readonly port: number
    readonly loopback: boolean
  } | null
  /** Has every scope. */
  readonly token: Secret | null
  readonly tokens: readonly OpsTokenConfig[]
  readonly agents: readonly AgentConfig[]
  /** Both in PEM. */
  readonly tls: { readonly cert: Secret; readonly key: Secret } | null
  readonly hosts: readonly string[]
}

type OpsTokenConfig = {
  readonly name: string
  readonly token: Secret
  readonly scopes: readonly ("read" | "operate" | "approve")[]
}

export type AgentConfig = Agent & { readonly token: Secret | null }

export type PricesConfig = {
  readonly sources: readonly PriceSourceConfig[]
  readonly pegs: readonly PegConfig[]
  readonly maxSpreadBps: bigint
  readonly toleranceBps: bigint
  /** An asset without a price of our own has the service's price, also in `live` mode. */
  readonly trustService: boolean
}

/**
 * A source of the price of one whole unit. `timePath` is `null` if a JSON answer has no time, `url`
 * if an exchange has its usual address.
 */
export type PriceSourceConfig = { readonly asset: AssetId; readonly maxAgeMs: number } & (
  | {
      readonly kind: "json"
      readonly url: Address
      readonly path: string
      readonly timePath: string | null
    }
  | { readonly kind: "coinbase" | "kraken"; readonly product: string; readonly url: Address | null }
  | { readonly kind: "feed"; readonly chain: ChainId; readonly feed: PriceFeed }
)

export type PegConfig = { readonly assets: readonly AssetId[]; readonly toleranceBps: bigint }

export type GuardsConfig = {
  readonly maxCost: CostLimit
  /** Basis points a year. */
  readonly capitalBps: bigint
  readonly maxOrder: SoldLimit | null
  /** Of an order with a secret of the service; `maxOrder` without a limit of its own. */
  readonly maxServiceSecret: SoldLimit | null
  readonly windows: readonly WindowConfig[]
  readonly maxInFlight: number
  readonly maxInFlightPerRule: number | null
  readonly maxInFlightPerPair: number | null
  readonly maxInFlightPerChain: number | null
  readonly maxInFlightPerService: number | null
  readonly maxGainBps: bigint
  /** By solver id; `allow` is `null` for every solver. */
  readonly solvers: { readonly allow: readonly string[] | null; readonly deny: readonly string[] }
  /** `null`: one minute for rules, none for manual requests. */
  readonly cooldownAfterFailureMs: number | null
  /** `null`: sixteen times the first cool-down. */
  readonly cooldownMaxMs: number | null
  readonly restAfterFailureMs: number
  readonly quietHours: readonly QuietHoursConfig[]
  readonly approveAbove: SoldLimit | null
  /** The amounts above which more than one person must approve. */
  readonly approveSteps: readonly { readonly over: SoldLimit; readonly people: number }[]
  readonly approvalTtlMs: number
  /** `own` in a list means all our wallets. */
  readonly destinations: "own" | readonly string[]
  /** Addresses by their names for people. */
  readonly payees: Readonly<Record<string, string>>
  readonly onAlarm: "pause" | "continue"
  /** The chains of the file; other chains have a built-in minimum. */
  readonly minNative: readonly { readonly chain: ChainId; readonly units: bigint }[]
}

/** `perMs` is `null` for the whole lifetime. */
export type WindowConfig = {
  readonly perMs: number | null
  readonly max: SoldLimit | null
  readonly maxFeesFiat: bigint | null
  readonly maxCount: number | null
}

/**
 * Minutes after local midnight; `toMinute` is the first minute after the quiet hours. They begin on
 * `days`; 0 is Sunday.
 */
export type QuietHoursConfig = {
  readonly fromMinute: number
  readonly toMinute: number
  readonly timezone: string
  readonly days: readonly number[]
}
